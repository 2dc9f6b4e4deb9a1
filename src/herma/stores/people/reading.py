"""The trail, read by another process while its writers go on: one transaction that may only read."""

import sqlite3
from collections.abc import Iterator
from json import loads
from pathlib import Path
from typing import Self

from herma.core.people.audit import Link, Row, Writer
from herma.errors import StoreDamaged, StoreError, StoreNewer
from herma.stores.people import sqlite
from herma.stores.people import statements as sql
from herma.stores.people.schema import VERSION

__all__ = ["Trail"]


class Trail:
    """The rows of a database as they are when it is entered. Never for the process that writes them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        """Open it."""
        if not self._path.is_file():
            raise StoreError(f"there is no database of people at {self._path}", hint="name it with --database")
        try:
            made = self._connection = sqlite.connect(
                f"{self._path.absolute().as_uri()}?mode=ro", synchronous="NORMAL", patience=sqlite.PATIENCE
            )
            made.execute("BEGIN")
            self._judge(made)
        except sqlite3.Error as error:
            self.__exit__()
            raise sqlite.trouble(error) from error
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *problem: object) -> None:
        """Close it."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if problem and isinstance(problem[1], sqlite3.Error):
            raise sqlite.trouble(problem[1]) from problem[1]

    def writers(self) -> list[Writer]:
        """Everybody who wrote."""
        rows = self._open().execute(sql.ALL_WRITERS)
        return [Writer._make((*row[:7], _links(row[7]), *row[8:])) for row in rows]

    def salts(self) -> dict[str, bytes]:
        """The salt of everybody who was not erased."""
        return dict(self._open().execute(sql.ALL_SALTS).fetchall())

    def rows(self) -> Iterator[Row]:
        """All rows in the order of their numbers."""
        return (Row(*row) for row in self._open().execute(sql.ALL_ROWS))

    def newest(self, most: int) -> list[Row]:
        """The newest rows, oldest first."""
        found = self._open().execute(sql.NEWEST_ROWS, (most,)).fetchall()
        return [Row(*row) for row in reversed(found)]

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("it is not open")
        return self._connection

    def _judge(self, connection: sqlite3.Connection) -> None:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables >= {"meta", "writers", "audit"}:
            raise StoreDamaged(
                f"{self._path} is no database of people, or one that no host has opened with Herma yet",
                hint="start the host once, or name another with --database",
            )
        (version,) = connection.execute("SELECT version FROM meta").fetchone()
        if version > VERSION:
            raise StoreNewer(f"{self._path} has layout {version}, later than this Herma", hint="install a later Herma")


def _links(text: str) -> tuple[Link, ...]:
    return tuple(Link(writer, seq, bytes.fromhex(made)) for writer, seq, made in loads(text))
