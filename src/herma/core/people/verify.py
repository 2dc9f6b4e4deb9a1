"""Whether a trail is as it was written, and what was done to it where it is not."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from herma.core.people.audit import Link, Row, Writer, genesis_of, hash_of, who_of

__all__ = ["Finding", "Report", "verify"]

_MOST = 1_000  # findings that are kept; more are counted


class Finding(NamedTuple):
    """One thing that is wrong. `row` is the number of the row in the table, 0 where there is none.

    `kind` is one of: changed (the row is not what was written), unlinked (it does not follow from the one before it),
    missing, moved (it stands after a later one), foreign (its writer has no record), cut (the chain is shorter than its
    record says), dropped (another writer has seen a row that is not there).
    """

    kind: str
    writer: str
    seq: int
    row: int
    said: str


class Report(NamedTuple):
    """What was looked at and found. `more` counts findings beyond those that are listed."""

    rows: int
    writers: int
    erased: int
    findings: tuple[Finding, ...]
    more: int = 0

    @property
    def intact(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class _Place:
    """Where a chain stands while its rows are read."""

    def __init__(self, record: Writer | None) -> None:
        self.record = record
        self.seq = 0
        self.hash = genesis_of(record) if record else b""
        self.gaps: list[tuple[int, int]] = []


def verify(writers: Iterable[Writer], rows: Iterable[Row], salts: Mapping[str, bytes]) -> Report:
    """Check all rows, given in the order of their numbers; `salts` are those of the people who were not erased."""
    checking = _Checking(writers, salts)
    for row in rows:
        checking.look_at(row)
    return checking.report()


class _Checking:
    def __init__(self, writers: Iterable[Writer], salts: Mapping[str, bytes]) -> None:
        self._salts = salts
        self._places = {record.writer: _Place(record) for record in writers}
        self._rows = self._erased = self._more = 0
        self._findings: list[Finding] = []
        self._seen_by: dict[tuple[str, int], list[tuple[bytes, str]]] = {}
        for writer, place in self._places.items():
            for link in place.record.links if place.record else ():
                self._expect(link, writer)

    def look_at(self, row: Row) -> None:
        """Check one row by itself, and against those before it."""
        self._rows += 1
        self._erased += row.person_id is None
        place = self._places.get(row.writer)
        if place is None:
            place = self._places[row.writer] = _Place(None)
        if place.record is None:
            self._find("foreign", row, "is of a writer that has no record")
        if not self._is_true(row):
            self._find("changed", row, "is not what was written")
        self._follow(place, row)
        if place.record and row.seq == place.record.seq and row.hash != place.record.hash:
            self._find("changed", row, "is not the one that its writer's record names")
        for made, by in self._seen_by.pop((row.writer, row.seq), ()):
            if made != row.hash:
                self._find("changed", row, f"is not the one that writer {by} has seen")

    def report(self) -> Report:
        """All that was found."""
        for writer, place in self._places.items():
            for first, last in place.gaps:
                self._note(
                    Finding("missing", writer, first, 0, f"rows {first} to {last} of writer {writer} are missing")
                )
            if place.record and place.record.seq > place.seq:
                said = (
                    f"writer {writer} wrote {place.record.seq} rows or more, and the last that is there is {place.seq}"
                )
                self._note(Finding("cut", writer, place.seq + 1, 0, said))
        for (writer, seq), seen in self._seen_by.items():
            said = f"row {seq} of writer {writer}, which writer {seen[0][1]} has seen, is not there"
            self._note(Finding("dropped", writer, seq, 0, said))
        return Report(self._rows, len(self._places), self._erased, tuple(self._findings), self._more)

    def _is_true(self, row: Row) -> bool:
        if hash_of(row) != row.hash:
            return False
        if row.person_id is None:
            return True
        salt = self._salts.get(row.person_id)
        return salt is not None and who_of(salt, row.person_id, row.session_id or "", row.turn_id or "") == row.who

    def _follow(self, place: _Place, row: Row) -> None:
        if row.seq <= place.seq:
            self._find("moved", row, f"stands after row {place.seq} of its writer")
            place.gaps = _without(place.gaps, row.seq)
            return
        if row.seq > place.seq + 1:
            place.gaps.append((place.seq + 1, row.seq - 1))
        elif row.prev != place.hash and place.record is not None:
            before = f"row {place.seq}" if place.seq else "the record of its writer"
            self._find("unlinked", row, f"does not follow from {before}")
        place.seq, place.hash = row.seq, row.hash

    def _expect(self, link: Link, by: str) -> None:
        self._seen_by.setdefault((link.writer, link.seq), []).append((link.hash, by))

    def _find(self, kind: str, row: Row, said: str) -> None:
        self._note(Finding(kind, row.writer, row.seq, row.id, f"row {row.seq} of writer {row.writer} {said}"))

    def _note(self, finding: Finding) -> None:
        if len(self._findings) < _MOST:
            self._findings.append(finding)
        else:
            self._more += 1


def _without(gaps: list[tuple[int, int]], seq: int) -> list[tuple[int, int]]:
    """The gaps, after a row that stood in one was found elsewhere."""
    left: list[tuple[int, int]] = []
    for first, last in gaps:
        parts = ((first, min(last, seq - 1)), (max(first, seq + 1), last)) if first <= seq <= last else ((first, last),)
        left += [part for part in parts if part[0] <= part[1]]
    return left
