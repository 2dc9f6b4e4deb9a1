"""The pipeline: who sees a result when, what is asked of the host, and what a failure leaves behind."""

import logging
from collections.abc import Callable, Sequence
from threading import Barrier, Thread
from typing import NamedTuple

import pytest
from tests.core.reading.fake_hermes import ON, FakeHermes, log, numbered, shortened

from herma.core.reading.events import Decision, NeedLines, Pass, Replace, ToolFacts, ToolResult
from herma.core.reading.summarizer import decide
from herma.core.reasons import REASONS
from herma.engine.counters import Counters
from herma.engine.reading import Decide, Pipeline, Shaper

SYSTEM = "read-summarizer"
WORDS = "hunter2 from line 7 of the file"
LOG = FakeHermes(log(6_000, WORDS), "0.19.0")
EVENT = LOG.event()


class Host(NamedTuple):
    """A host that reads the log; `read`, `know` and `note` stand for what may fail."""

    read: Callable[[NeedLines], str | None] = LOG.answer
    know: Callable[[], ToolFacts] = lambda: LOG.facts
    note: Callable[[object], object] = id

    def facts(self, tool: str) -> ToolFacts:
        """What the schema says."""
        assert tool == "read_file"
        return self.know()

    def read_lines(self, path: object, wanted: NeedLines) -> str | None:
        """The lines of the log."""
        assert path == EVENT.arguments["path"]
        return self.read(wanted)

    def shown_in_part(self, path: object) -> None:
        """Take note, or fail."""
        self.note(path)


def _summarizer(
    event: ToolResult, facts: ToolFacts, *, asked: NeedLines | None, answers: Sequence[str | None]
) -> Decision:
    return decide(event, ON, facts, asked=asked, answers=answers)


def _always(decision: Decision) -> Decide:
    return lambda *_, **__: decision


def _fails(*_: object, **__: object) -> Decision:
    raise ValueError(WORDS)


def _pipeline(*shapers: Shaper) -> tuple[Pipeline, Counters]:
    counters = Counters()
    pipeline = Pipeline(counters)
    for shaper in shapers:
        pipeline.join(shaper)
    return pipeline, counters


def test_a_long_log_is_shortened_with_the_end_that_the_host_was_asked_for() -> None:
    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _summarizer))
    text = pipeline.shape(EVENT, Host())
    assert text is not None
    assert shortened(text).tail == numbered(LOG.lines[-50:], 5_951)
    assert counters.reasons(SYSTEM) == {"shortened": 1}
    (outcome,) = counters.latest()
    assert outcome == (SYSTEM, "shortened", "read_file", "call_1", len(str(EVENT.result)), len(text))


@pytest.mark.parametrize(
    "decision,told",
    [
        (Pass("small"), []),
        (Replace("sent_whole", "text"), []),
        (Replace("shortened", "text", in_part=True), ["/srv/files/a.txt"]),
    ],
)
def test_the_host_is_told_when_the_model_sees_less_than_it_returned(decision: Decision, told: list[object]) -> None:
    noted: list[object] = []
    _pipeline(Shaper(SYSTEM, 50, _always(decision)))[0].shape(EVENT, Host(note=noted.append))
    assert noted == told


def test_a_host_that_cannot_be_told_gets_the_shortened_result_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _summarizer))
    assert pipeline.shape(EVENT, Host(note=_raise)) == pipeline.shape(EVENT, Host())
    assert counters.reasons(SYSTEM) == {"failed": 1, "shortened": 2}
    assert "hunter2" not in caplog.text


def test_an_empty_pipeline_and_a_shaper_that_passes_leave_the_result() -> None:
    assert _pipeline()[0].shape(EVENT, Host()) is None
    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _always(Pass("small"))))
    assert pipeline.shape(EVENT, Host()) is None
    (outcome,) = counters.latest()
    assert outcome.before == outcome.after == len(str(EVENT.result))


def test_a_result_that_is_no_text_has_no_size_and_passes() -> None:
    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _summarizer))
    assert pipeline.shape(EVENT._replace(result=[{"type": "image_url"}]), Host()) is None
    (outcome,) = counters.latest()
    assert (outcome.reason, outcome.before, outcome.after) == ("not_text", 0, 0)


def _raise(*_: object) -> str:
    raise OSError(WORDS)


def test_a_host_that_cannot_be_asked_still_gives_the_end_of_the_page(caplog: pytest.LogCaptureFixture) -> None:
    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _summarizer))
    with caplog.at_level(logging.DEBUG):
        text = pipeline.shape(EVENT, Host(read=_raise))
    assert text is not None
    parts = shortened(text)
    assert parts.tail == numbered(LOG.lines[450:500], 451)
    assert "not the end of the file" in parts.note
    assert counters.reasons(SYSTEM) == {"failed": 1, "shortened_page_end": 1}
    assert "hunter2" not in caplog.text


