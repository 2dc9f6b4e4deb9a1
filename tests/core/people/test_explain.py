from tests.core.people.policies import MINH, NO_FACTS, policy

from herma.core.people.decide import Subject, decide
from herma.core.people.explain import Change, Losing, explain

STATUS = {"command": "git status"}


def test_the_decision_is_the_one_that_is_made() -> None:
    own = policy({"member": {"allow": ["terminal(ls)"]}})
    for tool, args in (("terminal", STATUS), ("terminal", []), ("web_search", {}), ("next", {})):
        subject = Subject(MINH, "member")
        assert explain(subject, tool, args, NO_FACTS, own).decision == decide(subject, tool, args, NO_FACTS, own)


def test_the_rules_that_lost_say_why_from_the_nearest_on() -> None:
    own = policy({"member": {"allow": ["terminal(ls)", "term*"], "ask": ["terminal(git status)"]}}, people={MINH: ()})
    found = explain(Subject(MINH, "member"), "terminal", STATUS, NO_FACTS, own)
    assert found.decision.rule == "member/ask/terminal(git status)"
    assert found.losing == (
        Losing("member/allow/terminal(ls)", "allow", "condition"),
        Losing("member/ask/terminal", "ask", "overruled"),
        Losing("member/allow/term*", "allow", "overruled"),
    )
    odd = explain(Subject(MINH, "member"), "terminal", {"command": "ls; id"}, NO_FACTS, own)
    assert odd.losing[0] == Losing("member/allow/terminal(ls)", "allow", "unproved")
    assert odd.decision.reason == "unproved"
    assert "cannot be evaluated" in odd.owner


def test_what_is_asked_for_is_allowed_by_a_grant_to_the_person() -> None:
    found = explain(Subject(MINH, "member"), "process_manage", {}, NO_FACTS, policy())
    assert found.changes == (Change("grant", "process"),)
    assert found.owner == "ask: decided by member/ask/process\nto allow it: /many tools NAME add process"


def test_every_rule_that_forbids_has_to_go_first() -> None:
    own = policy(
        {"member": {"never": ["term*", "terminal(git status)"], "allow": ["terminal"]}}, people={MINH: ("-terminal",)}
    )
    found = explain(Subject(MINH, "member"), "terminal", STATUS, NO_FACTS, own)
    assert set(found.changes) == {
        Change("give_back", "terminal"),
        Change("take_out", "member/never/term*"),
        Change("take_out", "member/never/terminal(git status)"),
    }


def test_a_tool_whose_never_goes_is_where_it_was_before() -> None:
    own = policy({"member": {"never": ["web_search"], "allow": ["*"]}})
    found = explain(Subject(MINH, "member"), "web_search", {}, NO_FACTS, own)
    assert found.changes == (Change("take_out", "member/never/web_search"),)
    assert found.losing[0] == Losing("member/allow/web_search", "allow", "overruled")


def test_somebody_blocked_needs_a_role_and_then_what_a_guest_needs() -> None:
    found = explain(Subject(MINH, "blocked"), "terminal", STATUS, NO_FACTS, policy())
    assert found.changes == (Change("role", "guest"), Change("grant", "terminal"))
    assert explain(Subject(MINH, "blocked"), "web_search", {}, NO_FACTS, policy()).changes == (Change("role", "guest"),)
    assert explain(Subject(MINH, "gone"), "web_search", {}, NO_FACTS, policy()).changes == (Change("role", "guest"),)


def test_nothing_makes_arguments_that_cannot_be_judged_allowed() -> None:
    found = explain(Subject(MINH, "owner"), "terminal", [], NO_FACTS, policy())
    assert found.changes == ()
    assert found.losing == ()
    assert found.owner.startswith("never: the arguments are not a mapping")


def test_what_is_allowed_needs_no_change() -> None:
    found = explain(Subject(MINH, "member"), "web_search", {}, NO_FACTS, policy())
    assert found.changes == ()
    assert found.owner == "allow: decided by member/allow/web_search"


def test_everybody_else_hears_of_their_own_role_and_of_no_rule() -> None:
    own = policy({"member": {"never": ["read_file(/srv/secret/**)"]}}, people={"telegram:9": ("read_file",)})
    found = explain(Subject(MINH, "member"), "read_file", {"path": "x"}, NO_FACTS, own)
    assert found.public == "Your role here is member. read_file is not among the tools you may use."
    assert "/srv/secret" in found.owner
    asked = explain(Subject(MINH, "member"), "terminal", {}, NO_FACTS, own)
    assert asked.public == "Your role here is member. terminal needs an owner's approval, each time."
    allowed = explain(Subject(MINH, "member"), "web_search", {}, NO_FACTS, own)
    assert allowed.public == "Your role here is member. web_search is among the tools you may use."


def test_a_hostile_name_of_a_tool_is_made_visible() -> None:
    found = explain(Subject(MINH, "member"), "x\u202e\n", {}, NO_FACTS, policy())
    assert "x\\u202e\\x0a is not among" in found.public
    assert "\u202e" not in found.owner
