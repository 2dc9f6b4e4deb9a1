"""The approval transport `manyhands` of Hermes 0.22: what the host finds dangerous is put to an owner.

The host tells a transport what would run and not who asked. Just before, on the thread that asked, it announces the
request by its id and its turn: so the asker is known by that id, and an unknown id is a denial.
"""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from herma.core.people.digest import ask_digest, canonical
from herma.core.people.records import Approval, Entry
from herma.engine.people.asks import Question
from herma.engine.people.turns import Call, Live
from herma.hosts.hermes.people.household import Household
from herma.hosts.hermes.people.payload import call_of, word

if TYPE_CHECKING:
    from herma.engine.people.ports import Unit
    from herma.engine.people.service import People

__all__ = ["Theirs", "Transport"]

_log = logging.getLogger("herma")

_TOOL = "terminal"
_MOST = 64
_LOOK_AGAIN_S = 1.0
# Turns in which somebody is there to confirm what they themselves began.
_ATTENDED = ("person", "seat", "subagent", "nested")


class Theirs(Exception):  # noqa: N818 - reads as the sentence it is
    """The host has to ask by itself."""


class Request(Protocol):
    """The part of the host's request that is used here."""

    request_id: str
    command: str
    description: str
    timeout_seconds: float

    def respond(self, choice: str) -> object:
        """The host's answer object."""
        ...


class Transport:
    """Requests by their ids, each with the call that it interrupts."""

    def __init__(self, household: Household) -> None:
        self._household = household
        self._announced: dict[str, Call] = {}

    def announced(self, payload: Mapping[str, Any]) -> None:
        """The host is about to ask; this is the thread and the turn that it asks for."""
        request = word(payload, "request_id")
        if request:
            self._announced[request] = call_of(payload)
            while len(self._announced) > _MOST:
                self._announced.pop(next(iter(self._announced)))

    def present(self, request: Request) -> object:
        """Ask an owner and wait for the answer. Anything but an owner's yes is a no.

        An owner's own command is not put to that owner as an ask: raising gives it back to the host, which asks in
        its own way where the setting `transport_fallback: builtin` says so, and denies otherwise.
        """
        try:
            yes = self._granted(request)
        except Theirs:
            raise
        except Exception as error:  # noqa: BLE001 - raising would let the host ask in the chat of the asker
            _log.warning("manyhands: %s while an owner was asked; it counts as a no", type(error).__name__)
            yes = False
        return request.respond("once" if yes is True else "deny")

    def _granted(self, request: Request) -> bool:
        call = self._announced.pop(request.request_id, None)
        people = self._household.people()
        live = people.live(call) if call else None
        if call is None or live is None or live.standing.kind not in _ATTENDED:
            return False
        if live.standing.is_owner:
            raise Theirs("an owner's own command is confirmed by the host's own prompt")
        if live.standing.kind != "person" or live.standing.others:
            return False
        return self._asked(people, live, call, request)

    def _asked(self, people: "People", live: Live, call: Call, request: Request) -> bool:
        args = {"command": request.command, "why": request.description}
        roster = people.house.roster()
        asker = people.house.as_of(live.standing, roster)
        if asker.role == "blocked":
            return False
        digest = ask_digest(asker.person_id, _TOOL, args, live.conversation, f"transport:{request.request_id}")
        parked = people.asks.park(
            asker,
            Question(
                _TOOL,
                canonical(args),
                digest,
                live.conversation,
                live.session_id,
                live.turn_id,
                request.request_id,
            ),
            epoch=roster.epoch,
        )
        if parked.outcome != "parked" or parked.approval is None:
            return False
        with people.asks.decided:
            while True:
                now = people.house.now()
                with people.house.store.firm() as unit:
                    found = unit.approval(parked.approval.approval_id)
                    if found is None or found.status not in ("pending", "approved") or found.expires_at <= now:
                        return False
                    if found.status == "approved":
                        return _spent(unit, found, now, call)
                people.asks.decided.wait(_LOOK_AGAIN_S)


def _spent(unit: "Unit", given: Approval, now: int, call: Call) -> bool:
    """Spend a grant, with its row; whether there was one left."""
    spent = unit.spend(
        given.digest, person_id=given.person_id, conversation=given.conversation, now=now, call=call.tool_call_id
    )
    if spent is None:
        return False
    note = f"grant {spent.approval_id[:8]} spent on a command of the host's asking"
    unit.audit(Entry("tool", spent.person_id, spent.session_id, spent.turn_id, spent.tool, 1, 1, 1, 0, note))
    return True
