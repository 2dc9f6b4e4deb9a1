"""One rule: who, what happens, and to which calls of which tool."""

import re
from typing import NamedTuple

from herma.core.people.conditions import BadCondition, Condition, condition_of
from herma.core.people.tools import one_name

__all__ = ["EFFECTS", "HOW_TO_WRITE", "Rule", "rule_of"]

# From the least to the most.
EFFECTS = ("never", "ask", "allow")
HOW_TO_WRITE = "write `tool`, `prefix*` or `tool(condition)`"

_ITEM = re.compile(r"(?P<tool>[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127})?(?P<star>\*)?(?:\((?P<condition>.*)\))?", re.DOTALL)


class Rule(NamedTuple):
    """One rule. `order` says which of two that match decides: the greater; equal ones have the same effect.

    `subject` is a role, or with `personal` a person's id. `tool` is the name by which rules know a tool, or with `glob`
    the beginning of names. `id` is how the audit and answers call the rule; it names a role, and never a person.
    """

    subject: str
    personal: bool
    effect: str
    item: str
    tool: str
    glob: bool
    condition: Condition | None
    order: tuple[int, ...]
    id: str


def rule_of(subject: str, effect: str, item: object, *, personal: bool) -> Rule:
    """The rule that `item` writes. Raises `BadCondition` for what is no rule, with what to write instead."""
    found = _ITEM.fullmatch(item) if isinstance(item, str) else None
    if found is None or not (found["tool"] or found["star"]):
        raise BadCondition(HOW_TO_WRITE)
    name, glob, asked = found["tool"] or "", bool(found["star"]), found["condition"]
    if asked is not None and glob:
        raise BadCondition("a condition needs the whole name of a tool")
    tool = name if glob else one_name(name)
    condition = None if asked is None else condition_of(tool, asked)
    written = f"{tool}*" if glob else tool if asked is None else f"{tool}({asked})"
    # A colon is in no name of a role, so a person's own tools are told apart from every role's.
    rule_id = f"{'person:' if personal else subject}/{effect}/{written}"
    order = _order(effect, tool, personal=personal, asked=asked is not None, glob=glob)
    return Rule(subject, personal, effect, written, tool, glob, condition, order, rule_id)


def _order(effect: str, tool: str, *, personal: bool, asked: bool, glob: bool) -> tuple[int, ...]:
    """`never` first, then the more specific, and of two equally specific ones the stricter."""
    strictness = len(EFFECTS) - EFFECTS.index(effect)
    return (int(effect == "never"), int(personal), int(asked), int(not glob), len(tool) if glob else 0, strictness)
