"""The house inside one Hermes process: opened when first needed, shut when it cannot be, and one for all callbacks.

Where the house cannot be opened, only the machine's own terminal is served; everybody else is told why.
"""

import json
import logging
import os
import sys
from collections.abc import Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from herma.core.people import refusals
from herma.core.people.principal import NOBODY, OPERATOR, Standing
from herma.engine.guard import Guard
from herma.engine.people.turns import Call, Live, Turns
from herma.engine.people.verdict import Verdict
from herma.engine.people.where import Where
from herma.errors import StoreError
from herma.hosts.hermes.people.payload import call_of, text_of, tokens_of, word
from herma.hosts.hermes.people.session_env import Chat, chat

if TYPE_CHECKING:
    from herma.core.people.doors import Arrival
    from herma.engine.people.service import People
    from herma.hosts.hermes.people.arrivals import Arrivals
    from herma.hosts.hermes.people.commands import Speaker
    from herma.hosts.hermes.people.delivery import GatewayMail
    from herma.hosts.hermes.people.own_state import OwnState

__all__ = ["Household", "Outgoing", "Shut", "TurnNote"]

_log = logging.getLogger("herma")

_RETRY_MS = 5_000
_LOCAL, _SUBAGENT, _CRON = "cli", "subagent", "cron"


class Shut(Exception):  # noqa: N818 - reads as the sentence it is
    """The house cannot be opened; the message says why, in words for a person."""


class TurnNote(NamedTuple):
    """What a turn carries, or what its person is told instead."""

    context: str = ""
    refusal: str = ""


class Outgoing(NamedTuple):
    """What becomes of a request: answered in the model's place, sent rewritten, or (neither) sent as it is."""

    refusal: str = ""
    request: dict[str, Any] | None = None


