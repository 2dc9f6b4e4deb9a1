"""What another process can see of a database of people: one look, in a transaction that may only read.

For `herma doctor`, `status` and `setup`. Never for the process that writes it; nothing is made, upgraded or put right.
"""

import os
import sqlite3
import stat
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from herma.errors import StoreError
from herma.stores.people import sqlite
from herma.stores.people.schema import VERSION
from herma.stores.people.statements import FIRST_SINCE

__all__ = ["Glance", "Sign", "Unseen", "glance"]

_HOUR_MS, _DAY_MS = 3_600_000, 86_400_000
_OTHERS = 0o077
_OPEN = ("-wal", "-journal")  # what SQLite keeps beside a database that is in use
_MOST = 500  # processes

_ROLES = "SELECT role, count(*) FROM people GROUP BY role"
_OWNERS = """SELECT a.account FROM accounts a JOIN people p ON p.person_id = a.person_id WHERE p.role = 'owner'
  ORDER BY p.created_at, a.account"""
_SEED_OWNERS = "SELECT person_id FROM people WHERE role = 'owner' ORDER BY person_id"
_PAUSED = "SELECT value FROM settings WHERE key = 'paused'"
_WAITING = "SELECT count(*) FROM approvals WHERE status = 'pending' AND expires_at > ?"
_TOKENS = "SELECT coalesce(sum(tokens), 0) FROM usage WHERE day = ?"
_REFUSED = "SELECT count(*) FROM audit WHERE id >= ? AND ts >= ? AND kind = 'refusal' AND person_id <> ''"
_SIGNS = "SELECT surface, host, pid, started_at, beat_at, ended_at FROM writers WHERE host LIKE 'hermes %'"


class Sign(NamedTuple):
    """A process of the host that has written here. Times are epoch milliseconds; `ended_at` is None for most."""

    surface: str
    host: str
    pid: int
    started_at: int
    beat_at: int
    ended_at: int | None


class Glance(NamedTuple):
    """What is in it. `before` is true for a database of manyhands that Herma has not carried on yet.

    `home` is `.` where the database lies inside the home that it belongs to, and then moves along with it.
    `owners` are accounts (`platform:sender_id`), those of the oldest owner first. `paused` is None as long as nobody
    has paused or resumed. `refused` and `tokens` are those of the UTC day.
    """

    path: Path
    private: bool
    before: bool = False
    home: str = ""
    profile: str = ""
    roles: Mapping[str, int] = {}
    owners: tuple[str, ...] = ()
    paused: bool | None = None
    waiting: int = 0
    refused: int = 0
    tokens: int = 0
    signs: tuple[Sign, ...] = ()


class Unseen(NamedTuple):
    """Why nothing can be told: `absent`, or what is wrong, in words for a person, with what to do."""

    path: Path
    absent: bool
    reason: str
    hint: str = ""


def glance(path: Path, now: int) -> Glance | Unseen:
    """Look into the database at `path`; `now` is in epoch milliseconds. Nothing raises."""
    unseen = _unusable(path)
    if unseen is not None:
        return unseen
    try:
        blank = Glance(path, private=not path.lstat().st_mode & _OTHERS)
        return _read(blank, now)
    except OSError as error:
        return Unseen(path, absent=False, reason=f"{path}: {error.strerror}", hint="try again")
    except sqlite3.Error as error:
        trouble = sqlite.trouble(error)
        return Unseen(path, absent=False, reason=str(trouble), hint=trouble.hint)
    except StoreError as error:
        return Unseen(path, absent=False, reason=str(error), hint=error.hint)


def _read(blank: Glance, now: int) -> Glance | Unseen:
    """Where nobody has it open it is read as it lies there, which leaves no file of SQLite's beside it."""
    address = f"{blank.path.absolute().as_uri()}?mode=ro"
    if not any(os.path.lexists(f"{blank.path}{end}") for end in _OPEN):
        try:
            return _opened(f"{address}&immutable=1", blank, now)
        except sqlite3.Error:
            pass  # somebody opened it meanwhile, or it is damaged: the other way tells
    return _opened(address, blank, now)


def _opened(address: str, blank: Glance, now: int) -> Glance | Unseen:
    with closing(sqlite.connect(address, synchronous="NORMAL", patience=sqlite.PATIENCE)) as connection:
        connection.execute("BEGIN")
        return _seen(connection, blank, now)


def _unusable(path: Path) -> Unseen | None:
    """What can be told without opening it."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return Unseen(path, absent=True, reason=f"there is no database at {path}")
    except OSError as error:
        return Unseen(path, absent=False, reason=f"{path}: {error.strerror}", hint="look who owns the folders above")
    if not found.st_size:
        return Unseen(path, absent=True, reason=f"nothing has been written into {path} yet")
    if not stat.S_ISREG(found.st_mode):
        return Unseen(path, absent=False, reason=f"{path} is no file", hint="set db_path to a file of your own")
    if not os.access(path, os.R_OK):
        return Unseen(path, absent=False, reason=f"{path} may not be read", hint="look who owns the file")
    return None


def _seen(connection: sqlite3.Connection, blank: Glance, now: int) -> Glance | Unseen:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return Unseen(blank.path, absent=True, reason=f"nothing has been written into {blank.path} yet")
    if not tables >= {"meta", "writers"}:
        return _before(connection, blank, tables)
    version, home, profile = connection.execute("SELECT version, home, profile FROM meta").fetchone() or (0, "", "")
    if version > VERSION:
        reason = f"{blank.path} has layout {version}, and this Herma knows {VERSION} at most"
        return Unseen(blank.path, absent=False, reason=reason, hint="install the later Herma again; nothing is changed")
    day = now - now % _DAY_MS
    first = connection.execute(FIRST_SINCE, (day // _HOUR_MS,)).fetchone()[0]
    (refused,) = connection.execute(_REFUSED, (first, day)).fetchone() if first is not None else (0,)
    return blank._replace(
        home=home,
        profile=profile,
        roles=dict(connection.execute(_ROLES).fetchall()),
        owners=tuple(account for (account,) in connection.execute(_OWNERS)),
        paused=_switch(connection.execute(_PAUSED).fetchone()),
        waiting=connection.execute(_WAITING, (now,)).fetchone()[0],
        refused=refused,
        tokens=connection.execute(_TOKENS, (f"{datetime.fromtimestamp(now / 1000, UTC):%Y-%m-%d}",)).fetchone()[0],
        signs=tuple(Sign(*row) for row in connection.execute(f"{_SIGNS} ORDER BY beat_at DESC LIMIT {_MOST}")),
    )


def _before(connection: sqlite3.Connection, blank: Glance, tables: set[str]) -> Glance | Unseen:
    if not tables >= {"people", "audit", "approvals"}:
        reason = f"{blank.path} is a database, but not one of people"
        return Unseen(blank.path, absent=False, reason=reason, hint="set db_path to another file; nothing is changed")
    owners = tuple(str(account) for (account,) in connection.execute(_SEED_OWNERS))
    return blank._replace(before=True, roles=dict(connection.execute(_ROLES).fetchall()), owners=owners)


def _switch(row: tuple[str] | None) -> bool | None:
    return None if row is None else row[0] == "1"
