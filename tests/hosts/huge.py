"""The huge and odd files that the reading tests let a real host read."""

import json
from pathlib import Path
from typing import NamedTuple

__all__ = ["Huge", "make"]


class Huge(NamedTuple):
    """One file and its text."""

    path: Path
    text: str

    @property
    def lines(self) -> list[str]:
        """Its lines, without line feeds."""
        return self.text.removesuffix("\n").split("\n")

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.text.encode())


def make(folder: Path) -> dict[str, Huge]:
    """The files, by name, written into `folder`."""
    texts = {
        "server.log": "".join(
            f"2026-11-30 12:{n // 60 % 60:02d}:{n % 60:02d} INFO worker-{n % 7} finished job {n} and went on\n"
            for n in range(1, 6001)
        ),
        "open-ended.log": "".join(f"{n} no line feed stands at the end of this file at all\n" for n in range(1, 2000))
        + "the very end",
        "wide.txt": "".join(f"{n:03d} {'wide column of words ' * 72}"[:1499] + "\n" for n in range(1, 301)),
        "one-line.json": json.dumps([{"id": n, "name": f"user-{n}", "note": "n" * 20} for n in range(6000)]),
        "row.json": json.dumps([{"id": n, "note": "n" * 20} for n in range(1800)]),
        "memo.txt": "".join(f"{n} a memo that another tool reads as plain text\n" for n in range(1, 1701)),
        "small.txt": "one\ntwo\nthree\n",
        "sent-whole.txt": "".join(f"{n} {'a' * 40}\n" for n in range(1, 1201)),
        "batch-a.log": "".join(f"{n} read beside others, in one message of the model\n" for n in range(1, 1301)),
        "batch-b.log": "".join(f"{n} read beside the first, in the same message\n" for n in range(1, 1301)),
        "batch-small.txt": "read beside two big ones\n",
        "crlf.txt": "".join(f"{n} carriage returns are part of the text\r\n" for n in range(1, 1501)),
        "漢字.txt": "".join(f"{n} 漢字かな交じり文の長い行です。{'字' * 20}\n" for n in range(1, 1501)),
    }
    made = {}
    for name, text in texts.items():
        path = folder / name
        path.write_bytes(text.encode())
        made[name] = Huge(path, text)
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    return made
