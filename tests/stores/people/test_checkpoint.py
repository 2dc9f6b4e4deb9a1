"""The thread that takes the log back into the database, and its end."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from herma.stores.people.checkpoint import Checkpoints

NEVER = 30.0  # seconds that no end takes


class _Told(Event):
    """An event before whose clearing something else happens, as another thread may do at that moment."""

    def __init__(self, first: Callable[[], None]) -> None:
        super().__init__()
        self._first = first

    def clear(self) -> None:
        self._first()
        super().clear()


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    return f"file:{path}"


def _running(checkpoints: Checkpoints) -> Thread:
    checkpoints.due()
    thread = checkpoints._thread
    assert thread is not None
    return thread


def test_an_end_that_falls_between_waking_and_going_on_is_not_missed(database: str) -> None:
    checkpoints = Checkpoints(database)

    def ends() -> None:
        checkpoints._over.set()
        checkpoints._due.set()

    checkpoints._due = _Told(ends)
    thread = _running(checkpoints)
    thread.join(NEVER)
    assert not thread.is_alive()


def test_an_end_is_an_end_however_soon_it_follows_a_commit(database: str) -> None:
    for _ in range(20):
        checkpoints = Checkpoints(database)
        thread = _running(checkpoints)
        checkpoints.close()
        assert not thread.is_alive()