def _no_facts() -> ToolFacts:
    raise KeyError(WORDS)


@pytest.mark.parametrize(
    "shaper,host",
    [
        (Shaper(SYSTEM, 50, _fails), Host()),
        (Shaper(SYSTEM, 50, _summarizer), Host(know=_no_facts)),
        (Shaper(SYSTEM, 50, _always(Pass("a reason nobody knows"))), Host()),
        (Shaper(SYSTEM, 50, _always(Replace("made up", "text"))), Host()),
        (Shaper(SYSTEM, 50, _always(NeedLines(1, 5))), Host()),
    ],
)
def test_whatever_fails_the_result_passes_and_is_counted_as_failed(
    shaper: Shaper, host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline, counters = _pipeline(shaper)
    with caplog.at_level(logging.DEBUG):
        assert pipeline.shape(EVENT, host) is None
    assert counters.reasons(SYSTEM) == {"failed": 1}
    assert list(counters.latest()) == []
    assert "read-summarizer: " in caplog.text
    assert "hunter2" not in caplog.text


def test_arguments_that_are_none_fail_inside_and_not_in_the_host() -> None:
    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _summarizer))
    broken = EVENT._replace(arguments=None)  # type: ignore[arg-type]
    assert pipeline.shape(broken, Host()) is None
    assert counters.reasons(SYSTEM) == {"failed": 1}


def test_no_log_line_of_a_shortened_read_carries_the_files_text(caplog: pytest.LogCaptureFixture) -> None:
    pipeline, _ = _pipeline(Shaper(SYSTEM, 50, _summarizer))
    with caplog.at_level(logging.DEBUG):
        assert pipeline.shape(EVENT, Host()) is not None
    assert "read-summarizer: read_file shortened" in caplog.text
    assert "hunter2" not in caplog.text
    assert "a.txt" not in caplog.text


def test_a_shaper_that_asks_without_end_is_stopped() -> None:
    asked: list[NeedLines] = []

    def read(wanted: NeedLines) -> str:
        asked.append(wanted)
        return ""

    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _always(NeedLines(1, 5))))
    assert pipeline.shape(EVENT, Host(read=read)) is None
    assert len(asked) == 8
    assert counters.reasons(SYSTEM) == {"failed": 1}


def test_joining_again_replaces() -> None:
    pipeline, counters = _pipeline(
        Shaper(SYSTEM, 50, _fails), Shaper(SYSTEM, 10, _always(Pass("small"))), Shaper(SYSTEM, 90, _summarizer)
    )
    assert pipeline.shape(EVENT, Host()) is not None
    assert counters.reasons(SYSTEM) == {"shortened": 1}


OTHER = next(reason for reason in REASONS if reason.system != SYSTEM)


def _appends(text: str, reason: str, seen: list[str]) -> Decide:
    def given(event: ToolResult, *_: object, **__: object) -> Decision:
        seen.append(str(event.result))
        return Replace(reason, f"{event.result}{text}")

    return given


@pytest.mark.parametrize("rank,seen,text", [(10, ["-", "-a"], "-ab"), (90, ["-", "-b"], "-ba")])
def test_a_lower_rank_sees_the_result_first_and_the_next_sees_what_became_of_it(
    rank: int, seen: list[str], text: str
) -> None:
    found: list[str] = []
    pipeline, counters = _pipeline(
        Shaper(SYSTEM, 50, _appends("b", "shortened", found)),
        Shaper(OTHER.system, rank, _appends("a", OTHER.id, found)),
    )
    assert pipeline.shape(EVENT._replace(result="-"), Host()) == text
    assert found == seen
    assert [(outcome.before, outcome.after) for outcome in counters.latest()] == [(1, 2), (2, 3)]


def test_a_member_that_fails_does_not_undo_what_another_did() -> None:
    for rank in (10, 90):
        pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _summarizer), Shaper("somebody else", rank, _fails))
        text = pipeline.shape(EVENT, Host())
        assert text is not None
        assert shortened(text).tail == numbered(LOG.lines[-50:], 5_951)
        assert counters.reasons(SYSTEM) == {"shortened": 1}


def test_reads_in_parallel_are_each_shaped_and_counted_once() -> None:
    pipeline, counters = _pipeline(Shaper(SYSTEM, 50, _summarizer))
    start, texts = Barrier(8), []

    def work() -> None:
        start.wait(timeout=30)
        for _ in range(20):
            pipeline.join(Shaper(SYSTEM, 50, _summarizer))
            texts.append(pipeline.shape(EVENT, Host()))

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(texts) == 160
    assert set(texts) == {pipeline.shape(EVENT, Host())}
    assert counters.reasons(SYSTEM) == {"shortened": 161}
