"""The lines that one attempt adds to a journal: what it missed, then what is being done."""

from collections.abc import Sequence

from herma.core.memory.journal import Change, Origin
from herma.core.memory.operations import Step
from herma.stores.memory.files import digest
from herma.stores.memory.history import History

__all__ = ["Book"]

_HAND = Origin("hand")


class Book:
    """Lines about one list, from the end of the journal as it is now. `at` is in milliseconds since the epoch."""

    def __init__(self, history: History, target: str, *, person: str, at: int) -> None:
        self._history, self._target, self._person, self._at = history, target, person, at
        self._tail = history.tail()
        self._last = self._tail.last(target)
        self.lines: list[Change] = []

    def knows(self, data: bytes | None) -> bool:
        """Whether the file is as the latest line left it."""
        return digest(data) == (self._last.after if self._last else "")

    def catch_up(self, data: bytes | None) -> str:
        """Add what the journal does not know: that its latest change is not in force, or a change by hand.

        Returns the fingerprint of `data`.
        """
        now, last = digest(data), self._last
        if now != (last.after if last else ""):
            if last and last.origin.by != "void" and now == last.before:
                self.void(last)
            else:
                self.add(_HAND, (), last.after if last else "", data)
        return now

    def add(self, origin: Origin, steps: Sequence[Step], before: str, data: bytes | None) -> Change:
        """Add a change that leads to `data`."""
        number = self._tail.next_number() + len(self.lines)
        text = (data or b"").decode("utf-8-sig", "replace")
        change = Change(number, self._at, self._person, self._target, origin, tuple(steps), before, digest(data), text)
        self.lines.append(change)
        return change

    def void(self, change: Change) -> None:
        """Add that a change is not in force."""
        line = self.add(Origin("void", undoes=change.number), (), change.before, b"")
        self.lines[-1] = line._replace(after=change.before)

    def write(self) -> None:
        """Put the lines to the disk."""
        if self.lines:
            self._history.append(self.lines, self._tail)
