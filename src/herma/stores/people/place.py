"""Where a database lies: made before SQLite opens it, with the right rights, and never touched here afterwards.

A process that closes any handle of its own on a database file loses SQLite's locks on it, and with them other people's
writes. So a file that exists is only looked at by its name.
"""

import os
import stat
from pathlib import Path

from herma.errors import StoreError

__all__ = ["MEMORY", "create", "default", "identity", "prepare"]

MEMORY = ":memory:"

_FILE, _FOLDER = 0o600, 0o700
_OTHERS = 0o077
_HINT = "set db_path to a file in a folder of your own"


def prepare(path: Path) -> None:
    """Make sure that there is a file of ours at `path`, private to its owner; an empty one where there was none."""
    try:
        path.parent.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
        if not os.path.lexists(path):
            create(path)
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            what = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "no file"
            raise StoreError(f"the database of people at {path} is {what}", hint=_HINT)
        if found.st_mode & _OTHERS:
            path.chmod(_FILE)
    except OSError as error:
        raise StoreError(f"there can be no database of people at {path}: {error.strerror}", hint=_HINT) from error


def default(home: Path) -> Path:
    """Where the database of a Hermes home lies unless a setting says otherwise."""
    return home / "plugin-data" / "manyhands" / "manyhands.db"


def create(path: Path) -> None:
    """An empty file that only its owner may read; one that is there is left alone."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _FILE)
    except FileExistsError:
        return
    try:
        os.fchmod(handle, _FILE)
    finally:
        os.close(handle)


def identity(path: Path) -> str:
    """Which file this is: another one in its place, such as a backup that was put back, has another identity."""
    return str(path.lstat().st_ino)
