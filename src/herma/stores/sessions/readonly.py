"""A host's SQLite database, opened so that no byte of it and beside it changes and the host never waits.

SQLite creates files beside a database, and rewrites them, even for a connection that may only read. So each of the
states in which a host leaves its database is opened in the one way that leaves everything where it is:

    header   log (-wal)  its index (-shm)   opened with
    no log   -           -                  mode=ro: with the locks that a rollback journal needs
    log      there       there              mode=ro, readonly_shm=1: a host has it open, or ended without closing it
    log      not empty   gone               not at all: only the host can take the log in
    log      otherwise   otherwise          immutable=1: nobody has it open; looked at again after it was read
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import NamedTuple

__all__ = ["REASONS", "NotRead", "opened"]

REASONS = {
    "missing": "there is none",
    "linked": "it is a symbolic link; name the file that it leads to",
    "denied": "it may not be read",
    "foreign": "it is no SQLite database",
    "unmerged": "its newest messages lie beside it, and only the host can take them in: start the host once",
    "locked": "another process has it locked; try again",
    "changed": "it changed while it was read; try again",
    "damaged": "it is damaged",
    "schema": "it is laid out in another way than in the versions that Herma knows",
    "unreadable": "SQLite cannot read it",
}

_PATIENCE = 1.0  # seconds to wait for a lock
_MAGIC = b"SQLite format 3\0"
_READ_VERSION, _LOG = 19, 2  # the byte of the header that says that there is a write-ahead log, and how
_BY_ERROR = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "unmerged",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_CANTOPEN: "denied",
    sqlite3.SQLITE_PERM: "denied",
}
_PRIMARY = 0xFF  # the part of an error's code that is its kind

# Closing any handle of a process on a database drops the locks that SQLite holds on it for that whole process, and the
# host may be this process. So the handles for looking at headers stay open, up to a number that a process can spare.
_MOST_HANDLES = 64
_handles: dict[tuple[int, int], int] = {}
_looking = Lock()


class NotRead(Exception):  # noqa: N818 - caught by whoever opens, never shown as it is
    """Why nothing was read: a key of `REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


class _State(NamedTuple):
    """The database's file, size, time and reading version; the size of the log beside it, and whether it has an index.

    `journal` is whether a host is changing it without a log.
    """

    file: tuple[int, int]
    size: int
    mtime_ns: int
    version: int
    log: int | None
    indexed: bool
    journal: bool

    @property
    def options(self) -> str:
        """How SQLite can read this and create or write nothing."""
        if self.version != _LOG:
            return "mode=ro"
        if self.indexed and self.log is not None:
            return "mode=ro&readonly_shm=1"
        if self.log:
            raise NotRead("unmerged")
        return "mode=ro&immutable=1"


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The database, within one transaction: what a host stores meanwhile is in none of the answers.

    Raises `NotRead`, also for an error of SQLite's inside the block. Nothing that was read counts before the block has
    ended without an error. Text that is no UTF-8 comes with replacement characters.
    """
    try:
        before = _state(path)
        with closing(_connected(f"{path.absolute().as_uri()}?{before.options}")) as database:
            database.execute("BEGIN")
            yield database
        # The host may have come back; where there is no lock, SQLite does not notice.
        if "immutable" in before.options and _state(path) != before:
            raise NotRead("changed")
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
        raise NotRead(_BY_ERROR.get(code, "unreadable")) from error


def _connected(address: str) -> sqlite3.Connection:
    database = sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)
    database.text_factory = partial(str, encoding="utf-8", errors="replace")
    # What stands in the schema of a foreign file is not run, and nothing of ours can be made to write.
    database.execute("PRAGMA trusted_schema=OFF")
    database.execute("PRAGMA query_only=ON")
    return database


def _state(path: Path) -> _State:
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            raise NotRead("linked")
        if not stat.S_ISREG(found.st_mode):
            raise NotRead("foreign")
        with _looking:
            header = _header(path, (found.st_dev, found.st_ino))
        log = path.with_name(f"{path.name}-wal")
        size = log.stat().st_size if log.exists() else None
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotRead("missing") from error
    except (OSError, ValueError) as error:
        raise NotRead("denied") from error
    if len(header) <= _READ_VERSION or not header.startswith(_MAGIC):
        raise NotRead("foreign")
    return _State(
        (found.st_dev, found.st_ino),
        found.st_size,
        found.st_mtime_ns,
        header[_READ_VERSION],
        size,
        path.with_name(f"{path.name}-shm").exists(),
        path.with_name(f"{path.name}-journal").exists(),
    )


def _header(path: Path, file: tuple[int, int]) -> bytes:
    handle = _handles.get(file)
    if handle is None:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        found = os.fstat(handle)
        if len(_handles) >= _MOST_HANDLES:
            os.close(_handles.pop(next(iter(_handles))))
        _handles[found.st_dev, found.st_ino] = handle
        if (found.st_dev, found.st_ino) != file:
            raise NotRead("changed")
    return os.pread(handle, _READ_VERSION + 1, 0)
