"""The newest messages in the database in which Hermes keeps its conversations, read and never written."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from herma.core.reading.marker import MARK
from herma.core.reading.saved import READ, Message
from herma.stores.sessions.readonly import REASONS, NotRead, opened

__all__ = ["DATABASE", "MOST", "REASONS", "Counted", "Unread", "read"]

DATABASE = "state.db"
MOST = 10_000  # messages

_Count = TypeVar("_Count")

_LONGEST = 1_000_000  # characters of a result; a host sends at most 200,000

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


class Unread(NamedTuple):
    """Why nothing was read: a key of `REASONS`."""

    reason: str


class Counted(NamedTuple, Generic[_Count]):
    """`value` is what was made of that many messages; the first was stored at `since`, in seconds since 1970."""

    value: _Count
    messages: int
    since: float | None


def read(
    home: Path, count: Callable[[Iterable[Message], Mapping[str, str]], _Count], *, most: int = MOST
) -> Counted[_Count] | Unread:
    """What `count` makes of the `most` newest messages of a Hermes home, in order, and of the sessions' parents.

    Only results of `read_file` and those with a marker of `read-summarizer` come with their text.
    """
    try:
        with opened(home / DATABASE) as database:
            return _read(database, count, most)
    except NotRead as error:
        return Unread(error.reason)


def _read(
    database: sqlite3.Connection, count: Callable[[Iterable[Message], Mapping[str, str]], _Count], most: int
) -> Counted[_Count]:
    for table, needed in _COLUMNS.items():
        if not needed <= {name for (name,) in database.execute("SELECT name FROM pragma_table_info(?)", [table])}:
            raise NotRead("schema")
    first, messages, since = database.execute(_SPAN, [most]).fetchone()
    parents = {str(session): str(parent) for session, parent in database.execute(_PARENTS)}
    counted = count(_messages(database, first or 0), parents)
    return Counted(counted, messages, since if isinstance(since, float) else None)


def _messages(database: sqlite3.Connection, first: int) -> Iterator[Message]:
    asked = {"first": first, "read": READ, "mark": MARK, "longest": _LONGEST}
    return (Message(*map(str, row)) for row in database.execute(_MESSAGES, asked))
