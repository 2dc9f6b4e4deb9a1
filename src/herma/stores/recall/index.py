"""An index of one host's past conversations, in one file. Who asks is part of every question."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import TypeVar

from herma.core.recall.query import question
from herma.core.recall.rank import Corpus
from herma.core.recall.records import Reader
from herma.core.recall.scripts import normal
from herma.core.recall.whose import Span, Whose
from herma.errors import StoreDamaged, StoreError, StoreLocked
from herma.stores.recall import erased, file
from herma.stores.recall.finding import Hit, Limits, find
from herma.stores.recall.mine import Mine
from herma.stores.recall.reading import Said, Seen, messages, seen, sessions
from herma.stores.recall.schema import SESSION
from herma.stores.recall.stems import Stems
from herma.stores.recall.writing import apply, drop_sessions, take_out

__all__ = ["Index"]

_AT_ONCE = 2_000  # messages of a change
_FEW = 100
_CHANGES = 20  # changes of a transaction: with each the index writes out what it has
_HINT = "try again; if it stays so, take the file away: it is made anew from the host's own database"

Answer = TypeVar("Answer")


class Index:
    """A cache of a host's past. Every method may be called from several threads, and raises `StoreError`.

    `kind` is the reader's. Nothing is opened or made before the first call.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self._path, self._kind = path, kind
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._mine: Mine | None = None
        self._made = ""
        self._many = False
        self._stems = Stems()

    def catch_up(self, reader: Reader, *, patience: float) -> bool:
        """Bring the index up to what the reader tells, for at most about `patience` seconds; whether it got there.

        A damaged index is made anew. Where another process is writing it, what is there stands.
        """
        until, anew, steps = monotonic() + patience, False, 0
        with self._lock:
            while True:
                try:
                    more = self._run(lambda: self._step(reader))
                except StoreLocked:
                    return False
                except StoreDamaged:
                    if anew:
                        raise
                    anew = True
                    self._discard()
                    continue
                steps += 1
                if not more or monotonic() >= until:
                    if self._many or steps > 1:  # SQLite would go through what it needed for so many with each few
                        self._let_go()
                    return not more

    def find(self, whose: Whose, text: str, limits: Limits, *, without: Iterable[str] = ()) -> list[Hit]:
        """What of this person's past answers a question best, best first."""
        asked = question(normal(text))

        def step() -> list[Hit]:
            connection, count = self._ready(whose)
            gone = [connection.execute("SELECT no FROM session WHERE session_id = ?", [each]) for each in without]
            left_out = frozenset(no for rows in gone for (no,) in rows)
            corpus = self._corpus(connection)
            corpus = corpus if count is None else corpus._replace(messages=count)
            scope = limits._replace(without=limits.without | left_out)
            return find(connection, self._stems, whose.person, asked, corpus, scope)

        return self._run(step)

    def seen(self, whose: Whose, number: int) -> Seen | None:
        """The session of this number, as far as it is this person's; None where nothing is."""
        return self._run(lambda: seen(self._ready(whose)[0], whose.person, number))

    def session(self, whose: Whose, session_id: str) -> tuple[Seen, Sequence[Said]] | None:
        """A session and its messages, in order, as far as they are this person's; None where nothing is."""

        def step() -> tuple[Seen, Sequence[Said]] | None:
            connection, _ = self._ready(whose)
            row = connection.execute("SELECT no FROM session WHERE session_id = ?", [session_id]).fetchone()
            found = row and seen(connection, whose.person, row[0])
            return (found, messages(connection, whose.person, row[0])) if found else None

        return self._run(step)

    def sessions(self, whose: Whose, *, limit: int, without: Iterable[str] = ()) -> list[Seen]:
        """The sessions of this person, the one that was spoken in last first."""
        return self._run(lambda: sessions(self._ready(whose)[0], whose.person, limit, frozenset(without)))

    def size(self) -> int:
        """How many messages are searched, all people's together."""
        return self._run(lambda: self._corpus(self._open()).messages)

    def erase(self, spans: Iterable[Span]) -> None:
        """Take these out for good: from the file's free pages too, and against every later look at the host."""
        wanted = tuple(spans)
        with self._lock:
            self._run(self._open)
            erased.add(self._path, wanted)
            self._run(lambda: self._erase(wanted))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._let_go()
            self._stems.close()

    def _step(self, reader: Reader) -> bool:
        """One transaction of catching up; whether there may be more to do."""
        with self._transaction() as cursor:
            (known,) = cursor.execute("SELECT value FROM meta WHERE key = 'cursor'").fetchone()
            gone = erased.load(self._path)
            touched: set[str] = set()
            self._many = False
            for _ in range(_CHANGES):
                change = reader.changes(known, most=_AT_ONCE)
                more = bool(change.cursor != known)
                if not more:
                    break
                touched |= apply(cursor, change, gone)
                known = change.cursor
                self._many |= len(change.passages) > _FEW
        if touched:
            self._forget(touched)
        return more

    def _erase(self, spans: Sequence[Span]) -> None:
        with self._transaction() as cursor:
            for span in spans:
                rows = cursor.execute(
                    """SELECT t.id FROM session s JOIN turn t ON t.id BETWEEN s.no << ? AND (s.no + 1 << ?) - 1
                    WHERE s.session_id = ? AND t.at BETWEEN ? AND ?""",
                    [SESSION, SESSION, *span],
                )
                take_out(cursor, [number for (number,) in rows.fetchall()])
                left = cursor.execute(
                    """SELECT 1 FROM session s JOIN turn t ON t.id BETWEEN s.no << ? AND (s.no + 1 << ?) - 1
                    WHERE s.session_id = ? LIMIT 1""",
                    [SESSION, SESSION, span.session_id],
                ).fetchone()
                if left is None:
                    drop_sessions(cursor, [span.session_id])
            for table in ("words", "pieces"):  # what was taken out stands in an index until it is written anew
                cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - names of ours
        self._forget(None)
        connection = self._open()
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _ready(self, whose: Whose) -> tuple[sqlite3.Connection, int | None]:
        """The connection with this person's past in `mine`; how many messages that is, None for all."""
        connection = self._open()
        (made,) = connection.execute("SELECT value FROM meta WHERE key = 'made'").fetchone()
        if made != self._made:  # another process has written
            self._forget(None)
            self._made = made
        assert self._mine is not None  # noqa: S101 - there since the file was opened
        return connection, self._mine.of(whose)

    def _corpus(self, connection: sqlite3.Connection) -> Corpus:
        rows = connection.execute("SELECT key, value FROM meta WHERE key IN ('messages', 'length')")
        found = {key: int(value) for key, value in rows}
        return Corpus(found["messages"], found["length"] / max(1, found["messages"]))

    def _forget(self, touched: Iterable[str] | None) -> None:
        if self._mine is not None:
            self._mine.forget(None if touched is None else frozenset(touched))
        with suppress(sqlite3.Error):
            (self._made,) = self._open().execute("SELECT value FROM meta WHERE key = 'made'").fetchone()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Cursor]:
        cursor = self._open().cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            yield cursor
            cursor.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                cursor.execute("ROLLBACK")
            raise
        finally:
            cursor.close()

    def _run(self, step: Callable[[], Answer]) -> Answer:
        with self._lock:
            try:
                return step()
            except sqlite3.Error as error:
                raise self._trouble(error) from error

    def _trouble(self, error: sqlite3.Error) -> StoreError:
        if file.is_damage(error):
            return StoreDamaged(f"the index {self._path} is damaged", hint=_HINT)
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreLocked(f"the index {self._path} is kept busy by another process", hint="try again")
        return StoreError(f"the index {self._path} could not be used: {error}", hint=_HINT)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                self._connection = file.connect(self._path, self._kind)
            except sqlite3.DatabaseError as error:
                if not file.is_damage(error) and not isinstance(error, file.OtherMaking):
                    raise
                file.discard(self._path)
                self._connection = file.connect(self._path, self._kind)
            self._mine = Mine(self._connection)
        return self._connection

    def _discard(self) -> None:
        self._let_go()
        file.discard(self._path)

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._mine = None
