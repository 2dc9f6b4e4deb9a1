import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herma.core.people.audit import Link, Row, Writer, body_of, exported, genesis_of, hash_of, who_of
from herma.core.people.verify import Report, verify

SALTS = {"telegram:1": b"a" * 16, "telegram:2": b"b" * 16}


def record(name: str, *links: Link, seq: int = 0, made: bytes = b"") -> Writer:
    return Writer(name, "gateway", "hermes 0.22.2", 7, "/home/bot", "", 1_000, links, seq, made)


def chain(writer: Writer, length: int, first: int = 1) -> list[Row]:
    """Rows of a writer, numbered from `first`."""
    rows: list[Row] = []
    prev = genesis_of(writer)
    for seq in range(1, length + 1):
        person = f"telegram:{seq % 2 + 1}"
        who = who_of(SALTS[person], person, "session", f"turn {seq}")
        kept = ("tool", "terminal", 1, 0, None, 0, "note", writer.writer, seq, writer.surface, writer.host, who, prev)
        row = Row(first + seq - 1, 1_000 + seq, person, "session", f"turn {seq}", *kept)
        rows.append(row._replace(hash=hash_of(row)))
        prev = rows[-1].hash
    return rows


ONE = record("w1")
ROWS = chain(ONE, 6)


def found(rows: list[Row], *writers: Writer, salts: dict[str, bytes] | None = None) -> list[tuple[str, str, int]]:
    report = verify(writers or (ONE,), rows, SALTS if salts is None else salts)
    return [(each.kind, each.writer, each.seq) for each in report.findings]


def signed(row: Row) -> Row:
    """The row with the hash that it ought to have, as somebody computes it who knows how."""
    return row._replace(hash=hash_of(row))


def test_a_trail_that_nobody_touched_is_intact() -> None:
    assert verify((ONE,), ROWS, SALTS) == Report(rows=6, writers=1, erased=0, findings=())
    assert verify((), (), {}).intact


def test_the_body_is_the_json_that_the_page_describes_and_names_no_person() -> None:
    row = ROWS[0]._replace(tool='"é\n', allowed=None)
    body = body_of(row)

    assert body == json.dumps(
        [
            *("herma/audit/1", "w1", 1, row.prev.hex(), row.ts, row.who.hex(), "tool", '"é\n', None, 0, None, 0),
            *("gateway", "hermes 0.22.2"),
        ],
        separators=(",", ":"),
    )
    assert hash_of(row) == sha256(body.encode()).digest()
    assert "telegram" not in body
    assert "turn" not in body
    assert "note" not in body


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
numbers = st.none() | st.integers(0, 1)


@given(st.tuples(texts, texts, numbers, numbers, numbers, st.integers(0, 1 << 40), texts))
def test_any_body_is_one_json_array(given_to_it: tuple[Any, ...]) -> None:
    names = ("kind", "tool", "allowed", "needs_approval", "approved", "tokens", "host")
    *others, host = given_to_it
    row = ROWS[0]._replace(**dict(zip(names, given_to_it, strict=True)))
    assert json.loads(body_of(row))[6:] == [*others, "gateway", host]


@given(st.tuples(texts, texts, texts), st.tuples(texts, texts, texts))
def test_a_commitment_is_to_one_person_in_one_session_and_turn(
    one: tuple[str, str, str], two: tuple[str, str, str]
) -> None:
    assert (who_of(b"salt", *one) == who_of(b"salt", *two)) == (one == two)
    assert who_of(b"salt", *one) != who_of(b"malt", *one)


def test_the_export_has_all_that_it_takes_to_compute_the_hash_again() -> None:
    shown = exported(ROWS[2])
    again: dict[str, Any] = json.loads(json.dumps(shown))
    for name in ("who", "prev", "hash"):
        again[name] = bytes.fromhex(again[name])
    assert Row(**again) == ROWS[2]


