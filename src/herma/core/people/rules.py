"""The rules as people write them, read once into a policy.

A rule is `tool`, `prefix*` or `tool(condition)` in one of the lists `allow`, `ask` and `never` of a role. A person has
tools of their own, of which `-tool` is one taken away.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from herma.core.people.conditions import BadCondition
from herma.core.people.policy import Policy, policy_of
from herma.core.people.roles import LOCKED, ROLES, is_role_name
from herma.core.people.rule import EFFECTS, HOW_TO_WRITE, Rule, rule_of
from herma.core.people.tools import DEFAULTS, EVERYBODY, known_names, names_of, one_name
from herma.core.settings import Problem

__all__ = ["EFFECTS", "Policy", "Problem", "Rule", "compile_policy", "unknown_role"]

_KEY = "roles"
_APPROVALS = "approval_tools"


class _Draft(NamedTuple):
    """Rules in the making by subject and text, what is wrong, and the names that tools can have."""

    rules: dict[tuple[bool, str, str], Rule]
    problems: list[Problem]
    known: frozenset[str]

    def problem(self, key: str, what: str, hint: str, *, fatal: bool = True) -> None:
        self.problems.append(Problem(key, f"{key} {what}", hint, fatal))


def compile_policy(
    roles_block: object,
    approval_tools: Iterable[str] | None,
    people_tools: Mapping[str, Iterable[str]],
    *,
    known: Iterable[str] = (),
) -> tuple[Policy, tuple[Problem, ...]]:
    """The policy that these settings are, and what is wrong with them. What cannot be read is left out of it.

    A policy with a fatal problem must not be used. `known` are names of tools beyond the table, of plugins and of MCP
    servers; a name that nobody knows is no fatal problem, and its rules stand.
    """
    draft = _Draft({}, [], known_names() | frozenset(known))
    changes = _changes(roles_block, draft)
    for role in dict.fromkeys((*DEFAULTS, *changes)):
        _write_role(role, changes.get(role, {}), approval_tools, draft)
    _write(draft, "owner", "allow", ("*",))
    _write(draft, "blocked", "never", ("*",))
    for person, tools in people_tools.items():
        for tool in tools:
            effect, item = ("never", tool[1:]) if tool.startswith("-") else ("allow", tool)
            _write(draft, person, effect, (item,), place="tools of a person", personal=True)
    return policy_of(dict.fromkeys((*ROLES, *changes)), draft.rules.values()), tuple(draft.problems)


def unknown_role(key: str, role: str, policy: Policy) -> Problem | None:
    """What is wrong where the setting `key` names a role that the policy has not; None where it has it."""
    if role in policy.roles:
        return None
    return Problem(
        key, f"{key} names the role {role!r}, which does not exist", _nearest(role, policy.roles), fatal=True
    )


def _changes(block: object, draft: _Draft) -> dict[str, Mapping[object, object]]:
    """The roles that the setting names, with what it says of each; those that cannot be had are left out."""
    if block is None:
        return {}
    if not isinstance(block, Mapping):
        draft.problem(_KEY, "must be a block of roles", "write the name of a role, and below it `allow:` with a list")
        return {}
    found: dict[str, Mapping[object, object]] = {}
    for name, lists in block.items():
        if not is_role_name(name):
            hint = "a role's name is small letters, digits, `_` and `-`, at most 32, and begins with a letter"
            draft.problem(_KEY, f"names a role {name!r}", hint)
        elif name in LOCKED:
            hint = "an owner may do everything and somebody blocked nothing; change `member`, `guest` or your own role"
            draft.problem(f"{_KEY}.{name}", "cannot be changed", hint)
        elif not isinstance(lists, Mapping):
            draft.problem(f"{_KEY}.{name}", "must be a block of lists", "write `allow:` with a list of tools below it")
        else:
            found[name] = lists
    return found


def _write_role(role: str, lists: Mapping[object, object], approval_tools: Iterable[str] | None, draft: _Draft) -> None:
    """One role: what it begins with, what the setting says, and what has to be asked for.

    A tool that it allows or asks for by its whole name stands there in the place of what the role begins with.
    """
    place = f"{_KEY}.{role}"
    items = {effect: _items(draft, f"{place}.{effect}", lists.get(effect)) for effect in EFFECTS}
    for effect in lists:
        if effect not in EFFECTS:
            draft.problem(f"{place}.{effect}", "is no list of a role", _nearest(str(effect), EFFECTS))
    places = {effect: f"{place}.{effect}" for effect in EFFECTS}
    if role == "guest":
        if items["ask"]:
            draft.problem(places["ask"], "cannot be: a guest never asks", "give the tool to a role of your own")
        items["ask"] = ()
    elif approval_tools is not None:
        if items["ask"]:
            hint = f"leave {_APPROVALS} out, or put the tools there"
            draft.problem(places["ask"], f"does nothing beside {_APPROVALS}", hint, fatal=False)
        items["ask"], places["ask"] = tuple(approval_tools), _APPROVALS
    named = {one_name(item) for effect in ("allow", "ask") for item in items[effect]}
    for effect, tools in DEFAULTS.get(role, {"allow": EVERYBODY}).items():
        if effect != "ask" or approval_tools is None:
            _write(draft, role, effect, [tool for tool in tools if tool not in named])
    for effect in EFFECTS:
        _write(draft, role, effect, items[effect], place=places[effect])


def _items(draft: _Draft, key: str, items: object) -> tuple[str, ...]:
    if items is None:
        return ()
    if isinstance(items, (list, tuple)) and all(isinstance(item, str) for item in items):
        return tuple(items)
    draft.problem(key, "must be a list of tools", HOW_TO_WRITE)
    return ()


def _write(  # noqa: PLR0913 - the parts of a rule
    draft: _Draft, subject: str, effect: str, items: Iterable[str], *, place: str = "", personal: bool = False
) -> None:
    """Read `items` into rules; `place` is where somebody wrote them. One person's tools are no problem for all."""
    for item in items:
        try:
            rule = rule_of(subject, effect, item, personal=personal)
        except BadCondition as wrong:
            draft.problem(place, f"has {item!r}, which is no rule", str(wrong), fatal=not personal)
            continue
        draft.rules[personal, subject, rule.id] = rule
        if place and not _is_known(rule, draft.known):
            what = "which begins the name of no known tool" if rule.glob else "which is the name of no known tool"
            hint = f"{_nearest(rule.tool, draft.known)}; the rule stands, for a plugin may bring the tool"
            draft.problem(place, f"has {rule.item}, {what}", hint, fatal=False)


def _is_known(rule: Rule, known: frozenset[str]) -> bool:
    if rule.glob:
        return any(name.startswith(rule.tool) for name in known)
    return not known.isdisjoint(names_of(rule.tool))


def _nearest(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake pays for it

    near = get_close_matches(name, sorted(names), n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else "nothing that is known is called so"
