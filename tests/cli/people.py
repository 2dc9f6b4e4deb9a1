"""Databases of people in the home of a machine under test, as a host would have left them."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from herma.core.people.records import Entry, Person
from herma.stores.people.place import default
from herma.stores.people.store import SqliteStore, open_store

__all__ = ["NOW", "People", "original", "people"]

NOW = 1_796_000_000_000  # 2026-11-30, in epoch milliseconds


class People(NamedTuple):
    """An open database and what its clock says, in epoch milliseconds."""

    store: SqliteStore
    path: Path


@contextmanager
def people(
    home: Path, *roster: tuple[str, str], now: int = NOW, surface: str = "gateway", host: str = "hermes 0.22.2"
) -> Iterator[People]:
    """The database of a home in which these accounts have these roles; this process is its gateway."""
    path = default(home)
    store = open_store(
        path,
        clock=lambda: now,
        randomness=os.urandom,
        surface=surface,
        host=host,
        home=str(home),
        profile="default",
    )
    with closing(store):
        with store.firm() as unit:
            for account, role in roster:
                platform, _, sender = account.partition(":")
                unit.save_person(Person(account, platform, sender, sender, sender, role, created_at=now))
            unit.audit(Entry("policy", note="begun"))
        yield People(store, path)


def original(home: Path, owners: Iterable[str] = ("telegram:111",)) -> Path:
    """A database of manyhands as it was before Herma."""
    path = default(home)
    path.parent.mkdir(mode=0o700, parents=True)
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE people (person_id TEXT PRIMARY KEY, role TEXT)")
        connection.execute("CREATE TABLE audit (ts REAL, kind TEXT)")
        connection.execute("CREATE TABLE approvals (code TEXT, status TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, 'owner')", [(owner,) for owner in owners])
        connection.commit()
    return path
