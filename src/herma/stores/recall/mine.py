"""Which messages are a person's past, kept where every statement that reads messages looks: in the table `mine`."""

import sqlite3
from collections.abc import Collection

from herma.core.recall.whose import Span, Whose
from herma.stores.recall.schema import SESSION

__all__ = ["VISIBLE", "Mine"]

# A condition on the number `{at}`; its one parameter is the person.
VISIBLE = "(SELECT m.hi FROM temp.mine m WHERE m.person = ? AND m.lo <= {at} ORDER BY m.lo DESC LIMIT 1) >= {at}"

_ALL = (0, (1 << 62))
_KEPT = 64  # persons


class Mine:
    """The table `mine` of one connection, brought up to each call's `Whose`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._runs: dict[Span, tuple[list[tuple[int, int]], int]] = {}
        self._written: dict[str, tuple[tuple[Span, ...] | None, int]] = {}

    def forget(self, sessions: Collection[str] | None) -> None:
        """These sessions changed, or any may have."""
        self._written.clear()
        if sessions is None:
            self._runs.clear()
        else:
            self._runs = {span: runs for span, runs in self._runs.items() if span.session_id not in sessions}

    def of(self, whose: Whose) -> int | None:
        """Write down what this person's past is. How many messages it has; None for all there are."""
        known = self._written.get(whose.person)
        if known is not None and known[0] == whose.spans:
            return known[1] if whose.spans is not None else None
        if len(self._written) >= _KEPT:
            self._written.clear()
            self._connection.execute("DELETE FROM temp.mine")
        runs, messages = ([_ALL], 0) if whose.spans is None else self._all_runs(whose.spans)
        self._connection.execute("DELETE FROM temp.mine WHERE person = ?", [whose.person])
        rows = [(whose.person, lo, hi) for lo, hi in _joined(runs)]
        self._connection.executemany("INSERT INTO temp.mine VALUES (?, ?, ?)", rows)
        self._written[whose.person] = (whose.spans, messages)
        return None if whose.spans is None else messages

    def _all_runs(self, spans: tuple[Span, ...]) -> tuple[list[tuple[int, int]], int]:
        found: list[tuple[int, int]] = []
        messages = 0
        for span in spans:
            if span not in self._runs:
                self._runs[span] = self._find(span)
            runs, count = self._runs[span]
            found += runs
            messages += count
        return found, messages

    def _find(self, span: Span) -> tuple[list[tuple[int, int]], int]:
        """The numbers within a span, as runs without a gap that hides anything of another time."""
        row = self._connection.execute("SELECT no FROM session WHERE session_id = ?", [span.session_id]).fetchone()
        if row is None:
            return [], 0
        first = row[0] << SESSION
        runs: list[tuple[int, int]] = []
        count, open_ = 0, False
        for number, at in self._connection.execute(
            "SELECT id, at FROM turn WHERE id BETWEEN ? AND ? ORDER BY id", [first, first + (1 << SESSION) - 1]
        ):
            within = span.first_at <= at <= span.last_at
            count += within
            if within and open_:
                runs[-1] = (runs[-1][0], number)
            elif within:
                runs.append((number, number))
            open_ = within
        return runs, count


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The runs in order, those that overlap as one: the table is asked for the nearest one below a number only."""
    found: list[tuple[int, int]] = []
    for lo, hi in sorted(runs):
        if found and lo <= found[-1][1]:
            found[-1] = (found[-1][0], max(hi, found[-1][1]))
        else:
            found.append((lo, hi))
    return found
