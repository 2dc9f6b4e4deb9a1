"""What a reader asks of a host's tables. How the answers become passages and changes is the same for every host."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from herma.core.recall.records import Past

__all__ = ["Columns", "Entry", "Layout", "Said", "Survey", "columns"]

Columns = Mapping[str, Collection[str]]

_COLUMNS = """
SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name IN (
  'event_sequence', 'message', 'messages', 'part', 'session', 'session_message', 'session_v2', 'sessions')
"""


class Entry(NamedTuple):
    """A message that counts, without its words. `state` is another one whenever these may be others; `at` is in ms."""

    id: str
    role: str
    state: str
    at: int
    key: int
    source: str = ""


class Said(NamedTuple):
    """What stands in a message: its words, of the kind that is named, and what its tools were given and gave."""

    text: str
    tools: str = ""
    kind: str = "text"


class Survey(NamedTuple):
    """Every session with a mark that is another one once the host says that it changed.

    `touched` are those of them that may have changed whatever their marks say. `high` is for the next survey. `certain`
    is whether nothing can change without one of the two.
    """

    marks: Mapping[str, int]
    touched: Collection[str]
    high: str
    certain: bool


class Layout(Protocol):
    """The tables of one host. Every call is one or a few short queries on the database that is handed in."""

    kind: str
    newest_last: bool  # whether the ids of sessions ascend with their age

    def survey(self, database: sqlite3.Connection, high: str) -> Survey:
        """All sessions, and what was stored since the survey that gave `high` (empty for the first)."""
        ...

    def past(self, database: sqlite3.Connection, session_id: str) -> Past:
        """One session of the survey, a hidden one too."""
        ...

    def by_age(self, database: sqlite3.Connection) -> Iterator[str]:
        """The ids of all sessions, the one that changed last first."""
        ...

    def outline(self, database: sqlite3.Connection, session_id: str) -> Sequence[Entry]:
        """The messages of a session in order, without those that a person took back."""
        ...

    def said(self, database: sqlite3.Connection, entries: Sequence[Entry]) -> Iterator[Said]:
        """What stands in these messages, one for one."""
        ...


def columns(database: sqlite3.Connection) -> Columns:
    """The tables that may hold sessions, with the names of their columns."""
    found: dict[str, set[str]] = {}
    for table, column in database.execute(_COLUMNS):
        found.setdefault(table, set()).add(column)
    return found
