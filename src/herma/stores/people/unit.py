"""One transaction, with all of its verbs."""

import sqlite3
from threading import Lock, get_ident
from time import monotonic
from typing import Self

from herma.errors import StoreLocked
from herma.stores.people import sqlite
from herma.stores.people.asks import Asks
from herma.stores.people.chain import Chain, Opening
from herma.stores.people.checkpoint import Checkpoints
from herma.stores.people.facts import Facts, Outbox, Tokens
from herma.stores.people.talk import Codes, Talk
from herma.stores.people.trail import Trail

__all__ = ["SqliteUnit", "Writing"]


class Writing:
    """What the transactions of one store share: who of its threads is writing, the chain, what follows a commit."""

    __slots__ = ("chain", "checkpoints", "lock", "opening", "unit", "writer")

    def __init__(self, opening: Opening, chain: Chain, checkpoints: Checkpoints) -> None:
        self.opening = opening
        self.chain = chain
        self.checkpoints = checkpoints
        self.lock = Lock()
        self.writer = 0
        self.unit: SqliteUnit | None = None


class SqliteUnit(Trail, Codes, Talk, Facts, Tokens, Asks, Outbox):
    """A transaction, used once. Its verbs are its parts'."""

    __slots__ = ("_writing",)

    def __init__(self, writing: Writing, cursor: sqlite3.Cursor) -> None:
        self._writing = writing
        self.chain = writing.chain
        self.connection = cursor.connection
        self.execute = cursor.execute
        self.known = None
        self.mark = 0
        self.touched = self.changed = False

    def __enter__(self) -> Self:
        """Begin, holding the store's write lock. Two seconds in all are waited for it and for other processes."""
        writing, thread = self._writing, get_ident()
        until = 0.0
        if not writing.lock.acquire(blocking=False):
            if writing.writer == thread:
                raise RuntimeError("a transaction inside a transaction of the same thread")
            until = monotonic() + sqlite.PATIENCE
            if not writing.lock.acquire(timeout=sqlite.PATIENCE):
                raise StoreLocked(
                    "the database of people is kept busy by another thread of this process", hint="try again"
                )
        try:
            try:
                self.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                sqlite.begin_later(
                    self.connection, error, writing.opening.randomness, until=until or monotonic() + sqlite.PATIENCE
                )
        except BaseException:
            writing.lock.release()
            raise
        writing.writer, writing.unit = thread, self
        return self

    def __exit__(self, *problem: object) -> None:
        """End; an error of SQLite leaves as one that a person understands."""
        writing = self._writing
        try:
            if problem[1] is None:
                self._commit()
            else:
                self._undo()
        finally:
            try:
                if self.connection.in_transaction:  # whatever broke above: one left open would shut the store for good
                    self._undo()
            finally:
                writing.writer, writing.unit = 0, None
                writing.lock.release()
        error = problem[1]
        if error is None:
            writing.checkpoints.due()
        elif isinstance(error, sqlite3.Error):
            raise sqlite.trouble(error) from error

    def _commit(self) -> None:
        try:
            self.execute("COMMIT")
        except sqlite3.Error as error:
            self._undo()
            self.chain.renew()
            raise sqlite.trouble(error) from error
        self.chain.keep()

    def _undo(self) -> None:
        if self.connection.in_transaction:  # a full disk may have ended it already
            self.connection.execute("ROLLBACK")
        self.chain.undo()
