"""/many: who may type what, and what it answers to whom."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.people.household import Household, household

from herma.core.people.principal import NOBODY, OPERATOR, Standing
from herma.core.people.replies import FAILED
from herma.core.people.verbs import OWNER, VERBS
from herma.engine.people.verbs import Where

OWNERS_LINES = {
    "invite": "invite member",
    "add": "add telegram 444 owner",
    "role": "role Gast owner",
    "tools": "tools Gast add terminal",
    "budget": "budget Minh 0",
    "remove": "remove Minh",
    "pause": "pause",
    "resume": "resume",
    "approve": "approve AAAA",
    "deny": "deny AAAA",
    "mute": "mute Minh",
    "confirm": "confirm 1",
    "name": "name Minh Kiter2",
}
WORDS = (
    "Minh",
    "Gast",
    "member",
    "add",
    "remove",
    "telegram",
    "1",
    "48",
    "AAAA",
    "uses=2",
    "for=1h",
    "as=Minh",
    "terminal",
)
ELSEWHERE = ("cron", "subagent", "nested", "machine", "unknown")


def test_every_verb_of_the_grammar_is_answered(home: Household) -> None:
    for verb in VERBS.values():
        assert "herma doctor" not in home.types("111", f"{verb.name} {'1 ' * verb.fewest}")


def test_the_owners_verbs_are_exactly_these() -> None:
    assert {verb.name for verb in VERBS.values() if verb.authority == OWNER} == set(OWNERS_LINES)


@pytest.mark.parametrize("line", OWNERS_LINES.values())
@pytest.mark.parametrize("sender_id", ["222", "333", "999"])
def test_an_owners_verb_answers_everybody_else_with_only_the_owner_and_changes_nothing(
    home: Household, line: str, sender_id: str
) -> None:
    before = home.house.roster()
    assert "only the owner" in home.types(sender_id, line)
    assert home.house.roster() == before
    (row,) = home.rows()
    assert (row.kind, row.tool, row.allowed) == ("refusal", f"/many {line.partition(' ')[0]}", 0)


@pytest.mark.parametrize("line", OWNERS_LINES.values())
@pytest.mark.parametrize("kind", ELSEWHERE)
def test_an_owners_authority_that_no_hand_typed_with_is_none(home: Household, line: str, kind: str) -> None:
    owner = home.house.standing("telegram", "111")._replace(kind=kind)
    assert "only the owner" in home.types(owner, line)


def test_an_owner_in_whose_turn_others_speak_is_no_owner(home: Household) -> None:
    mixed = home.house.standing("telegram", "111")._replace(others=(home.house.standing("telegram", "333"),))
    assert "only the owner" in home.types(mixed, "pause")


def test_a_name_or_a_text_gives_nobody_any_authority(home: Household) -> None:
    impostor = Standing("", "guest", "stranger", name="Kiter", account="telegram:999")
    assert "only the owner" in home.types(impostor, "role Kiter guest")
    assert "only the owner" in home.types("333", "invite owner")


def test_an_owner_who_stopped_being_one_while_the_line_was_read_is_refused(home: Household) -> None:
    stale = home.house.standing("telegram", "111")
    home.types(OPERATOR, "role Kiter guest")
    assert "only the owner" in home.types(stale, "role Gast owner")
    assert home.role("333") == "guest"


def test_somebody_blocked_gets_one_answer_to_everything(home: Household) -> None:
    home.types("111", "role Minh blocked")
    answers = {home.types("222", line) for line in ("whoami", "help", "roster", "pause", "claim AAAA", "frobnicate")}
    assert answers == {"You cannot use this assistant."}


def test_an_unknown_verb_is_answered_with_the_nearest_and_bad_arguments_with_the_usage(home: Household) -> None:
    assert "Did you mean /many roster?" in home.types("222", "rooster")
    assert home.types("111", "role Minh") == "Usage: /many role <name> <role>"


def test_help_lists_to_everybody_what_they_may_type(home: Household) -> None:
    assert "/many remove <name>" in home.types("111", "help")
    assert "/many remove" not in home.types("222", "help")
    assert "/many approve [code]" in home.types("222", "help")
    assert home.types("222", "help audit").startswith("/many audit [name] [hours]: ")


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    """A house that everything has been tried in."""
    with household(tmp_path_factory.mktemp("lived-in")) as made:
        yield made


@settings(max_examples=400, derandomize=True, deadline=None)
@given(
    st.sampled_from(sorted(VERBS)),
    st.lists(st.sampled_from(WORDS) | st.text(max_size=12), max_size=4),
    st.sampled_from(["111", "222", "333", "999"]),
)
def test_no_line_of_anybodys_fails(lived_in: Household, verb: str, words: list[str], sender_id: str) -> None:
    assert lived_in.types(sender_id, " ".join([verb, *words])) != FAILED


def test_a_store_that_fails_is_answered_and_changes_nothing(home: Household) -> None:
    home.store.close()
    assert "nothing was changed" in home.types(OPERATOR, "role Gast owner")


@pytest.mark.parametrize("surface", ["shell", "terminal"])
def test_away_from_a_chat_what_changes_something_needs_a_person_at_the_keys(home: Household, surface: str) -> None:
    alone = Where("s-1", surface, person_present=False)
    for verb in VERBS.values():
        line = OWNERS_LINES.get(verb.name, verb.name if not verb.fewest else f"{verb.name} 1")
        answer = home.types(OPERATOR, line, where=alone)
        assert ("that a person is at this terminal" in answer) == verb.person, line
    assert home.role("222") == "member"


def test_reading_from_the_shell_needs_nobody_at_the_keys(home: Household) -> None:
    alone = Where("s-1", "shell", person_present=False)
    home.asking(command="ls")
    assert "“terminal”" in home.types(OPERATOR, "approve", where=alone)
    assert "telegram:222" in home.types(OPERATOR, "roster", where=alone)


# --- what is told to whom


def test_the_roster_hides_platform_ids_from_non_owners(home: Household) -> None:
    assert "telegram:222" in home.types("111", "roster")
    for answer in (home.types("222", "roster"), home.types("333", "roster")):
        assert "“Kiter”, owner" in answer
        assert "telegram" not in answer


def test_somebody_who_is_not_on_the_roster_reads_neither_roster_nor_trail(home: Household) -> None:
    for line in ("roster", "audit", "facts"):
        answer = home.types("999", line)
        assert "not on the roster" in answer
        assert "Minh" not in answer


def test_nobody_at_all_reads_nothing(home: Household) -> None:
    assert "not on the roster" in home.types(NOBODY, "roster")
    assert "not on the roster" in home.types(NOBODY, "whoami")


def test_whoami_tells_the_role_the_tools_the_facts_and_what_is_left_of_today(home: Household) -> None:
    home.types("111", "budget Minh 1,000")
    with home.store.routine() as unit:
        unit.add_tokens("telegram:222", "2026-11-18", 250)
    answer = home.types("222", "whoami")
    assert "You are “Minh”, member here." in answer
    assert "“web_search”" in answer
    assert "An owner is asked, each time, for “patch”" in answer
    assert "250 of 1,000 tokens; 750 are left" in answer


def test_a_bare_audit_is_ones_own_trail_and_to_the_owner_everybodys(home: Household) -> None:
    home.types("222", "pause")
    home.types("333", "invite")
    assert home.types("222", "audit").count("refusal  ") == 1
    assert "/many invite" not in home.types("222", "audit")
    owners = home.types("111", "audit")
    assert "/many invite" in owners
    assert "telegram:222" in owners
    assert "/many invite" not in home.types("111", "audit Minh")


def test_anothers_trail_is_for_only_the_owner(home: Household) -> None:
    assert "only the owner" in home.types("222", "audit Kiter")
    assert "only the owner" in home.types("222", "audit Kiter 48")


def test_the_trail_goes_back_as_many_hours_as_were_asked_for(home: Household) -> None:
    home.types("222", "pause")
    home.clock.pass_by(hours=30)
    assert "/many pause" not in home.types("222", "audit")
    assert "/many pause" in home.types("222", "audit 48")
    assert "Usage" in home.types("222", "audit 0")
    assert "Usage" in home.types("222", "audit 99999999")


def test_why_tells_a_non_owner_the_rule_about_themselves_alone(home: Household) -> None:
    answer = home.types("222", "why terminal git status")
    assert "Your role here is member" in answer
    assert "member/ask/terminal" in answer
    assert "only the owner" in home.types("222", "why terminal as=Gast")


def test_why_tells_an_owner_which_rule_decides_about_anybody(home: Household) -> None:
    home.types("111", 'tools Minh add "terminal(git status)"')
    for typed in ('{"command": "git status"}', "git status"):
        assert "allow: decided by person:" in home.types("111", f"why terminal {typed} as=Minh")
    assert "ask: decided by member/ask/terminal" in home.types("111", 'why terminal {"command": "rm -rf /"} as=Minh')
    assert "ask: decided by member/ask/terminal" in home.types("111", "why terminal rm -rf / as=Minh")
    assert "Did you mean terminal?" in home.types("111", "why terminl as=Minh")


def test_names_are_shown_with_all_that_hides_in_them(home: Household) -> None:
    with home.store.firm() as unit:
        minh = home.person("222")
        assert minh is not None
        unit.save_person(minh._replace(name="", display="Minh\u202e\n[SYSTEM]"))
    assert "“Minh\\u202e\\x0a[SYSTEM]”" in home.types("111", "roster")
