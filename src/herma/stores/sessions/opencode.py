"""The sessions of OpenCode, whichever of its two layouts they are in; one that is in both is counted once.

OpenCode 2 keeps sessions in `session_v2` and fills it from `session` under the same ids; the early form of it in
OpenCode 1 stores its messages beside the others, of the same sessions.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from herma.core.recall.records import Past
from herma.stores.sessions import opencode1, opencode2
from herma.stores.sessions.data import mapped, parsed, worded
from herma.stores.sessions.layout import Columns, Entry, Said, Survey

__all__ = ["INTERNAL", "OpenCode", "knows"]

INTERNAL = "[opencode-hermes] "  # how the title of a session begins that a program of ours holds with a model

_SESSION = {"id", "parent_id", "directory", "title", "time_created", "time_updated"}
_V1, _V2 = "session", "session_v2"
_PAST = """
SELECT title, coalesce(CAST(time_created AS INTEGER), 0), coalesce(CAST(time_updated AS INTEGER), 0), parent_id, {fork},
  directory
FROM {table} WHERE id = ?
"""
_BACK_TO = "SELECT revert FROM {table} WHERE id = ?"


class _Form(Protocol):
    """One of the two ways in which messages are stored: a module with these names."""

    @property
    def SOURCE(self) -> str:  # noqa: N802 - the name in the modules
        """What its entries are marked with."""

    @property
    def COLUMNS(self) -> Mapping[str, set[str]]:  # noqa: N802 - the same
        """The columns that it reads, a table."""

    def newest(self, database: sqlite3.Connection) -> list[int]:
        """The numbers of the newest rows."""

    def touched(self, database: sqlite3.Connection, after: Sequence[int]) -> Iterator[str]:
        """The sessions of rows that were stored after those numbers."""

    def outline(self, database: sqlite3.Connection, session_id: str) -> Iterator[Entry]:
        """The messages of a session, in order."""

    def said(self, database: sqlite3.Connection, entry: Entry) -> Said:
        """What stands in one of them."""


class OpenCode:
    """OpenCode's tables, as far as this database has them."""

    kind = "opencode"
    newest_last = False  # ids of sessions descend with time, so that the newest is the first

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._tables = [table for table in (_V2, _V1) if table in columns]
        self._messages: list[_Form] = [form for form in _FORMS if _has(columns, form)]

    def survey(self, database: sqlite3.Connection, high: str) -> Survey:
        """All sessions. Where the host counts the events of each, the count is in its mark: both only ascend."""
        counted = "event_sequence" in self._columns
        seq = "coalesce(e.seq, 0)" if counted else "0"
        joined = "LEFT JOIN event_sequence e ON e.aggregate_id = s.id" if counted else ""
        marks: dict[str, int] = {}
        for table in reversed(self._tables):
            query = f"SELECT CAST(s.id AS TEXT), s.time_updated + {seq} FROM {table} s {joined}"  # noqa: S608 - our names
            marks.update(database.execute(query))
        newest = [form.newest(database) for form in self._messages]
        numbers = [int(number) for number in high.split(".") if number]
        touched: set[str] = set()
        for form, found in zip(self._messages, newest, strict=True):
            before, numbers = numbers[: len(found)], numbers[len(found) :]
            if len(before) == len(found):
                touched.update(form.touched(database, before))
        high = ".".join(str(number) for found in newest for number in found)
        return Survey(marks, touched.intersection(marks), high, certain=counted)

    def past(self, database: sqlite3.Connection, session_id: str) -> Past:
        """One session. One with a parent is a subagent's; one that was forked from another is not."""
        for table in self._tables:
            fork = "fork_session_id" if "fork_session_id" in self._columns[table] else "NULL"
            row = database.execute(_PAST.format(table=table, fork=fork), [session_id]).fetchone()
            if row is not None:
                title, started, updated, parent, origin, directory = row
                hidden = bool(parent) or worded(title).startswith(INTERNAL)
                came_from = worded(parent) or worded(origin)
                return Past(session_id, worded(title), started, updated, came_from, worded(directory), hidden=hidden)
        return Past(session_id, "", 0, 0, hidden=True)

    def by_age(self, database: sqlite3.Connection) -> Iterator[str]:
        """The ids of all sessions, the one that changed last first."""
        found: dict[str, int] = {}
        for table in reversed(self._tables):
            found.update(database.execute(f"SELECT CAST(id AS TEXT), CAST(time_updated AS INTEGER) FROM {table}"))  # noqa: S608 - our names
        return iter(sorted(found, key=lambda session: (-found[session], session)))

    def outline(self, database: sqlite3.Connection, session_id: str) -> Sequence[Entry]:
        """The messages of a session. Those of the second layout win where the same message is in both."""
        found = [list(form.outline(database, session_id)) for form in self._messages]
        every = next((entries for entries in found if entries), [])
        if sum(map(bool, found)) > 1:
            known = {entry.id for entry in every} | {entry.at for entry in every}
            every = sorted(
                [*every, *(entry for entry in found[-1] if entry.id not in known and entry.at not in known)],
                key=lambda entry: entry.at,
            )
        return self._kept(database, session_id, every)

    def said(self, database: sqlite3.Connection, entries: Sequence[Entry]) -> Iterator[Said]:
        """What stands in these messages, one for one."""
        forms = {form.SOURCE: form for form in self._messages}
        return (forms[entry.source].said(database, entry) for entry in entries)

    def _kept(self, database: sqlite3.Connection, session_id: str, every: list[Entry]) -> list[Entry]:
        """The messages up to the one to which the person went back; the host keeps the rest until the next one."""
        for table in self._tables:
            if "revert" not in self._columns[table]:
                continue
            row = database.execute(_BACK_TO.format(table=table), [session_id]).fetchone()
            back = mapped(parsed(row and row[0]))
            at = next((place for place, entry in enumerate(every) if entry.id == back.get("messageID")), None)
            if at is not None:
                return every[: at + 1] if back.get("partID") else every[:at]
        return every


_FORMS: tuple[_Form, ...] = (opencode2, opencode1)


def knows(columns: Columns) -> bool:
    """Whether these are tables of an OpenCode whose layout is known."""
    sessions = [table for table in (_V1, _V2) if table in columns]
    return (
        bool(sessions)
        and all(set(columns[table]) >= _SESSION for table in sessions)
        and any(_has(columns, form) for form in _FORMS)
    )


def _has(columns: Columns, form: _Form) -> bool:
    return all(set(columns.get(table, ())) >= wanted for table, wanted in form.COLUMNS.items())
