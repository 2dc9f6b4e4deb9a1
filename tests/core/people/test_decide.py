from types import MappingProxyType

import pytest
from tests.core.people.policies import MINH, NO_FACTS, member, policy

from herma.core.people.conditions import Facts
from herma.core.people.decide import Decision, Subject, at_best, decide, decide_for_all
from herma.core.people.tools import TOOLS

OWNER, MEMBER, GUEST, BLOCKED = (Subject(MINH, role) for role in ("owner", "member", "guest", "blocked"))
LS = {"command": "ls"}


def test_an_owner_may_do_everything_and_somebody_blocked_nothing() -> None:
    for name in [*(tool.name for tool in TOOLS), "mcp_anything", "next_years_tool"]:
        assert decide(OWNER, name, {}, NO_FACTS, policy()) == ("allow", "owner/allow/*", "rule")
        assert decide(BLOCKED, name, {}, NO_FACTS, policy()) == ("never", "blocked/never/*", "rule")


def test_a_grant_of_their_own_does_not_help_somebody_who_is_blocked() -> None:
    assert decide(BLOCKED, "terminal", {}, NO_FACTS, policy(people={MINH: ("terminal",)})).effect == "never"


def test_a_tool_that_no_rule_names_is_refused() -> None:
    assert member("next_years_tool", {}, policy()) == Decision("never", "", "unlisted")


def test_a_role_that_does_not_exist_may_do_nothing() -> None:
    assert decide(Subject(MINH, "admin"), "web_search", {}, NO_FACTS, policy()) == ("never", "", "role")
    with_grant = policy(people={MINH: ("web_search",)})
    assert decide(Subject(MINH, "admin"), "web_search", {}, NO_FACTS, with_grant) == ("never", "", "role")


def test_the_name_of_a_tool_is_taken_exactly() -> None:
    for name in ("Web_search", "web_search ", "web search", "web_searсh", ""):
        assert member(name, {}, policy()).effect == "never"


@pytest.mark.parametrize(
    "args",
    [
        None,
        [],
        "{}",
        7,
        MappingProxyType({}),
        {1: "x"},
        {"a": {None: 1}},
        {"a": float("nan")},
        {"a": b"x"},
        {"a": {1, 2}},
    ],
)
@pytest.mark.parametrize("subject", [OWNER, MEMBER])
def test_arguments_that_cannot_be_judged_are_refused_to_everybody(args: object, subject: Subject) -> None:
    assert decide(subject, "web_search", args, NO_FACTS, policy()) == ("never", "", "arguments")


def test_any_never_that_matches_goes_before_everything_more_specific() -> None:
    own = policy({"member": {"never": ["term*"], "allow": ["terminal(ls)"]}}, people={MINH: ("terminal(ls)",)})
    assert member("terminal", LS, own) == ("never", "member/never/term*", "rule")


@pytest.mark.parametrize(
    "tool,roles,people,decides",
    [
        ("terminal", {"allow": ["terminal(ls)"], "ask": ["terminal"]}, (), "member/allow/terminal(ls)"),
        ("terminal", {"ask": ["terminal(ls)"], "allow": ["terminal"]}, (), "member/ask/terminal(ls)"),
        ("terminal", {"ask": ["terminal(ls)"]}, ("term*",), "person:/allow/term*"),
        ("terminal", {"ask": ["term*"], "allow": ["terminal"]}, (), "member/allow/terminal"),
        ("terminal", {"ask": ["t*"], "allow": ["terminal(ls)", "te*"]}, (), "member/allow/terminal(ls)"),
        ("tool_search", {"ask": ["tool_searc*"]}, (), "member/allow/tool_search"),
        ("kanban_show", {"ask": ["kanban_sh*"], "allow": ["kanban_*"]}, (), "member/ask/kanban_sh*"),
        ("kanban_show", {"ask": ["kanban_*"], "allow": ["kanban_sh*"]}, (), "member/allow/kanban_sh*"),
        ("kanban_show", {"ask": ["kanban_show"], "allow": ["kanban_show"]}, (), "member/ask/kanban_show"),
        ("kanban_show", {"ask": ["kanban_*"], "allow": ["kanban_*"]}, (), "member/ask/kanban_*"),
        ("kanban_show", {"ask": ["*"], "allow": ["k*"]}, (), "member/allow/k*"),
    ],
)
def test_the_most_specific_rule_decides_and_the_stricter_of_equals(
    tool: str, roles: dict[str, list[str]], people: tuple[str, ...], decides: str
) -> None:
    assert member(tool, LS, policy({"member": roles}, people={MINH: people})).rule == decides


