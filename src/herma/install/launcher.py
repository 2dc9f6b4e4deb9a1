"""The interpreter behind a `hermes` command: a script of pip, pipx or uv, or a shell wrapper around one."""

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from herma.install.machine import exists

__all__ = ["interpreter_of", "is_script"]

_HEAD_BYTES = 4096
_WRAPPERS = 4  # a wrapper around a wrapper around a wrapper; more than that is a loop
_EXEC = re.compile(r"""\bexec'?\s+(?:"([^"$]+)"|'([^'$]+)'|([^\s"'$]+))""")
_PYTHON = re.compile(r"python[0-9.]*")


def is_script(path: Path) -> bool:
    """Whether the file starts with `#!`. A compiled program of the same name is another program."""
    return _head(path).startswith("#!")


def interpreter_of(script: Path, search_path: Sequence[Path]) -> Path | None:
    """The Python that `script` ends up in, by reading it; None where that cannot be told. Nothing is run.

    Symbolic links are followed to the script, and not from the interpreter on: that would leave its environment.
    """
    for _ in range(_WRAPPERS):
        script = Path(os.path.realpath(script))  # unlike resolve(), it takes a loop of links for what it is
        target = _target(script, search_path)
        if target is None:
            break
        if _PYTHON.fullmatch(target.name):
            return target
        script = target
    return _beside(script)


def _target(script: Path, search_path: Sequence[Path]) -> Path | None:
    """What runs the script: the program of its first line, or what a shell script hands over to."""
    head = _head(script)
    if not head.startswith("#!"):
        return None
    first, _, body = head.partition("\n")
    program = _program(first.removeprefix("#!").strip(), search_path)
    if program is not None and _PYTHON.fullmatch(program.name):
        return program
    handed_over = _EXEC.search(body)
    if handed_over is None:
        return None
    found = Path(next(filter(None, handed_over.groups())))
    return found if found.is_absolute() else None


def _program(line: str, search_path: Sequence[Path]) -> Path | None:
    program, _, rest = line.partition(" ")
    if Path(program).name != "env":
        return Path(program)
    words = [word for word in _words(rest) if not word.startswith("-") and "=" not in word]
    return _on_path(words[0], search_path) if words else None


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _on_path(name: str, search_path: Sequence[Path]) -> Path | None:
    places = (folder / name for folder in search_path)
    return next((place for place in places if os.access(place, os.X_OK)), None)


def _beside(script: Path) -> Path | None:
    # A relocatable launcher computes its folder at run time; its interpreter is the one it was installed beside.
    python = script.parent / "python"
    return python if exists(script.parent.parent / "pyvenv.cfg") and exists(python) else None


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
