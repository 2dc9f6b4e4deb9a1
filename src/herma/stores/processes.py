"""A process and those above it, as `/proc` shows them. Linux only: elsewhere there is nothing to read."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from herma.core.people.presence import Process

__all__ = ["PROC", "all_ids", "chain"]

PROC = Path("/proc")

_MOST = 256
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_EVERY_ID = 4_294_967_295
_CLIENT = b"SSH_CONNECTION="


def chain(pid: int, proc: Path = PROC) -> list[Process]:
    """The process and its parents, up to the first whose parent is not to be seen. Empty where nothing can be read."""
    found: list[Process] = []
    while pid > 0 and len(found) < _MOST:
        process = _process(pid, proc)
        if process is None:
            return []  # one that went while we looked leaves a gap that could hide anything
        found.append(process)
        pid = process.parent
    return found if pid == 0 else []


def all_ids(proc: Path = PROC) -> bool:
    """Whether every user id means here what it means on the machine: no namespace that anybody could have made."""
    try:
        first, outside, count = map(int, (proc / "self" / "uid_map").read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return False
    return (first, outside, count) == (0, 0, _EVERY_ID)


def _process(pid: int, proc: Path) -> Process | None:
    folder = proc / str(pid)
    try:
        line = (folder / "stat").read_text(encoding="utf-8", errors="replace")
        # The name stands in brackets and may itself hold brackets and blanks.
        name, _, rest = line.partition("(")[2].rpartition(")")
        fields = rest.split()
        parent, group, terminal, foreground = (int(fields[at]) for at in (1, 2, 4, 5))
    except (OSError, ValueError, IndexError):
        return None
    program = _program(folder)
    return Process(
        pid=pid,
        parent=parent,
        group=group,
        terminal=terminal,
        foreground=foreground,
        name=name,
        argv=_argv(folder),
        program=program,
        sealed=bool(program) and _sealed(folder / "exe"),
        root=_root(folder),
        client=_client(folder),
    )


def _argv(folder: Path) -> tuple[str, ...]:
    try:
        line = (folder / "cmdline").read_bytes()
    except OSError:
        return ()
    return tuple(part.decode("utf-8", "replace") for part in line.rstrip(b"\0").split(b"\0"))


def _program(folder: Path) -> str:
    try:
        return str((folder / "exe").readlink())
    except OSError:
        return ""


def _sealed(program: Path) -> bool:
    try:
        found = program.stat()
    except OSError:
        return False
    return found.st_uid == 0 and not found.st_mode & _OTHERS_MAY_WRITE


def _root(folder: Path) -> bool:
    with suppress(OSError, ValueError, IndexError):
        for line in (folder / "status").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("Uid:"):
                return int(line.split()[2]) == 0
    return False


def _client(folder: Path) -> str | None:
    try:
        environment = (folder / "environ").read_bytes()
    except OSError:
        return None
    values = [entry[len(_CLIENT) :] for entry in environment.split(b"\0") if entry.startswith(_CLIENT)]
    return os.fsdecode(values[0]) if values else ""
