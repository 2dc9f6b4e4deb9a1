"""May this person make this call: yes, only if an owner says so, or no.

Any rule that matches and says `never` decides; else the most specific one does: a person's before a role's, one with a
condition before one without, a whole name before a beginning, a longer beginning before a shorter one, and of two that
are equal the stricter. Where no rule matches the answer is no.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from herma.core.people.conditions import Facts
from herma.core.people.digest import has_form
from herma.core.people.policy import Policy
from herma.core.people.rule import EFFECTS, Rule

__all__ = ["Decision", "Subject", "at_best", "decide", "decide_for_all", "rules_about"]


class Subject(NamedTuple):
    """Who makes a call. A person's id is empty where nobody is known; the role then says all."""

    person_id: str
    role: str


class Decision(NamedTuple):
    """`allow`, `ask` or `never`, the id of the rule that decided, and a reason of a closed list.

    `rule`: that rule says so. `unproved`: its condition cannot be evaluated, which never allows. `unlisted`: no rule
    matches. `arguments`: they are no mapping, or have no exact form. `role`: there is no such role. `nobody`: there is
    no person to decide for. The last four have no rule.
    """

    effect: str
    rule: str
    reason: str


_UNLISTED = Decision("never", "", "unlisted")
_ARGUMENTS = Decision("never", "", "arguments")
_ROLE = Decision("never", "", "role")
_NOBODY = Decision("never", "", "nobody")
_ORDER = attrgetter("order")


def decide(subject: Subject, tool: str, args: object, facts: Facts, policy: Policy) -> Decision:
    """What becomes of a call of `tool` with `args`, which are what JSON gives. Total: it answers whatever they are."""
    if subject.role not in policy.roles:
        return _ROLE
    if not isinstance(args, dict) or not has_form(args):
        return _ARGUMENTS
    for rule in sorted(rules_about(subject, tool, policy), key=_ORDER, reverse=True):
        holds = True if rule.condition is None else rule.condition.holds(args, facts)
        # An unproved condition is no permission, and no way around a rule that forbids or asks.
        if holds or (holds is None and rule.effect != "allow"):
            return Decision(rule.effect, rule.id, "rule" if holds else "unproved")
    return _UNLISTED


def decide_for_all(subjects: Iterable[Subject], tool: str, args: object, facts: Facts, policy: Policy) -> Decision:
    """What becomes of a call that several people stand behind: the strictest of their decisions; no people, no call."""
    decisions = [decide(subject, tool, args, facts, policy) for subject in subjects]
    return min(decisions, key=lambda decision: EFFECTS.index(decision.effect), default=_NOBODY)


def rules_about(subject: Subject, tool: str, policy: Policy) -> tuple[Rule, ...]:
    """Every rule that names the tool for this person or their role, whatever its condition."""
    of_role = policy.roles.get(subject.role)
    found = of_role.about(tool) if of_role else ()
    own = policy.people.get(subject.person_id) if subject.person_id else None
    return found + own.about(tool) if own else found


def at_best(subject: Subject, tool: str, policy: Policy) -> str:
    """The most that any arguments could get, for lists of tools. Where it is `never`, no call is ever more."""
    rules = rules_about(subject, tool, policy) if subject.role in policy.roles else ()
    certain = max((rule for rule in rules if rule.condition is None), key=_ORDER, default=None)
    over = [rule for rule in rules if certain is None or rule.order >= certain.order]
    return max((rule.effect for rule in over), key=EFFECTS.index, default="never")
