"""Messages at the gateway's door: the host's event goes in, the host's `skip` or nothing comes out.

The hook runs on the gateway's event loop, before the host's own admission. A door that fails is shut. What is let
through is left to the host as it is, so that other plugins' words still count; what has to be changed in it is changed
in the event itself, for an answer would silence those that come later.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from herma.core.people.doors import Arrival, Door
from herma.core.people.request import neutralise
from herma.engine.guard import Feature, Guard, Kind
from herma.engine.people.doors import Doors
from herma.hosts.hermes.people import busy, pairing
from herma.hosts.hermes.people.commands import NOBODY, SPEAKER, Speaker
from herma.hosts.hermes.people.delivery import GatewayMail, running_gateway
from herma.hosts.hermes.people.situation import Spoken, account_at, arrival_of, is_busy, key_of, platform_of

__all__ = ["Arrivals"]

_SHUT = "I cannot look up who may talk to me right now, so this was not taken in. Tell whoever runs this bot."
_NOT_PAIRED = "The chat program did not let you in, though: tell whoever runs this bot."
_BROKEN = "That did not work, and nothing was changed that is not said here. Try again, or ask whoever runs this bot."
_FAILED = "failed"
_SHUT_AGAIN_S = 600.0
_MOST = 1_024
_QUOTED = ("reply_to_text", "channel_context")
_SKIP = {"action": "skip", "reason": "herma"}

_log = logging.getLogger("herma")


class Arrivals:
    """The door of one profile's gateway.

    `doors` gives the doors of the open house and may raise; `many` answers `/many` for a sender and blocks, so it runs
    in a thread; `serves` says whether a session, by the host's key, is one of this profile.
    """

    def __init__(
        self,
        doors: Callable[[], Doors],
        many: Callable[[Arrival, str], str],
        mail: GatewayMail,
        guard: Guard,
        serves: Callable[[str], bool] = lambda _key: True,
    ) -> None:
        self._doors = doors
        self._many = many
        self._mail = mail
        self._guard = guard
        self._serves = serves
        self._spoken = Spoken()
        self._sending: set[asyncio.Task[None]] = set()
        self._shut_at: dict[str, float] = {}
        self._door: Feature[Door] = Feature("manyhands", Kind.PERMISSION, Door("drop", _SHUT, reason=_FAILED))
        self._hook: Feature[dict[str, str] | None] = Feature("manyhands", Kind.PERMISSION, _SKIP)
        self._busy: Feature[bool] = Feature("manyhands", Kind.PERMISSION, False)  # noqa: FBT003 - the answer
        self._watch: Feature[None] = Feature("manyhands", Kind.PERMISSION, None)
        self._answer: Feature[str] = Feature("manyhands", Kind.PERMISSION, _BROKEN)
        self._apart: Feature[bool] = Feature("manyhands", Kind.PERMISSION, True)  # noqa: FBT003 - the answer

    def pre_gateway_dispatch(self, **payload: Any) -> dict[str, str] | None:
        """The host's hook. None lets the message go on; a failure drops it."""
        return self._guard.run(self._hook, partial(self._dispatched, payload))

    def attach(self) -> None:
        """Knows the gateway from a turn that no message began, as after a restart. May be called on any thread."""
        gateway = running_gateway()
        loop = getattr(gateway, "_gateway_loop", None)
        if loop is not None and self._mail.gateway is not gateway:
            self._mail.hold(gateway, loop)
            loop.call_soon_threadsafe(self._guard.run, self._watch, partial(busy.attach, gateway, self))

    def while_busy(self, gateway: Any, adapter: Any, event: Any, key: str) -> bool:
        """Whether the host goes on with a message that arrived while its session is busy."""
        return self._guard.run(self._busy, partial(self._heard, gateway, adapter, event, key, busy_now=True))

    def apart(self, adapter: Any, event: Any, key: str) -> bool:
        """Whether others have spoken in the running turn, so that this message needs one of its own."""
        if getattr(event.source, "chat_type", None) == "dm":
            return False
        return self._guard.run(self._apart, lambda: not self._spoken.only(adapter, key, account_at(event)))

    def _dispatched(self, payload: dict[str, Any]) -> dict[str, str] | None:
        SPEAKER.set(NOBODY)  # a task inherits what was set where it was made
        gateway, event = payload["gateway"], payload["event"]
        self._mail.hold(gateway, asyncio.get_running_loop())
        busy.attach(gateway, self)
        adapter = _adapter(gateway, event.source)
        key = key_of(gateway, adapter, event)
        if not self._serves(key):
            return None
        running = is_busy(adapter, key)
        return None if self._heard(gateway, adapter, event, key, busy_now=running) else _SKIP

    def _heard(self, gateway: Any, adapter: Any, event: Any, key: str, *, busy_now: bool) -> bool:
        """Judges one message and does what follows; whether it goes on."""
        if not self._serves(key):
            return True
        source, account = event.source, account_at(event)
        direct = getattr(source, "chat_type", None) == "dm"
        self._mail.heard(platform_of(source), str(source.chat_id or ""), account, direct=direct)
        own = direct or self._spoken.only(adapter, key, account) if busy_now else True
        arrival = arrival_of(gateway, event, key, busy=busy_now, own=own)
        SPEAKER.set(Speaker("sender", arrival.platform, arrival.sender_id))
        decided = self._guard.run(self._door, lambda: self._doors().arrive(arrival))
        goes_on = self._apply(decided, gateway, adapter, event, arrival)
        if not goes_on:
            busy.keep_turn(event)
        elif not busy_now:
            self._spoken.began(key, account)
        elif not arrival.command:
            self._spoken.joined(adapter, key, account)
        return goes_on

    def _apply(self, decided: Door, gateway: Any, adapter: Any, event: Any, arrival: Arrival) -> bool:
        if decided.admit:
            event.source.role_authorized = True
        reply = decided.reply
        if decided.enrol:
            why = pairing.admit(arrival.platform, arrival.sender_id, arrival.name, gateway=gateway, source=event.source)
            if why:
                _log.warning("manyhands: a sender could not be paired: %s", why)
                reply = f"{reply} {_NOT_PAIRED}"
        if decided.many is not None:
            self._later(self._command(gateway, adapter, event, arrival, decided.many))
        elif reply and (decided.reason != _FAILED or self._may_say_shut(arrival)):
            self._later(_say(gateway, adapter, event, reply))
        if decided.warning:
            self._later(asyncio.to_thread(self._doors().warn, decided.warning))
        if decided.literal:
            _take_literally(event)
        if decided.action == "rewrite":
            event.text = decided.text
        return decided.action in ("pass", "rewrite")

    async def _command(self, gateway: Any, adapter: Any, event: Any, arrival: Arrival, raw: str) -> None:
        answering = partial(self._answered, gateway, arrival, raw)
        reply = await asyncio.to_thread(self._guard.run, self._answer, answering)
        if reply:
            await _say(gateway, adapter, event, reply)

    def _answered(self, gateway: Any, arrival: Arrival, raw: str) -> str:
        with pairing.following(lambda: self._doors().admitted(), gateway=gateway):
            return self._many(arrival, raw)

    def _later(self, step: Coroutine[Any, Any, None]) -> None:
        """Runs a step after the hook, which may not wait. The loop keeps no task alive by itself."""
        task = asyncio.get_running_loop().create_task(step)
        self._sending.add(task)
        task.add_done_callback(self._said)

    def _said(self, task: "asyncio.Task[None]") -> None:
        self._sending.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.warning("manyhands: %s while answering at the door", type(error).__name__)

    def _may_say_shut(self, arrival: Arrival) -> bool:
        """Said in direct chats, once in a while: while the house is shut nothing else counts who was told what."""
        now, key = asyncio.get_running_loop().time(), f"{arrival.platform}:{arrival.chat}"
        if arrival.chat_kind != "dm" or now < self._shut_at.get(key, now):
            return False
        self._shut_at[key] = now + _SHUT_AGAIN_S
        while len(self._shut_at) > _MOST:
            self._shut_at.pop(next(iter(self._shut_at)))
        return True


def _adapter(gateway: Any, source: Any) -> Any:
    """The adapter that a message came through."""
    find = getattr(gateway, "_delivery_adapter_for", None) or getattr(gateway, "_adapter_for_source", None)
    found = find(source) if find is not None else None
    return found if found is not None else (getattr(gateway, "adapters", None) or {}).get(source.platform)


async def _say(gateway: Any, adapter: Any, event: Any, text: str) -> None:
    """Answers in the chat that a message came from, as a plain text."""
    source = event.source
    in_thread = getattr(gateway, "_thread_metadata_for_source", None)
    metadata = in_thread(source, event.message_id) if in_thread is not None and source.thread_id else None
    await adapter.send(source.chat_id, text, reply_to=event.message_id, metadata=metadata)


def _take_literally(event: Any) -> None:
    """What the host puts around a text before it looks for references: the sender's name, a quote, the room's past."""
    for name in _QUOTED:
        value = getattr(event, name, None)
        if isinstance(value, str) and value:
            setattr(event, name, neutralise(value))
    named = getattr(event.source, "user_name", None)
    if isinstance(named, str) and named:
        event.source.user_name = neutralise(named)
