"""The store of people on SQLite."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Lock, get_ident

from herma.core.people.records import Roster
from herma.errors import StoreError
from herma.stores.people import place, sqlite, statements
from herma.stores.people.chain import Chain, Opening
from herma.stores.people.checkpoint import Checkpoints
from herma.stores.people.people import load_roster
from herma.stores.people.unit import SqliteUnit, Writing
from herma.stores.people.upgrade import make_ready

__all__ = ["SqliteStore", "open_store"]


def open_store(  # noqa: PLR0913 - each is a fact about this opening
    path: Path | str,
    *,
    clock: Callable[[], int],
    randomness: Callable[[int], bytes],
    surface: str,
    host: str,
    home: str,
    profile: str,
) -> "SqliteStore":
    """Open the database at `path`, made or upgraded where that is needed; `:memory:` is one that ends with the store.

    `clock` is in epoch milliseconds, `randomness` gives that many bytes. `surface` and `host` (with its version) stand
    in every row of the trail; a database belongs to the `home` and `profile` that made it.
    """
    opening = Opening(clock, randomness, surface, host, home, profile)
    return SqliteStore(str(path) if str(path) == place.MEMORY else str(Path(path).absolute()), opening)


class SqliteStore:
    """People, their asks and their trail. Usable from any thread; its transactions come one after another."""

    def __init__(self, path: str, opening: Opening) -> None:
        memory = path == place.MEMORY
        self._snapshot: Roster | None = None
        if not memory:
            place.prepare(Path(path))
        address = path if memory else Path(path).as_uri()
        self._connections: list[sqlite3.Connection] = []
        try:
            self._firm = self._connect(address, "FULL", sqlite.PATIENCE)
            make_ready(self._firm, path, opening)
            self._routine = self._firm if memory else self._connect(address, "NORMAL")
            self._reader = self._firm if memory else self._connect(address, "NORMAL", sqlite.PATIENCE)
            self._firm.execute("PRAGMA busy_timeout = 0")
        except sqlite3.Error as error:
            self._disconnect()
            raise sqlite.trouble(error) from error
        except BaseException:
            self._disconnect()
            raise
        self._firm_cursor, self._routine_cursor = self._firm.cursor(), self._routine.cursor()
        self._writing = Writing(opening, Chain(opening), Checkpoints("" if memory else address))
        self._reading = self._writing.lock if memory else Lock()

    def routine(self) -> SqliteUnit:
        """A transaction that survives the death of the process."""
        return SqliteUnit(self._writing, self._routine_cursor)

    def firm(self) -> SqliteUnit:
        """A transaction that survives the death of the machine: roster, roles, asks, grants, pause."""
        return SqliteUnit(self._writing, self._firm_cursor)

    def roster(self) -> Roster:
        """The snapshot in memory, read anew when the epoch has changed, by whichever process.

        Inside a transaction of the same thread it is what that transaction sees.
        """
        writing = self._writing
        if writing.writer == get_ident() and writing.unit is not None:
            return self._within(writing.unit)
        with self._reading:
            try:
                return self._read()
            except sqlite3.Error as error:
                raise sqlite.trouble(error) from error

    def known(self) -> Roster:
        """The latest snapshot without a look at the store: whoever acts on it compares its epoch in a transaction."""
        return self._snapshot or self.roster()

    def beat(self) -> None:
        """Show that this opening lives and how long its chain is by now: in the table `writers`."""
        self._record(ended=False)

    def close(self) -> None:
        """End this writer. A second time does nothing; afterwards there are no transactions."""
        if not self._connections:
            return
        try:
            if self._writing.chain.written:
                self._record(ended=True)
        except StoreError:
            pass  # the end is not recorded, which is what a crash looks like too
        finally:
            self._writing.checkpoints.close()
            self._disconnect()

    def _record(self, *, ended: bool) -> None:
        chain, now = self._writing.chain, self._writing.opening.clock()
        with self.routine() as unit:
            if not chain.written:
                chain.register(unit.execute, now)
            made = chain.hash if chain.seq else b""
            unit.execute(statements.END, (now, now if ended else None, chain.seq, made, chain.writer))

    def _within(self, unit: SqliteUnit) -> Roster:
        epoch, known = unit.epoch(), self._snapshot
        if known is not None and known.epoch == epoch and not unit.touched:
            return known
        found = load_roster(unit.connection, epoch)
        if not unit.touched:  # what may yet be undone is nobody else's
            self._snapshot = found
        return found

    def _read(self) -> Roster:
        connection, known = self._reader, self._snapshot
        (epoch,) = connection.execute(statements.EPOCH).fetchone()
        if known is not None and known.epoch == epoch:
            return known
        connection.execute("BEGIN")
        try:
            (epoch,) = connection.execute(statements.EPOCH).fetchone()
            known = self._snapshot = load_roster(connection, epoch)
        finally:
            connection.execute("COMMIT")
        return known

    def _connect(self, address: str, synchronous: str, patience: float = 0) -> sqlite3.Connection:
        made = sqlite.connect(address, synchronous=synchronous, patience=patience)
        self._connections.append(made)
        return made

    def _disconnect(self) -> None:
        while self._connections:
            self._connections.pop().close()
