"""SQLite as an engine: its types, its manners and what its errors mean to a person."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from threading import Event
from time import monotonic

from herma.errors import StoreDamaged, StoreError, StoreFull, StoreLocked

__all__ = ["KEYED", "PATIENCE", "TYPES", "begin", "begin_later", "connect", "copy", "settle", "trouble"]

PATIENCE = 2.0  # seconds to wait for a lock, all in all

TYPES = {
    "text": "TEXT",
    "int": "INTEGER",
    "bytes": "BLOB",
    "row": "INTEGER PRIMARY KEY",
    "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
}
KEYED = " WITHOUT ROWID"  # the end of the definition of a table in the order of its key

_WAL = "PRAGMA journal_mode = WAL"
_OLDEST = (3, 35, 0)  # the first with RETURNING
_PRIMARY = 0xFF  # the part of an error's code that is its kind
_PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)  # seconds; each is stretched to up to twice as long, at random

_BUSY = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_LOCKED = (StoreLocked, "is kept busy by another process", "try again; if it stays so, look which process has it open")
_DAMAGED = (StoreDamaged, "cannot be read as a database", "put a backup of it in its place, or move it away")
_DENIED = (StoreError, "cannot be written", "look who owns the file and its folder, and whether the disk is writable")
_BY_CODE: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_FULL: (StoreFull, "has no room left", "make room on the disk; nothing of this was written"),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_READONLY: _DENIED,
    sqlite3.SQLITE_CANTOPEN: _DENIED,
    sqlite3.SQLITE_PERM: _DENIED,
    sqlite3.SQLITE_IOERR: (StoreError, "could not be read or written", "look at the disk and the system's log"),
}
_ODD = (StoreError, "refused a statement", "please report it; what was begun was undone")


def connect(address: str, *, synchronous: str, patience: float = 0) -> sqlite3.Connection:
    """A connection that waits `patience` seconds for others; its transactions are ours to begin and to end."""
    if sqlite3.sqlite_version_info < _OLDEST:
        raise StoreError(
            f"this Python has SQLite {sqlite3.sqlite_version}, which is too old to keep people in",
            hint="use a Python with SQLite 3.35 or later",
        )
    made = sqlite3.connect(
        address, timeout=patience, isolation_level=None, check_same_thread=False, cached_statements=256, uri=True
    )
    made.execute(f"PRAGMA synchronous = {synchronous}")
    made.execute("PRAGMA wal_autocheckpoint = 0")
    return made


def settle(connection: sqlite3.Connection, randomness: Callable[[int], bytes]) -> None:
    """Switch a database to write-ahead logging, which stays in the file. Outside of any transaction."""
    until = monotonic() + PATIENCE
    try:
        connection.execute(_WAL)
    except sqlite3.OperationalError as error:
        _again(connection, _WAL, error, randomness, until=until)


def copy(source: str, target: str) -> None:
    """Copy a database that is in use through SQLite itself. A damaged one is not copied."""
    with closing(connect(source, synchronous="FULL")) as old, closing(connect(target, synchronous="FULL")) as new:
        (said,) = old.execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok":
            raise StoreDamaged(f"the database of people is damaged: {said}", hint=_DAMAGED[2])
        old.backup(new)


def begin(connection: sqlite3.Connection, randomness: Callable[[int], bytes], *, until: float) -> None:
    """Begin a transaction that may write, waiting for other processes until that monotonic time."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        begin_later(connection, error, randomness, until=until)


def begin_later(
    connection: sqlite3.Connection, refused: sqlite3.Error, randomness: Callable[[int], bytes], *, until: float
) -> None:
    """The same, after a first refusal; what is not a lock is raised at once."""
    _again(connection, "BEGIN IMMEDIATE", refused, randomness, until=until)


def _again(
    connection: sqlite3.Connection,
    statement: str,
    refused: sqlite3.Error,
    randomness: Callable[[int], bytes],
    *,
    until: float,
) -> None:
    if not _is_busy(refused):
        raise trouble(refused) from refused
    never, tries = Event(), 0
    while True:
        pause = _PAUSES[min(tries, len(_PAUSES) - 1)] * (1 + randomness(1)[0] / 255)
        never.wait(min(pause, max(0.0, until - monotonic())))
        tries += 1
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or monotonic() >= until:
                raise trouble(error) from error
        else:
            return


def trouble(error: sqlite3.Error) -> StoreError:
    """What an error of SQLite means to a person."""
    kind, what, hint = _BY_CODE.get(getattr(error, "sqlite_errorcode", 0) & _PRIMARY, _ODD)
    return kind(f"the database of people {what}: {error}", hint=hint)


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY in _BUSY
