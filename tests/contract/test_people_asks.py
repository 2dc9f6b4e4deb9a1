from typing import Any

import pytest
from tests.contract.people import ANN, BOB, CAT, MINUTE, NOW, ask

from herma.core.people.records import Approval
from herma.engine.people.ports import Store, Unit


def granted(unit: Unit, uses: int = 1, approval_id: str = "a1", **changes: object) -> Approval:
    parked = ask(approval_id, **changes)
    unit.park(parked)
    made = unit.grant(
        parked.approval_id, by=ANN.person_id, now=NOW, until=NOW + 2 * MINUTE, uses=uses, choice="approve"
    )
    assert made is not None
    return made


def spend(unit: Unit, call: str = "call-1", digest: str = "digest-1", **changes: Any) -> Approval | None:
    asked: dict[str, Any] = {"person_id": BOB.person_id, "conversation": "conversation-1", "now": NOW + 1, **changes}
    return unit.spend(digest, call=call, **asked)


def test_an_ask_comes_back_as_it_was_parked(store: Store) -> None:
    with store.firm() as unit:
        assert unit.park(ask()) == ()
        assert unit.approval("a1") == ask()
        assert unit.approval("another") is None


@pytest.mark.parametrize("approvers", [(), (BOB.person_id,), (ANN.person_id, BOB.person_id)])
def test_an_ask_without_approvers_or_with_the_asker_among_them_is_not_kept(
    store: Store, approvers: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match="approvers"), store.firm() as unit:
        unit.park(ask(approvers=approvers))

    with store.firm() as unit:
        assert unit.approval("a1") is None


def test_a_second_ask_for_the_same_tool_supersedes_the_first_whatever_its_arguments(store: Store) -> None:
    with store.firm() as unit:
        unit.park(ask())
        (first,) = unit.park(ask("a2", digest="digest-2", asked_at=NOW + 5))

        assert (first.approval_id, first.status, first.decided_at) == ("a1", "superseded", NOW + 5)
        assert [each.approval_id for each in unit.pending(now=NOW + 6)] == ["a2"]


def test_an_ask_whose_time_was_over_is_expired_by_the_next_and_not_superseded(store: Store) -> None:
    with store.firm() as unit:
        unit.park(ask())
        assert unit.park(ask("a2", asked_at=NOW + MINUTE)) == ()
        first = unit.approval("a1")
        assert first is not None
        assert first.status == "expired"


def test_asks_for_other_tools_and_of_other_people_wait_side_by_side_oldest_first(store: Store) -> None:
    with store.firm() as unit:
        unit.park(ask("a3", tool="patch", asked_at=NOW + 2))
        unit.park(ask("a2", person_id=CAT.person_id, asked_at=NOW + 1))
        unit.park(ask("a1"))

        assert [each.approval_id for each in unit.pending(now=NOW + 3)] == ["a1", "a2", "a3"]
        assert [each.approval_id for each in unit.asks(BOB.person_id, since=NOW)] == ["a3", "a1"]
        assert [each.approval_id for each in unit.asks(BOB.person_id, since=NOW + 1)] == ["a3"]


def test_a_code_does_not_wait_past_its_time_even_if_nobody_swept_it(store: Store) -> None:
    with store.firm() as unit:
        unit.park(ask())
        late = NOW + MINUTE
        assert unit.pending(now=late) == []
        assert unit.grant("a1", by=ANN.person_id, now=late, until=late + 1, uses=1, choice="approve") is None
        assert not unit.settle("a1", status="denied", now=late)
        assert unit.settle("a1", status="expired", now=late, reason="silence")
        assert not unit.settle("a1", status="expired", now=late)


def test_a_denial_ends_an_ask_once(store: Store) -> None:
    with store.firm() as unit:
        unit.park(ask())
        assert unit.settle("a1", status="denied", now=NOW + 1, reason="no", by=ANN.person_id)
        ended = unit.approval("a1")
        assert ended is not None
        assert (ended.status, ended.reason, ended.decided_by, ended.decided_at) == (
            "denied",
            "no",
            ANN.person_id,
            NOW + 1,
        )
        assert not unit.settle("a1", status="denied", now=NOW + 2)
        assert unit.grant("a1", by=ANN.person_id, now=NOW, until=NOW + 9, uses=1, choice="approve") is None


def test_nobody_approves_their_own_ask(store: Store) -> None:
    with store.firm() as unit:
        unit.park(ask())
        assert unit.grant("a1", by=BOB.person_id, now=NOW, until=NOW + 9, uses=1, choice="approve") is None
        assert unit.pending(now=NOW) == [ask()]


def test_a_grant_says_who_gave_it_until_when_and_for_how_often(store: Store) -> None:
    with store.firm() as unit:
        made = granted(unit, uses=3)
        assert made == ask()._replace(
            status="approved",
            decided_by=ANN.person_id,
            decided_at=NOW,
            expires_at=NOW + 2 * MINUTE,
            uses=3,
            uses_left=3,
            choice="approve",
        )
        assert unit.approval("a1") == made
        assert unit.pending(now=NOW) == []
        assert unit.grant("a1", by=ANN.person_id, now=NOW, until=NOW + 9, uses=9, choice="approve") is None


