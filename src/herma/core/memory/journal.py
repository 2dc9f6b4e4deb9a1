"""The record of what happened to a memory: one line a change, never altered, enough to show and undo any of them.

A line holds the whole text after the change, so that a version needs no other one to be read.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from herma.core.memory.entries import parse
from herma.core.memory.operations import Step

__all__ = ["BY", "Change", "Origin", "Undone", "from_line", "in_force", "origins", "to_line", "undone"]

# Who made a change, and how that is said.
BY = {
    "tool": "by the memory tool",
    "hand": "by hand",
    "undo": "by herma memory undo",
    "background": "by a background pass",
    "void": "never completed, or taken back by hand",
}


_WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


class Origin(NamedTuple):
    """Where a change comes from: one of `BY`, and the session and turn where there are any. `undoes` is a number."""

    by: str
    session: str = ""
    turn: str = ""
    undoes: int = 0


class Change(NamedTuple):
    """One version of one list. `at` is in milliseconds; `before` and `after` are SHA-256 of the file, "" for none.

    A change by `void` says that the one it `undoes` is not in force.
    """

    number: int
    at: int
    person: str
    target: str
    origin: Origin
    steps: tuple[Step, ...]
    before: str
    after: str
    text: str

    @property
    def entries(self) -> tuple[str, ...]:
        """The list after this change."""
        return parse(self.text)


def to_line(change: Change) -> bytes:
    """The change as one line. What no encoding has, such as half a pair, stands as an escape."""
    record = {
        "n": change.number,
        "target": change.target,
        "at": change.at,
        "person": change.person,
        **{name: value for name, value in change.origin._asdict().items() if value},
        "steps": [[step.action, step.matched, step.content] for step in change.steps],
        "before": change.before,
        "after": change.after,
        "text": change.text,
    }
    return _WRITER.encode(record).encode("utf-8", "backslashreplace") + b"\n"


def from_line(line: bytes) -> Change | None:
    """The change of a line, or None for one that is damaged."""
    try:
        record = json.loads(line)
        origin = Origin(record["by"], record.get("session", ""), record.get("turn", ""), record.get("undoes", 0))
        steps = tuple(Step(*step) for step in record["steps"])
        return Change(
            int(record["n"]),
            int(record["at"]),
            str(record["person"]),
            str(record["target"]),
            origin,
            steps,
            str(record["before"]),
            str(record["after"]),
            str(record["text"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def in_force(lines: Iterable[Change]) -> tuple[Change, ...]:
    """The changes that count, in their order: not those that were never completed, and not the lines that say so."""
    found = tuple(lines)
    void = {change.origin.undoes for change in found if change.origin.by == "void"}
    return tuple(change for change in found if change.origin.by != "void" and change.number not in void)


def origins(history: Sequence[Change]) -> dict[str, Change]:
    """For each entry that one list ever had, the change that last brought it."""
    found: dict[str, Change] = {}
    last: tuple[str, ...] = ()
    for change in history:
        now = change.entries
        found.update(dict.fromkeys([entry for entry in now if entry not in last], change))
        last = now
    return found


class Undone(NamedTuple):
    """A list without one change: what comes back, what goes, and what cannot since it is no longer there."""

    entries: tuple[str, ...]
    back: tuple[str, ...]
    gone: tuple[str, ...]
    missing: tuple[str, ...]


def undone(current: Sequence[str], before: Sequence[str], after: Sequence[str]) -> Undone:
    """`current` without what led from `before` to `after`; whatever else happened since stays."""
    came = [entry for entry in after if entry not in before]
    went = [entry for entry in before if entry not in after]
    gone = tuple(entry for entry in came if entry in current)
    back = tuple(entry for entry in went if entry not in current)
    place = min((current.index(entry) for entry in gone), default=len(current))
    now = [entry for entry in current if entry not in gone]
    for entry in back:
        now.insert(_place(now, entry, before, place), entry)
    return Undone(tuple(now), back, gone, tuple(entry for entry in came if entry not in current))


def _place(now: Sequence[str], entry: str, before: Sequence[str], otherwise: int) -> int:
    """Behind the entry that it stood behind, where that is still there."""
    at = before.index(entry)
    if at == 0:
        return 0
    return now.index(before[at - 1]) + 1 if before[at - 1] in now else otherwise
