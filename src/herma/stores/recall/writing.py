"""Bringing an index up to what a host's store holds: what is new is put in, what is gone is taken out."""

import re
import sqlite3
from collections.abc import Iterable, Sequence

from herma.core.recall.records import Change, Passage, Past
from herma.core.recall.redact import redacted
from herma.core.recall.scripts import normal, parts
from herma.core.recall.whose import Span
from herma.stores.recall.schema import FIRST, SESSION, TOOL

__all__ = ["apply", "drop_sessions", "take_out"]

_MOST_TEXT, _MOST_TOOL = 64_000, 2_000  # characters of one message
# Who speaks, where a message says so first: `Ada: …`, `[Ada] …`.
_SPEAKER = re.compile(r"\[?([^\W\d_][^:\[\]\n]{0,39}?)(?:\]:?|:)\s")
_LABEL = 42  # characters
_MOST_WORDS = 3


# As the table has it: id, length, at, place, kind, role, speaker, message_id, text.
_Row = tuple[int, int, int, int, str, str, str, str, str]


def apply(cursor: sqlite3.Cursor, change: Change, erased: Iterable[Span] = ()) -> frozenset[str]:
    """Carry out one change within a transaction; the ids of the sessions it touched. Nothing of `erased` is put in."""
    cursor.execute("PRAGMA secure_delete = OFF")
    drop_sessions(cursor, change.gone_sessions)
    touched = {*change.gone_sessions, *_sessions_of(cursor, change.gone_messages)}
    take_out(cursor, [at for message in change.gone_messages for at in _places(cursor, message)])
    cursor.executemany(_PUT_SESSION, map(_session, change.sessions))
    touched.update(past.session_id for past in change.sessions)
    touched.update(_put(cursor, change.passages, erased))
    cursor.execute("UPDATE meta SET value = ? WHERE key = 'cursor'", [change.cursor])
    cursor.execute("UPDATE meta SET value = value + 1 WHERE key = 'made'")
    return frozenset(touched)


def drop_sessions(cursor: sqlite3.Cursor, session_ids: Iterable[str]) -> None:
    """Take whole sessions out, with all that was in them."""
    for session_id in session_ids:
        found = cursor.execute("SELECT no FROM session WHERE session_id = ?", [session_id]).fetchone()
        if found is not None:
            first = found[0] << SESSION
            span = [first, first + (1 << SESSION) - 1]
            take_out(cursor, [at for (at,) in cursor.execute("SELECT id FROM turn WHERE id BETWEEN ? AND ?", span)])
            cursor.execute("DELETE FROM session WHERE no = ?", found)


def take_out(cursor: sqlite3.Cursor, places: Iterable[int]) -> None:
    """Take single messages out of the table and both indexes."""
    for at, place in enumerate(places):
        if not at:  # what was said is overwritten on the disk
            cursor.execute("PRAGMA secure_delete = ON")
        row = cursor.execute("SELECT text, length, kind FROM turn WHERE id = ?", [place]).fetchone()
        if row is None:
            continue
        text, length, kind = row
        if kind != "summary":
            words, pieces = parts(text)
            cursor.execute("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", [place, words])
            if pieces:
                gone = [place, pieces.lower()]
                cursor.execute("INSERT INTO pieces (pieces, rowid, text) VALUES ('delete', ?, ?)", gone)
            _count(cursor, -1, -length)
        cursor.execute("DELETE FROM turn WHERE id = ?", [place])


_PUT_SESSION = """
INSERT INTO session (session_id, title, directory, parent, owner, started_at, updated_at, hidden, texts, tools)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT (session_id) DO UPDATE SET title = excluded.title,
  directory = excluded.directory, parent = excluded.parent, owner = excluded.owner, started_at = excluded.started_at,
  updated_at = excluded.updated_at, hidden = excluded.hidden
"""


def _session(past: Past) -> tuple[object, ...]:
    return (
        past.session_id,
        redacted(past.title),
        past.directory,
        past.parent,
        past.owner,
        past.started_at,
        past.updated_at,
        int(past.hidden),
    )


