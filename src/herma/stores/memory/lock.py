"""One writer at a time, among threads and processes: an advisory lock on a file of its own beside the memory.

The kernel frees it when its holder ends, killed or not. Nobody waits for ever: a stopped process may hold it.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from herma.errors import Conflict

__all__ = ["PATIENCE", "alone"]

PATIENCE = 10.0  # seconds

_FIRST, _LONGEST, _GROWTH = 0.0002, 0.01, 1.5
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def alone(path: str, *, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock file at `path`, whose folder is made where it is missing.

    Raises `Conflict` after `patience` seconds.
    """
    opened = _open(path)
    try:
        _take(opened, path, patience)
        yield
    finally:
        os.close(opened)


def _open(path: str) -> int:
    try:
        return os.open(path, _OPEN, 0o600)
    except FileNotFoundError:
        Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, _OPEN, 0o600)


def _take(opened: int, path: str, patience: float) -> None:
    pause, until = _FIRST, 0.0
    while True:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            now = time.monotonic()
            until = until or now + patience
            if now >= until:
                raise Conflict(
                    f"another process has held {path} for {patience:g} seconds", hint="try again when it is done"
                ) from None
            time.sleep(min(pause, until - now))
            pause = min(pause * _GROWTH, _LONGEST)
        else:
            return
