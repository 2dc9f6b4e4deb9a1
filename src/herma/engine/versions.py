"""The versions of a memory: what each change did, and one of them taken back."""

from collections.abc import Iterator
from typing import NamedTuple

from herma.core.memory.journal import Change, Origin, Undone, in_force, origins, undone
from herma.core.memory.operations import Applied, Step
from herma.errors import HermaError
from herma.stores.memory.store import Done, Store

__all__ = ["Version", "plan", "sources", "take_back", "version", "versions"]


class Version(NamedTuple):
    """A change, the entries of its list before and after it, and whether it counts.

    One does not count that was never completed; the file may also have been put back by hand.
    """

    change: Change
    before: tuple[str, ...]
    in_force: bool = True

    @property
    def added(self) -> tuple[str, ...]:
        """The entries that it brought."""
        return tuple(entry for entry in self.change.entries if entry not in self.before)

    @property
    def gone(self) -> tuple[str, ...]:
        """The entries that it took."""
        return tuple(entry for entry in self.before if entry not in self.change.entries)


def versions(store: Store) -> tuple[Version, ...]:
    """Every change of both lists, oldest first."""
    return tuple(_versions(store))


def version(store: Store, number: int | None) -> Version:
    """The version of this number, the latest unless one is given. Raises `HermaError` where there is none."""
    found = [each for each in versions(store) if number is None or each.change.number == number]
    if not found:
        missing = "nothing has been recorded yet" if number is None else f"there is no change {number}"
        raise HermaError(missing, hint="`herma memory log` lists the changes")
    return found[-1]


def sources(store: Store, target: str, *, up_to: int | None = None) -> dict[str, Change]:
    """For each entry that the list ever had, the change that last brought it, of those up to a number."""
    found = [change for change in store.history.changes() if change.target == target]
    return origins([change for change in found if up_to is None or change.number <= up_to])


def plan(store: Store, number: int | None) -> tuple[Version, Undone]:
    """The change to take back, and the list without it. Raises `HermaError` where there is nothing to do.

    Without a number it is the latest that has not been taken back yet.
    """
    wanted = version(store, number) if number is not None else _latest(store)
    if not wanted.in_force:
        raise HermaError(
            f"change {wanted.change.number} is not in force", hint="choose another with `herma memory log`"
        )
    left = undone(store.entries(wanted.change.target), wanted.before, wanted.change.entries)
    if not left.back and not left.gone:
        raise HermaError(
            f"nothing of change {wanted.change.number} is left to take back",
            hint="choose another with `herma memory log`",
        )
    return wanted, left


def take_back(store: Store, wanted: Version) -> Done:
    """Take a change back on the list as it is by now. What else happened since stays; the limit does not hold here."""

    def decide(entries: tuple[str, ...]) -> Applied:
        left = undone(entries, wanted.before, wanted.change.entries)
        steps = [Step("remove", entry) for entry in left.gone] + [Step("add", "", entry) for entry in left.back]
        return Applied(left.entries, tuple(steps))

    return store.change(wanted.change.target, decide, Origin("undo", undoes=wanted.change.number))


def _latest(store: Store) -> Version:
    found = [each for each in versions(store) if each.in_force]
    undoing = [each.change for each in found if each.change.origin.by == "undo"]
    again = {change.origin.undoes for change in undoing} & {change.number for change in undoing}
    back = {change.origin.undoes for change in undoing if change.number not in again}
    left = [each for each in found if each.change.origin.by != "undo" and each.change.number not in back]
    if not left:
        raise HermaError("there is no change to take back", hint="`herma memory log` lists the changes")
    return left[-1]


def _versions(store: Store) -> Iterator[Version]:
    lines = store.history.lines()
    counts = set(in_force(lines))
    last: dict[str, tuple[str, ...]] = {}
    for change in lines:
        if change.origin.by == "void":
            continue
        yield Version(change, last.get(change.target, ()), change in counts)
        if change in counts:
            last[change.target] = change.entries
