import pytest
from tests.contract.people import ANN, BOB, NOW, Clock

from herma.core.people.records import Entry
from herma.engine.people.ports import Store

HOUR = 3_600_000
CALL = Entry("tool", BOB.person_id, "session-1", "turn-1", "terminal", 1, 0, None, 0, "git status")
USED = Entry("tokens", BOB.person_id, "session-1", "turn-1", tokens=120)


def test_rows_come_back_newest_first_with_their_times(store: Store, clock: Clock) -> None:
    with store.routine() as unit:
        unit.audit(CALL)
        clock.now += 5
        unit.audit(USED)
        assert unit.entries(person_id=None, since=NOW, limit=9) == [(NOW + 5, USED), (NOW, CALL)]
        assert unit.entries(person_id=None, since=NOW, limit=1) == [(NOW + 5, USED)]
        assert unit.entries(person_id=None, since=NOW + 1, limit=9) == [(NOW + 5, USED)]
        assert unit.entries(person_id=None, since=NOW + HOUR, limit=9) == []


def test_one_persons_rows_are_that_persons(store: Store) -> None:
    with store.routine() as unit:
        unit.audit(CALL)
        unit.audit(CALL._replace(person_id=ANN.person_id))
        unit.audit(CALL._replace(person_id=""))
        assert [entry.person_id for _, entry in unit.entries(person_id=BOB.person_id, since=0, limit=9)] == [
            BOB.person_id
        ]
        assert [entry.person_id for _, entry in unit.entries(person_id="", since=0, limit=9)] == [""]


def test_sums_are_by_kind_of_one_person_or_of_everybody(store: Store, clock: Clock) -> None:
    with store.routine() as unit:
        unit.audit(USED)
        clock.now += 2 * HOUR
        unit.audit(USED)
        unit.audit(CALL)
        unit.audit(USED._replace(person_id=ANN.person_id, tokens=1))
        assert unit.sums(person_id=None, since=0) == {"tokens": (3, 241), "tool": (1, 0)}
        assert unit.sums(person_id=BOB.person_id, since=NOW + 1) == {"tokens": (1, 120), "tool": (1, 0)}
        assert unit.sums(person_id=None, since=clock.now + 2 * HOUR) == {}


def test_rows_that_a_jumping_clock_put_out_of_order_are_all_found(store: Store, clock: Clock) -> None:
    with store.routine() as unit:
        for jump in (0, 9 * HOUR, -30 * HOUR, 3 * HOUR):
            clock.now = NOW + jump
            unit.audit(CALL)
        found = [at - NOW for at, _ in unit.entries(person_id=None, since=NOW - HOUR, limit=9)]
        assert found == [3 * HOUR, 9 * HOUR, 0]
        assert unit.sums(person_id=None, since=NOW + HOUR) == {"tool": (2, 0)}


def test_an_undone_row_is_not_in_the_trail_and_the_next_takes_its_place(store: Store) -> None:
    with pytest.raises(KeyError), store.routine() as unit:  # noqa: PT012 - the error has to leave the transaction
        unit.audit(CALL)
        raise KeyError
    with store.routine() as unit:
        unit.audit(USED)
        assert unit.entries(person_id=None, since=0, limit=9) == [(NOW, USED)]
        assert unit.sums(person_id=None, since=NOW) == {"tokens": (1, 120)}
