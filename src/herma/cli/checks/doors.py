"""Checks of the host's own doors: who gets in without manyhands, and what the host would do beside it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from herma.cli.checks.view import View
from herma.cli.report import Check, Status
from herma.install.proposals import has_transport, ids_in, listed, of_platform, value_at
from herma.install.systems import PEOPLE
from herma.stores.people.glance import Glance

__all__ = ["DOORS", "gateways_here"]

_ALL, _LIST = "_ALLOW_ALL_USERS", "_ALLOWED_USERS"
_TRUE = ("true", "1", "yes", "on")
_BUILT_IN = ("", "builtin", "built-in", "none")
_SET_UP = f"`herma setup --plugin {PEOPLE}` sets it"


def gateways_here(view: View) -> bool:
    """Whether people talk to this Hermes in chats, as far as can be told."""
    gateways = isinstance(view.seen, Glance) and any(sign.surface == "gateway" for sign in view.seen.signs)
    return gateways or any(
        value_at(view.facts.config.values, ("platforms", name, "enabled")) for name in _platforms(view)
    )


def _allow_all(view: View) -> Iterator[Check]:
    """Nobody has to open the host to everybody: invites work without."""
    opened = [name for name, value in view.facts.variables.items() if name.endswith(_ALL) and value.lower() in _TRUE]
    opened += [name for name, ids in _lists(view) if "*" in ids]
    for name in _platforms(view):
        for key in ("dm_policy", "group_policy"):
            path, value = of_platform(view.facts.config.values, name, key)
            opened += [".".join(path)] if str(value).lower() == "open" else []
    if not opened:
        yield Check("allow-all", Status.PASS, "the host is not open to everybody")
        return
    summary = (
        f"the host lets in everybody who finds the bot ({', '.join(sorted(opened))}), also where {PEOPLE} does not load"
    )
    yield Check("allow-all", Status.WARN, summary, "take that out; people come in by invite without it")


def _admission(view: View) -> Iterator[Check]:
    """Who gets in, with every tool, if the plugin does not load one day."""
    strict = view.resolved.values["strict_admission"] is True
    owners = {account.partition(":")[2] for account in view.owners}
    named = [(name, ids - owners - {"*"}) for name, ids in _lists(view)]
    others = [f"{len(ids)} in {name}" for name, ids in named if ids]
    paired = [account for account in _paired(view.facts.home) if account not in view.owners]
    if strict:
        others += [f"{len(paired)} paired"] if paired else []
        if not others:
            yield Check("admission", Status.PASS, "strict: the host lets in nobody but the owner by itself")
            return
        summary = f"strict_admission is on, and the host lets in others than the owner by itself: {', '.join(others)}"
        hint = "take them off the lists; `hermes pairing revoke PLATFORM ID` for those who are paired"
        yield Check("admission", Status.WARN, summary, hint)
        return
    beside = f", and so are {', '.join(others)}" if others else ""
    summary = f"not strict: who is on the roster is paired with the host too{beside}"
    hint = f"where {PEOPLE} did not load, they would be let in with every tool; strict_admission: true prevents that"
    yield Check("admission", Status.PASS, summary, hint)


def _admins(view: View) -> Iterator[Check]:
    """The host's own commands are the owner's alone, whatever becomes of the plugin."""
    if not view.owners:
        yield Check("admin-lists", Status.SKIP, "without an owner there is nobody to put on the host's admin lists")
        return
    missing = [account for account in view.owners if not listed(view.facts.config.values, account)]
    if not missing:
        yield Check("admin-lists", Status.PASS, "the owner is on the host's admin lists")
        return
    platforms = sorted({account.partition(":")[0] for account in missing})
    only = "" if has_transport(view.facts) else "; in this Hermes they are all that guards its own /approve"
    summary = f"the host's admin lists for {', '.join(platforms)} do not name the owner{only}"
    yield Check("admin-lists", Status.WARN, summary, f"`herma setup --plugin {PEOPLE}` adds the owner's ids")


def _attachments(view: View) -> Iterator[Check]:
    if value_at(view.facts.config.values, ("gateway", "strict")):
        yield Check("attachments", Status.PASS, "gateway.strict is on: naming a file in a reply does not send it")
        return
    summary = "gateway.strict is off: a reply that names a file of this machine sends it to the chat"
    yield Check("attachments", Status.FAIL, summary, _SET_UP)


def _busy(view: View) -> Iterator[Check]:
    mode = str(value_at(view.facts.config.values, ("display", "busy_input_mode")) or "interrupt").lower()
    if mode == "queue":
        yield Check("busy", Status.PASS, "what arrives while somebody's turn runs waits for a turn of its own")
        return
    what = {"steer": "is mixed into that turn, which then has the lesser rights of the two"}.get(mode, "ends that turn")
    summary = f"display.busy_input_mode is {mode}: what arrives in a shared chat while somebody's turn runs {what}"
    yield Check("busy", Status.WARN, summary, _SET_UP.replace("sets it", "sets it to queue"))


def _transport(view: View) -> Iterator[Check]:
    """Where the host's own question about a dangerous command goes."""
    if not has_transport(view.facts):
        summary = (
            f"this Hermes has no approval transports: what {PEOPLE} lets run, the host asks about in the chat itself"
        )
        yield Check("transport", Status.SKIP, summary)
        return
    path = ("security", "approval")
    chosen = str(value_at(view.facts.config.values, (*path, "transport")) or "builtin").lower()
    fallback = str(value_at(view.facts.config.values, (*path, "transport_fallback")) or "").lower()
    if chosen != PEOPLE:
        summary = (
            f"security.approval.transport is {chosen}: the host asks about dangerous commands there, not the owner"
        )
        yield Check("transport", Status.WARN, summary, _SET_UP)
    elif fallback != "builtin":
        summary = "security.approval.transport_fallback is not builtin: your own dangerous commands are denied unasked"
        yield Check("transport", Status.WARN, summary, _SET_UP)
    else:
        yield Check("transport", Status.PASS, "what the host finds dangerous is put to an owner in private")


