"""Who typed `/many`, where the host carries the command out itself.

In a gateway the door answers the command before the host looks for it; what is here serves the terminal, and a gateway
in which another plugin let the message pass. It is the only identity that is not handed over with the call.
"""

from collections.abc import Callable
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, NamedTuple

from herma.engine.guard import Feature, Guard, Kind
from herma.hosts.hermes.people.delivery import running_gateway

__all__ = ["NOBODY", "SPEAKER", "Command", "Speaker", "speaker"]

_BOUND = ("HERMES_SESSION_PLATFORM", "HERMES_SESSION_USER_ID")
_BROKEN = "manyhands: that did not work. `herma doctor` says what is wrong."


class Speaker(NamedTuple):
    """Who typed a command. `kind`: `sender` of a platform, `seat` (the host's own terminal) or `nobody`."""

    kind: str
    platform: str = ""
    sender_id: str = ""


NOBODY = Speaker("nobody")
# Set at the door, and read by a command handler in the same task or in a copy of its context.
SPEAKER: ContextVar[Speaker] = ContextVar("herma_speaker", default=NOBODY)


def speaker(source: object = None) -> Speaker:
    """Who typed the command that runs here: as the host hands over, as it or we bound for this message, or nobody."""
    if source is not None:
        platform = getattr(source, "platform", None)
        return _sender(getattr(platform, "value", platform), getattr(source, "user_id", None))
    if running_gateway() is None:  # where one lives, nobody sits at its terminal
        return Speaker("seat")
    at_door, bound = SPEAKER.get(), _bound()
    if at_door.kind == "nobody":
        return bound
    return at_door if bound in (NOBODY, at_door) else NOBODY


class Command:
    """The handler of `/many`. `answer` blocks, so it runs in a thread: 0.19 calls handlers on the gateway's loop."""

    def __init__(self, answer: Callable[[Speaker, str], str], guard: Guard) -> None:
        self._answer = answer
        self._guard = guard
        self._feature: Feature[str] = Feature("manyhands", Kind.PERMISSION, _BROKEN)

    async def __call__(self, raw_args: str = "", source: object = None, **_payload: Any) -> str:
        """The reply to `/many …`."""
        import asyncio  # noqa: PLC0415 - loaded in every host that calls this, and in no other

        who = self._guard.run(Feature("manyhands", Kind.PERMISSION, NOBODY), partial(speaker, source))
        return await asyncio.to_thread(self._guard.run, self._feature, partial(self._answer, who, str(raw_args or "")))


def _sender(platform: object, sender_id: object) -> Speaker:
    return Speaker("sender", str(platform), str(sender_id)) if platform and sender_id else NOBODY


def _bound() -> Speaker:
    """What 0.22 binds for a command. 0.19 binds nothing; the host's own reader would then answer for the process."""
    bound = {variable.name: value for variable, value in copy_context().items() if variable.name in _BOUND}
    platform, sender_id = (bound.get(name) for name in _BOUND)
    return _sender(platform, sender_id) if isinstance(platform, str) and isinstance(sender_id, str) else NOBODY
