"""The reading pipeline: every shaper that has joined gets a finished read, in a fixed order."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from herma.core.reading.events import Decision, NeedLines, Pass, Replace, ToolFacts, ToolResult
from herma.engine.counters import Counters, Outcome
from herma.engine.guard import Feature, Guard, Kind

__all__ = ["Decide", "Host", "Pipeline", "Shaper"]

_log = logging.getLogger("herma")

_MOST_QUESTIONS = 8


class Host(Protocol):
    """What a shaper may ask of the host it runs in."""

    def facts(self, tool: str) -> ToolFacts:
        """What the host's schema says about `tool`."""
        ...

    def read_lines(self, path: object, wanted: NeedLines) -> str | None:
        """The host's own answer to a read of these lines, or None where it cannot be asked."""
        ...

    def shown_in_part(self, path: object) -> None:
        """Let the host know that the model has seen only a part of what it returned of this file."""
        ...


class Decide(Protocol):
    """A shaper's pure decision."""

    def __call__(
        self, event: ToolResult, facts: ToolFacts, *, asked: NeedLines | None, answers: Sequence[str | None]
    ) -> Decision:
        """What becomes of a finished read, given its latest request for lines and the answers to all of them."""
        ...


class Shaper(NamedTuple):
    """One member of the pipeline. `rank` orders members; a lower one sees the result first."""

    system: str
    rank: int
    decide: Decide


class Pipeline:
    """Shapes results. Joining again under the same name replaces: hosts may discover plugins twice."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._guard = Guard(counters)
        self._shapers: dict[str, Shaper] = {}

    def join(self, shaper: Shaper) -> None:
        """Add a shaper, or replace the one of the same system."""
        self._shapers[shaper.system] = shaper

    def shape(self, event: ToolResult, host: Host) -> str | None:
        """The text that replaces the result, or None to leave it bit for bit. Never raises."""
        text: str | None = None
        for shaper in sorted(self._shapers.values(), key=lambda member: member.rank):
            feature: Feature[str | None] = Feature(shaper.system, Kind.ECONOMY, None)
            step: Callable[[], str | None] = partial(self._apply, shaper, event, host)
            replaced = self._guard.run(feature, step)
            if replaced is not None:
                text = replaced
                event = event._replace(result=replaced)
        return text

    def _apply(self, shaper: Shaper, event: ToolResult, host: Host) -> str | None:
        decision = self._settle(shaper, event, host)
        text = decision.text if isinstance(decision, Replace) else None
        if isinstance(decision, Replace) and decision.in_part:
            told: Feature[None] = Feature(shaper.system, Kind.ECONOMY, None)
            self._guard.run(told, partial(host.shown_in_part, event.arguments.get("path")))
        before = len(event.result) if isinstance(event.result, str) else 0
        after = before if text is None else len(text)
        self._counters.record(Outcome(shaper.system, decision.reason, event.tool, event.call_id, before, after))
        if text is not None:
            _log.debug("%s: %s %s, %d -> %d characters", shaper.system, event.tool, decision.reason, before, after)
        return text

    def _settle(self, shaper: Shaper, event: ToolResult, host: Host) -> Pass | Replace:
        """Ask until there is a decision. The core bounds how often it asks; a shaper that does not is at fault."""
        unanswered: Feature[str | None] = Feature(shaper.system, Kind.ECONOMY, None)
        facts = host.facts(event.tool)
        path = event.arguments.get("path")
        asked: NeedLines | None = None
        answers: list[str | None] = []
        for _ in range(_MOST_QUESTIONS):
            decision = shaper.decide(event, facts, asked=asked, answers=answers)
            if not isinstance(decision, NeedLines):
                return decision
            asked = decision
            answers.append(self._guard.run(unanswered, partial(host.read_lines, path, decision)))
        raise RuntimeError("a shaper asked for lines without end")