def _provider(view: View) -> Iterator[Check]:
    name = str(value_at(view.facts.config.values, ("memory", "provider")) or "").strip()
    if name.lower() in _BUILT_IN:
        yield Check("memory-provider", Status.PASS, "the host's own notes are the only ones, and they are withheld")
        return
    summary = f"the memory provider {name} is active: the host tells it what everybody says, not the owner alone"
    hint = "what it recalls is withheld from the others; switch it off, or let others use another profile"
    yield Check("memory-provider", Status.WARN, summary, hint)


def _usage(view: View) -> Iterator[Check]:
    if view.facts.series is not None and view.facts.series < (0, 22):
        summary = "this Hermes tells nobody what titles, summaries and reviews cost: budgets do not count them"
        yield Check("usage", Status.SKIP, summary)


DOORS: tuple[Callable[[View], Iterator[Check]], ...] = (
    _allow_all,
    _admission,
    _admins,
    _attachments,
    _busy,
    _transport,
    _provider,
    _usage,
)


def _platforms(view: View) -> list[str]:
    found = view.facts.config.values.get("platforms")
    return [str(name) for name in found] if isinstance(found, dict) else []


def _lists(view: View) -> list[tuple[str, frozenset[str]]]:
    """The host's own lists of who is let in, with what is in each."""
    named = [(name, ids_in(value)) for name, value in view.facts.variables.items() if name.endswith(_LIST)]
    for platform in _platforms(view):
        for key in ("allow_from", "group_allow_from"):
            path, value = of_platform(view.facts.config.values, platform, key)
            named.append((".".join(path), ids_in(value)))
    return named


def _paired(home: Path) -> list[str]:
    """The accounts that the host has paired, as its own files say."""
    found = []
    for path in sorted((home / "platforms" / "pairing").glob("*-approved.json")):
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(said, dict):
            platform = path.name.removesuffix("-approved.json")
            found += [f"{platform}:{sender}" for sender in said]
    return found
