"""The messages of OpenCode 2, and of the early form of it in OpenCode 1: rows of `session_message`, each one JSON."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from herma.stores.sessions.data import listed, mapped, parsed, shown, worded
from herma.stores.sessions.injected import spoken, told
from herma.stores.sessions.layout import Entry, Said

__all__ = ["COLUMNS", "SOURCE", "newest", "outline", "said", "touched"]

SOURCE = "session_message"
COLUMNS = {SOURCE: {"id", "session_id", "type", "seq", "time_created", "time_updated", "data"}}

_OUTLINE = """
SELECT id, CAST(type AS TEXT), time_updated || '.' || length(data), coalesce(CAST(time_created AS INTEGER), 0), rowid
FROM session_message WHERE session_id = ? ORDER BY seq
"""
_NEWEST = "SELECT coalesce(max(rowid), 0) FROM session_message"
# By number alone: an index by session would lead SQLite through all there is.
_TOUCHED = "SELECT DISTINCT session_id FROM session_message NOT INDEXED WHERE rowid > ?"
_DATA = "SELECT data FROM session_message WHERE rowid = ? AND length(data) <= ?"
_LONGEST = 16_000_000  # characters of a message with all that its tools gave


def newest(database: sqlite3.Connection) -> list[int]:
    """The number of the newest row."""
    return [int(database.execute(_NEWEST).fetchone()[0])]


def touched(database: sqlite3.Connection, after: Sequence[int]) -> Iterator[str]:
    """The sessions of rows that were stored after that number."""
    return (str(session) for (session,) in database.execute(_TOUCHED, after))


def outline(database: sqlite3.Connection, session_id: str) -> Iterator[Entry]:
    """The messages of a session, in the order in which the host took them in; what it notes for itself is not there."""
    for message, kind, state, at, row in database.execute(_OUTLINE, [session_id]):
        if kind in _KINDS:
            yield Entry(str(message), _KINDS[kind][0], str(state), at, row, SOURCE)


def said(database: sqlite3.Connection, entry: Entry) -> Said:
    """Every text of a message that somebody wrote, and its tools."""
    row = database.execute(_DATA, [entry.key, _LONGEST]).fetchone()
    data = mapped(parsed(row and row[0]))
    return next(read for role, read in _KINDS.values() if role == entry.role)(data)


def _user(data: Mapping[str, Any]) -> Said:
    return Said(spoken(worded(data.get("text"))))


def _assistant(data: Mapping[str, Any]) -> Said:
    content = listed(data.get("content"))
    words = [spoken(worded(part.get("text"))) for part in content if part.get("type") == "text"]
    tools = [_tool(part) for part in content if part.get("type") == "tool"]
    return Said("\n\n".join(filter(None, words)), "\n".join(filter(None, tools)))


def _summary(data: Mapping[str, Any]) -> Said:
    return Said(worded(data.get("summary")), kind="summary")


def _shell(data: Mapping[str, Any]) -> Said:
    return Said("", told("shell", worded(data.get("command")), worded(data.get("output"))))


# The types of rows that somebody said something in: as which role, and how it is read.
_KINDS: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], Said]]] = {
    "user": ("user", _user),
    "assistant": ("assistant", _assistant),
    "compaction": ("summary", _summary),
    "shell": ("shell", _shell),
}


def _tool(part: Mapping[str, Any]) -> str:
    state = mapped(part.get("state"))
    return told(worded(part.get("name")), shown(state.get("input")), "\n".join(filter(None, _gave(state))))


def _gave(state: Mapping[str, Any]) -> Iterator[str]:
    """What a tool gave: texts, or in the early form one thing with its content; or what went wrong."""
    content = listed(state.get("content"))
    yield from (worded(part.get("text")) for part in content)
    if not content:
        yield worded(mapped(state.get("structured")).get("content"))
    wrong = state.get("error")
    yield worded(wrong) or worded(mapped(wrong).get("message"))
