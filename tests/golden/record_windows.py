"""Records what a real Hermes answers to `read_file` for files whose bytes matter: line ends, encodings, secrets.

Run it with the Python of an environment that has Hermes, and give it the file to write:

    python tests/golden/record_windows.py tests/golden/windows-0.19.0.json
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = "/srv/files"
PLAIN: dict[str, Any] = {}
FILES: dict[str, bytes] = {
    "two-lines.txt": b"alpha\nbeta\n",
    "open.txt": b"alpha\nbeta",
    "empty.txt": b"",
    "line-feed.txt": b"\n",
    "blank-last.txt": b"alpha\n\n\n",
    "crlf.txt": b"alpha\r\nbeta\r\n",
    "separators.txt": "a\x0cb\u2028c\x1dd\ntab\there\n".encode(),
    "scripts.txt": "漢字かな\n🙂 \u0301\n".encode(),
    "bom.txt": b"\xef\xbb\xbfalpha\nbeta\n",
    "latin-1.txt": b"caf\xe9\nbeta\n",
    "edge-2000.txt": b"y" * 2000 + b"\nbeta\n",
    "edge-2001.txt": b"y" * 2001 + b"\nbeta\n",
    "secret.txt": b"token = ghp_" + b"a1B2" * 9 + b"\nbeta\n",
    "conflict.txt": b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n",
    "raw.json": b'{"error": "told", "next_offset": 3, "truncated": true}\n',
    "mentions.py": b'NEXT = "next_offset"\n',
}
ASKED: dict[str, tuple[dict[str, Any], ...]] = {
    "two-lines.txt": (
        PLAIN,
        {"offset": 2},
        {"offset": "2", "limit": "1"},
        {"offset": 1, "limit": 1},
        {"offset": 2, "limit": 1},
        {"offset": 3},
        {"offset": 1, "limit": 2},
        {"offset": 0, "limit": 99999},
        PLAIN,
        PLAIN,
    ),
    "open.txt": (PLAIN, {"offset": 2}, {"limit": 1}, {"limit": 2}),
    "blank-last.txt": (PLAIN, {"offset": 3}, {"limit": 2}),
}


def record(folder: Path) -> Iterator[dict[str, Any]]:
    """One read after the other: what was asked and what came back."""
    from tools.file_tools import read_file_tool  # noqa: PLC0415 - exists only inside the host

    for name, data in FILES.items():
        (folder / name).write_bytes(data)
        for arguments in ASKED.get(name, (PLAIN,)):
            answer = read_file_tool(str(folder / name), task_id="recorded", **arguments)
            yield {"file": name, "arguments": arguments, "answer": answer.replace(str(folder), FOLDER)}


def main() -> None:
    """Write the file that was named."""
    with tempfile.TemporaryDirectory() as made:
        home, folder = Path(made) / "home", Path(made) / "files"
        home.mkdir()
        folder.mkdir()
        os.environ["HERMES_HOME"] = str(home)
        reads = list(record(folder))
    Path(sys.argv[1]).write_text(json.dumps(reads, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
