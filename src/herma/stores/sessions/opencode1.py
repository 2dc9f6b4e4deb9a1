"""The messages of OpenCode 1: rows of `message`, whose words are in rows of `part`, both JSON."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herma.stores.sessions.data import mapped, parsed, shown, worded
from herma.stores.sessions.injected import spoken, told
from herma.stores.sessions.layout import Entry, Said

__all__ = ["COLUMNS", "SOURCE", "newest", "outline", "said", "touched"]

SOURCE = "message"
COLUMNS = {
    "message": {"id", "session_id", "time_created", "data"},
    "part": {"id", "message_id", "session_id", "time_updated", "data"},
}

# The message's own time of change is left out: it changes with every turn, and its words are in the parts.
_OUTLINE = """
SELECT m.id, CASE WHEN json_valid(m.data) THEN json_extract(m.data, '$.role') END,
  (SELECT count(*) || '.' || coalesce(sum(p.time_updated), 0) FROM part p WHERE p.message_id = m.id),
  coalesce(CAST(m.time_created AS INTEGER), 0), m.rowid
FROM message m WHERE m.session_id = ? ORDER BY m.time_created, m.id
"""
_NEWEST = "SELECT coalesce(max(rowid), 0) FROM {table}"
# By number alone: an index by session would lead SQLite through all there is.
_TOUCHED = "SELECT DISTINCT session_id FROM {table} NOT INDEXED WHERE rowid > ?"
_MESSAGE = "SELECT data FROM message WHERE rowid = ?"
_PARTS = "SELECT data FROM part WHERE message_id = ? AND length(data) <= ? ORDER BY id"
_LONGEST = 4_000_000  # characters of a part; longer ones are attached files


def newest(database: sqlite3.Connection) -> list[int]:
    """The numbers of the newest rows."""
    return [int(database.execute(_NEWEST.format(table=table)).fetchone()[0]) for table in COLUMNS]


def touched(database: sqlite3.Connection, after: Sequence[int]) -> Iterator[str]:
    """The sessions of rows that were stored after those numbers."""
    for table, number in zip(COLUMNS, after, strict=True):
        yield from (str(session) for (session,) in database.execute(_TOUCHED.format(table=table), [number]))


def outline(database: sqlite3.Connection, session_id: str) -> Iterator[Entry]:
    """The messages of a session, by time."""
    for message, role, state, at, row in database.execute(_OUTLINE, [session_id]):
        yield Entry(str(message), str(role or ""), str(state), at, row, SOURCE)


def said(database: sqlite3.Connection, entry: Entry) -> Said:
    """Every text of a message that somebody wrote, and its tools."""
    row = database.execute(_MESSAGE, [entry.key]).fetchone()
    message = mapped(parsed(row and row[0]))
    parts = [mapped(parsed(data)) for (data,) in database.execute(_PARTS, [entry.id, _LONGEST])]
    words = [
        spoken(worded(part.get("text")))
        for part in parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
    ]
    tools = [_tool(part) for part in parts if part.get("type") == "tool"]
    summary = message.get("summary") is True or message.get("agent") == "compaction"
    return Said("\n\n".join(filter(None, words)), "\n".join(filter(None, tools)), "summary" if summary else "text")


def _tool(part: Mapping[str, Any]) -> str:
    state = mapped(part.get("state"))
    gave = worded(state.get("output")) or worded(state.get("error"))
    return told(worded(part.get("tool")), shown(state.get("input")), gave)