CHANGES: dict[str, Callable[[Row], Row]] = {
    "ts": lambda row: row._replace(ts=1),
    "kind": lambda row: row._replace(kind="turn"),
    "tool": lambda row: row._replace(tool="patch"),
    "allowed": lambda row: row._replace(allowed=0),
    "needs_approval": lambda row: row._replace(needs_approval=1),
    "approved": lambda row: row._replace(approved=1),
    "tokens": lambda row: row._replace(tokens=1),
    "surface": lambda row: row._replace(surface="cli"),
    "host": lambda row: row._replace(host="hermes 0.19.0"),
    "person_id": lambda row: row._replace(person_id="telegram:2" if row.person_id == "telegram:1" else "telegram:1"),
    "nobody": lambda row: row._replace(person_id=""),
    "session_id": lambda row: row._replace(session_id="another"),
    "turn_id": lambda row: row._replace(turn_id="another"),
    "who": lambda row: row._replace(who=bytes(32)),
    "hash": lambda row: row._replace(hash=bytes(32)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_is_found_and_named(change: str) -> None:
    rows = [*ROWS[:2], CHANGES[change](ROWS[2]), *ROWS[3:]]
    assert ("changed", "w1", 3) in found(rows)


def test_a_changed_row_whose_hash_was_computed_anew_leaves_the_next_without_its_predecessor() -> None:
    assert found([*ROWS[:2], signed(ROWS[2]._replace(tool="patch")), *ROWS[3:]]) == [("unlinked", "w1", 4)]


def test_a_row_that_follows_from_another_is_found_even_if_its_own_hash_is_right() -> None:
    assert ("unlinked", "w1", 3) in found([*ROWS[:2], signed(ROWS[2]._replace(prev=bytes(32))), *ROWS[3:]])


def test_rows_that_were_taken_out_are_found_and_named() -> None:
    report = verify((ONE,), [ROWS[0], *ROWS[4:]], SALTS)
    assert [each.said for each in report.findings] == ["rows 2 to 4 of writer w1 are missing"]
    assert found(ROWS[1:]) == [("missing", "w1", 1)]


def test_rows_that_changed_places_are_moved_and_not_missing() -> None:
    assert found([*ROWS[:2], ROWS[3], ROWS[2], *ROWS[4:]]) == [("moved", "w1", 3)]
    assert found([*ROWS[:2], ROWS[5], *ROWS[2:5]]) == [("moved", "w1", 3), ("moved", "w1", 4), ("moved", "w1", 5)]


def test_a_row_that_stands_there_twice_is_found() -> None:
    assert found([*ROWS[:3], ROWS[2], *ROWS[3:]]) == [("moved", "w1", 3)]


def test_a_row_of_a_writer_without_a_record_is_foreign() -> None:
    assert found([*ROWS, *chain(record("w9"), 2, first=7)]) == [("foreign", "w9", 1), ("foreign", "w9", 2)]


def test_a_row_that_was_put_in_is_found_however_well_it_is_made() -> None:
    made = signed(ROWS[3]._replace(tool="patch"))
    assert found([*ROWS[:3], made, *ROWS[3:]]) == [("moved", "w1", 4), ("unlinked", "w1", 5)]
    longer = signed(ROWS[5]._replace(seq=7, prev=bytes(32)))
    assert found([*ROWS, longer]) == [("unlinked", "w1", 7)]


def test_a_record_that_was_changed_is_found_at_its_first_row() -> None:
    assert found(ROWS, ONE._replace(host="hermes 0.19.0")) == [("unlinked", "w1", 1)]


def test_a_chain_that_is_shorter_than_its_record_says_was_cut() -> None:
    ended = ONE._replace(seq=6, hash=ROWS[5].hash)
    assert found(ROWS, ended) == []
    assert found(ROWS[:4], ended) == [("cut", "w1", 5)]
    assert found(ROWS, ended._replace(hash=bytes(32))) == [("changed", "w1", 6)]


def test_a_writer_that_was_dropped_with_all_its_rows_is_missed_by_the_next() -> None:
    two = record("w2", Link("w1", 6, ROWS[5].hash))
    both = [*ROWS, *chain(two, 2, first=7)]
    assert found(both, ONE, two) == []
    assert found(both[6:], two) == [("dropped", "w1", 6)]
    assert found(both[:4] + both[6:], ONE, two) == [("dropped", "w1", 6)]


def test_a_writer_that_was_replaced_by_one_of_the_same_name_is_not_the_one_that_was_seen() -> None:
    two = record("w2", Link("w1", 6, ROWS[5].hash))
    other = ONE._replace(pid=8)
    assert ("changed", "w1", 6) in found([*chain(other, 6), *chain(two, 1, first=7)], other, two)


def test_chains_of_several_writers_may_stand_between_each_other() -> None:
    two = record("w2")
    mixed = [row for pair in zip(ROWS, chain(two, 6), strict=True) for row in pair]
    assert found(mixed, ONE, two) == []


def test_a_person_can_be_erased_and_the_chain_still_verifies() -> None:
    erased = [
        row._replace(person_id=None, session_id=None, turn_id=None, note="") if row.person_id == "telegram:1" else row
        for row in ROWS
    ]
    report = verify((ONE,), erased, {"telegram:2": SALTS["telegram:2"]})
    assert (report.intact, report.erased) == (True, 3)
    assert not verify((ONE,), erased[:3] + ROWS[3:], {"telegram:2": SALTS["telegram:2"]}).intact


def test_a_note_may_be_erased_by_itself() -> None:
    assert found([row._replace(note="") for row in ROWS]) == []


def test_more_findings_than_anybody_reads_are_counted_and_not_kept() -> None:
    report = verify((), chain(ONE, 1_005), SALTS)
    assert (len(report.findings), report.more) == (1_000, 5)