def _put(cursor: sqlite3.Cursor, passages: Sequence[Passage], erased: Iterable[Span]) -> set[str]:
    """Put messages in, in the place of what was known under the same id. Sessions that are hidden get none."""
    numbers = _Numbers(cursor, erased)
    rows: dict[int, _Row] = {}
    for passage in passages:
        number = numbers.of(passage)
        if number is not None:
            rows[number] = _row(number, passage)
    if numbers.known:
        take_out(cursor, [number for number in rows if number in numbers.known])
    numbers.keep()
    # In the order of their numbers: the index has to write itself out whenever a number is lower than the last.
    ordered = [rows[number] for number in sorted(rows)]
    cursor.executemany("INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", ordered)
    words, pieces, length = [], [], 0
    for number, size, _, _, kind, *_, text in ordered:
        if kind != "summary":
            worded, pieced = parts(text)
            words.append((number, worded))
            length += size
            if pieced:
                pieces.append((number, pieced.lower()))
    cursor.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", words)
    cursor.executemany("INSERT INTO pieces (rowid, text) VALUES (?, ?)", pieces)
    _count(cursor, len(words), length)
    return {passage.session_id for passage in passages}


class _Numbers:
    """Numbers for messages: those they had, or the next ones of their sessions."""

    def __init__(self, cursor: sqlite3.Cursor, erased: Iterable[Span]) -> None:
        self._cursor = cursor
        self._sessions: dict[str, list[int] | None] = {}
        self._erased: dict[str, list[Span]] = {}
        for span in erased:
            self._erased.setdefault(span.session_id, []).append(span)
        self._given: dict[tuple[str, str], int] = {}
        self._grown: set[str] = set()
        self.known: set[int] = set()

    def of(self, passage: Passage) -> int | None:
        """The number of this message; None where it is not to be kept."""
        session_id, kind = passage.session_id, passage.kind
        session = self._sessions[session_id] if session_id in self._sessions else self._session(session_id)
        if session is None or (session_id in self._erased and self._is_erased(passage)):
            return None
        key = (passage.message_id, kind)
        if key in self._given:
            return self._given[key]
        if session_id in self._grown:  # one that had nothing before has no message that is known
            for number in _places(self._cursor, *key):
                self.known.add(number)
                self._given[key] = number
                return number
        tool = kind == "tool"
        count = session[1 + tool]
        if count >= TOOL - 2 * FIRST:
            return None
        session[1 + tool] += 1
        number = (session[0] << SESSION) + (TOOL if tool else 0) + FIRST + count
        self._given[key] = number
        return number

    def keep(self) -> None:
        """Remember which numbers are taken."""
        taken = [(texts, tools, no) for no, texts, tools in filter(None, self._sessions.values())]
        self._cursor.executemany("UPDATE session SET texts = ?, tools = ? WHERE no = ?", taken)

    def _is_erased(self, passage: Passage) -> bool:
        return any(span.first_at <= passage.at <= span.last_at for span in self._erased[passage.session_id])

    def _session(self, session_id: str) -> list[int] | None:
        found = self._cursor.execute(
            "SELECT no, texts, tools FROM session WHERE session_id = ? AND NOT hidden", [session_id]
        ).fetchone()
        self._sessions[session_id] = found and list(found)
        if found and (found[1] or found[2]):
            self._grown.add(session_id)
        return self._sessions[session_id]


def _row(number: int, passage: Passage) -> _Row:
    _, message_id, place, role, kind, text, at, _ = passage
    most = _MOST_TOOL if kind == "tool" else _MOST_TEXT
    if len(text) > most:
        text = text[: 2 * most]  # a secret at the edge is seen whole before it is cut
    text = redacted(normal(text))[:most]
    return number, len(text), at, place, kind, role, _speaker(text), message_id, text


def _speaker(text: str) -> str:
    """Who says that they speak, folded, "" where the message does not begin so."""
    if ":" not in text[:_LABEL] and text[:1] != "[":
        return ""
    found = _SPEAKER.match(text)
    return found.group(1).casefold() if found and len(found.group(1).split()) <= _MOST_WORDS else ""


def _places(cursor: sqlite3.Cursor, message_id: str, kind: str = "") -> list[int]:
    rows = cursor.execute("SELECT id, kind FROM turn WHERE message_id = ?", [message_id]).fetchall()
    return [number for number, known in rows if kind in ("", known)]


def _sessions_of(cursor: sqlite3.Cursor, messages: Sequence[str]) -> set[str]:
    numbers = {at >> SESSION for message in messages for at in _places(cursor, message)}
    found = [cursor.execute("SELECT session_id FROM session WHERE no = ?", [no]).fetchone() for no in numbers]
    return {row[0] for row in found if row}


def _count(cursor: sqlite3.Cursor, messages: int, length: int) -> None:
    for key, more in (("messages", messages), ("length", length)):
        cursor.execute("UPDATE meta SET value = value + ? WHERE key = ?", [more, key])
