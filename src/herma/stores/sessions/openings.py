"""What a host's own record tells of sessions besides their words: the stamps of messages, and who began a chat."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from herma.stores.sessions.layout import Layout, columns
from herma.stores.sessions.reader import SessionReader

__all__ = ["Openings", "Row"]

# Columns that say which chat a session belongs to; a host without them has only sessions of one person.
_PLACED = {"source", "user_id", "chat_type"}
_BEGUN = "SELECT CAST(id AS TEXT) FROM sessions WHERE chat_type = 'dm' AND source = ? AND user_id = ?"


class Row(NamedTuple):
    """A message without its words: `user`, `assistant`, `tool` or `summary`, and its stamp in epoch milliseconds."""

    role: str
    at: int


class Openings(SessionReader):
    """The same reading of a host's database as a `SessionReader`'s, and with the same errors."""

    def rows(self, session_ids: Iterable[str]) -> Mapping[str, Sequence[Row]]:
        """The messages of each session in the order in which the host stored them; none of one that is not there."""
        return {each: self._rows(each) for each in session_ids}

    def begun_by(self, accounts: Iterable[str]) -> Sequence[str]:
        """The direct chats that the host says one of these accounts (`platform:sender_id`) began."""
        wanted = [account.partition(":")[::2] for account in accounts]

        def found(database: sqlite3.Connection, _layout: Layout) -> list[str]:
            if not set(columns(database).get("sessions", ())) >= _PLACED:
                return []
            return [str(session) for each in wanted for (session,) in database.execute(_BEGUN, each)]

        return self._with(found)

    def _rows(self, session_id: str) -> Sequence[Row]:
        def found(database: sqlite3.Connection, layout: Layout) -> list[Row]:
            return [Row(entry.role, entry.at) for entry in layout.outline(database, session_id)]

        return self._with(found)
