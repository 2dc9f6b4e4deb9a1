"""Which facts go into a turn."""

from herma.core.people.records import Fact, SharedFact
from herma.engine.people.facts import chosen, reaching

NEWEST_FIRST = [
    Fact(4, "p", "", "The bins go out on Monday", 4),
    Fact(3, "p", "wifi", "The password is on the fridge", 3),
    Fact(2, "p", "", "Momo is a cat", 2),
    Fact(1, "p", "", "The router is behind the piano", 1),
]


def ids(facts: tuple[Fact, ...]) -> list[int]:
    return [fact.fact_id for fact in facts]


def test_where_all_have_room_they_stand_newest_first() -> None:
    assert ids(chosen("the router", NEWEST_FIRST, 8)) == [4, 3, 2, 1]


def test_what_has_to_do_with_the_message_comes_before_what_is_newer() -> None:
    assert ids(chosen("Is the wifi router on?", NEWEST_FIRST, 3)) == [3, 1, 4]


def test_room_that_is_left_goes_to_the_newest() -> None:
    assert ids(chosen("submarine", NEWEST_FIRST, 2)) == [4, 3]
    assert ids(chosen("", NEWEST_FIRST, 1)) == [4]
    assert chosen("cat", NEWEST_FIRST, 0) == ()


def test_an_owners_turn_is_reached_only_by_what_an_owner_has_confirmed() -> None:
    shared = [SharedFact(2, "loose", "p", 2), SharedFact(1, "firm", "p", 1, confirmed_by="o")]
    assert [each.text for each in reaching(shared, owner=True)] == ["firm"]
    assert [each.text for each in reaching(shared, owner=False)] == ["loose", "firm"]
