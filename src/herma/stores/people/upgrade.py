"""What is found at a path, and how it becomes a database of this version. Whatever cannot be, is left as it is."""

import os
import sqlite3
from pathlib import Path
from time import monotonic

from herma.errors import StoreDamaged, StoreError, StoreNewer
from herma.stores.people import place, sqlite
from herma.stores.people import statements as sql
from herma.stores.people.chain import Opening
from herma.stores.people.schema import INDEXES, KEYED, TABLES, VERSION

__all__ = ["make_ready"]

_INSIDE = "."
_NEW, _OURS, _SEED = "new", "ours", "seed"


def make_ready(connection: sqlite3.Connection, path: str, opening: Opening) -> None:
    """Leave a database of this version behind, or change nothing and raise."""
    state = _look(connection, path, opening)
    if path != place.MEMORY:
        sqlite.settle(connection, opening.randomness)
    if state == _OURS and _same_file(connection, path):
        return
    sqlite.begin(connection, opening.randomness, until=monotonic() + sqlite.PATIENCE)
    try:
        _change(connection, path, opening)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _look(connection: sqlite3.Connection, path: str, opening: Opening) -> str:
    """Which of the three states it is in; anything else is an error."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return _NEW
    if "meta" in tables and "writers" in tables:
        _judge(connection.execute("SELECT version, home, profile FROM meta").fetchone(), path, opening)
        return _OURS
    if tables >= {"people", "audit", "approvals"}:
        return _SEED
    raise StoreDamaged(
        f"{path} is a database, but not one of people", hint="set db_path to another file; this one was not changed"
    )


def _judge(meta: tuple[int, str, str] | None, path: str, opening: Opening) -> None:
    if meta is None:
        raise StoreDamaged(f"the database of people at {path} has lost what it says of itself", hint="use a backup")
    version, home, profile = meta
    if version > VERSION:
        raise StoreNewer(
            f"the database of people at {path} has layout {version}, and this Herma knows {VERSION} at most",
            hint="install the later Herma again; this one did not change it",
        )
    if (home, profile) != (_house(path, opening), opening.profile):
        raise StoreError(
            f"the database of people at {path} belongs to another home or profile "
            f"({home if home != _INSIDE else 'the home around it'}, profile {profile or 'default'})",
            hint="set db_path to a file of its own for each home and profile",
        )


def _change(connection: sqlite3.Connection, path: str, opening: Opening) -> None:
    """Look again, now that nobody else can write, and do what is to be done."""
    state = _look(connection, path, opening)
    if state == _NEW:
        _create(connection, path, opening)
    elif state == _SEED:
        _carry_on(connection, path, opening)
    elif not _same_file(connection, path):
        _void(connection, path, opening)


def _create(connection: sqlite3.Connection, path: str, opening: Opening) -> None:
    for name, columns in TABLES.items():
        end = sqlite.KEYED if name in KEYED else ""
        connection.execute(f"CREATE TABLE {name} ({columns.format_map(sqlite.TYPES)}){end}")
    for index in INDEXES:
        connection.execute(index)
    connection.execute(sql.NEW_META, (VERSION, _house(path, opening), opening.profile, _file(path), opening.clock()))


def _carry_on(connection: sqlite3.Connection, path: str, opening: Opening) -> None:
    """A database of manyhands itself: a copy beside it first, then its rows in our tables."""
    from herma.stores.people import seed  # noqa: PLC0415 - once in the life of a database, and every host start pays

    copy = Path(f"{path}.before-herma-{opening.clock()}")
    place.create(copy)
    try:
        sqlite.copy(Path(path).as_uri(), copy.as_uri())
        seed.set_aside(connection)
        _create(connection, path, opening)
        seed.carry(connection, opening)
    except BaseException:
        copy.unlink()
        raise


def _void(connection: sqlite3.Connection, path: str, opening: Opening) -> None:
    """Another file than the one we left: a backup was put back. What was open in it must not be open again."""
    now = opening.clock()
    connection.execute(sql.REVOKE, (now, now, "restored", now)).fetchall()
    connection.execute(sql.VOID_INVITES)
    connection.execute(sql.ADVANCE).fetchone()
    connection.execute(sql.SET_FILE, (_file(path),))


def _house(path: str, opening: Opening) -> str:
    """The home a database belongs to. One that lies inside its home moves along with it."""
    if path == place.MEMORY:
        return opening.home
    home = os.path.realpath(opening.home)
    return _INSIDE if Path(os.path.realpath(path)).is_relative_to(home) else home


def _same_file(connection: sqlite3.Connection, path: str) -> bool:
    return bool(connection.execute(sql.FILE).fetchone()[0] == _file(path))


def _file(path: str) -> str:
    return "" if path == place.MEMORY else place.identity(Path(path))
