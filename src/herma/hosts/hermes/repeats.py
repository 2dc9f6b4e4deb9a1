"""What read-once does with a request, a call and a command. Imported at the first of them, not when a host starts."""

import os
import sys
from collections.abc import Mapping
from typing import Any

from herma.app import Runtime
from herma.core.reading.events import ToolFacts
from herma.core.reading.stats import Mode, report
from herma.core.visible import visible
from herma.engine.reads import Call, OnceSettings, Plan
from herma.hosts.hermes import backend, tracker
from herma.hosts.hermes.host import Context, HermesHost

__all__ = ["Repeats"]

_SYSTEM = "read-once"
_TOOL = "read_file"
_NOTICES = ("off", "quiet", "verbose")


class Repeats:
    """Translates between Hermes' payloads and the service of one profile. It is the host's side of the service too."""

    def __init__(self, ctx: Context, shared: Runtime) -> None:
        self._once = shared.once
        self._counters = shared.counters
        self._capabilities = shared.capabilities
        self._schemas = HermesHost(ctx, None, {})

    def look(self, payload: Mapping[str, Any], *, final: bool) -> None:
        """Looks for earlier results in a request. One that is not `final` may still be changed, and proves nothing."""
        if not final:
            self._once.count("requests behind another plugin")
            return
        self._once.saw(
            payload.get("session_id") or "",
            "" if _is_child(payload) else payload.get("task_id") or "",
            payload.get("api_request_id") or payload.get("turn_id") or "",
            payload.get("request"),
        )

    def before(self, payload: Mapping[str, Any], gated: bool, last: bool | None) -> Plan | str | None:  # noqa: FBT001
        """The note, or the plan for the read, or None. `gated`: its gate has run; `last`: nobody stands behind us."""
        if _SYSTEM not in self._capabilities:
            self._capabilities[_SYSTEM] = self._probed(gated=gated, shown=last is not None)
        arguments = payload.get("args")
        settings = _settings()
        call = Call(
            arguments if isinstance(arguments, dict) else {},
            payload.get("session_id") or "",
            payload.get("task_id") or "",
            payload.get("turn_id") or "",
            payload.get("api_request_id") or payload.get("turn_id") or "",
            payload.get("tool_call_id") or "",
            _is_child(payload),
            payload.get("backend") not in (None, "", "local"),
            gated and last is True,
        )
        return self._once.before(call, settings, self)

    def after(self, plan: Plan, result: object) -> object:
        """What the model gets."""
        return self._once.after(plan, result, self)

    def refresh(self, path: str) -> str:
        """Lets the next read of a file be fresh, and says so. Asks the file system where the file is."""
        ended = self._once.refresh(os.path.expanduser(path))  # noqa: PTH111 - a Path raises for an unknown user
        return f"read-once: next read of {_shown(path)} will be fresh (invalidated {ended} entries)."

    def report(self) -> str:
        """The report of `/read-once stats`."""
        settings, notice = _settings(), os.environ.get("READ_ONCE_NOTICE")
        mode = Mode(_shown(settings.root), settings.hits, notice if notice in _NOTICES else "off")
        return report(mode, self._once.stats(), self._counters.reasons(_SYSTEM))

    def facts(self) -> ToolFacts:
        """What the host's schema says about `read_file`."""
        return self._schemas.facts(_TOOL)

    def elsewhere(self) -> str | None:
        """Why a read may not be of a local file, or None."""
        return backend.elsewhere()

    def forget(self, task: str) -> bool:
        """Let the task's next reads return content."""
        return tracker.forget(task)

    def calm(self, task: str) -> bool:
        """Keep the host from refusing a repeated read."""
        return tracker.calm(task)

    def _probed(self, *, gated: bool, shown: bool) -> dict[str, object]:
        """What the running host showed at its first read."""
        return {
            "gate runs before middleware": gated,
            "order of middleware is shown": shown,
            "reads can be forgotten": tracker.available(),
            "terminal policy is shown": backend.shown(),
            "default limit": self.facts().default_limit,
        }


def _shown(path: str) -> str:
    """A path in an answer to a person.

    A gateway takes a path that stands bare in a text for a file to deliver to the chat, and whoever may type the
    command would be sent any file it can read. It leaves code alone, so there the path is marked as code.
    """
    text = visible(path)
    if not text or "gateway.run" not in sys.modules:
        return text
    return "`" + text.replace("`", "\\x60") + "`"


def _is_child(payload: Mapping[str, Any]) -> bool:
    return bool(payload.get("parent_session_id") or payload.get("parent_task_id"))


def _settings() -> OnceSettings:
    found = os.environ.get
    return OnceSettings(found("READ_ONCE_ROOT", ""), found("READ_ONCE_HITS") == "1")
