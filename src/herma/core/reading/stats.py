"""The report of `/read-once stats`: modes, counts and sums. No content of a file is in it."""

from collections.abc import Mapping
from typing import NamedTuple

from herma.core.reasons import Reason, of_system

__all__ = ["Mode", "Saved", "Stats", "report"]

_GROUPS = (("bypass", "bypassed"), ("miss", "misses"), ("not_seeded", "not seeded"), ("host", "of the host"))


class Saved(NamedTuple):
    """`approx` is round(characters / 4), summed over hits. `net` is by `method`, less notes and re-fetches."""

    hits: int
    refetches: int
    approx: int
    net: int
    method: str


class Stats(NamedTuple):
    """What is remembered now. `entries` can be answered with a note; `visible` of them stood in a latest request.

    `events` counts what the host said, by what it was.
    """

    epoch: int
    scopes: int
    entries: int
    visible: int
    events: Mapping[str, int]
    saved: Saved


class Mode(NamedTuple):
    """The three variables as they are in force; `root` as it may be shown, and empty where it is not set."""

    root: str
    hits: bool
    notice: str


def report(mode: Mode, stats: Stats, counts: Mapping[str, int]) -> str:
    """The lines of the report. `counts` are the reasons given so far, by id."""
    saved = stats.saved
    lines = [
        f"read-once: {_mode(mode)}",
        f"notice: {mode.notice}",
        f"root: {mode.root or 'not set'}",
        f"epoch: {stats.epoch}",
        f"hits: {saved.hits}",
        f"approx tokens not resent this session: {saved.approx} (approx)",
        f"tokens not resent, less {saved.hits} notes and {saved.refetches} re-fetches: {saved.net}, {saved.method}",
        f"entries: {stats.entries} in {stats.scopes} scopes, {stats.visible} of them in the latest request",
    ]
    lines.append(f"events: {', '.join(f'{event} {n}' for event, n in stats.events.items()) or 'none'}")
    reasons = of_system("read-once")
    for group, title in _GROUPS:
        given = [_counted(reason, counts) for reason in reasons if reason.group == group and counts.get(reason.id)]
        lines.append(f"{title}: {', '.join(given) or 'none'}")
    return "\n".join(lines)


def _mode(mode: Mode) -> str:
    if not mode.root:
        return "off, READ_ONCE_ROOT is not set"
    return "answering repeats" if mode.hits else "observing only, READ_ONCE_HITS is not 1"


def _counted(reason: Reason, counts: Mapping[str, int]) -> str:
    return f"{reason.id} {counts[reason.id]}"
