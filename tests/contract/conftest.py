"""One suite for every store of people: a new one is another line in `PLACES` and passes all of it."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from tests.contract.people import Clock

from herma.engine.people.ports import Store
from herma.stores.people.store import SqliteStore, open_store

PLACES: dict[str, Callable[[Path], str]] = {
    "file": lambda folder: str(folder / "house" / "people.db"),
    "memory": lambda _folder: ":memory:",
}


@pytest.fixture
def clock() -> Clock:
    """The time, which stands still until a test moves it."""
    return Clock()


@pytest.fixture(params=PLACES)
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Store]:
    """An empty store."""
    numbers = count()
    made: SqliteStore = open_store(
        PLACES[request.param](tmp_path),
        clock=clock,
        randomness=lambda size: next(numbers).to_bytes(size, "big"),
        surface="gateway",
        host="hermes 0.22.2",
        home=str(tmp_path),
        profile="",
    )
    yield made
    made.close()
