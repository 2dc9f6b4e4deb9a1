"""The doors of a session that is busy.

While a turn runs, both hosts hand a message neither to `pre_gateway_dispatch` nor to a command of a plugin: it is
queued, steered into the running turn, or taken for an answer. The adapters have one seam there, the handler that the
gateway sets with `set_busy_session_handler`; ours stands before it and asks the same door. A second one stands before
`set_message_handler`, for `/stop` and `/new`: both hosts end the running turn after them even where a plugin dropped
the command, unless handling it fails.
"""

import logging
from collections.abc import Callable
from typing import Any, Protocol

from herma.hosts.hermes.people.situation import is_busy, key_of

__all__ = ["Judge", "attach", "keep_turn"]

_log = logging.getLogger("herma")
_ENDING = frozenset({"stop", "new", "reset"})
_KEPT = "_herma_keeps_turn"


class Judge(Protocol):
    """What is decided about a message that arrives while its session is busy."""

    def while_busy(self, gateway: Any, adapter: Any, event: Any, key: str) -> bool:
        """Whether the host goes on with it. Never raises."""
        ...

    def apart(self, adapter: Any, event: Any, key: str) -> bool:
        """Whether it has to get a turn of its own, since others have spoken in the running one."""
        ...


class Refused(Exception):  # noqa: N818 - what the host's log says of it
    """A command was not carried out, so the running turn goes on: the host logs this and leaves the turn alone."""


def keep_turn(event: Any) -> None:
    """This refused command must not end the turn that runs."""
    setattr(event, _KEPT, True)


def attach(gateway: Any, judge: Judge) -> None:
    """Stands before the handlers of every adapter of the gateway. Adapters come and go: call it at each message."""
    for adapter in _adapters(gateway):
        handler = getattr(adapter, "_busy_session_handler", None)
        if handler is not None and not isinstance(handler, _Busy):
            adapter.set_busy_session_handler(_Busy(gateway, adapter, judge, handler))
        handler = getattr(adapter, "_message_handler", None)
        if handler is not None and not isinstance(handler, _Message):
            adapter.set_message_handler(_Message(gateway, adapter, handler))


def attached(adapter: Any) -> bool:
    """Whether this adapter's busy messages come to our door."""
    return isinstance(getattr(adapter, "_busy_session_handler", None), _Busy)


class _Busy:
    """Answers True where the message is done with, as the host's own handler does."""

    def __init__(self, gateway: Any, adapter: Any, judge: Judge, inner: Callable[[Any, str], Any]) -> None:
        self._gateway = gateway
        self._adapter = adapter
        self._judge = judge
        self._inner = inner

    async def __call__(self, event: Any, session_key: str) -> bool:
        if getattr(event, "internal", False) is True:
            return bool(await self._inner(event, session_key))
        if not self._judge.while_busy(self._gateway, self._adapter, event, session_key):
            return True
        if self._judge.apart(self._adapter, event, session_key) and self._queued(event, session_key):
            return True
        return bool(await self._inner(event, session_key))

    def _queued(self, event: Any, session_key: str) -> bool:
        """Puts it behind the running turn. The host would merge it with others' words, or steer it into the turn."""
        allowed = getattr(self._gateway, "_is_user_authorized_for_source", None)  # 0.22
        allowed = allowed or getattr(self._gateway, "_is_user_authorized", None)
        queue = getattr(self._gateway, "_enqueue_fifo", None)
        if allowed is None or queue is None or getattr(self._gateway, "_draining", False):
            return False
        if not allowed(event.source):
            return True  # as the host's own handler: not a word
        depth, most = getattr(self._gateway, "_queue_depth", None), getattr(self._gateway, "_BUSY_QUEUE_MAX_PENDING", 0)
        if depth is not None and most and depth(session_key, adapter=self._adapter) >= most:
            _log.warning("manyhands: a message was not queued, for too many wait already")
            return True
        queue(session_key, event, self._adapter)
        return True


class _Message:
    """The gateway's own handling of a message, and its failure where a refused command would end a turn."""

    def __init__(self, gateway: Any, adapter: Any, inner: Callable[[Any], Any]) -> None:
        self._gateway = gateway
        self._adapter = adapter
        self._inner = inner

    async def __call__(self, event: Any) -> Any:
        answer = await self._inner(event)
        if self._would_end(event):
            raise Refused("a command was refused; the turn that it would have ended goes on")
        return answer

    def _would_end(self, event: Any) -> bool:
        refused = getattr(event, _KEPT, False) is True and _ends_turn(event)
        return refused and is_busy(self._adapter, key_of(self._gateway, self._adapter, event))


def _ends_turn(event: Any) -> bool:
    """Whether the host ends the running turn after this command, however it was answered."""
    command = event.get_command()
    try:
        from hermes_cli.commands import is_interrupt_then_dispatch  # noqa: PLC0415 - 0.22 has it, 0.19 a fixed list

        return bool(command) and bool(is_interrupt_then_dispatch(command))
    except ImportError:
        return command in _ENDING


def _adapters(gateway: Any) -> list[Any]:
    """Every connected adapter, those of the other profiles of one process too."""
    tables = [getattr(gateway, "adapters", None), *(getattr(gateway, "_profile_adapters", None) or {}).values()]
    return [adapter for table in tables for adapter in dict(table or {}).values() if adapter is not None]
