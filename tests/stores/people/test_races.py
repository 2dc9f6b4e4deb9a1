from pathlib import Path

import pytest
from tests.contract.people import ANN, BOB, MINUTE, NOW, ask
from tests.stores.people.house import Worker, opened, together

from herma.core.people.records import Invite
from herma.core.people.verify import verify
from herma.errors import StoreLocked
from herma.stores.people.reading import Trail


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.db"


def grant(path: Path, uses: int) -> None:
    """A grant of Bob's for so many uses, in a database that is closed again."""
    store = opened(path)
    with store.firm() as unit:
        unit.park(ask())
        unit.grant("a1", by=ANN.person_id, now=NOW, until=NOW + MINUTE, uses=uses, choice="approve")
    store.close()


def test_eight_processes_that_try_sixty_times_each_spend_a_grant_of_a_hundred_uses_a_hundred_times(path: Path) -> None:
    grant(path, 100)

    won = together([Worker("spend", path, "60") for _ in range(8)])

    assert sum(map(int, won)) == 100
    store = opened(path)
    with store.routine() as unit:
        left = unit.approval("a1")
        assert left is not None
        assert (left.status, left.uses_left) == ("spent", 0)
        assert unit.sums(person_id=BOB.person_id, since=0) == {"approval": (480, 0)}
    store.close()
    with Trail(path) as trail:
        report = verify(trail.writers(), trail.rows(), trail.salts())
    assert (report.findings, report.rows, report.writers) == ((), 480, 8)


def test_processes_that_park_for_the_same_person_and_tool_leave_one_ask_waiting(path: Path) -> None:
    opened(path).close()

    superseded = together([Worker("park", path, name) for name in ("p", "q")])

    store = opened(path)
    with store.routine() as unit:
        asks = unit.asks(BOB.person_id, since=0)
        assert sorted(each.status for each in asks) == ["pending", *["superseded"] * 19]
    assert sum(map(int, superseded)) == 19
    store.close()


def test_a_grant_that_is_revoked_while_it_is_spent_loses_no_use_and_gives_none(path: Path) -> None:
    grant(path, 100)

    spent, *others, left = together([*(Worker("spend", path, "60") for _ in range(2)), Worker("revoke", path)])

    assert int(spent) + sum(map(int, others)) + int(left) == 100
    store = opened(path)
    with store.routine() as unit:
        voided = unit.approval("a1")
        assert voided is not None
        assert voided.uses_left == 0
        assert voided.status == ("revoked" if int(left) else "spent")
    store.close()


def test_of_several_accounts_with_the_same_code_one_gets_in(path: Path) -> None:
    store = opened(path)
    with store.firm() as unit:
        unit.put_invite(Invite("a-long-code", "invite", "member", ANN.person_id, NOW, NOW + MINUTE))
    store.close()

    let_in = together([Worker("invite", path, f"telegram:{number}") for number in range(4)])

    assert sorted(let_in) == ["False", "False", "False", "True"]


def test_processes_that_find_no_database_make_one_between_them(path: Path) -> None:
    assert together([Worker("open", path) for _ in range(4)]) == ["0"] * 4


def test_a_role_that_another_process_changed_is_seen_at_the_next_look(path: Path) -> None:
    store = opened(path)
    with store.firm() as unit:
        unit.save_person(BOB)
    assert store.roster().people[BOB.person_id].role == "member"

    together([Worker("promote", path, "blocked")])

    assert store.roster().people[BOB.person_id].role == "blocked"
    together([Worker("promote", path, "guest")])
    with store.routine():
        assert store.roster().people[BOB.person_id].role == "guest"
    store.close()


def test_a_database_that_another_process_keeps_busy_is_waited_for_two_seconds_and_then_said_to_be(path: Path) -> None:
    store = opened(path)
    worker = Worker("hold", path)
    assert worker.hears() == "ready"
    worker.go()
    assert worker.hears() == "holding"

    with pytest.raises(StoreLocked, match="busy") as refused, store.routine():
        pass
    assert refused.value.hint
    assert dict(store.roster().people) == {}  # reading waits for nobody

    worker.go()
    assert worker.hears() == "released"
    with store.routine() as unit:
        assert unit.setting("paused") == ""
    worker.end()
    store.close()
