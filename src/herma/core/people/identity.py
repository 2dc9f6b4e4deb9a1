"""Whose turn it is, from what the platform attests and from nothing else.

The text of a message is read once, and only ever to lower authority: a marker that a host puts before a turn of
its own makes a turn in a shared session act for everybody in it, and nobody gains by typing it.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from herma.core.people.principal import Standing

__all__ = ["Evidence", "Origin", "identify", "meet"]

# What both hosts put before a turn that nobody typed: the end of a background process, or of a delegated task.
_COMPLETION = re.compile(r"^(\[[^\]\n]{0,80}\] )?\[(ASYNC DELEGATION|IMPORTANT: Background|INTERNAL NOTIFICATION)")

_LOCAL = "cli"
_SUBAGENT = "subagent"
_CRON = "cron"


class Origin(NamedTuple):
    """What the host says at the start of a turn. `uid` is this process's own, as the host would attest it."""

    platform: str
    sender_id: str
    session_id: str
    text: str = ""
    uid: str = ""
    is_child: bool = False


class Evidence(NamedTuple):
    """What is known of those who may stand behind a turn; None or empty where nothing is known."""

    sender: Standing
    seat: Standing
    parent: Standing | None = None
    creator: Standing | None = None
    speakers: Sequence[Standing] = ()
    unknown: Standing = Standing("", "guest", "unknown")


def identify(origin: Origin, evidence: Evidence) -> Standing:
    """Who the turn acts as. Total: without evidence it is nobody, as the setting for unknown sessions says."""
    if origin.is_child or origin.platform == _SUBAGENT:
        return _as(evidence.parent, "subagent", evidence)
    if origin.platform == _CRON:
        return _as(evidence.creator, "cron", evidence)
    if origin.platform == _LOCAL and origin.sender_id in ("", origin.uid):
        return _seated(origin, evidence)
    if not origin.sender_id:
        return machine(evidence)
    completes = bool(evidence.speakers) and _COMPLETION.match(origin.text)
    return meet(evidence.sender, evidence.speakers) if completes else evidence.sender


def _as(standing: Standing | None, kind: str, evidence: Evidence) -> Standing:
    return standing._replace(kind=kind) if standing else evidence.unknown


def _seated(origin: Origin, evidence: Evidence) -> Standing:
    """The host's own terminal: the operator, or whoever its account is on the roster where it has to join."""
    if evidence.seat.kind == "seat":
        return evidence.seat
    return evidence.sender if origin.sender_id else evidence.unknown


def machine(evidence: Evidence) -> Standing:
    """A turn that the host began by itself in a session: it may do what everybody who spoke there may."""
    if not evidence.speakers:
        return evidence.unknown
    first, *rest = evidence.speakers
    return meet(first, rest)._replace(kind="machine")


def meet(standing: Standing, others: Sequence[Standing]) -> Standing:
    """`standing` with other people's words in its turn; each of them counts once and itself not at all."""
    known = {(other.person_id, other.account): other for other in (*standing.others, *others)}
    known.pop((standing.person_id, standing.account), None)
    return standing._replace(others=tuple(known.values()))
