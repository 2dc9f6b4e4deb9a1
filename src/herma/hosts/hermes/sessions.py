"""The hooks that tell read-once which conversations end and which are a subagent's. They only watch.

A hook without a session id speaks of every session. `post_compaction` and `on_session_delete` exist from
Hermes 0.23 on, which could not be run here; they are registered where the host knows their names.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from herma.app import Runtime
from herma.engine.guard import Feature, Guard, Kind

if TYPE_CHECKING:
    from herma.engine.once import Once

__all__ = ["SYSTEM", "Sessions"]

SYSTEM = "read-once"

_ENDING = ("on_session_reset", "on_session_finalize")
_ENDING_LATER = ("post_compaction", "on_session_delete")
_IDS = ("session_id", "old_session_id")


class Sessions:
    """The callbacks of one profile."""

    def __init__(self, shared: Runtime, guard: Guard) -> None:
        self._shared = shared
        self._guard = guard
        self._watch: Feature[None] = Feature(SYSTEM, Kind.ECONOMY, None)

    @property
    def _once(self) -> "Once":
        return self._shared.once

    def hooks(self) -> Iterator[tuple[str, Callable[..., None]]]:
        """Each hook's name with its callback, as far as the running host knows the name."""
        valid = getattr(sys.modules.get("hermes_cli.plugins"), "VALID_HOOKS", ())
        for name in (*_ENDING, *(name for name in _ENDING_LATER if name in valid)):
            yield name, self.ended
        yield "on_session_end", self.turn_ended
        yield "post_tool_call", self.call_ended
        yield "subagent_start", self.child_starts
        yield "pre_llm_call", self.turn_starts

    def ended(self, **payload: Any) -> None:
        """The sessions that the payload names have ended, or all where it names none or names them in no known way."""
        self._guard.run(self._watch, lambda: self._once.end(_sessions(payload)))

    def turn_ended(self, **_payload: Any) -> None:
        """Hermes' `on_session_end` comes after every turn: it is counted, and ends nothing."""
        self._guard.run(self._watch, lambda: self._once.count("turns"))

    def call_ended(self, **_payload: Any) -> None:
        """A tool call has ended: it is counted, and ends nothing."""
        self._guard.run(self._watch, lambda: self._once.count("tool calls"))

    def child_starts(self, **payload: Any) -> None:
        """A subagent begins; this comes before the first request of it."""
        self._guard.run(self._watch, lambda: self._child(payload.get("child_session_id")))

    def turn_starts(self, **payload: Any) -> None:
        """A turn begins; Hermes 0.22 names the parent of a subagent's session."""
        if payload.get("parent_session_id"):
            self._guard.run(self._watch, lambda: self._child(payload.get("session_id")))

    def _child(self, session: object) -> None:
        if isinstance(session, str) and session:
            self._once.is_child(session)


def _sessions(payload: Mapping[str, Any]) -> list[str] | None:
    """The session ids in a payload; None for all of them."""
    deleted = payload.get("deleted_ids")
    if deleted is not None and not isinstance(deleted, (list, tuple, set, frozenset)):
        return None
    ids = [*(payload.get(name) for name in _IDS if payload.get(name)), *(deleted or ())]
    return ids if ids and all(isinstance(each, str) and each for each in ids) else None
