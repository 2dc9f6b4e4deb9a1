"""Records what a real Hermes answers to `read_file` for files whose bytes matter: line ends, encodings, secrets.

Run it with the Python of an environment that has Hermes, and give it the file to write:

    python -m tests.golden.record_windows tests/golden/windows-0.19.0.json
"""

from pathlib import Path
from typing import Any

from tests.golden.recording import PLAIN, write

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


def _fill(folder: Path) -> None:
    for name, data in FILES.items():
        (folder / name).write_bytes(data)


def main() -> None:
    """Write the file that was named."""
    write(FILES, ASKED, _fill)


if __name__ == "__main__":
    main()
