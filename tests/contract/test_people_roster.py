import pytest
from tests.contract.people import ANN, BOB, CAT, MINUTE, NOW, ask

from herma.core.people.records import Fact, Invite, Message
from herma.engine.people.ports import Store


def test_a_new_store_has_nobody_in_it(store: Store) -> None:
    roster = store.roster()
    assert (dict(roster.people), dict(roster.accounts), dict(roster.settings)) == ({}, {}, {})


def test_people_come_back_as_they_were_saved_with_their_first_account(store: Store) -> None:
    with store.firm() as unit:
        unit.save_person(ANN)
        unit.save_person(BOB)
        unit.put_setting("pinned_owner", ANN.person_id)

    roster = store.roster()
    assert dict(roster.people) == {ANN.person_id: ANN, BOB.person_id: BOB}
    assert dict(roster.accounts) == {"telegram:1": "telegram:1", "telegram:2": "telegram:2"}
    assert dict(roster.settings) == {"pinned_owner": "telegram:1"}


def test_saving_a_person_again_replaces_all_of_them(store: Store) -> None:
    with store.firm() as unit:
        unit.save_person(BOB)
        unit.save_person(BOB._replace(role="guest", tools=(), muted_until=0))

    assert dict(store.roster().people) == {BOB.person_id: BOB._replace(role="guest", tools=(), muted_until=0)}


def test_the_epoch_grows_with_whatever_the_roster_says_and_with_nothing_else(store: Store) -> None:
    seen = []
    for act in ("save_person", "put_setting", "remove_person", "advance", "seen", "put_address"):
        with store.firm() as unit:
            before = unit.epoch()
            arguments: tuple[object, ...] = {
                "save_person": (BOB,),
                "put_setting": ("paused", "1"),
                "remove_person": (BOB.person_id,),
                "advance": (),
                "seen": (BOB.person_id, NOW),
                "put_address": ("telegram:2", "chat", NOW),
            }[act]
            getattr(unit, act)(*arguments)
            seen.append((act, unit.epoch() > before))
        assert store.roster().epoch == before + seen[-1][1]
    assert [act for act, grew in seen if grew] == ["save_person", "put_setting", "remove_person", "advance"]


def test_a_transaction_sees_its_own_roster_and_nobody_sees_it_when_it_is_undone(store: Store) -> None:
    with store.firm() as unit:
        unit.save_person(ANN)
    before = store.roster()

    with pytest.raises(KeyError), store.firm() as unit:  # noqa: PT012 - the error has to leave the transaction
        unit.save_person(BOB)
        assert BOB.person_id in store.roster().people
        raise KeyError

    assert store.roster() == before
    with store.firm() as unit:
        unit.save_person(CAT)  # the same epoch as the undone one had
    assert set(store.roster().people) == {ANN.person_id, CAT.person_id}


def test_the_snapshot_is_one_value_as_long_as_the_epoch_stands(store: Store) -> None:
    with store.firm() as unit:
        unit.save_person(ANN)
    known = store.roster()
    with store.routine() as unit:
        unit.seen(ANN.person_id, NOW + 5)
        assert store.roster() is known
    assert store.roster() is known


def test_seen_never_goes_back(store: Store) -> None:
    with store.firm() as unit:
        unit.save_person(ANN)
        unit.seen(ANN.person_id, NOW + 5)
        unit.seen(ANN.person_id, NOW + 3)
        unit.advance()
    assert store.roster().people[ANN.person_id].last_seen == NOW + 5


def test_removing_a_person_takes_what_stood_on_them_alone(store: Store) -> None:
    with store.firm() as unit:
        unit.save_person(ANN)
        unit.save_person(BOB)
        for owner in (ANN, BOB):
            unit.add_fact(Fact(0, owner.person_id, "tea", "green", NOW))
            unit.put_address(owner.person_id, f"chat of {owner.name}", NOW)
            unit.put_job(f"job of {owner.name}", owner.person_id, NOW)
            unit.put_invite(Invite(f"code of {owner.name}", "invite", "member", owner.person_id, NOW, NOW + MINUTE))
            unit.put_message(Message(owner.name, owner.person_id, "ask", "a1", "hello", NOW, NOW + MINUTE))

        assert unit.remove_person(BOB.person_id) == 1
        assert unit.facts(BOB.person_id) == []
        assert [unit.address(each.person_id) for each in (ANN, BOB)] == ["chat of ann", ""]
        assert [unit.job(f"job of {each.name}") for each in (ANN, BOB)] == [ANN.person_id, ""]
        assert [invite.code for invite in unit.invites(now=NOW)] == ["code of ann"]
        assert [message.message_id for message in unit.waiting(now=NOW)] == ["ann"]
        assert len(unit.facts(ANN.person_id)) == 1
    assert dict(store.roster().accounts) == {"telegram:1": "telegram:1"}


def test_a_setting_is_empty_until_it_is_set(store: Store) -> None:
    with store.firm() as unit:
        assert unit.setting("paused") == ""
        unit.put_setting("paused", "1")
        unit.put_setting("paused", "0")
        assert unit.setting("paused") == "0"


def test_an_address_is_the_last_that_was_seen(store: Store) -> None:
    with store.routine() as unit:
        assert unit.address("telegram:1") == ""
        unit.put_address("telegram:1", "old", NOW)
        unit.put_address("telegram:1", "new", NOW + 1)
        assert unit.address("telegram:1") == "new"


def test_a_transaction_that_is_left_with_an_error_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(KeyError), store.firm() as unit:  # noqa: PT012 - the error has to leave the transaction
        unit.save_person(ANN)
        unit.park(ask())
        unit.add_tokens(BOB.person_id, "2026-01-01", 7)
        raise KeyError

    with store.routine() as unit:
        assert unit.approval("a1") is None
        assert unit.tokens(BOB.person_id, "2026-01-01") == 0
    assert dict(store.roster().people) == {}


def test_a_transaction_inside_another_of_the_same_thread_is_a_mistake_that_is_told(store: Store) -> None:
    with pytest.raises(RuntimeError, match="inside"), store.routine(), store.firm():
        pass

    with store.routine() as unit:  # and the store goes on
        assert unit.setting("paused") == ""


def test_text_that_no_database_can_keep_loses_only_that(store: Store) -> None:
    with store.routine() as unit:
        unit.add_fact(Fact(0, BOB.person_id, "half a pair", "a\ud83db\0c", NOW))
        (kept,) = unit.facts(BOB.person_id)
    assert kept.text == "a?b\0c"
