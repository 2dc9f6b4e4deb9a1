"""What operations do to a list, and when nothing is done."""

import pytest

from herma.core.memory.entries import size
from herma.core.memory.operations import Applied, Failure, Operation, Step, apply, most_losses

LIST = ("The project uses uv.", "Tests run with pytest.", "Ada prefers tabs.")


def _applied(*operations: Operation, entries: tuple[str, ...] = LIST, limit: int = 2_200) -> Applied:
    found = apply(entries, operations, limit=limit)
    assert isinstance(found, Applied), found
    return found


def _failure(
    *operations: Operation, entries: tuple[str, ...] = LIST, limit: int = 2_200, losses: int | None = None
) -> Failure:
    found = apply(entries, operations, limit=limit, losses=losses)
    assert isinstance(found, Failure), found
    return found


def _add(content: str) -> Operation:
    return Operation("add", content)


def _evict(action: str, old_text: str) -> Operation:
    return Operation(action, old_text=old_text)


def test_an_added_entry_is_the_last_one() -> None:
    assert _applied(_add("  new \n")).entries == (*LIST, "new")


def test_adding_what_is_there_changes_nothing_and_names_the_entry() -> None:
    found = _applied(_add(LIST[1]))
    assert found.entries == LIST
    assert found.steps == (Step("add", LIST[1], LIST[1]),)


@pytest.mark.parametrize("text", ["Tests  run\nwith pytest.", "\tTests run with pytest."])
def test_the_same_fact_in_other_white_space_is_there_already(text: str) -> None:
    assert _applied(_add(text)).entries == LIST


def test_the_same_fact_in_another_composition_is_there_already_and_keeps_its_own_form() -> None:
    found = _applied(_add("caf\u00e9"), entries=("cafe\u0301",))
    assert found.entries == ("cafe\u0301",)


def test_adding_a_fact_twice_in_a_batch_keeps_one() -> None:
    assert _applied(_add("new"), _add("new")).entries == (*LIST, "new")


def test_replacing_keeps_the_place_and_tells_the_whole_old_entry() -> None:
    found = _applied(Operation("replace", "Uses poetry.", "uses uv"))
    assert found.entries == ("Uses poetry.", *LIST[1:])
    assert found.steps == (Step("replace", LIST[0], "Uses poetry."),)


def test_replacing_by_the_text_of_another_entry_leaves_one_of_them() -> None:
    assert _applied(Operation("replace", LIST[2], "uses uv")).entries == (LIST[2], LIST[1])


@pytest.mark.parametrize("action", ["remove", "demote"])
def test_an_evicted_entry_is_gone_and_is_told_whole(action: str) -> None:
    found = _applied(_evict(action, "pytest"))
    assert found.entries == (LIST[0], LIST[2])
    assert found.steps == (Step(action, LIST[1]),)


def test_two_entries_become_one_in_a_batch() -> None:
    found = _applied(_evict("remove", "pytest"), Operation("replace", "uv and pytest.", "uses uv"))
    assert found.entries == ("uv and pytest.", LIST[2])


def test_matching_tells_capitals_apart() -> None:
    assert _failure(_evict("remove", "ada PREFERS")).kind == "no_match"


def test_matching_sees_through_composition_and_white_space() -> None:
    assert _applied(_evict("remove", "caf\u00e9 at noon"), entries=("the cafe\u0301\nat noon", "x")).entries == ("x",)


def test_no_match_carries_the_text_and_the_entries() -> None:
    found = _failure(_evict("remove", "poetry"))
    assert (found.kind, found.detail, found.entries) == ("no_match", "poetry", LIST)


def test_a_text_in_several_entries_is_ambiguous_and_they_are_named() -> None:
    found = _failure(_evict("remove", "s"))
    assert (found.kind, found.matches) == ("ambiguous", LIST)


def test_a_whole_entry_is_meant_where_another_one_holds_it_too() -> None:
    assert _applied(_evict("remove", "tea"), entries=("tea", "tea with milk")).entries == ("tea with milk",)


@pytest.mark.parametrize(
    "operation,kind",
    [
        (Operation("add"), "no_content"),
        (Operation("add", " \n "), "no_content"),
        (Operation("replace", "x"), "no_old_text"),
        (Operation("replace", "x", "  "), "no_old_text"),
        (Operation("replace", "", "uv"), "no_content"),
        (Operation("remove"), "no_old_text"),
        (Operation("demote"), "no_old_text"),
        (Operation("zap", "x"), "unknown_action"),
    ],
)
def test_an_operation_that_lacks_something_says_what(operation: Operation, kind: str) -> None:
    assert _failure(operation).kind == kind


def test_one_bad_operation_undoes_the_whole_batch_and_is_named_by_its_place() -> None:
    found = _failure(_add("new"), _evict("remove", "nowhere"), _add("newer"))
    assert (found.kind, found.position) == ("no_match", 2)


def test_only_the_final_list_is_held_against_the_limit() -> None:
    full = ("a" * 50, "b" * 47)
    grown = [_add("c" * 40), _evict("remove", "aaa")]
    assert _failure(grown[0], entries=full, limit=100).kind == "over"
    assert _applied(*grown, entries=full, limit=100).entries == ("b" * 47, "c" * 40)
    assert _applied(*reversed(grown), entries=full, limit=100).entries == ("b" * 47, "c" * 40)


def test_the_limit_itself_is_allowed_and_one_more_is_not() -> None:
    assert size(_applied(_add("x" * 100), entries=(), limit=100).entries) == 100
    assert _failure(_add("x" * 101), entries=(), limit=100).kind == "over"


def test_the_limit_counts_code_points() -> None:
    assert _applied(_add("🙂" * 100), entries=(), limit=100)


def test_a_list_that_a_person_made_too_long_may_become_shorter_and_not_longer() -> None:
    long = ("a" * 100, "b" * 100)
    assert _applied(Operation("replace", "a" * 90, "aaa"), entries=long, limit=100)
    assert _failure(Operation("replace", "c" * 101, "aaa"), entries=long, limit=100).kind == "over"


def test_a_pass_in_the_background_may_lose_three_entries_or_a_tenth() -> None:
    assert most_losses(["x"] * 5) == 3
    assert most_losses(["x"] * 40) == 4
    five = tuple(f"fact {n}" for n in range(5))
    removals = [_evict("remove", f"fact {n}") for n in range(4)]
    assert isinstance(apply(five, removals[:3], limit=99, losses=3), Applied)
    assert _failure(*removals, entries=five, losses=3).kind == "losses"


def test_demoting_and_shortening_lose_nothing_and_superseding_does() -> None:
    five = tuple(f"the service number {n} listens on port {n}" for n in range(5))
    gentle = [_evict("demote", f"number {n}") for n in range(3)]
    gentle += [Operation("replace", f"service number {n}: port {n}", f"number {n}") for n in (3, 4)]
    assert isinstance(apply(five, gentle, limit=999, losses=0), Applied)
    for content in ("something else", "the service number 0 listens on port 99 now"):
        assert _failure(Operation("replace", content, "number 0"), entries=five, losses=0).kind == "losses"
