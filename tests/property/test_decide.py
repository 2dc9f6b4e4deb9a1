"""Whatever the rules and the calls are: the index decides as a plain fold over all rules does, and never too much."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import hypothesis.strategies as st
from hypothesis import given, settings

from herma.core.people.conditions import Facts
from herma.core.people.decide import Decision, Subject, at_best, decide, decide_for_all, rules_about
from herma.core.people.digest import has_form
from herma.core.people.explain import Change, explain
from herma.core.people.policy import Policy
from herma.core.people.rule import Rule
from herma.core.people.rules import compile_policy
from herma.core.people.tools import names_of

PROVED = settings(derandomize=True, max_examples=300, deadline=None, database=None)

PEOPLE = ("telegram:1", "telegram:2", "")
ROLES = ("owner", "member", "guest", "blocked", "kids", "gone")
# Few names, so that rules and calls meet; some are beginnings of others, two are one tool.
TOOLS = ("terminal", "process", "process_manage", "read_file", "cronjob", "web_search", "next_tool", "term", "")
REAL = {"a": "/srv/a", "b": "/etc/b", "/srv/link": "/etc/c"}

conditioned = st.sampled_from(
    [
        "terminal(ls)",
        "terminal(git status)",
        "read_file(/srv/**)",
        "read_file(/etc/b)",
        "cronjob(action=list)",
        "cronjob(action=list,limit=1)",
        "next_tool(a=1)",
    ]
)
globs = st.sampled_from(["*", "t*", "term*", "terminal*", "process_*", "pro*", "r*", "next_*"])
items = st.one_of(st.sampled_from(TOOLS[:-1]), globs, conditioned)
lists = st.lists(items, max_size=4)
roles_blocks = st.dictionaries(
    st.sampled_from(["member", "guest", "kids"]),
    st.dictionaries(st.sampled_from(["allow", "ask", "never"]), lists, max_size=3),
    max_size=3,
)
people_tools = st.dictionaries(
    st.sampled_from(PEOPLE), st.lists(st.one_of(items, items.map("-{}".format)), max_size=4), max_size=3
)
approvals = st.one_of(st.none(), lists.map(tuple))

values = st.sampled_from(["list", "create", "1", 1, True, None, "", 1.5, ["list"]])
arguments: st.SearchStrategy[object] = st.one_of(
    st.builds(lambda text: {"command": text}, st.sampled_from(["ls", "git status", " ls ", "ls; id", "id", ""])),
    st.builds(lambda path: {"path": path}, st.sampled_from([*REAL, "unknown"])),
    st.dictionaries(st.sampled_from(["action", "limit", "a", "workdir", "command"]), values, max_size=3),
    st.sampled_from([None, [], "ls", {1: 2}, {"a": float("nan")}, {"a": b""}]),
)
subjects = st.builds(Subject, st.sampled_from(PEOPLE), st.sampled_from(ROLES))


class Inputs(NamedTuple):
    """What a policy is made of."""

    roles: Mapping[str, Mapping[str, Sequence[str]]]
    asked: tuple[str, ...] | None
    people: Mapping[str, Sequence[str]]

    def policy(self) -> Policy:
        """The policy itself, whatever is wrong with it."""
        return compile_policy(self.roles, self.asked, self.people)[0]


inputs = st.builds(Inputs, roles_blocks, approvals, people_tools)


class Call(NamedTuple):
    """One request, with what is known of the world."""

    subject: Subject
    tool: str
    args: Any
    facts: Facts


calls = st.builds(Call, subjects, st.sampled_from(TOOLS), arguments, st.sampled_from([Facts(REAL), Facts()]))


# --- the reference: no index, no orders, one rule after the other


def _names(rule: Rule, tool: str) -> bool:
    names = names_of(tool)
    return any(name.startswith(rule.tool) for name in names) if rule.glob else rule.tool == names[0]


def _is_about(rule: Rule, subject: Subject) -> bool:
    if rule.personal:
        return bool(subject.person_id) and rule.subject == subject.person_id
    return rule.subject == subject.role


def _stands(rule: Rule, call: Call) -> bool:
    holds = True if rule.condition is None else rule.condition.holds(call.args, call.facts)
    return bool(holds) if rule.effect == "allow" else holds is not False


def _more_specific(one: Rule, other: Rule) -> bool | None:
    """Whether one rule goes before the other; None when neither does."""
    pairs = [
        (one.personal, other.personal),
        (one.condition is not None, other.condition is not None),
        (not one.glob, not other.glob),
        (one.glob and len(one.tool), other.glob and len(other.tool)),
    ]
    for mine, its in pairs:
        if mine != its:
            return mine > its
    return None


def _reference(call: Call, policy: Policy) -> str:
    if call.subject.role not in policy.roles or not isinstance(call.args, dict):
        return "never"
    if any(type(key) is not str or value != value or isinstance(value, bytes) for key, value in call.args.items()):  # noqa: PLR0124 - NaN
        return "never"
    effect, chosen = "never", None
    for rule in policy.rules:
        if not (_is_about(rule, call.subject) and _names(rule, call.tool) and _stands(rule, call)):
            continue
        if rule.effect == "never":
            return "never"
        first = chosen is None or _more_specific(rule, chosen)
        if first or (first is None and rule.effect == "ask"):
            effect, chosen = rule.effect, rule
    return effect


@PROVED
@given(inputs, calls)
def test_the_index_decides_as_a_fold_over_all_rules_does(made: Inputs, call: Call) -> None:
    policy = made.policy()
    decision = decide(*call, policy)
    assert decision.effect == _reference(call, policy)
    named = [rule for rule in policy.rules if rule.id == decision.rule]
    assert all(rule.effect == decision.effect for rule in named)
    assert bool(named) == (decision.reason in ("rule", "unproved"))


@PROVED
@given(inputs, calls)
def test_a_guest_never_asks_and_somebody_blocked_never_runs(made: Inputs, call: Call) -> None:
    policy = made.policy()
    guest = call._replace(subject=call.subject._replace(role="guest"))
    blocked = call._replace(subject=call.subject._replace(role="blocked"))
    assert decide(*guest, policy).effect != "ask"
    assert decide(*blocked, policy).effect == "never"


@PROVED
@given(inputs, calls)
def test_nothing_is_allowed_without_a_rule_that_allows_it(made: Inputs, call: Call) -> None:
    policy = made.policy()
    if decide(*call, policy).effect == "allow":
        allowing = [rule for rule in rules_about(call.subject, call.tool, policy) if rule.effect == "allow"]
        assert any(rule.condition is None or rule.condition.holds(call.args, call.facts) for rule in allowing)


@PROVED
@given(inputs, calls, st.sampled_from(["member", "guest", "kids"]), items)
def test_one_more_never_never_gives_anybody_more(made: Inputs, call: Call, role: str, item: str) -> None:
    of_role = made.roles.get(role, {})
    made = made._replace(roles={**made.roles, role: of_role})
    more = made._replace(roles={**made.roles, role: {**of_role, "never": [*of_role.get("never", ()), item]}})
    order = ("never", "ask", "allow").index
    assert order(decide(*call, more.policy()).effect) <= order(decide(*call, made.policy()).effect)


@PROVED
@given(inputs, calls, subjects)
def test_two_people_get_no_more_than_each_of_them(made: Inputs, call: Call, other: Subject) -> None:
    policy, order = made.policy(), ("never", "ask", "allow").index
    alone = [decide(subject, *call[1:], policy).effect for subject in (call.subject, other)]
    assert decide_for_all([call.subject, other], *call[1:], policy).effect == min(alone, key=order)


@PROVED
@given(inputs, calls)
def test_a_list_of_tools_shows_no_less_than_any_call_gets(made: Inputs, call: Call) -> None:
    policy, order = made.policy(), ("never", "ask", "allow").index
    assert order(at_best(call.subject, call.tool, policy)) >= order(decide(*call, policy).effect)


@PROVED
@given(inputs, calls)
def test_what_the_person_who_calls_has_no_part_in_changes_nothing(made: Inputs, call: Call) -> None:
    others = {person: tools for person, tools in made.people.items() if person == call.subject.person_id}
    roles = {role: lists for role, lists in made.roles.items() if role == call.subject.role}
    alone = made._replace(people=others, roles=roles)
    assert decide(*call, alone.policy()) == decide(*call, made.policy())


@PROVED
@given(inputs)
def test_compiling_twice_gives_one_version_and_the_order_of_lists_gives_no_other(made: Inputs) -> None:
    turned = Inputs(
        {role: {key: [*reversed(tools)] for key, tools in lists.items()} for role, lists in made.roles.items()},
        None if made.asked is None else made.asked[::-1],
        dict(reversed([(person, [*reversed(tools)]) for person, tools in made.people.items()])),
    )
    assert made.policy().version == made.policy().version == turned.policy().version


# --- the smallest change


def _changed(made: Inputs, call: Call, steps: Sequence[Change]) -> tuple[Inputs, Call]:
    roles = {role: {key: [*tools] for key, tools in lists.items()} for role, lists in made.roles.items()}
    person = call.subject.person_id
    tools = [*made.people.get(person, ())]
    for kind, what in steps:
        if kind == "role":
            call = call._replace(subject=call.subject._replace(role=what))
        elif kind == "grant":
            tools.append(what)
        elif kind == "give_back":
            tools = [tool for tool in tools if tool != f"-{what}" and _written(tool) != f"-{what}"]
        else:
            role, effect, item = what.split("/", 2)
            roles[role][effect] = [each for each in roles[role][effect] if _written(each) != item]
    return Inputs(roles, made.asked, {**made.people, person: tools}), call


def _written(item: str) -> str:
    """An item as the rules write it."""
    return item.replace("process_manage", "process")


@PROVED
@given(inputs, calls)
def test_after_the_changes_of_an_explanation_the_call_is_allowed_and_not_before(made: Inputs, call: Call) -> None:
    found = explain(*call, made.policy())
    if found.decision.effect == "allow" or not has_form(call.args):
        assert found.changes == ()
    elif call.tool and call.subject.person_id:
        for kept in range(len(found.changes)):
            without = [step for place, step in enumerate(found.changes) if place != kept]
            partly, same = _changed(made, call, without)
            assert decide(*same, partly.policy()).effect != "allow"
        whole, same = _changed(made, call, found.changes)
        assert decide(*same, whole.policy()).effect == "allow"


@PROVED
@given(inputs, calls)
def test_an_explanation_to_others_names_their_role_and_no_rule(made: Inputs, call: Call) -> None:
    found = explain(*call, made.policy())
    assert found.public.startswith(f"Your role here is {call.subject.role}.")
    assert not any(part in found.public for part in ("/srv", "git", "telegram", "never/", "allow/", "ask/"))


# --- totality

odd: st.SearchStrategy[object] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(st.text(max_size=3), st.integers()), inner, max_size=3)
    ),
    max_leaves=12,
)


@PROVED
@given(odd, odd, st.one_of(st.none(), st.lists(st.text(max_size=8)).map(tuple)))
def test_whatever_the_settings_are_there_is_a_policy_and_what_is_wrong_with_it(
    block: object, lists_of: object, asked: tuple[str, ...] | None
) -> None:
    for settings_block in (block, {"kids": block}, {"kids": {"allow": lists_of}}, {"member": {"never": [lists_of]}}):
        policy, problems = compile_policy(settings_block, asked, {})
        assert decide(Subject("", "blocked"), "web_search", {}, Facts(), policy).effect == "never"
        assert all(problem.message and problem.hint for problem in problems)


@PROVED
@given(subjects, st.text(max_size=20), odd, inputs)
def test_whatever_the_call_is_there_is_a_decision(subject: Subject, tool: str, args: object, made: Inputs) -> None:
    for given_args in (args, {"command": args}, {"path": args}, {"action": args}):
        decision = decide(subject, tool, given_args, Facts(), made.policy())
        assert isinstance(decision, Decision)
        assert decision.effect in ("never", "ask", "allow")
