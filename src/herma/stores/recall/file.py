"""The file of an index: private to its owner, a cache that is thrown away when it is damaged or of another making."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from herma.errors import StoreError
from herma.stores.recall.schema import TABLES, TEMPORARY, VERSION

__all__ = ["OtherMaking", "connect", "discard", "is_damage"]

_APPLICATION = 0x48657263  # so that no other file is ever taken for an index, and thrown away
_PAGE = 8_192
_HASH = 8 << 20
_PATIENCE = 2.0  # seconds
_DAMAGE = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))
_PRIMARY = 0xFF
_BESIDE = ("", "-wal", "-shm", "-journal")


class OtherMaking(sqlite3.DatabaseError):
    """An index of an earlier or later version, or of another host: to be made anew."""


def connect(path: Path, kind: str) -> sqlite3.Connection:
    """The index of a host of this kind at `path`, made where there was none. Raises `StoreError`, `sqlite3.Error`."""
    _prepare(path)
    made = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        _settle(made, path, kind)
    except BaseException:
        made.close()
        raise
    return made


def discard(path: Path) -> None:
    """Throw an index away. Only what is one, or an empty or unreadable file in its place."""
    for ending in _BESIDE:
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").unlink()


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file can no longer be read as what it was."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY in _DAMAGE


def _prepare(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise StoreError(f"{path} is no file of an index", hint="move it away; the index is made anew")
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        if path.lstat().st_mode & 0o077:
            path.chmod(0o600)
    except OSError as error:
        hint = "look who owns the folder, and whether the disk is writable"
        raise StoreError(f"there can be no index at {path}: {error.strerror}", hint=hint) from error


def _settle(made: sqlite3.Connection, path: Path, kind: str) -> None:
    made.execute("PRAGMA trusted_schema = OFF")
    made.execute("PRAGMA temp_store = MEMORY")
    _refuse_others(made, path)
    made.execute(f"PRAGMA page_size = {_PAGE}")
    made.execute("PRAGMA journal_mode = WAL")
    made.execute("PRAGMA synchronous = NORMAL")
    made.execute("BEGIN IMMEDIATE")
    with closing(made.cursor()) as cursor:
        _lay_out(cursor, kind)
    made.execute("COMMIT")
    for statement in TEMPORARY:
        made.execute(statement)


def _refuse_others(made: sqlite3.Connection, path: Path) -> None:
    """Raise for a database that is no index, before a byte of it is changed."""
    (application,) = made.execute("PRAGMA application_id").fetchone()
    if application != _APPLICATION and _has_tables(made):
        raise StoreError(f"{path} is a database of something else", hint="give the index another place")


def _has_tables(made: sqlite3.Connection | sqlite3.Cursor) -> bool:
    return bool(made.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _lay_out(cursor: sqlite3.Cursor, kind: str) -> None:
    if _has_tables(cursor):
        (version,) = cursor.execute("PRAGMA user_version").fetchone()
        if version != VERSION or cursor.execute("SELECT value FROM meta WHERE key = 'kind'").fetchone() != (kind,):
            raise OtherMaking("an index of another making")
        return
    cursor.execute(f"PRAGMA application_id = {_APPLICATION}")
    cursor.execute(f"PRAGMA user_version = {VERSION}")
    for statement in TABLES:
        cursor.execute(statement)
    for table in ("words", "pieces"):  # kept in memory until it is written: fewer parts to be merged later
        cursor.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('hashsize', {_HASH})")  # noqa: S608 - names of ours
    rows = {"kind": kind, "cursor": "", "messages": "0", "length": "0", "made": "0"}
    cursor.executemany("INSERT INTO meta VALUES (?, ?)", rows.items())
