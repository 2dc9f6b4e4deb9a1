"""The audit chain of this opening: where it stands, in memory, and how its next row is made."""

import os
import sqlite3
from collections.abc import Callable
from json import dumps, loads
from typing import NamedTuple

from herma.core.people.audit import Link, Row, Writer, genesis_of, hash_of, who_of
from herma.core.people.records import Entry
from herma.stores.people import statements as sql
from herma.stores.people.part import clean

__all__ = ["HOUR", "Chain", "Execute", "Opening"]

HOUR = 3_600_000  # milliseconds

_SALT = 16  # bytes
_MOST_KNOWN = 16_384
_NEWEST, _WRITERS = 256, 1_000


Execute = Callable[..., sqlite3.Cursor]


class Opening(NamedTuple):
    """What does not change while a store is open."""

    clock: Callable[[], int]
    randomness: Callable[[int], bytes]
    surface: str
    host: str
    home: str
    profile: str


class Chain:
    """One writer. What a transaction adds counts from its commit on; `undo` goes back to the last."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._begin()

    def _begin(self) -> None:
        opening = self._opening
        self.writer = f"{opening.clock():012x}{opening.randomness(6).hex()}"
        self.seq, self.hash, self.written = 0, b"", False
        self._kept = (0, b"", False)
        self._forget()

    def _forget(self) -> None:
        self._epoch = -1
        self._who: dict[tuple[str, str, str], bytes] = {}
        self._salts: dict[str, bytes] = {}
        self._hours: set[int] = set()

    def keep(self) -> None:
        """The transaction was committed."""
        self._kept = (self.seq, self.hash, self.written)

    def undo(self) -> None:
        """The transaction was undone."""
        self.seq, self.hash, self.written = self._kept
        self._forget()

    def renew(self) -> None:
        """It is not known whether the last transaction was committed: another writer goes on from what is there."""
        self._begin()

    def append(self, execute: Execute, entry: Entry, epoch: int) -> None:
        """Write the next row."""
        opening = self._opening
        now = opening.clock()
        if not self.written:
            self.register(execute, now)
        if epoch != self._epoch:  # somebody may have been erased, and their salt with them
            self._who.clear()
            self._salts.clear()
            self._epoch = epoch
        whose, seq = entry[1:4], self.seq + 1
        who = self._who.get(whose) or self._commit_to(execute, *whose)
        place = self.writer, seq, opening.surface, opening.host, who, self.hash
        values = now, *whose, entry[0], *entry[4:], *place
        made = hash_of(Row._make((0, *values, b"")))
        try:
            execute(sql.AUDIT, (*values, made))
        except UnicodeEncodeError:
            self.append(execute, Entry(*map(clean, entry)), epoch)  # type: ignore[arg-type]
            return
        self.seq, self.hash = seq, made
        hour = now // HOUR
        if hour not in self._hours:
            execute(sql.HOUR, (hour,))
            self._hours.add(hour)

    def register(self, execute: Execute, now: int) -> None:
        """Write this writer's record, with the newest rows of the others."""
        opening = self._opening
        links = _tips(execute)
        writer = Writer(
            self.writer, opening.surface, opening.host, os.getpid(), opening.home, opening.profile, now, links
        )
        self.hash = genesis_of(writer)
        shown = dumps([[link.writer, link.seq, link.hash.hex()] for link in links])
        execute(sql.NEW_WRITER, (*writer[:7], now, b"", shown))
        self.written = True

    def _commit_to(self, execute: Execute, person: str, session: str, turn: str) -> bytes:
        salt = self._salts.get(person) or self._salt(execute, person)
        if len(self._who) >= _MOST_KNOWN:
            self._who.clear()
        made = self._who[person, session, turn] = who_of(salt, person, session, turn)
        return made

    def _salt(self, execute: Execute, person: str) -> bytes:
        """The salt of a person, made where there is none."""
        found = execute(sql.SALT, (person,)).fetchone()
        salt: bytes = self._opening.randomness(_SALT) if found is None else found[0]
        if found is None:
            execute(sql.NEW_SALT, (person, salt))
        if len(self._salts) >= _MOST_KNOWN:
            self._salts.clear()
        self._salts[person] = salt
        return salt


def _tips(execute: Execute) -> tuple[Link, ...]:
    """The newest row of each writer that no later writer has named yet."""
    newest: dict[str, Link] = {}
    named: set[tuple[str, int]] = set()
    for writer, seq, made, links in execute(sql.WRITERS, (_WRITERS,)).fetchall():
        if seq:
            newest[writer] = Link(writer, seq, made)
        named.update((other, at) for other, at, _ in loads(links))
    for writer, seq, made in execute(sql.NEWEST, (_NEWEST,)).fetchall():
        if writer not in newest or seq > newest[writer].seq:
            newest[writer] = Link(writer, seq, made)
    return tuple(link for link in newest.values() if link[:2] not in named)
