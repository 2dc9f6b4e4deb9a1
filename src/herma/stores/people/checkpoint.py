"""The log's pages go back into the database from a thread of its own, so that nobody's turn waits for the disk."""

import sqlite3
from contextlib import closing
from threading import Event, Lock, Thread

from herma.stores.people import sqlite

__all__ = ["Checkpoints"]

_EVERY = 0.1  # seconds


class Checkpoints:
    """Started by the first commit, ended by `close`. An empty address means that there is no log."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._due, self._over, self._lock = Event(), Event(), Lock()
        self._told = False  # the same as the event, without its price
        self._thread: Thread | None = None

    def due(self) -> None:
        """Something was committed."""
        if self._told:
            return
        self._told = True
        self._due.set()
        if self._thread is None and self._address:
            self._start()

    def close(self) -> None:
        """End the thread and wait for it."""
        self._over.set()
        self._due.set()
        with self._lock:
            thread, self._address = self._thread, ""
        if thread is not None:
            thread.join()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None and self._address:
                self._thread = Thread(target=self._run, args=(self._address,), name="herma-checkpoints", daemon=True)
                self._thread.start()

    def _run(self, address: str) -> None:
        try:
            with closing(sqlite.connect(address, synchronous="NORMAL")) as connection:
                while self._due.wait() and not self._over.wait(_EVERY):
                    self._due.clear()
                    self._told = False
                    if self._over.is_set():  # the end was told before the event was cleared: nobody tells it again
                        return
                    self._once(connection)
        except sqlite3.Error:
            return  # the log grows until the next opening; what was committed is in it

    def _once(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.OperationalError:
            return  # busy or full: the next one will do
