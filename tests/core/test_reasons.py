"""Every reason of read-summarizer is given by something, and nothing gives another."""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from tests.core.reading.fake_hermes import ON, TIGHT, FakeHermes, log

from herma.core.reading.events import Decision, NeedLines, ToolFacts, ToolResult
from herma.core.reading.summarizer import SummarySettings, decide
from herma.core.reasons import REASONS, of_system
from herma.core.settings import Layer, resolve
from herma.engine.counters import Counters
from herma.engine.reading import Decide, Pipeline, Shaper
from herma.hosts.hermes.read_summarizer import _decision

SYSTEM = "read-summarizer"
LOG = FakeHermes(log(6_000))
UNCHANGED = '{"status": "unchanged", "dedup": true, "content_returned": false}'


class Case(NamedTuple):
    """A read that gives `reason`: what the host showed, with which settings, and what it answers then."""

    reason: str
    event: ToolResult
    settings: SummarySettings = ON
    answer: Callable[[NeedLines], str | None] = LOG.answer
    decide: Decide | None = None


def _fails(*_: object, **__: object) -> Decision:
    raise ValueError


PLAIN = LOG.event()
CASES = (
    Case("disabled", PLAIN, SummarySettings()),
    Case("bad_setting", PLAIN, decide=_decision(resolve(SYSTEM, [Layer("read_summarizer", {"enabled": "yes"})]))),
    Case("other_tool", PLAIN._replace(tool="terminal")),
    Case("nested_call", PLAIN._replace(call_id="")),
    Case("not_text", PLAIN._replace(result=[{"type": "image_url"}])),
    Case("error_result", PLAIN._replace(result='{"error": "no"}')),
    Case("no_content", PLAIN._replace(result=UNCHANGED)),
    Case("own_range", LOG.event(offset=201)),
    Case("sent_whole", LOG.event(offset=0, limit=10_000)._replace(result=UNCHANGED)),
    Case("small", FakeHermes(log(3)).event()),
    Case("covers_page", PLAIN, ON._replace(threshold_bytes=100_000, head_lines=5_000)),
    Case("already_shortened", PLAIN._replace(result=LOG.settle().text)),
    Case("no_gain", FakeHermes(log(12, "x" * 90)).event(), TIGHT._replace(head_lines=6, tail_lines=5)),
    Case("failed", PLAIN, decide=_fails),
    Case("shortened", PLAIN),
    Case("shortened_wide", FakeHermes(log(60, "x" * 1_500)).event()),
    Case("shortened_page_end", PLAIN, answer=lambda _: None),
    Case("shortened_text", PLAIN._replace(tool="Read", result=log(9_000))),
    Case("cut_lines_named", FakeHermes(json.dumps([1] * 90_000)).event()),
)


class Host(NamedTuple):
    """The host of one case."""

    case: Case

    def facts(self, tool: str) -> ToolFacts:
        """As on 0.22."""
        return LOG.facts if tool == "read_file" else ToolFacts()

    def read_lines(self, path: object, wanted: NeedLines) -> str | None:
        """The case's own answer."""
        assert path == "/srv/files/a.txt"
        return self.case.answer(wanted)

    def shown_in_part(self, path: object) -> None:
        """It takes note."""
        assert path == "/srv/files/a.txt"


@pytest.mark.parametrize("case", CASES, ids=[case.reason for case in CASES])
def test_each_reason_is_given_and_counted_once_and_only_a_changing_one_changes(case: Case) -> None:
    def with_settings(
        event: ToolResult, facts: ToolFacts, *, asked: NeedLines | None, answers: Sequence[str | None]
    ) -> Decision:
        return decide(event, case.settings, facts, asked=asked, answers=answers)

    counters = Counters()
    pipeline = Pipeline(counters)
    pipeline.join(Shaper(SYSTEM, 50, case.decide or with_settings))
    text = pipeline.shape(case.event, Host(case))
    (reason,) = [reason for reason in of_system(SYSTEM) if reason.id == case.reason]
    assert counters.reasons(SYSTEM) == {case.reason: 1}
    assert (text is not None) == (reason.outcome == "changed")
    assert text != case.event.result


def test_no_reason_is_without_a_case() -> None:
    assert sorted(case.reason for case in CASES) == sorted(reason.id for reason in of_system(SYSTEM))


def test_every_reason_is_documented_once_and_in_a_known_kind() -> None:
    names = [(reason.system, reason.id) for reason in REASONS]
    assert len(set(names)) == len(names)
    for reason in REASONS:
        assert reason.outcome in {"passed", "changed", "failed"}
        assert reason.meaning.endswith(".")
        assert reason.id.isidentifier()


@pytest.mark.parametrize("system,reason", [(SYSTEM, "because"), (SYSTEM, ""), ("nobody", "small"), ("", "failed")])
def test_a_reason_outside_the_table_cannot_be_counted(system: str, reason: str) -> None:
    counters = Counters()
    with pytest.raises(KeyError, match="not in the table"):
        counters.count(system, reason)
    assert counters.reasons(system) == {}
