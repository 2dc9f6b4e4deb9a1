"""What every part of a transaction stands on."""

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Part", "clean"]


def clean(value: object) -> object:
    """The value, without what no database can keep: half of a pair of surrogates."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


class Part:
    """One part of a transaction's verbs. `connection` is inside the transaction."""

    __slots__ = ("connection", "execute")
    connection: sqlite3.Connection
    execute: Callable[..., sqlite3.Cursor]  # of one cursor, which is cheaper than one for each statement

    def do(self, statement: str, *values: object) -> sqlite3.Cursor:
        """Run a statement; texts that cannot be kept as they are lose only the characters that cannot."""
        try:
            return self.execute(statement, values)
        except UnicodeEncodeError:
            return self.execute(statement, tuple(map(clean, values)))

    def value(self, statement: str, *values: object) -> Any:
        """The first column of the first row; None when there is none."""
        row = self.do(statement, *values).fetchone()
        return None if row is None else row[0]

    def rows(self, statement: str, *values: object) -> Iterable[Any]:
        """All rows, read at once: a statement that stays open would keep the transaction from ending."""
        return self.do(statement, *values).fetchall()
