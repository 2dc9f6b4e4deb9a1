"""The grammar of /many."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herma.core.people.verbs import OWNER, VERBS, Mistyped, Typed, parse, usage

USAGES = {
    "/many whoami",
    "/many roster",
    "/many audit [name] [hours]",
    "/many invite [role]",
    "/many claim [code]",
    "/many add <platform> <sender_id> [role]",
    "/many role <name> <role>",
    "/many tools <name> [add|remove] <tool…>",
    "/many budget <name> <tokens>",
    "/many remove <name>",
    "/many pause",
    "/many resume",
    "/many approve [code] [uses=3] [for=1h]",
    "/many deny <code>",
    "/many why <tool> [args]",
    "/many mute <name> [for=1d]",
    "/many facts",
    "/many forget <id>",
    "/many confirm <id>",
    "/many name <name> <new name>",
    "/many help [verb]",
}


def typed(line: str) -> Typed:
    found = parse(line)
    assert isinstance(found, Typed)
    return found


def mistyped(line: str) -> str:
    found = parse(line)
    assert isinstance(found, Mistyped)
    return found.text


def test_there_are_these_verbs_with_these_arguments_and_no_other() -> None:
    assert {usage(verb) for verb in VERBS.values()} == USAGES


@pytest.mark.parametrize("line", ["", "  \n", "help"])
def test_nothing_typed_asks_for_help(line: str) -> None:
    assert typed(line).verb.name == "help"


def test_a_phone_may_begin_with_a_capital_and_curl_the_quotation_marks() -> None:
    found = typed("Role “Aunt May” member")
    assert (found.verb.name, found.words) == ("role", ("Aunt May", "member"))


def test_an_apostrophe_belongs_to_the_name() -> None:
    assert typed("remove O'Neill").words == ("O'Neill",)


def test_a_quotation_mark_that_is_never_closed_ends_nothing() -> None:
    assert typed('role "May member').words == ('"May', "member")


def test_an_unknown_verb_is_answered_with_the_nearest() -> None:
    assert "/many approve" in mistyped("aprove K7QM")
    assert "/many help" in mistyped("xyzzy")


@pytest.mark.parametrize(
    "line", ["role Minh", "role Minh member now", "pause now", "deny", "add telegram", "tools Minh", "approve A B"]
)
def test_too_few_or_too_many_words_are_answered_with_the_usage(line: str) -> None:
    verb = VERBS[line.partition(" ")[0]]
    assert mistyped(line) == f"Usage: {usage(verb)}"


def test_the_uses_and_the_time_of_an_approval_are_no_words() -> None:
    found = typed("approve K7QM uses=3 for=1h")
    assert (found.words, dict(found.options)) == (("K7QM",), {"uses": "3", "for": "1h"})


def test_an_option_that_a_verb_does_not_have_is_a_word() -> None:
    assert typed("why terminal uses=3").words == ("terminal", "uses=3")


def test_a_bare_approve_only_reads_and_one_with_a_code_is_an_owners_act() -> None:
    bare, coded = typed("approve"), typed("approve K7QM")
    assert (bare.needs_person, bare.authority) == (False, "anybody")
    assert (coded.needs_person, coded.authority) == (True, OWNER)


def test_every_verb_that_approves_raises_invites_pauses_removes_or_erases_needs_a_person() -> None:
    reading = {"whoami", "roster", "audit", "why", "facts", "help"}
    assert {verb.name for verb in VERBS.values() if not verb.person} == reading


def test_a_line_without_end_is_refused_unread() -> None:
    assert "too long" in mistyped("why terminal " + "x" * 9_000)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(
    st.text(max_size=60)
    | st.sampled_from(sorted(VERBS)).flatmap(lambda verb: st.text(max_size=40).map(f"{verb} ".__add__))
)
def test_reading_a_line_never_raises(line: str) -> None:
    assert isinstance(parse(line), Typed | Mistyped)
