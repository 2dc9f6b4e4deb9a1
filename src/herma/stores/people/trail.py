"""The audit trail, as the people service writes and reads it."""

from collections.abc import Mapping, Sequence

from herma.core.people.records import Entry
from herma.stores.people import statements as sql
from herma.stores.people.chain import HOUR, Chain
from herma.stores.people.people import People

__all__ = ["Trail"]


class Trail(People):
    """Rows go to this writer's chain; they are read over all writers."""

    __slots__ = ("chain",)
    chain: Chain

    def audit(self, entry: Entry) -> None:
        """Append a row to this writer's chain."""
        self.chain.append(self.execute, entry, self.epoch())

    def entries(self, *, person_id: str | None, since: int, limit: int) -> Sequence[tuple[int, Entry]]:
        """Rows with their times, newest first, of one person, or of everybody for None."""
        first = self._first(since)
        if person_id is None:
            found = self.rows(sql.ENTRIES, first, since, limit)
        else:
            found = self.rows(sql.ENTRIES_OF, first, since, person_id, limit)
        return [(row[0], Entry(*row[1:])) for row in found]

    def sums(self, *, person_id: str | None, since: int) -> Mapping[str, tuple[int, int]]:
        """For each audit kind how many rows and how many tokens, of one person or of everybody."""
        first = self._first(since)
        if person_id is None:
            found = self.rows(sql.SUMS, first, since)
        else:
            found = self.rows(sql.SUMS_OF, first, since, person_id)
        return {kind: (count, tokens) for kind, count, tokens in found}

    def _first(self, since: int) -> int:
        """Below this number no row is of that time or later."""
        first = self.value(sql.FIRST_SINCE, since // HOUR)
        return 1 << 62 if first is None else int(first)