def test_a_grant_is_spent_as_often_as_it_says_and_then_it_is_spent(store: Store) -> None:
    with store.firm() as unit:
        granted(unit, uses=2)
        first, second = spend(unit, "call-1"), spend(unit, "call-2", now=NOW + 2)
        assert first is not None
        assert second is not None
        assert (first.uses_left, first.status, first.tool_call_id) == (1, "approved", "call-1")
        assert (second.uses_left, second.status, second.consumed_at) == (0, "spent", NOW + 2)
        assert spend(unit, "call-3") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"digest": "digest-2"},
        {"person_id": CAT.person_id},
        {"conversation": "conversation-2"},
        {"now": NOW + 2 * MINUTE},
    ],
    ids=["arguments", "person", "conversation", "deadline"],
)
def test_a_grant_opens_nothing_for_another(store: Store, changes: dict[str, Any]) -> None:
    with store.firm() as unit:
        granted(unit)
        assert spend(unit, **changes) is None
        assert spend(unit) is not None


def test_a_pending_ask_opens_nothing(store: Store) -> None:
    with store.firm() as unit:
        unit.park(ask())
        assert spend(unit) is None


def test_a_use_is_given_back_once_and_only_to_the_call_that_took_it(store: Store) -> None:
    with store.firm() as unit:
        granted(unit)
        assert not unit.give_back("a1", call="call-1", now=NOW + 1)
        spend(unit, "call-1")
        assert not unit.give_back("a1", call="call-2", now=NOW + 2)
        assert unit.give_back("a1", call="call-1", now=NOW + 2)
        assert not unit.give_back("a1", call="call-1", now=NOW + 2)

        again = unit.approval("a1")
        assert again is not None
        assert (again.status, again.uses_left, again.consumed_at) == ("approved", 1, 0)

        assert spend(unit, "call-1") is not None
        assert not unit.give_back("a1", call="call-1", now=NOW + 3)


def test_of_two_calls_each_gives_back_its_own_use(store: Store) -> None:
    with store.firm() as unit:
        granted(unit, uses=2)
        spend(unit, "call-1", now=NOW + 1)
        spend(unit, "call-2", now=NOW + 2)
        assert unit.give_back("a1", call="call-1", now=NOW + 3)
        left = unit.approval("a1")
        assert left is not None
        assert (left.status, left.uses_left, left.consumed_at) == ("approved", 1, NOW + 2)
        assert unit.give_back("a1", call="call-2", now=NOW + 3)
        assert [spend(unit, f"call-{n}") is not None for n in (3, 4, 5)] == [True, True, False]


def test_nothing_is_given_back_to_a_grant_that_was_revoked_or_is_over(store: Store) -> None:
    with store.firm() as unit:
        granted(unit, uses=2)
        spend(unit, "call-1")
        spend(unit, "call-2")
        assert not unit.give_back("a1", call="call-1", now=NOW + 2 * MINUTE)
        assert unit.give_back("a1", call="call-1", now=NOW + 2)
        unit.revoke(now=NOW + 3, reason="paused")
        assert not unit.give_back("a1", call="call-2", now=NOW + 4)
        assert spend(unit) is None


def test_revoking_voids_what_waits_and_what_is_unspent_and_tells_which(store: Store) -> None:
    with store.firm() as unit:
        granted(unit, approval_id="open")
        granted(unit, approval_id="spent", digest="digest-2")
        spend(unit, digest="digest-2")
        unit.park(ask("waiting", asked_at=NOW + 1))

        voided = unit.revoke(person_id=BOB.person_id, now=NOW + 5, reason="role")
        assert [(each.approval_id, each.status, each.reason, each.uses_left) for each in voided] == [
            ("open", "revoked", "role", 0),
            ("waiting", "revoked", "role", 0),
        ]
        assert unit.revoke(person_id=BOB.person_id, now=NOW + 6, reason="role") == []
        assert spend(unit) is None
        assert unit.pending(now=NOW + 6) == []


@pytest.mark.parametrize(
    "whose,voided",
    [
        ({}, ["bob", "cat", "elsewhere"]),
        ({"person_id": CAT.person_id}, ["cat"]),
        ({"person_id": ANN.person_id}, ["bob"]),
        ({"conversation": "conversation-2"}, ["elsewhere"]),
        ({"person_id": BOB.person_id, "conversation": "conversation-2"}, ["elsewhere"]),
        ({"person_id": CAT.person_id, "conversation": "conversation-2"}, []),
    ],
    ids=["all", "asker", "approver", "conversation", "both", "neither"],
)
def test_revoking_reaches_as_far_as_it_was_told(store: Store, whose: dict[str, str], voided: list[str]) -> None:
    with store.firm() as unit:
        granted(unit, approval_id="bob")
        unit.park(ask("cat", person_id=CAT.person_id))
        unit.park(ask("elsewhere", tool="patch", conversation="conversation-2"))
        found = unit.revoke(**whose, now=NOW + 1, reason="why")
        assert sorted(each.approval_id for each in found) == voided


def test_what_was_over_when_everything_was_revoked_stays_dead_when_the_clock_goes_back(store: Store) -> None:
    with store.firm() as unit:
        granted(unit)
        assert unit.revoke(now=NOW + 9 * MINUTE, reason="paused") == []
        over = unit.approval("a1")
        assert over is not None
        assert over.status == "expired"
        assert spend(unit, now=NOW + 1) is None
