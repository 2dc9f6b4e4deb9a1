"""/many approve and deny: the queue, and who reads and decides what."""

import pytest
from tests.engine.people.household import Household

from herma.core.people.principal import OPERATOR
from herma.core.people.records import Message


def test_an_owners_approval_opens_exactly_what_was_asked_once(home: Household) -> None:
    ask = home.asking(command="git status")
    answer = home.types("111", f"approve {ask.code}")
    assert "Exactly this call, 1 run" in answer
    assert '{"command":"git status"}' in answer
    assert home.spends(ask)
    assert not home.spends(ask)


def test_a_code_is_typed_as_it_comes_from_a_thumb(home: Household) -> None:
    ask = home.asking(command="ls")
    assert "Approved" in home.types("111", f"Approve {ask.code[:2].lower()}-{ask.code[2:].lower()}")


def test_uses_and_time_widen_a_grant_only_in_the_approvers_own_words(home: Household) -> None:
    ask = home.asking(command="ls")
    answer = home.types("111", f"approve {ask.code} uses=3 for=1h")
    assert "3 runs" in answer
    assert home.approval(ask).expires_at == home.clock() + 3_600_000
    assert [home.spends(ask) for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(
    "words", ["uses=0", "uses=-1", "uses=101", "uses=many", "for=soon", "for=0s", "for=25h", "for=3"]
)
def test_uses_and_times_without_sense_approve_nothing(home: Household, words: str) -> None:
    ask = home.asking(command="ls")
    assert "Usage: /many approve" in home.types("111", f"approve {ask.code} {words}")
    assert home.approval(ask).status == "pending"


def test_a_bare_many_approve_lists_only_your_own_ask(home: Household) -> None:
    mine, others = home.asking("222", command="ls"), home.asking("333", tool="patch", path="secret.txt")
    answer = home.types("222", "approve")
    assert mine.code in answer
    assert others.code not in answer
    assert "secret" not in answer
    assert "patch" not in answer
    assert home.types("999", "approve") == "Nothing of yours waits for an answer."


def test_the_owner_reads_the_whole_queue_with_every_askers_arguments(home: Household) -> None:
    asks = [home.asking("222", command="x" * 2_000 + "END"), home.asking("333", tool="patch", path="secret.txt")]
    answer = home.types("111", "approve")
    assert all(ask.code in answer for ask in asks)
    assert "“Minh” (telegram:222)" in answer
    assert "END" in answer
    assert "secret.txt" in answer


def test_what_hides_in_the_arguments_or_in_a_tools_name_is_seen(home: Household) -> None:
    home.asking("222", command="echo hi \u202e; rm \u200b-rf \x1b[2K", note="pаypal")
    home.asking("333", tool="patch\u202e", path="a")
    answer = home.types("111", "approve")
    assert not {"\u202e", "\u200b", "\x1b"} & set(answer)
    assert "U+202E" in answer
    assert "U+0430 like a" in answer
    assert "“patch\\u202e”" in answer


def test_nobody_but_the_owner_decides(home: Household) -> None:
    ask = home.asking("222", command="ls")
    for who in ("222", "333", "999"):
        assert "only the owner" in home.types(who, f"approve {ask.code}")
        assert "only the owner" in home.types(who, f"deny {ask.code}")
    assert home.approval(ask).status == "pending"


def test_nobody_approves_their_own_ask_even_as_an_owner(home: Household) -> None:
    ask = home.asking("222", command="ls")
    home.house.store.roster()
    with home.store.firm() as unit:  # a promotion that left the ask alive, as no verb does
        minh = home.person("222")
        assert minh is not None
        unit.save_person(minh._replace(role="owner"))
    assert "own ask" in home.types("222", f"approve {ask.code}")
    assert home.approval(ask).status == "pending"


def test_an_owner_who_was_not_asked_does_not_decide(home: Household) -> None:
    ask = home.asking("222", command="ls")
    home.types("111", "role Gast owner")
    assert "not among those who were asked" in home.types("333", f"approve {ask.code}")


def test_an_expired_code_can_never_be_approved(home: Household) -> None:
    ask = home.asking(command="ls")
    home.clock.pass_by(seconds=120)
    assert "Nothing waits under that code" in home.types("111", f"approve {ask.code}")
    assert "Nothing waits" in home.types("111", "approve")
    assert not home.spends(ask)


def test_denied_decided_and_unknown_codes_are_not_approved(home: Household) -> None:
    ask = home.asking(command="ls")
    assert "Denied: “terminal” of “Minh”" in home.types("111", f"deny {ask.code}")
    assert "Nothing waits under that code" in home.types("111", f"approve {ask.code}")
    assert "Nothing waits under that code" in home.types("111", "approve ZZZZ")
    assert home.approval(ask).status == "denied"


def test_a_later_ask_takes_the_place_of_the_first(home: Household) -> None:
    first, second = home.asking(command="ls"), home.asking(command="rm -rf /")
    answer = home.types("111", "approve")
    assert first.code not in answer
    assert second.code in answer
    assert "Nothing waits under that code" in home.types("111", f"approve {first.code}")


def test_the_person_at_the_machine_may_answer_too(home: Household) -> None:
    ask = home.asking(command="ls")
    assert "Approved" in home.types(OPERATOR, f"approve {ask.code}")


def test_what_could_not_be_delivered_is_listed_for_the_owner(home: Household) -> None:
    ask = home.asking(command="curl example.org")
    with home.store.firm() as unit:
        unit.settle(ask.approval_id, status="undeliverable", now=home.clock())
        unit.audit(home.entry_about(ask))
        unit.put_message(Message("m-1", "telegram:111", "ask", "gone", "text", home.clock(), home.clock() + 60_000))
    answer = home.types("111", "approve")
    assert "Could not be delivered, and so was denied:" in answer
    assert "curl example.org" in answer
    assert "Not delivered to “Kiter” (telegram:111) yet" in answer
    assert home.types("222", "approve") == "Nothing of yours waits for an answer."


def test_an_asker_sees_the_grant_that_is_left(home: Household) -> None:
    ask = home.asking(command="ls")
    home.types("111", f"approve {ask.code} uses=2")
    home.spends(ask)
    assert "“terminal” is approved for 1 run" in home.types("222", "approve")
