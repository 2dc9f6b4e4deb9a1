"""Proof, call by call, that answering in the host's place skips nobody.

Hermes 0.19 runs `pre_tool_call` and its approvals before `tool_execution` middleware, 0.22 inside of it. So
a hook that only watches remembers the calls whose gate has run. Other plugins' middleware may stand behind
ours, closer to the tool; it does not where ours is the last of its kind.
"""

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TypeAlias

__all__ = ["Gates", "Ids", "ids_of", "innermost"]

Ids: TypeAlias = tuple[object, object, object, object]

_MOST_CALLS = 1_024


def ids_of(payload: Mapping[str, object]) -> Ids:
    """What tells one call from another: a model may use the id of a call again in a later message."""
    return (
        payload.get("session_id"),
        payload.get("turn_id"),
        payload.get("api_request_id"),
        payload.get("tool_call_id"),
    )


class Gates:
    """The calls whose gate has run, and those that are running.

    Thread-safe without a lock: every step is one operation of a dict, which the interpreter does not divide.
    """

    def __init__(self) -> None:
        self._passed: dict[Ids, None] = {}
        self._running: dict[Ids, object] = {}

    def passed(self, call: Ids) -> None:
        """The gate of this call is running now; the call itself comes only if it lets it through."""
        self._passed[call] = None
        if len(self._passed) > _MOST_CALLS:
            with suppress(StopIteration, RuntimeError):  # another thread was faster
                self._passed.pop(next(iter(self._passed)), None)

    def enter(self, call: Ids) -> bool | None:
        """Begin a call: whether its gate has run, or None when it has begun already (0.19 nests the frames)."""
        frame = object()
        if self._running.setdefault(call, frame) is not frame:
            return None
        return call in self._passed

    def leave(self, call: Ids) -> None:
        """End a call that was begun."""
        self._running.pop(call, None)
        self._passed.pop(call, None)


def innermost(kind: str, callback: object) -> bool | None:
    """Whether no other plugin's middleware of this kind stands behind `callback`; None where the host hides it."""
    try:
        callbacks = sys.modules["hermes_cli.plugins"].get_plugin_manager()._middleware.get(kind)  # noqa: SLF001
    except (KeyError, AttributeError):
        return None
    return bool(callbacks) and callbacks[-1] == callback
