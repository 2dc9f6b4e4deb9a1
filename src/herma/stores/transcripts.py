"""The newest messages in the database in which Hermes keeps its conversations, read and never written.

SQLite creates files beside a database, and rewrites them, even for a connection that may only read. So each of the
states in which Hermes leaves its database is opened in the one way that leaves every byte where it is.
"""

import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from herma.core.reading.marker import MARK
from herma.core.reading.saved import READ, Message

__all__ = ["DATABASE", "MOST", "REASONS", "Counted", "Unread", "read"]

DATABASE = "state.db"
MOST = 10_000  # messages

REASONS = {
    "missing": "there is none",
    "denied": "it may not be read",
    "foreign": "it is no SQLite database",
    "unmerged": "its newest messages lie beside it, and only Hermes can take them in: start Hermes once",
    "locked": "another process has it locked; try again",
    "changed": "it changed while it was read; try again",
    "damaged": "it is damaged",
    "schema": "it is laid out in another way than in the versions that Herma knows",
    "unreadable": "SQLite cannot read it",
}

_Count = TypeVar("_Count")

_PATIENCE = 1.0  # seconds to wait for a lock
_LONGEST = 1_000_000  # characters of a result; a host sends at most 200,000
_MAGIC = b"SQLite format 3\0"
_READ_VERSION, _LOG = 19, 2  # the byte of the header that says that there is a write-ahead log, and how

_COLUMNS = {
    "messages": {"id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"},
    "sessions": {"id", "parent_session_id"},
}
_SPAN = """
SELECT min(id), count(id), min(timestamp) FROM (SELECT id, timestamp FROM messages ORDER BY id DESC LIMIT ?)
"""
_MESSAGES = """
SELECT session_id, role, coalesce(tool_call_id, ''), coalesce(tool_name, ''),
  CASE WHEN role = 'tool' AND typeof(content) = 'text' AND length(content) <= :longest
    AND (tool_name = :read OR instr(content, :mark)) THEN content ELSE '' END,
  CASE WHEN role = 'assistant' AND typeof(tool_calls) = 'text' AND instr(tool_calls, :read)
    THEN tool_calls ELSE '' END
FROM messages WHERE id >= :first ORDER BY id
"""
_PARENTS = "SELECT id, parent_session_id FROM sessions WHERE parent_session_id IS NOT NULL"

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


class Unread(NamedTuple):
    """Why nothing was read: a key of `REASONS`."""

    reason: str


class Counted(NamedTuple, Generic[_Count]):
    """`value` is what was made of that many messages; the first was stored at `since`, in seconds since 1970."""

    value: _Count
    messages: int
    since: float | None


class _NotRead(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _State(NamedTuple):
    """The database's size, time and reading version; the size of the log beside it, and whether its index is there."""

    size: int
    mtime_ns: int
    version: int
    log: int | None
    indexed: bool

    @property
    def options(self) -> str:
        """How SQLite can read this and create or write nothing."""
        if self.version != _LOG:
            return "mode=ro"
        if self.indexed and self.log is not None:
            return "mode=ro&readonly_shm=1"
        if self.log:
            raise _NotRead("unmerged")
        return "mode=ro&immutable=1"


def read(
    home: Path, count: Callable[[Iterable[Message], Mapping[str, str]], _Count], *, most: int = MOST
) -> Counted[_Count] | Unread:
    """What `count` makes of the `most` newest messages of a Hermes home, in order, and of the sessions' parents.

    Only results of `read_file` and those with a marker of `read-summarizer` come with their text.
    """
    path = home.absolute() / DATABASE
    try:
        before = _state(path)
        counted = _read(f"{path.as_uri()}?{before.options}", count, most)
        # The host may have come back; where there is no lock, SQLite does not notice.
        if "immutable" in before.options and _state(path) != before:
            return Unread("changed")
    except _NotRead as error:
        return Unread(error.reason)
    except sqlite3.Error as error:
        return Unread(_BY_ERROR.get(getattr(error, "sqlite_errorcode", 0) & _PRIMARY, "unreadable"))
    except (FileNotFoundError, NotADirectoryError):
        return Unread("missing")
    except OSError:
        return Unread("denied")
    return counted


def _state(path: Path) -> _State:
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise _NotRead("foreign")
    with path.open("rb") as file:
        header = file.read(_READ_VERSION + 1)
    if len(header) <= _READ_VERSION or not header.startswith(_MAGIC):
        raise _NotRead("foreign")
    log, index = path.with_name(f"{DATABASE}-wal"), path.with_name(f"{DATABASE}-shm")
    return _State(
        found.st_size,
        found.st_mtime_ns,
        header[_READ_VERSION],
        log.stat().st_size if log.exists() else None,
        index.exists(),
    )


def _read(address: str, count: Callable[[Iterable[Message], Mapping[str, str]], _Count], most: int) -> Counted[_Count]:
    with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)) as database:
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        # One transaction: what a running host stores meanwhile is in none of the answers.
        database.execute("BEGIN")
        for table, needed in _COLUMNS.items():
            if not needed <= {name for (name,) in database.execute("SELECT name FROM pragma_table_info(?)", [table])}:
                raise _NotRead("schema")
        first, messages, since = database.execute(_SPAN, [most]).fetchone()
        parents = {str(session): str(parent) for session, parent in database.execute(_PARENTS)}
        return Counted(
            count(_messages(database, first or 0), parents), messages, since if isinstance(since, float) else None
        )


def _messages(database: sqlite3.Connection, first: int) -> Iterator[Message]:
    asked = {"first": first, "read": READ, "mark": MARK, "longest": _LONGEST}
    return (Message(*map(str, row)) for row in database.execute(_MESSAGES, asked))
