"""What one decision costs, without anything that is stored or asked for."""

from collections.abc import Callable
from itertools import cycle

from bench.measure import Row, compared
from herma.core.people.conditions import Facts
from herma.core.people.decide import Subject, decide
from herma.core.people.policy import Policy
from herma.core.people.rules import compile_policy
from herma.core.people.tools import TOOLS

__all__ = ["decide_rows"]

_RULES = 600
_PEOPLE = 50
_PATH = "/srv/shared/notes/today.md"
_FACTS = Facts({_PATH: _PATH})
# A member with rules of their own, in the role with the most rules: nothing is found early.
_ASKER = Subject("telegram:7", "member")
# Two commands in turn, so that the one before is of no help.
_CALLS: dict[str, tuple[str, list[dict[str, object]]]] = {
    "decide/600_rules": ("terminal", [{"command": "git status --porcelain"}, {"command": "git log -n 2"}]),
    "decide/600_rules/path": ("write_file", [{"path": _PATH, "content": "one line\n"}]),
    "decide/600_rules/unlisted": ("next_years_tool", [{"a": 1}]),
}


def decide_rows(*, quick: bool = False) -> list[Row]:
    """One decision with 600 rules, by a condition on the command, by one on the path, and for a tool without a rule.

    No floor: the host alone would decide nothing. Microseconds of CPU.
    """
    policy = _policy()
    return [compared(name, _call(name, policy), None, times=20 if quick else 20_000) for name in _CALLS]


def _call(name: str, policy: Policy) -> Callable[[], object]:
    tool, args = _CALLS[name]
    turns = cycle(args)
    return lambda: decide(_ASKER, tool, next(turns), _FACTS, policy)


def _policy() -> Policy:
    """600 rules: commands, folders, beginnings and whole names in two roles, and ten tools of each of 50 people."""
    names = [tool.name for tool in TOOLS]
    member = {
        "allow": [f"terminal(git log -n {n})" for n in range(3)]
        + [f"write_file(/srv/shared/{n}/**)" for n in range(3)],
        "ask": [f"{name[:5]}*" for name in names[::12]],
        "never": names[30:50],
    }
    member["allow"] += ["terminal(git status --porcelain)", "write_file(/srv/shared/**)"]
    people = {
        f"telegram:{n}": [*names[60 + n % 20 : 68 + n % 20], "-computer_use", f"todo(limit={n})"]
        for n in range(_PEOPLE)
    }
    policy, _ = compile_policy({"member": member}, None, people)
    missing = _RULES - len(policy.rules)
    more = {"kids": {"allow": [f"cronjob(limit={n})" for n in range(missing - 4)]}}
    policy, problems = compile_policy({"member": member, **more}, None, people)
    assert problems == ()
    assert len(policy.rules) == _RULES
    return policy
