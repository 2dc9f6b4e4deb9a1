"""Checks of manyhands: its policy, its people, its database, the gateways that serve them, and the host's own doors."""

import time
from collections.abc import Iterator

from herma.cli.checks.doors import DOORS, gateways_here
from herma.cli.checks.house import HOUSE
from herma.cli.checks.view import View
from herma.cli.report import Check, Status
from herma.core.people.rules import compile_policy, unknown_role
from herma.core.settings import Problem, Resolved
from herma.install.facts import Facts
from herma.install.house import filesystem, house, running
from herma.stores.people.glance import Glance, Unseen

__all__ = ["check", "people"]


_NO_POLICY = "there is no policy as long as that is so: nobody but this machine's terminal is served"


def people(facts: Facts, resolved: Resolved) -> Iterator[Check]:
    """All of them, for the installation as it is now."""
    now = time.time_ns() // 1_000_000
    seen = house(facts, now)
    signs = seen.signs if isinstance(seen, Glance) else ()
    pids = running(facts.home, (sign.pid for sign in signs if sign.surface == "gateway" and sign.ended_at is None))
    yield from check(View(facts, resolved, seen, now, pids, filesystem(seen.path.parent)))


def check(view: View) -> Iterator[Check]:
    """All of them, for what is seen."""
    for look in (_policy, _unknown_session, *HOUSE, _owner, _paused, *DOORS):
        yield from look(view)


def _policy(view: View) -> Iterator[Check]:
    values = view.resolved.values
    tools = values["approval_tools"]
    policy, problems = compile_policy(values["roles"], tools if isinstance(tools, tuple) else None, {})
    nobody = unknown_role("invite_role", str(values["invite_role"]), policy)
    found: list[Problem] = [*problems, *([] if nobody is None else [nobody])]
    for problem in found:
        yield Check("policy", Status.FAIL if problem.fatal else Status.WARN, problem.message, problem.hint)
    if not view.resolved.usable or any(problem.fatal for problem in found):
        yield Check("policy", Status.FAIL, _NO_POLICY, "put right what is named above, then start Hermes anew")
    elif not found:
        yield Check(
            "policy", Status.PASS, f"{len(policy.roles)} roles, {len(policy.rules)} rules, each of a known tool"
        )


def _unknown_session(view: View) -> Iterator[Check]:
    if view.resolved.values["unknown_session_policy"] != "operator":
        yield Check("unknown-session", Status.PASS, "a call without a person behind it acts as a guest")
        return
    summary = "unknown_session_policy is operator: every call without a person behind it has the operator's rights"
    hint = "set it to guest; subagents and scheduled jobs act for whoever made them without it"
    yield Check("unknown-session", Status.WARN, summary, hint)


def _owner(view: View) -> Iterator[Check]:
    seen = view.seen
    if isinstance(seen, Unseen) and not seen.absent:
        yield Check("owner", Status.SKIP, "who owns the bot cannot be told without its database")
    elif isinstance(seen, Glance) and seen.owners:
        others = sum(seen.roles.values()) - seen.roles.get("owner", 0)
        yield Check("owner", Status.PASS, f"{_many(seen.roles['owner'], 'owner')}, {others} more on the roster")
    elif gateways_here(view):
        hint = (
            "`hermes chat`, then `/many claim` shows a code; send `/many claim CODE` from the account that owns the bot"
        )
        yield Check("owner", Status.WARN, "nobody owns the bot yet, so nobody can be asked and nobody invites", hint)
    else:
        yield Check("owner", Status.SKIP, "nobody owns the bot yet, and no chat platform is set up either")


def _paused(view: View) -> Iterator[Check]:
    configured = view.resolved.values["paused"] is True
    switched = view.seen.paused if isinstance(view.seen, Glance) else None
    if not (configured if switched is None else switched):
        yield Check("paused", Status.PASS, "enforcement is on")
        return
    where = "`paused: true` in the settings" if switched is None else "`/many pause`"
    summary = f"enforcement is off, by {where}: everybody whom the host lets in may use every tool"
    yield Check("paused", Status.WARN, summary, "an owner types `/many resume`")


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
