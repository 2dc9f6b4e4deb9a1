"""A copied environment made to stand at its new place: every absolute path of its own is rewritten."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# A longer first line, or one with a space in the path, is not understood by every kernel.
SHEBANG_LIMIT = 127


def shebang(python: str) -> bytes:
    """The head of a script that runs under `python`, in the form that an installer writes."""
    line = f"#!{python}\n".encode()
    if len(line) <= SHEBANG_LIMIT and " " not in python:
        return line
    return f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n".encode()


def relocated(script: bytes, *, old: str, new: str) -> bytes:
    """`script` with its shebang and every other mention of the folder `old` pointing to `new`.

    A folder whose name only begins like `old` is somebody else's and stays.
    """
    head = _head(old).match(script)
    if head:
        script = shebang(new + head["program"].decode()) + script[head.end() :]
    return re.sub(re.escape(old.encode()) + rb"(?![\w.-])", lambda _: new.encode(), script)


def _head(old: str) -> re.Pattern[bytes]:
    before, after = rb"#!(?:/bin/sh\n'''exec' \"?)?", rb"(?:\"? \"\$0\" \"\$@\"\n' ''')?\n"
    return re.compile(before + re.escape(old.encode()) + rb"(?P<program>/bin/[\w.-]+)" + after)


def relocate(folder: Path, *, old: str, new: str) -> None:
    """Rewrite the scripts and the configuration of the environment in `folder`, made at `old`, to stand at `new`."""
    for path in (*sorted((folder / "bin").iterdir()), folder / "pyvenv.cfg"):
        if path.is_file() and not path.is_symlink():
            _rewrite(path, old=old, new=new)


def _rewrite(path: Path, *, old: str, new: str) -> None:
    before = path.read_bytes()
    if b"\0" in before:  # a program, not a script
        return
    after = relocated(before, old=old, new=new)
    if after != before:
        path.write_bytes(after)
