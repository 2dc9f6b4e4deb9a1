"""Roles: the four that everybody has, and how two of them compare."""

import re

__all__ = ["BUILT_IN", "LOCKED", "ROLES", "is_role_name", "lesser", "rank"]

# From the most to the least that somebody may do.
ROLES = ("owner", "member", "guest", "blocked")
BUILT_IN = frozenset(ROLES)
# What these two may do is no setting: an owner may do everything, and somebody blocked nothing.
LOCKED = frozenset(("owner", "blocked"))

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_RANKS = {role: len(ROLES) - place for place, role in enumerate(ROLES)}


def is_role_name(name: object) -> bool:
    """Whether a role may be called that: a small letter, then small letters, digits, `_` and `-`; 32 at most."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def rank(role: str) -> int | None:
    """4 for an owner down to 1 for somebody blocked; None for a role of one's own, which has no place in that order."""
    return _RANKS.get(role)


def lesser(first: str, second: str) -> str | None:
    """The role that stands for a turn with two people in it; None when neither of the two includes the other.

    A name for the card and the audit. What such a turn may do is decided for both people (`decide_for_all`), because
    settings may give a guest a tool that a member has not.
    """
    if first == second:
        return first
    ranks = _RANKS.get(first), _RANKS.get(second)
    if "blocked" in (first, second):
        return "blocked"
    if "owner" in (first, second):
        return second if first == "owner" else first
    if None in ranks:
        return None
    return "guest"
