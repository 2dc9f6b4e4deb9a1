"""The roster, the settings and the chats in which people read."""

import sqlite3
from json import dumps, loads

from herma.core.people.records import Person, Roster, account_of
from herma.stores.people import statements as sql
from herma.stores.people.part import Part

__all__ = ["People", "load_roster"]


def load_roster(connection: sqlite3.Connection, epoch: int) -> Roster:
    """Everybody and every switch, inside the transaction in which the epoch was read."""
    people = (Person._make((*row[:6], tuple(loads(row[6])), *row[7:])) for row in connection.execute(sql.PEOPLE))
    return Roster(
        epoch,
        {person.person_id: person for person in people},
        dict(connection.execute(sql.ACCOUNTS).fetchall()),
        dict(connection.execute(sql.SETTINGS).fetchall()),
    )


class People(Part):
    """Whatever changes the roster raises the epoch by itself, once a transaction."""

    __slots__ = ("changed", "known", "mark", "touched")
    known: int | None
    mark: int
    changed: bool
    touched: bool

    def epoch(self) -> int:
        """The number that grows with every change of roster, roles, tools, pause or policy."""
        known = self.known
        if known is None:
            known, self.mark = self.execute(sql.MARKS).fetchone()
            self.known = known
        return known

    def facts_mark(self) -> int:
        """The number that grows with every change of a fact, shared or not: what was read before it is old."""
        self.epoch()
        return self.mark

    def facts_change(self) -> None:
        """Raise that number, once a transaction."""
        if not self.changed:
            self.epoch()
            self.execute(sql.FACTS_CHANGED)
            self.mark, self.changed = self.mark + 1, True

    def advance(self) -> int:
        """Raise the epoch."""
        self.touched = True
        self.epoch()  # reads the other number too
        self.known = int(self.execute(sql.ADVANCE).fetchone()[0])
        return self.known

    def save_person(self, person: Person) -> None:
        """Insert or replace a person with their first account."""
        self.do(sql.SAVE_PERSON, *person[:6], dumps(person.tools), *person[7:])
        self.do(sql.SAVE_ACCOUNT, account_of(person.platform, person.sender_id), person.person_id)
        self._touch()

    def remove_person(self, person_id: str) -> int:
        """Take a person off the roster with all that stood on them alone; how many facts went."""
        facts = self.do(sql.FORGET_FACTS, person_id).rowcount
        for statement in sql.FORGET_PERSON:
            self.do(statement, person_id)
        self._touch()
        self.facts_change()
        return facts

    def seen(self, person_id: str, at: int) -> None:
        """Note when somebody was last seen; no new epoch."""
        self.do(sql.SEEN, at, person_id, at)

    def put_setting(self, key: str, value: str) -> None:
        """Set a key of the table `settings`."""
        self.do(sql.PUT_SETTING, key, value)
        self._touch()

    def setting(self, key: str) -> str:
        """A key's value; empty when it is not set."""
        return self.value(sql.SETTING, key) or ""

    def put_address(self, account: str, chat: str, at: int) -> None:
        """Remember the direct chat of an account."""
        self.do(sql.PUT_ADDRESS, account, chat, at)

    def address(self, account: str) -> str:
        """The direct chat of an account; empty when none is known."""
        return self.value(sql.ADDRESS, account) or ""

    def _touch(self) -> None:
        if not self.touched:
            self.advance()
