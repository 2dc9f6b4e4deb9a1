"""The read-once plugin: two middlewares that wrap, hooks that watch, and the command `/read-once`.

It never changes a request to the model. It answers a repeated read with a note only where the earlier
result is proved to stand in the request that led to the call, and never before the host's gates.
"""

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from herma.app import Runtime, runtime
from herma.engine.guard import Feature, Guard, Kind
from herma.hosts.hermes import configuration
from herma.hosts.hermes.gates import Gates, ids_of, innermost
from herma.hosts.hermes.host import Context
from herma.hosts.hermes.sessions import SYSTEM, Sessions

if TYPE_CHECKING:
    from herma.hosts.hermes.repeats import Repeats

__all__ = ["PLUGIN", "register"]

PLUGIN = SYSTEM

_TOOL = "read_file"
_USAGE = "read-once: use /read-once status, /read-once stats, or /read-once refresh <path>."
# One for all: a host may load the plugin twice, and then the frames of one call lie around each other.
_gates = Gates()


class OnceContext(Context, Protocol):
    """The part of Hermes' plugin context that this plugin uses."""

    def register_middleware(self, kind: str, callback: object) -> object:
        """Register a middleware callback."""
        ...

    def register_command(self, name: str, handler: object, description: str = "", args_hint: str = "") -> object:
        """Register a slash command."""
        ...


def register(ctx: OnceContext) -> None:
    """Register with Hermes. Without READ_ONCE_ROOT and READ_ONCE_HITS all of it only watches."""
    home = configuration.home()
    shared = runtime(home, configuration.profile(home))
    plugin = ReadOnce(ctx, shared)
    for name, callback in Sessions(shared, Guard(shared.counters)).hooks():
        ctx.register_hook(name, callback)
    ctx.register_hook("pre_tool_call", plugin.pre_tool_call)
    ctx.register_middleware("llm_execution", plugin.llm_execution)
    ctx.register_middleware("tool_execution", plugin.tool_execution)
    ctx.register_command(
        PLUGIN, plugin.command, "What read-once did, or a fresh read", "status | stats | refresh <path>"
    )


class ReadOnce:
    """The callbacks of one profile."""

    def __init__(self, ctx: Context, shared: Runtime) -> None:
        self._ctx = ctx
        self._shared = shared
        self._guard = Guard(shared.counters)
        self._gates = _gates
        self._loaded: Repeats | None = None
        self._watch: Feature[None] = Feature(PLUGIN, Kind.ECONOMY, None)
        self._plan: Feature[Any] = Feature(PLUGIN, Kind.ECONOMY, None)

    def pre_tool_call(self, **payload: Any) -> None:
        """Only watches: the gate of this call is running."""
        if payload.get("tool_name") == _TOOL:
            self._guard.run(self._watch, partial(self._gates.passed, ids_of(payload)))

    def llm_execution(self, **payload: Any) -> object:
        """Looks into the request, sends it as it is, and returns the response as it is."""
        self._guard.run(self._watch, partial(self._look, payload))
        return payload["next_call"]()

    def tool_execution(self, **payload: Any) -> object:
        """The host's own result, or the note in its place."""
        next_call = payload["next_call"]
        if payload.get("tool_name") != _TOOL:
            return next_call()
        ids = ids_of(payload)
        gated = self._gates.enter(ids) if payload.get("tool_call_id") else False
        if gated is None:
            return next_call()
        try:
            plan = self._guard.run(self._plan, partial(self._before, payload, gated))
            if plan is None:
                return next_call()
            if isinstance(plan, str):
                return plan
            result = next_call()  # what it raises is the host's own, and passes
            stands: Feature[object] = Feature(PLUGIN, Kind.ECONOMY, result)
            return self._guard.run(stands, partial(self._repeats().after, plan, result))
        finally:
            self._gates.leave(ids)

    async def command(self, raw: str = "", **_payload: Any) -> str:
        """`/read-once`. What touches a file runs in a thread, for Hermes 0.19 calls this on its event loop."""
        verb, _, rest = raw.strip().partition(" ")
        path = rest.strip()
        if verb == "refresh" and path:
            import asyncio  # noqa: PLC0415 - loaded in every host that calls this, and in no other

            return await asyncio.to_thread(self._repeats().refresh, path)
        return self._repeats().report() if verb in ("", "status", "stats") else _USAGE

    def _look(self, payload: dict[str, Any]) -> None:
        # Middleware behind ours may send another request than the one we see.
        self._repeats().look(payload, final=innermost("llm_execution", self.llm_execution) is not False)

    def _before(self, payload: dict[str, Any], gated: bool) -> object:  # noqa: FBT001 - a partial's argument
        return self._repeats().before(payload, gated, innermost("tool_execution", self.tool_execution))

    def _repeats(self) -> "Repeats":
        if self._loaded is None:
            from herma.hosts.hermes.repeats import Repeats  # noqa: PLC0415 - not when the host starts

            self._loaded = Repeats(self._ctx, self._shared)
        return self._loaded
