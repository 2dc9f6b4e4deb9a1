"""The memory of one person: two files, what was demoted from them, and the journal of every change.

A change is a function of the entries that are there, carried out under a lock on the current file: nobody writes a
whole file from a copy that has grown old. The file's bytes are compared once more before they are replaced, for an
editor knows nothing of the lock. Its journal line is on the disk first; one whose change never came about is marked as
such by whoever comes next.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from herma.core.memory.entries import join, parse
from herma.core.memory.journal import Change, Origin
from herma.core.memory.operations import Applied, Failure
from herma.core.memory.targets import TARGETS
from herma.errors import Conflict, MemoryFailure
from herma.stores.memory import files
from herma.stores.memory.book import Book
from herma.stores.memory.files import Bytes, look, text_of
from herma.stores.memory.history import History
from herma.stores.memory.lock import PATIENCE, alone
from herma.stores.memory.snapshots import Snapshots

__all__ = ["Clock", "Decide", "Done", "Store"]

Clock = Callable[[], float]
Decide = Callable[[tuple[str, ...]], Applied | Failure]

_TRIES = 3
_BRIEFLY = 0.3  # seconds


class Done(NamedTuple):
    """What was decided, and the entries it was decided on. `change` is the version made, if anything changed."""

    outcome: Applied | Failure
    before: tuple[str, ...]
    change: Change | None


class _Changed(Exception):  # noqa: N818 - never leaves this module
    """Somebody wrote the file between our look and our write."""


class Store:
    """The memory in `folder`. Nothing is made before the first write. Errors are those of `MemoryFailure`."""

    def __init__(self, folder: Path, person: str, clock: Clock) -> None:
        self.folder = folder
        self.person = person
        self._clock = clock
        self._lock = f"{folder}/.memory.lock"
        self._parsed: dict[str, tuple[bytes | None, tuple[str, ...]]] = {}
        self._paths = {name: f"{folder}/{target.file}" for name, target in TARGETS.items()}
        self.history = History(f"{folder}/.journal.jsonl")
        self.snapshots = Snapshots(folder / ".sessions")

    def raw(self, target: str) -> Bytes:
        """What is in the file of one list, without the lock: a file is replaced whole."""
        return look(self._paths[target])

    def entries(self, target: str) -> tuple[str, ...]:
        """The entries of one list as they are now."""
        return self._entries(target, self.raw(target).data)

    def demoted(self, target: str) -> tuple[str, ...]:
        """The entries that were demoted from one list, oldest first."""
        path = self._demoted(target)
        return parse(text_of(path, look(path).data))

    def change(self, target: str, decide: Decide, origin: Origin) -> Done:
        """Carry out what `decide` makes of the current entries. What a person changed by hand is recorded first.

        `decide` may be asked again, when somebody else changes the file meanwhile; after three times it is a
        `Conflict`.
        """
        with self._alone():
            for _ in range(_TRIES):
                try:
                    return self._attempt(target, decide, origin)
                except _Changed:
                    continue
        raise Conflict(
            f"{self._paths[target]} was changed by somebody else {_TRIES} times while it was being written",
            hint="close what writes to it, and try again",
        )

    def is_recorded(self, target: str) -> bool:
        """Whether the file is as the journal says; a hand may have been at it since."""
        return self._book(target).knows(self.raw(target).data)

    def notice(self, target: str) -> Change | None:
        """Record what was changed by hand since the last change that is known. Writes nothing else.

        It waits for the lock only briefly: a session is about to begin, and the next write records the same.
        """
        if self._book(target).knows(self.raw(target).data):
            return None
        with self._alone(patience=_BRIEFLY):
            book = self._book(target)
            book.catch_up(self.raw(target).data)
            book.write()
        return next((line for line in book.lines if line.origin.by == "hand"), None)

    @contextmanager
    def _alone(self, *, patience: float = PATIENCE) -> Iterator[None]:
        try:
            with alone(self._lock, patience=patience):
                yield
        except OSError as error:
            why = error.strerror or str(error)
            raise MemoryFailure(f"{self.folder} cannot be written: {why}", hint="see who may write there") from error

    def _attempt(self, target: str, decide: Decide, origin: Origin) -> Done:
        path = self._paths[target]
        found = look(path)
        before = self._entries(target, found.data)
        outcome = decide(before)
        if isinstance(outcome, Failure) or outcome.entries == before:
            return Done(outcome, before, None)
        aside = self._aside(target, outcome)
        data = join(outcome.entries).encode("utf-8")
        book = self._book(target)
        fingerprint = book.catch_up(found.data)
        change = book.add(origin, outcome.steps, fingerprint, data)
        real = files.true_path(path)
        book.write()
        place = files.draft(real, data, found)
        if aside is not None:
            self._set_aside(target, aside)
        try:
            _put(place, real, found, data)
        except _Changed:
            void = self._book(target)
            void.void(change)
            void.write()
            raise
        self._parsed[target] = (data, outcome.entries)
        files.settle(os.path.dirname(real))  # noqa: PTH120 - a text
        if real != path:
            files.settle(os.path.dirname(path))  # noqa: PTH120 - a text
        return Done(outcome, before, change)

    def _entries(self, target: str, data: bytes | None) -> tuple[str, ...]:
        known = self._parsed.get(target)
        if known is None or known[0] != data:
            known = (data, parse(text_of(self._paths[target], data)))
            self._parsed[target] = known
        return known[1]

    def _book(self, target: str) -> Book:
        return Book(self.history, target, person=self.person, at=round(self._clock() * 1000))

    def _aside(self, target: str, outcome: Applied) -> bytes | None:
        """The demoted list as it will be, if it changes: what is demoted is in it, what is removed or back is not."""
        new = [step.matched for step in outcome.steps if step.action == "demote"]
        path = self._demoted(target)
        if not new and not os.path.lexists(path):
            return None
        was = parse(text_of(path, look(path).data))
        lost = {step.matched for step in outcome.steps if step.action == "remove"} | set(outcome.entries)
        now = tuple(dict.fromkeys(entry for entry in [*was, *new] if entry not in lost))
        return None if now == was else join(now).encode("utf-8")

    def _set_aside(self, target: str, data: bytes) -> None:
        path = files.true_path(self._demoted(target))
        files.put(files.draft(path, data, look(path)), path, new=False)

    def _demoted(self, target: str) -> str:
        return f"{self.folder}/{TARGETS[target].demoted}"


def _put(place: str, path: str, found: Bytes, data: bytes) -> None:
    """Put the draft in the place of what was found there, and look at what is there then."""
    if look(path).data != found.data or not files.put(place, path, new=found.data is None):
        os.unlink(place)  # noqa: PTH108 - a text
        raise _Changed
    if look(path).data != data:
        raise _Changed
