"""Why a call is allowed, asked for or refused: the whole of it for an owner, little for everybody else."""

from typing import NamedTuple

from herma.core.people.conditions import Facts
from herma.core.people.decide import Decision, Subject, decide, rules_about
from herma.core.people.digest import has_form
from herma.core.people.policy import Policy
from herma.core.people.rule import Rule
from herma.core.people.tools import one_name
from herma.core.visible import visible

__all__ = ["Change", "Explanation", "Losing", "explain"]


class Losing(NamedTuple):
    """A rule about the tool that does not decide, and why: `condition`, `unproved` or `overruled`."""

    rule: str
    effect: str
    why: str


class Change(NamedTuple):
    """One step towards `allow`.

    `role`: give the person the role `what`. `take_out`: take the rule with the id `what` out of the list of its role.
    `give_back`: take `-what` off the person's tools. `grant`: add `what` to the person's tools.
    """

    kind: str
    what: str


class Explanation(NamedTuple):
    """A decision with what stands behind it. `owner` is for owners alone; `public` names nobody else and no rule."""

    decision: Decision
    losing: tuple[Losing, ...]
    changes: tuple[Change, ...]
    owner: str
    public: str


class _Request(NamedTuple):
    subject: Subject
    tool: str
    args: object
    facts: Facts
    policy: Policy

    def decide(self) -> Decision:
        return decide(*self)

    def rules(self) -> tuple[Rule, ...]:
        return rules_about(self.subject, self.tool, self.policy)

    def holds(self, rule: Rule) -> bool | None:
        if rule.condition is None:
            return True
        return rule.condition.holds(self.args, self.facts) if isinstance(self.args, dict) else None

    def matches(self, rule: Rule) -> bool:
        holds = self.holds(rule)
        return holds is True or (holds is None and rule.effect != "allow")


def explain(subject: Subject, tool: str, args: object, facts: Facts, policy: Policy) -> Explanation:
    """The decision about a call, the rules that lost, and the fewest changes after which it would be allowed.

    The changes are empty where it is allowed, and where none could help: arguments that cannot be judged.
    """
    request = _Request(subject, tool, args, facts, policy)
    decision = request.decide()
    losing = _losing(request, decision)
    changes = _changes(request, decision)
    return Explanation(decision, losing, changes, _for_owner(decision, losing, changes), _public(request, decision))


_UNPROVED = "its condition cannot be evaluated here, and what cannot be evaluated is never allowed"
_REASONS = {
    "rule": "decided by {rule}",
    "unproved": "decided by {rule}: " + _UNPROVED,
    "unlisted": "no rule for this person allows it or has it asked for",
    "arguments": "the arguments are not a mapping, or are too deep, too large or no JSON, so nothing can judge them",
    "role": "the person's role does not exist",
    "nobody": "there is no person behind the call",
}
_WHYS = {
    "condition": "its condition is not met",
    "unproved": "its condition cannot be evaluated",
    "overruled": "another rule goes before it",
}
_STEPS = {
    "role": "/many role NAME {what}",
    "take_out": "take {what} out of the settings",
    "give_back": "/many tools NAME add {what}, which takes back that it was removed",
    "grant": "/many tools NAME add {what}",
}
_PUBLIC = {
    "allow": "{tool} is among the tools you may use.",
    "ask": "{tool} needs an owner's approval, each time.",
    "never": "{tool} is not among the tools you may use.",
}


def _losing(request: _Request, decision: Decision) -> tuple[Losing, ...]:
    if decision.reason in ("arguments", "role"):
        return ()
    others = [rule for rule in request.rules() if rule.id != decision.rule]
    others.sort(key=lambda rule: rule.order, reverse=True)
    return tuple(Losing(rule.id, rule.effect, _why(request, rule)) for rule in others)


def _why(request: _Request, rule: Rule) -> str:
    holds = request.holds(rule)
    if holds is False:
        return "condition"
    return "unproved" if holds is None and rule.effect == "allow" else "overruled"


def _changes(request: _Request, decision: Decision) -> tuple[Change, ...]:
    if decision.effect == "allow" or not has_form(request.args):
        return ()
    if decision.reason == "role" or request.subject.role == "blocked":
        freed = request._replace(subject=request.subject._replace(role="guest"))
        return (Change("role", "guest"), *_changes(freed, freed.decide()))
    matching = [rule for rule in request.rules() if request.matches(rule)]
    steps = [_undone(rule) for rule in matching if rule.effect == "never"]
    left = max((rule for rule in matching if rule.effect != "never"), key=lambda rule: rule.order, default=None)
    if left is None or left.effect == "ask":
        steps.append(Change("grant", one_name(request.tool)))
    return tuple(steps)


def _undone(rule: Rule) -> Change:
    return Change("give_back", rule.item) if rule.personal else Change("take_out", rule.id)


def _for_owner(decision: Decision, losing: tuple[Losing, ...], changes: tuple[Change, ...]) -> str:
    lines = [f"{decision.effect}: {_REASONS[decision.reason].format(rule=visible(decision.rule))}"]
    lines += [f"not {visible(each.rule)}: {_WHYS[each.why]}" for each in losing]
    lines += [f"to allow it: {_STEPS[step.kind].format(what=visible(step.what))}" for step in changes]
    return "\n".join(lines)


def _public(request: _Request, decision: Decision) -> str:
    said = _PUBLIC[decision.effect].format(tool=visible(request.tool))
    return f"Your role here is {visible(request.subject.role)}. {said}"