class Household:
    """Thread-safe. One object for one home and profile, however often the plugin is loaded."""

    def __init__(self, home: str, profile: str, guard: Guard) -> None:
        self.home = home
        self.profile = profile
        self.turns = Turns()
        self._rooms: dict[str, Chat] = {}
        self._guard = guard
        self._lock = RLock()
        self._arrivals: Arrivals | None = None
        self._mail: GatewayMail | None = None
        self._people: People | None = None
        self._state: OwnState | None = None
        self._why = ""
        self._tried = 0

    # opening

    def people(self) -> "People":
        """The service. Raises Shut where the house cannot be opened; tried again after some seconds."""
        found = self._people
        if found is not None:
            return found
        with self._lock:
            if self._people is None:
                self._people = self._open()
            return self._people

    def _open(self) -> "People":
        from herma.hosts.hermes.people import opening  # noqa: PLC0415 - not when the host starts
        from herma.hosts.hermes.people.own_state import OwnState  # noqa: PLC0415 - the same
        from herma.hosts.hermes.people.rooms import HouseMail  # noqa: PLC0415 - the same
        from herma.hosts.hermes.people.ticker import Ticker  # noqa: PLC0415 - the same

        if self._why and opening.now() - self._tried < _RETRY_MS:
            raise Shut(self._why)
        try:
            mail = HouseMail(self.mail(), self._rooms)
            people = opening.open_people(self.home, self.profile, mail=mail, turns=self.turns)
        except Exception as error:
            self._why, self._tried = opening.reason_of(error), opening.now()
            raise Shut(self._why) from error
        people.prove()
        self._state = OwnState.at(opening.database(people.house.settings, self.home))
        self._why = ""
        if opening.surface() == "gateway":
            Ticker(people.watch.tick).start()
        return people

    # the door

    def mail(self) -> "GatewayMail":
        """The way through the gateway's adapters; known before the house is open."""
        from herma.hosts.hermes.people.delivery import GatewayMail  # noqa: PLC0415 - not when the host starts

        with self._lock:
            if self._mail is None:
                self._mail = GatewayMail()
            return self._mail

    def arrive(self, payload: Mapping[str, Any]) -> object:
        """A message at the gateway's door."""
        return self._door().pre_gateway_dispatch(**payload)

    def _door(self) -> "Arrivals":
        from herma.hosts.hermes.people.arrivals import Arrivals  # noqa: PLC0415 - not when the host starts

        with self._lock:
            if self._arrivals is None:
                self._arrivals = Arrivals(lambda: self.people().doors, self._many, self.mail(), self._guard)
            return self._arrivals

    def _many(self, arrival: "Arrival", raw: str) -> str:
        """The reply to `/many` at the door, which lets the host's own admission follow what it changes."""
        people = self.people()
        speaker = people.house.standing(arrival.platform, arrival.sender_id)
        return people.command(speaker, raw, Where(tools=_tools_of_host()))

    def typed(self, speaker: "Speaker", raw: str) -> str:
        """The reply to `/many` where the host itself carries the command out: at its own terminal."""
        from herma.engine.people.keys import Keys  # noqa: PLC0415 - only a command pays for it
        from herma.hosts.hermes.people.pairing import following  # noqa: PLC0415 - the same

        try:
            people = self.people()
        except Shut as shut:
            return refusals.no_store(str(shut))
        if speaker.kind == "sender":
            standing, where = people.house.standing(speaker.platform, speaker.sender_id), Where(tools=_tools_of_host())
        else:
            # A program that a model started can open a terminal too: below a host there is nobody at the keys.
            present = not Keys(sys.stdin, sys.stdout, os.urandom).below()
            standing = people.house.seat() if speaker.kind == "seat" else NOBODY
            where = Where(surface="terminal", person_present=present, tools=_tools_of_host())
        with following(people.doors.admitted, gateway=self.mail().gateway):
            return people.command(standing, raw, where)

    # turns

    def start(self, payload: Mapping[str, Any]) -> TurnNote:
        """A turn begins. Raises only what nobody expected; the caller then refuses the turn."""
        from herma.engine.people.starts import TurnStart  # noqa: PLC0415 - not when the host starts

        platform, sender = word(payload, "platform"), word(payload, "sender_id")
        place = chat() if platform not in (_LOCAL, _SUBAGENT, _CRON) else Chat()
        start = TurnStart(
            turn_id=word(payload, "turn_id"),
            session_id=word(payload, "session_id"),
            task_id=word(payload, "task_id"),
            platform=platform,
            sender_id=sender,
            text=text_of(payload.get("user_message")),
            parent_session_id=word(payload, "parent_session_id"),
            chat=place.key,
            alone=platform in (_LOCAL, _CRON) or place.is_of_one(sender),
            message_id=place.message_id,
            surface=platform,
            job=job_of(word(payload, "session_id")) if platform == _CRON else "",
            uid=f"uid:{os.getuid()}",
        )
        if place.key:
            self._remember(place)
            self._door().attach()
        try:
            people = self.people()
            begun = people.starts.begin(start)
            if not begun.refusal:
                begun.live.refusal = people.instead(begun.live, start)
                begun = begun._replace(refusal=begun.live.refusal)
            self._kept(begun.live)
        except (Shut, StoreError) as problem:
            return self._start_shut(start.turn_id, start.session_id, start.task_id, platform, sender, _why(problem))
        return TurnNote("" if begun.live.shared else begun.context, begun.refusal)

    def _start_shut(  # noqa: PLR0913, PLR0917 - the ids of one turn
        self, turn_id: str, session_id: str, task_id: str, platform: str, sender: str, why: str
    ) -> TurnNote:
        seat = platform == _LOCAL and sender in ("", f"uid:{os.getuid()}")
        live = Live(turn_id, session_id, OPERATOR if seat else NOBODY, platform=platform)
        live.refusal = "" if seat else refusals.no_store(why)
        self.turns.begin(live, task_id=task_id)
        self._kept(live)
        return TurnNote(refusal=live.refusal)

    def _kept(self, live: Live) -> None:
        """Raises where the turn is not in the table: whatever is done in it would be nobody's."""
        if self.turns.turn(live.turn_id) is not live:
            raise LookupError("a turn was not kept")

    def refuse_turn(self, payload: Mapping[str, Any]) -> TurnNote:
        """The start of a turn failed in a way nobody expected: it is nobody's, and refused unless it is the seat's."""
        return self._start_shut(
            word(payload, "turn_id"),
            word(payload, "session_id"),
            word(payload, "task_id"),
            word(payload, "platform"),
            word(payload, "sender_id"),
            "this turn could not be looked up.",
        )

    def _remember(self, place: Chat) -> None:
        self._rooms[place.key] = place
        while len(self._rooms) > 1_024:  # noqa: PLR2004 - chats whose answers may still be on their way
            self._rooms.pop(next(iter(self._rooms)))

    # calls

    def judge(self, call: Call, tool: str, args: object) -> Verdict:
        """Whether a tool call runs."""
        known = self.turns.turn(call.turn_id)
        if self._people is None and known is not None and known.standing.role == "blocked":
            return Verdict(allowed=False, message=refusals.refused(known.standing, tool))  # nothing has to be opened
        ours = False
        try:
            people = self.people()
            ours = self._state is not None and self._state.named_in(args, call.task_id) is not False
            return people.gate.judge(call, tool, args, own_state=ours)
        except (Shut, StoreError) as problem:
            live = self.turns.turn(call.turn_id)
            if live is not None and live.standing.kind == "seat" and not ours:
                _log.warning("manyhands: a call at this machine's own terminal has no row: %s", problem)
                return Verdict(allowed=True)
            return Verdict(allowed=False, message=refusals.no_store(_why(problem)))

    def ended(self, payload: Mapping[str, Any]) -> None:
        """A tool call has ended."""
        from herma.hosts.hermes.people.jobs import made_by  # noqa: PLC0415 - not when the host starts

        if self._people is None:
            return
        call, tool = call_of(payload), word(payload, "tool_name")
        self._people.gate.ended(call, tool, payload.get("args"), blocked=payload.get("status") == "blocked")
        job = made_by(tool, payload)
        if job:
            who = self._people.standing(call)
            with self._people.house.store.firm() as unit:
                unit.put_job(job, who.person_id or who.account or "nobody", self._people.house.now())

    def used(self, payload: Mapping[str, Any]) -> None:
        """A request to the model has ended."""
        tokens = tokens_of(payload.get("usage"))
        if tokens is not None and self._people is not None:
            self._people.used(call_of(payload), tokens)

    def child(self, payload: Mapping[str, Any]) -> None:
        """A subagent begins inside a turn."""
        session, turn = word(payload, "child_session_id"), word(payload, "parent_turn_id")
        if session:
            self.turns.child(session, turn)

    def over(self, payload: Mapping[str, Any]) -> None:
        """A session is over for good: `/new`, or its time. The end of the process is neither."""
        if payload.get("reason") in ("shutdown", None) and not payload.get("new_session_id"):
            return
        session = word(payload, "old_session_id") or word(payload, "session_id")
        if session and self._people is not None:
            self._people.starts.ended(session)

    def standing(self, call: Call) -> Standing:
        """Who a call acts as; nobody where the house is shut."""
        try:
            return self.people().standing(call)
        except Shut:
            return self.turns.find(call, NOBODY).standing

    def turn_of(self, call: Call) -> "tuple[Live, People | None]":
        """The turn of a call, and the service where the house is open."""
        try:
            people = self.people()
        except Shut as shut:
            live = self.turns.find(call, NOBODY)
            if live.standing.kind != "seat" and not live.refusal:
                live.refusal = refusals.no_store(str(shut))
            return live, None
        return people.live(call), people

    def listed(self, payload: Mapping[str, Any]) -> str | None:
        """A listing of tools, cut down to the person's; None leaves the host's as it is."""
        from herma.hosts.hermes.people.listing import only  # noqa: PLC0415 - not when the host starts

        live, people = self.turn_of(call_of(payload))
        if people is None or live.standing.is_owner or people.house.paused():
            return None
        return only(word(payload, "result"), lambda tool: people.gate.may_ever(live.standing, tool))

    def reply(self, payload: Mapping[str, Any]) -> str | None:
        """A reply without files that the host would deliver because it names them; None leaves it as it is."""
        from herma.core.people.request.attachments import hold_back_paths  # noqa: PLC0415 - the same

        text = word(payload, "response_text")
        live = self.turns.turn(word(payload, "turn_id")) or self.turns.running(word(payload, "session_id"))
        if live is not None and (live.standing.is_owner or live.platform in (_LOCAL, _SUBAGENT)):
            return None
        held = hold_back_paths(text)
        return held if held != text else None

    def answer_tool(self, name: str, args: Any, call: Call | None) -> str:
        """One of the six tools."""
        standing = self.standing(call) if call is not None else NOBODY
        return json.dumps(
            self.people().tool(name, args if isinstance(args, dict) else {}, standing), ensure_ascii=False
        )


def _tools_of_host() -> tuple[str, ...]:
    """The names of tools that the running host offers, those of plugins and MCP servers among them."""
    registry = getattr(sys.modules.get("tools.registry"), "registry", None)
    names = getattr(registry, "get_all_tool_names", None)
    return tuple(str(name) for name in names()) if names is not None else ()


def _why(problem: Exception) -> str:
    return f"{problem}. {problem.hint}." if isinstance(problem, StoreError) else str(problem)


def job_of(session_id: str) -> str:
    """The scheduled job in a session id of the host's, `cron_<job>_<date>_<time>`; empty for any other."""
    parts = session_id.split("_")
    return "_".join(parts[1:-2]) if len(parts) > 3 and parts[0] == "cron" else ""  # noqa: PLR2004
