"""/many facts, forget and confirm."""

from tests.engine.people.household import Household

from herma.engine.people import facts


def test_everybody_lists_and_forgets_their_own_facts_alone(home: Household) -> None:
    mine = facts.remember(home.house, "telegram:222", "I drink tea")
    others = facts.remember(home.house, "telegram:333", "I drink gin")
    listed = home.types("222", "facts")
    assert f"#{mine.fact_id} “I drink tea”" in listed
    assert "gin" not in listed
    assert "You have no fact" in home.types("222", f"forget {others.fact_id}")
    assert "is gone" in home.types("222", f"forget #{mine.fact_id}")
    assert "0 facts" in home.types("222", "facts")
    assert "gin" in home.types("333", "facts")


def test_not_even_an_owner_reads_or_erases_another_persons_facts(home: Household) -> None:
    fact = facts.remember(home.house, "telegram:222", "my diary")
    assert "diary" not in home.types("111", "facts")
    assert "You have no fact" in home.types("111", f"forget {fact.fact_id}")


def test_a_shared_fact_of_a_non_owner_waits_for_an_owner_to_confirm_it(home: Household) -> None:
    member = home.house.standing("telegram", "222")
    fact = facts.share(home.house, member, "The door code is 1234\u202e")
    listed = home.types("111", "facts")
    assert f"#{fact.fact_id} “The door code is 1234\\u202e”, of “Minh” (telegram:222)" in listed
    assert "The door code" not in home.types("333", "facts")
    assert "only the owner" in home.types("222", f"confirm {fact.fact_id}")
    assert "reaches owners' turns" in home.types("111", f"confirm {fact.fact_id}")
    assert "already" in home.types("111", f"confirm {fact.fact_id}")
    assert "door code" not in home.types("111", "facts")


def test_numbers_that_are_none_are_answered_with_the_usage(home: Household) -> None:
    for number in ("x", "-1", "1.0", "9" * 30, "²"):
        assert "Usage: /many forget <id>" in home.types("222", f"forget {number}")
    assert "no shared fact #7" in home.types("111", "confirm 7")
