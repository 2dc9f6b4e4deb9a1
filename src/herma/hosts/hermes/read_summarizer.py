"""The read-summarizer plugin: one `transform_tool_result` hook, and nothing else.

It opens no file, writes nothing and sends nothing; what it cannot do it leaves as it was.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, cast

from herma.app import Runtime, runtime
from herma.core.reading.events import Decision, NeedLines, Pass, ToolFacts, ToolResult
from herma.core.reading.summarizer import SummarySettings, decide
from herma.core.settings import Resolved, resolve
from herma.engine.guard import Feature, Guard, Kind
from herma.engine.reading import Decide, Shaper
from herma.hosts.hermes import configuration
from herma.hosts.hermes.host import Context, HermesHost

__all__ = ["BLOCK", "PLUGIN", "register"]

PLUGIN = "read-summarizer"
BLOCK = "read_summarizer"

_RANK = 50
_log = logging.getLogger("herma")


def register(ctx: Context) -> None:
    """Register the hook with Hermes. Disabled, the hook is there and leaves every result alone."""
    home = configuration.home()
    shared = runtime(home, configuration.profile(home))
    resolved = resolve(PLUGIN, configuration.layers(configuration.loaded(), PLUGIN, BLOCK))
    for problem in resolved.problems:
        _log.warning("%s: %s; %s", PLUGIN, problem.message, problem.hint)
    shared.reading.join(Shaper(PLUGIN, _RANK, _decision(resolved)))
    ctx.register_hook("transform_tool_result", _hook(ctx, shared))


def _decision(resolved: Resolved) -> Decide:
    """The pure decision with the settings of this home bound to it."""
    if not resolved.usable:
        return _refuse_settings
    settings = SummarySettings(**cast("dict[str, Any]", resolved.values))

    def decision(
        event: ToolResult, facts: ToolFacts, *, asked: NeedLines | None, answers: Sequence[str | None]
    ) -> Decision:
        return decide(event, settings, facts, asked=asked, answers=answers)

    return decision


def _refuse_settings(
    event: ToolResult,  # noqa: ARG001 - the signature is the pipeline's
    facts: ToolFacts,  # noqa: ARG001
    *,
    asked: NeedLines | None,  # noqa: ARG001
    answers: Sequence[str | None],  # noqa: ARG001
) -> Decision:
    return Pass("bad_setting")


def _hook(ctx: Context, shared: Runtime) -> object:
    feature: Feature[str | None] = Feature(PLUGIN, Kind.ECONOMY, None)
    guard = Guard(shared.counters)
    facts_seen: dict[str, ToolFacts] = {}

    def transform_tool_result(**payload: object) -> str | None:
        """The text that the model gets in the place of the result, or None."""

        def step() -> str | None:
            host = HermesHost(ctx, payload.get("task_id"), facts_seen)
            return shared.reading.shape(_event(payload), host)

        return guard.run(feature, step)

    return transform_tool_result


def _event(payload: Mapping[str, object]) -> ToolResult:
    arguments = payload.get("args")
    return ToolResult(
        str(payload.get("tool_name") or ""),
        arguments if isinstance(arguments, Mapping) else {},
        payload.get("result"),
        str(payload.get("tool_call_id") or ""),
        failed=payload.get("status", "ok") != "ok",
    )
