"""Who asks for a past, in which chat, and what may be opened for it: from the turn of the call, and nothing else."""

from collections.abc import Callable
from typing import NamedTuple

from herma.core.people.principal import Standing
from herma.engine.people.past import Spans, is_direct, past
from herma.engine.people.service import People
from herma.engine.people.turns import Call, Live
from herma.hosts.hermes.people.household import Household
from herma.hosts.hermes.people.session_env import chat
from herma.stores.sessions.openings import Openings

__all__ = ["Asker", "asker"]

_NOBODY = "there is no person attached to this call, so nobody's past conversations are opened in it"
_MIXED = "the words of more than one person are in this turn, so nobody's past conversations are opened in it"
_NO_ROOM = "it cannot be told which room this is, and in a room only its own past may be searched"
_PRESENT = ("person", "seat", "subagent")
_LOCAL = "cli"


class Asker(NamedTuple):
    """The person of a call. `session_id` is the session that the answer goes into.

    `room` is the chat in whose history the answer stays for others too; None where there are no others.
    """

    person_id: str
    session_id: str
    room: str | None
    people: People

    def spans(self, host: Callable[[], Openings]) -> Spans:
        """What of the host's sessions this person may find from here."""
        return past(self.people.house.store, host, self.person_id, room=self.room)


def asker(household: Household, call: Call | None) -> Asker | str:
    """Who asks, or why nothing is opened, in words for the model."""
    # A call that no kept turn stands behind is nobody's, whatever the setting for such calls gives it.
    if call is None or household.turns.turn(call.turn_id) is None:
        return _NOBODY
    live, people = household.turn_of(call)
    if people is None:
        return live.refusal or _NOBODY
    problem = _problem(people.now(live.standing))
    if problem:
        return problem
    above = household.turns.parent(live.session_id) or live  # a subagent's answer goes to the turn it was begun in
    room = _room(people, above)
    return _NO_ROOM if room == "" else Asker(live.standing.person_id, above.session_id, room, people)


def _problem(standing: Standing) -> str:
    """Why this standing has no past to open; empty where it has one. Which roles may ask is for the policy to say."""
    if not standing.person_id or standing.kind not in _PRESENT or standing.role == "blocked":
        return _NOBODY
    return _MIXED if standing.others else ""


def _room(people: People, live: Live) -> str | None:
    """The chat whose history the answer will stay in for others too; None where there are no others, "" if unknown.

    Also a group in which everybody has a session of their own: the bot's answers there are read by all.
    """
    if live.platform == _LOCAL and not live.shared:
        return None
    here = chat().key or _kept(people, live)
    if here and not is_direct(here):
        return here
    return "" if live.shared else None


def _kept(people: People, live: Live) -> str:
    with people.house.store.routine() as unit:
        session = unit.session(live.session_id)
    return session.chat if session is not None else ""
