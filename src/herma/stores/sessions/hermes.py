"""The sessions of Hermes: `sessions` and `messages` of `state.db`. Its numbers of messages ascend and are never reused.

Hermes keeps no time of change. New messages are seen by their numbers; what a person took back, a deleted session and
a new title are seen in a session that is looked at, and a session that is gone is missing among the ids.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from herma.core.recall.records import Past
from herma.stores.sessions.data import listed, mapped, parsed, shown, worded
from herma.stores.sessions.injected import spoken, told
from herma.stores.sessions.layout import Columns, Entry, Said, Survey

__all__ = ["Hermes", "knows"]

_MESSAGES = {
    "id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp", "active", "compacted"
}  # fmt: skip
_SESSIONS = {"id", "source", "user_id", "model_config", "parent_session_id", "started_at", "cwd", "title"}
_HIDDEN = {"subagent", "tool", "kanban"}  # sources of sessions that no person speaks in
_ROLES = ("user", "assistant", "tool")
_DELEGATED = "_delegate_from"
_STRUCTURED = "\0json:"  # how a content begins that is a list of parts
_SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")
_RECENT = 1  # sessions begun last: a title comes after the first words

_PAST = """
SELECT s.title, s.started_at, s.parent_session_id, s.cwd, s.source, s.user_id, s.model_config, {hidden},
  (SELECT max(m.timestamp) FROM messages m WHERE m.session_id = s.id)
FROM sessions s WHERE s.id = ?
"""
_OUTLINE = """
SELECT id, role, length(content), length(tool_calls), timestamp, compacted, substr(content, 1, 30), {summary}
FROM messages WHERE session_id = ? AND (active = 1 OR compacted = 1) AND {shown} ORDER BY id
"""
# By number alone: an index by session would lead SQLite through all there is.
_NEW = "SELECT DISTINCT session_id FROM messages NOT INDEXED WHERE id > ?"
_SAID = "SELECT content, tool_calls, tool_name FROM messages WHERE id = ?"
_BY_AGE = """
SELECT s.id FROM sessions s
ORDER BY coalesce((SELECT max(m.timestamp) FROM messages m WHERE m.session_id = s.id), s.started_at) DESC, s.id DESC
"""


class Hermes:
    """Hermes' tables; columns that only later versions have are used where they are."""

    kind = "hermes"
    newest_last = True

    def __init__(self, columns: Columns) -> None:
        sessions, messages = columns["sessions"], columns["messages"]
        self._past = _PAST.format(hidden="s.hidden" if "hidden" in sessions else "0")
        self._outline = _OUTLINE.format(
            summary="_compressed_summary" if "_compressed_summary" in messages else "0",
            shown="coalesce(display_kind, '') <> 'hidden'" if "display_kind" in messages else "1",
        )

    def survey(self, database: sqlite3.Connection, high: str) -> Survey:
        """All sessions, by their ids alone: a row may hold a whole system prompt."""
        marks = dict.fromkeys((session for (session,) in database.execute("SELECT CAST(id AS TEXT) FROM sessions")), 0)
        newest = int(database.execute("SELECT coalesce(max(id), 0) FROM messages").fetchone()[0])
        new = database.execute(_NEW, [int(high or newest)])
        recent = database.execute("SELECT id FROM sessions ORDER BY started_at DESC LIMIT ?", [_RECENT])
        touched = {str(session) for rows in (new, recent) for (session,) in rows}
        # Fewer than there were: this is an earlier copy of the database.
        looked_at = set(marks) if newest < int(high or 0) else touched.intersection(marks)
        return Survey(marks, looked_at, str(newest), certain=False)

    def past(self, database: sqlite3.Connection, session_id: str) -> Past:
        """One session; its owner is the account that began it, empty for the person at the keyboard."""
        row = database.execute(self._past, [session_id]).fetchone()
        if row is None:
            return Past(session_id, "", 0, 0, hidden=True)
        title, started, parent, directory, source, user, config, hidden, last = row
        return Past(
            session_id,
            worded(title),
            _ms(started),
            _ms(last if last is not None else started),
            worded(parent),
            worded(directory),
            f"{source}:{user}" if user else "",
            bool(hidden) or source in _HIDDEN or bool(mapped(parsed(config)).get(_DELEGATED)),
        )

    def by_age(self, database: sqlite3.Connection) -> Iterator[str]:
        """The ids of all sessions, the one that was spoken in last first."""
        return (str(session) for (session,) in database.execute(_BY_AGE).fetchall())

    def outline(self, database: sqlite3.Connection, session_id: str) -> Sequence[Entry]:
        """The messages of a session, those too that a summary took the place of; what Hermes copied behind it is not.

        After a summary in the same session Hermes stores the last messages once more.
        """
        found: list[Entry] = []
        replaced: set[tuple[object, ...]] = set()
        for number, role, length, calls, at, compacted, opening, summary in database.execute(
            self._outline, [session_id]
        ):
            alike = (role, length, calls, at)  # the copies keep the time
            if compacted:
                replaced.add(alike)
            if role in _ROLES and (compacted or alike not in replaced):
                condensed = bool(summary) or str(opening or "").startswith(_SUMMARIES)
                kind = "summary" if condensed else role
                found.append(Entry(str(number), kind, f"{length}.{calls}", _ms(at), number))
        return found

    def said(self, database: sqlite3.Connection, entries: Sequence[Entry]) -> Iterator[Said]:
        """What stands in these messages, one for one."""
        for entry in entries:
            content, calls, tool = database.execute(_SAID, [entry.key]).fetchone() or (None, None, None)
            words = _words(content)
            if entry.role == "tool":
                yield Said("", told(worded(tool), "", words))
            elif entry.role == "summary":
                yield Said(words, kind="summary")
            else:
                yield Said(spoken(words), "\n".join(filter(None, map(_call, listed(parsed(calls))))))


def knows(columns: Columns) -> bool:
    """Whether these are tables of a Hermes whose layout is known."""
    return set(columns.get("messages", ())) >= _MESSAGES and set(columns.get("sessions", ())) >= _SESSIONS


def _words(content: object) -> str:
    """A content as it was before it was stored; what plugins added to it for the model is in another column."""
    text = worded(content)
    if not text.startswith(_STRUCTURED):
        return text
    parts = listed(parsed(text[len(_STRUCTURED) :]))
    return "\n\n".join(worded(part.get("text")) for part in parts if part.get("type") in {"text", "input_text"})


def _call(call: Mapping[str, object]) -> str:
    function = mapped(call.get("function"))
    return told(worded(function.get("name")), shown(function.get("arguments")), "")


def _ms(seconds: object) -> int:
    return int(seconds * 1000) if isinstance(seconds, int | float) else 0
