"""The trail of one person or of everybody, summed up and with its latest rows."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from herma.core.people.durations import moment
from herma.core.people.records import Entry
from herma.core.visible import visible
from herma.engine.people.house import House
from herma.engine.people.names import known_as

__all__ = ["LONGEST_HOURS", "Trail", "line", "trail"]

LONGEST_HOURS = 24 * 365
_HOUR = 3_600_000
_MOST_ROWS = 20
_OUTCOMES = {None: "", 0: "refused", 1: "allowed"}


class Trail(NamedTuple):
    """Rows and tokens by kind since some hours ago, and the newest rows with their times, newest first."""

    hours: int
    sums: Mapping[str, tuple[int, int]]
    rows: Sequence[tuple[int, Entry]]

    @property
    def tokens(self) -> int:
        """All tokens that were counted."""
        return sum(tokens for _, tokens in self.sums.values())


def trail(house: House, person_id: str | None, hours: int) -> Trail:
    """What one person did and met in the last hours, or for None everybody."""
    since = house.now() - hours * _HOUR
    with house.store.routine() as unit:
        sums = unit.sums(person_id=person_id, since=since)
        rows = unit.entries(person_id=person_id, since=since, limit=_MOST_ROWS)
    return Trail(hours, sums, rows)


def line(house: House, at: int, entry: Entry, *, named: bool) -> str:
    """A row to read. `named`: it says whose it is, which only owners read."""
    roster = house.roster()
    who = visible(f"{known_as(roster, entry.person_id)} [{entry.person_id}]") if entry.person_id else "nobody"
    tokens = f"{entry.tokens:,} tokens" if entry.tokens else ""
    tool = visible(entry.tool)
    parts = (moment(at), who if named else "", entry.kind, tool, _OUTCOMES.get(entry.allowed, ""), tokens)
    return "  ".join(part for part in (*parts, visible(entry.note)) if part)
