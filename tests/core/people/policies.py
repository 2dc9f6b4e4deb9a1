"""Policies under test: compiled, and free of problems."""

from collections.abc import Mapping, Sequence

from herma.core.people.conditions import Facts
from herma.core.people.decide import Decision, Subject, decide
from herma.core.people.policy import Policy
from herma.core.people.rules import compile_policy

NO_FACTS = Facts()
MINH = "telegram:222"


def policy(
    roles: Mapping[str, object] | None = None,
    *,
    asked: Sequence[str] | None = None,
    people: Mapping[str, Sequence[str]] | None = None,
) -> Policy:
    """The policy of these settings, which nothing is wrong with."""
    compiled, problems = compile_policy(roles, asked, people or {}, known=("recall_search", "mcp_files_read"))
    assert problems == ()
    return compiled


def member(tool: str, args: object, of: Policy, facts: Facts = NO_FACTS) -> Decision:
    """What becomes of a member's call."""
    return decide(Subject(MINH, "member"), tool, args, facts, of)
