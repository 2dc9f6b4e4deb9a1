"""A host's sessions, read and never written, for as long as it takes to read them."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar

from herma.core.recall.records import Change, Passage, Past
from herma.errors import SessionsBusy, SessionsDamaged, SessionsMissing, SessionStoreError, SessionsUnknown
from herma.stores.sessions.detect import detect
from herma.stores.sessions.follow import follow
from herma.stores.sessions.layout import Layout
from herma.stores.sessions.passages import passages
from herma.stores.sessions.readonly import REASONS, NotRead, opened

__all__ = ["SessionReader", "open_sessions"]

_Found = TypeVar("_Found")

_TRIES = 3
_AT_LEAST = 8  # messages of a change, so that every one brings the next nearer to the end
_AT_ONCE = 500  # messages read without letting go of the database

_ERRORS: dict[str, tuple[type[SessionStoreError], str]] = {
    "missing": (SessionsMissing, "start the host once, or name the database of its sessions"),
    "linked": (SessionStoreError, "name the file itself: SQLite keeps what belongs to it beside that one"),
    "denied": (SessionStoreError, "give yourself the right to read it and the folder that it is in"),
    "foreign": (SessionsDamaged, "name the database in which the host keeps its sessions"),
    "unmerged": (SessionStoreError, "start the host once and end it"),
    "locked": (SessionsBusy, "try again when the host has finished what it does"),
    "changed": (SessionsBusy, "try again when the host has started or ended"),
    "damaged": (SessionsDamaged, "let the host repair it, or put a backup in its place"),
    "schema": (SessionsUnknown, "a newer Herma may know it; `herma --version` says which this is"),
    "unreadable": (SessionStoreError, "look at it with the sqlite3 program"),
}
_AGAIN = {"changed", "unmerged", "denied"}  # what a host that comes up or goes down can look like for a moment


class SessionReader:
    """A `Reader` of OpenCode's or Hermes' database. Between calls nothing is open, so that the host can end cleanly.

    Every method, and making one, raises `SessionStoreError` when the database cannot be read. Threads may share it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._shape = -1
        self.kind = self._with(lambda _, layout: layout.kind)

    def changes(self, cursor: str, *, most: int) -> Change:
        """What changed since `cursor` (empty for all), about `most` messages at most. Nothing new: the same cursor."""
        return self._with(lambda database, layout: follow(database, layout, cursor, most=max(most, _AT_LEAST)))

    def sessions(self, *, limit: int) -> Sequence[Past]:
        """Sessions, newest first, without hidden ones."""

        def found(database: sqlite3.Connection, layout: Layout) -> list[Past]:
            every = (layout.past(database, session) for session in layout.by_age(database))
            return list(islice((past for past in every if not past.hidden), limit))

        return self._with(found)

    def messages(self, session_id: str) -> Iterator[Passage]:
        """All messages of one session, in order; none of a session that is not there."""
        start = 0
        while True:
            begin = start

            def found(database: sqlite3.Connection, layout: Layout) -> tuple[list[Passage], int]:
                outline = layout.outline(database, session_id)
                end = min(len(outline), begin + _AT_ONCE)  # noqa: B023 - called before it changes
                return list(passages(database, layout, session_id, outline, begin, end)), len(outline)  # noqa: B023

            told, count = self._with(found)
            yield from told
            start += _AT_ONCE
            if start >= count:
                return

    def close(self) -> None:
        """Nothing is kept open."""

    def __enter__(self) -> Self:
        """The reader itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _with(self, ask: Callable[[sqlite3.Connection, Layout], _Found]) -> _Found:
        for left in reversed(range(_TRIES)):
            try:
                with opened(self.path) as database:
                    return ask(database, self._layout_of(database))
            except NotRead as error:
                if not left or error.reason not in _AGAIN:
                    kind, hint = _ERRORS[error.reason]
                    message = f"the sessions in {self.path} cannot be read: {REASONS[error.reason]}"
                    raise kind(message, hint=hint) from error
        raise AssertionError

    def _layout_of(self, database: sqlite3.Connection) -> Layout:
        """The layout, found anew once the host changed its tables."""
        shape = int(database.execute("PRAGMA schema_version").fetchone()[0])
        if shape != self._shape:
            self._layout, self._shape = detect(database), shape
        return self._layout


def open_sessions(path: Path) -> SessionReader:
    """A reader of the sessions in a host's database, whichever host's it is. Raises `SessionStoreError`."""
    return SessionReader(path)
