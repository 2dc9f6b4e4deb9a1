"""The people of an installation in two lines of `herma status`, and as its JSON has them."""

import time
from collections.abc import Mapping

from herma.install.facts import Facts
from herma.install.house import house
from herma.install.systems import PEOPLE, System
from herma.stores.people.glance import Glance, Unseen

__all__ = ["Household", "data", "lines", "look"]

Household = Glance | Unseen | None


def look(facts: Facts, system: System) -> Household:
    """What is in the database of the system's people; None for a system that keeps none."""
    return house(facts, time.time_ns() // 1_000_000) if system.name == PEOPLE else None


def lines(found: Household, *, configured: bool) -> list[tuple[str, str]]:
    """Each line with its name. `configured`: enforcement is off by the settings until somebody resumes it."""
    if found is None:
        return []
    if isinstance(found, Unseen):
        return [] if found.absent else [("people", found.reason)]
    if found.before:
        return [("people", f"{sum(found.roles.values())}, in a database that the next start carries on")]
    roles = ", ".join(f"{number} {role}" for role, number in sorted(found.roles.items())) or "nobody yet"
    switch = "ENFORCEMENT IS OFF" if _paused(found, configured=configured) else "enforcement is on"
    waiting = f"{found.waiting} {'ask waits' if found.waiting == 1 else 'asks wait'}"
    today = f"{found.refused:,} refused, {found.tokens:,} tokens (UTC day)"
    return [("people", f"{roles}; {waiting}; {switch}"), ("today", today)]


def data(found: Household, *, configured: bool) -> Mapping[str, object] | None:
    """The same as JSON has it; None for a system that keeps no people."""
    if found is None:
        return None
    if isinstance(found, Unseen):
        return {"problem": None if found.absent else {"message": found.reason, "hint": found.hint}, "roles": {}}
    return {
        "problem": None,
        "database": str(found.path),
        "carried_on": not found.before,
        "roles": dict(found.roles),
        "paused": _paused(found, configured=configured),
        "asks_waiting": found.waiting,
        "refused_today": found.refused,
        "tokens_today": found.tokens,
    }


def _paused(found: Glance, *, configured: bool) -> bool:
    return configured if found.paused is None else found.paused