def test_a_beginning_covers_a_tool_under_each_of_its_names() -> None:
    own = policy({"member": {"never": ["process_m*"]}})
    assert member("process", {}, own).effect == "never"
    assert member("process_manage", {}, own).effect == "never"


def test_what_cannot_be_evaluated_never_allows_and_still_asks_and_forbids() -> None:
    unknown = {"command": "ls; id"}
    allowing = policy({"kids": {"allow": ["terminal(ls)"]}})
    assert decide(Subject("", "kids"), "terminal", unknown, NO_FACTS, allowing) == ("never", "", "unlisted")
    asking = policy({"kids": {"ask": ["terminal(ls)"]}})
    asked = decide(Subject("", "kids"), "terminal", unknown, NO_FACTS, asking)
    assert asked == ("ask", "kids/ask/terminal(ls)", "unproved")
    forbidding = policy({"kids": {"never": ["terminal(ls)"], "allow": ["terminal"]}})
    refused = decide(Subject("", "kids"), "terminal", unknown, NO_FACTS, forbidding)
    assert refused == ("never", "kids/never/terminal(ls)", "unproved")


def test_a_condition_that_is_proved_false_leaves_its_rule_out() -> None:
    for effect in ("never", "ask"):
        own = policy({"kids": {effect: ["terminal(ls)"], "allow": ["term*"]}})
        assert decide(Subject("", "kids"), "terminal", {"command": "id"}, NO_FACTS, own).effect == "allow"


def test_a_guests_own_grant_is_worth_what_it_says() -> None:
    own = policy(people={MINH: ("terminal(ls)",)})
    assert decide(GUEST, "terminal", LS, NO_FACTS, own).effect == "allow"
    assert decide(GUEST, "terminal", {"command": "id"}, NO_FACTS, own).effect == "never"


def test_a_call_of_nobody_known_acts_by_its_role_alone() -> None:
    own = policy(people={"": ("terminal",), MINH: ("terminal",)})
    assert decide(Subject("", "guest"), "terminal", {}, NO_FACTS, own).effect == "never"


def test_several_people_behind_a_call_get_the_strictest_of_their_decisions() -> None:
    own = policy({"guest": {"allow": ["clarify"]}})
    other = Subject("telegram:1", "guest")

    def both(tool: str) -> str:
        return decide_for_all([MEMBER, other], tool, {}, NO_FACTS, own).effect

    assert both("web_search") == "allow"
    assert both("terminal") == "never"
    assert both("clarify") == "never"
    assert decide_for_all([OWNER, MEMBER], "terminal", {}, NO_FACTS, own) == ("ask", "member/ask/terminal", "rule")
    assert decide_for_all([OWNER], "terminal", {}, NO_FACTS, own).effect == "allow"


def test_no_people_behind_a_call_is_no_call() -> None:
    assert decide_for_all([], "web_search", {}, NO_FACTS, policy()) == ("never", "", "nobody")


def test_the_real_place_of_a_path_decides_and_not_what_is_written() -> None:
    own = policy({"kids": {"allow": ["write_file(/srv/shared/**)"]}})
    facts = Facts({"notes.md": "/srv/shared/notes.md", "/srv/shared/link": "/etc/passwd"})

    def effect(path: str) -> str:
        return decide(Subject("", "kids"), "write_file", {"path": path, "content": "x"}, facts, own).effect

    assert effect("notes.md") == "allow"
    assert effect("/srv/shared/link") == "never"
    assert effect("/srv/shared/unresolved") == "never"


@pytest.mark.parametrize(
    "roles,best",
    [
        ({"allow": ["terminal(ls)"]}, "allow"),
        ({"ask": ["terminal(ls)"]}, "ask"),
        ({"allow": ["terminal(ls)"], "ask": ["terminal"]}, "allow"),
        ({"allow": ["terminal(ls)"], "never": ["term*"]}, "never"),
        ({"allow": ["terminal"], "never": ["terminal(ls)"]}, "allow"),
        ({"ask": ["terminal"], "allow": ["*"]}, "ask"),
        ({}, "never"),
    ],
)
def test_a_list_of_tools_shows_the_most_that_a_call_could_get(roles: dict[str, list[str]], best: str) -> None:
    assert at_best(Subject("", "kids"), "terminal", policy({"kids": roles})) == best


def test_a_role_that_does_not_exist_sees_no_tools() -> None:
    assert at_best(Subject(MINH, "admin"), "terminal", policy(people={MINH: ("terminal",)})) == "never"
