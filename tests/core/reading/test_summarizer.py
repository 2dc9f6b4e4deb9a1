"""When a read is left alone, when it is shortened, and what the host is asked for."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.core.reading.fake_hermes import ON, TIGHT, VERSIONS, FakeHermes, Settled, log, numbered, settle, shortened

from herma.core.reading.events import NeedLines, Pass, Replace, ToolFacts, ToolResult
from herma.core.reading.summarizer import SummarySettings, decide

LOG = FakeHermes(log(6_000), "0.19.0")
BIG = "x" * 60_000
Change = Callable[[ToolResult], ToolResult]


def _no_answer(wanted: NeedLines) -> str | None:
    raise AssertionError(f"asked for {wanted}")


def _reason(change: Change, settings: SummarySettings = ON) -> str:
    """The reason for a plain read of a long log after one change."""
    return settle(change(LOG.event()), settings, LOG.facts, LOG.answer).reason


def test_a_plain_read_of_a_long_log_is_shortened() -> None:
    assert _reason(lambda event: event) == "shortened"


@pytest.mark.parametrize(
    "reason,change",
    [
        ("other_tool", lambda event: event._replace(tool="terminal")),
        ("other_tool", lambda event: event._replace(tool="READ_FILE")),
        ("other_tool", lambda event: event._replace(tool="")),
        ("nested_call", lambda event: event._replace(call_id="")),
        ("not_text", lambda event: event._replace(result=None)),
        ("not_text", lambda event: event._replace(result=b"{}" * 50_000)),
        ("not_text", lambda event: event._replace(result=[{"type": "text", "text": BIG}])),
        ("not_text", lambda event: event._replace(result=json.loads(event.result))),
        ("error_result", lambda event: event._replace(failed=True)),
        ("error_result", lambda event: event._replace(result=json.dumps({"error": "BLOCKED: " + BIG}))),
        ("error_result", lambda event: event._replace(result=event.result[:-1] + ', "error": "it broke"}')),
        ("no_content", lambda event: event._replace(result='{"status": "unchanged", "dedup": true}')),
        ("no_content", lambda event: event._replace(result=json.dumps({"content": "", "is_image": True}))),
        ("no_content", lambda event: event._replace(result=json.dumps({"is_image": True, "base64_content": BIG}))),
        ("no_content", lambda event: event._replace(result=json.dumps({"is_binary": True, "content": BIG}))),
        ("no_content", lambda event: event._replace(result='{"success": false, "note": "it is a FIFO"}')),
        ("small", lambda event: event._replace(result="")),
        ("small", lambda event: event._replace(result="[1, 2]")),
        ("small", lambda event: event._replace(result=FakeHermes(log(3)).read())),
        ("own_range", lambda event: event._replace(arguments={"path": "a", "offset": 2})),
        ("own_range", lambda event: event._replace(arguments={"path": "a", "offset": "2"})),
        ("own_range", lambda event: event._replace(arguments={"path": "a", "limit": 501})),
        ("own_range", lambda event: event._replace(arguments={"path": "a", "limit": "everything"})),
    ],
)
def test_what_is_left_alone_has_its_reason(reason: str, change: Change) -> None:
    assert _reason(change) == reason


def test_it_is_off_by_default_whatever_the_read_is() -> None:
    assert settle(LOG.event(), SummarySettings(), LOG.facts, _no_answer).decision == Pass("disabled")
    assert _reason(lambda event: event._replace(tool="x", call_id="", result=None), SummarySettings()) == "disabled"


def test_nothing_is_asked_of_the_host_for_a_read_that_is_left_alone() -> None:
    for event in (LOG.event(offset=201), LOG.event()._replace(call_id=""), LOG.event()._replace(failed=True)):
        assert isinstance(settle(event, ON, LOG.facts, _no_answer).decision, Pass)


@pytest.mark.parametrize(
    "arguments", [{}, {"offset": 0}, {"offset": 1}, {"offset": -3}, {"limit": 500}, {"limit": "500"}]
)
def test_a_plain_read_in_every_spelling_is_shortened_alike(arguments: dict[str, Any]) -> None:
    assert LOG.settle(**arguments).decision == LOG.settle().decision


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_of_exactly_the_threshold_is_small_and_one_byte_more_is_not(version: str) -> None:
    head_and_tail = ON._replace(head_lines=5, tail_lines=5)
    whole = FakeHermes("a" * 99 + "\n" + log(499, "b" * 99), version)
    assert whole.size == 50_000
    wide = head_and_tail._replace(threshold_bytes=len(whole.read()))
    assert whole.settle(wide).reason == "small"
    assert FakeHermes("a" + whole.text, version).settle(wide).reason == "shortened"


def test_a_big_file_counts_although_its_page_is_small() -> None:
    assert len(LOG.read()) < ON.threshold_bytes < LOG.size
    assert LOG.settle().reason == "shortened"


def test_a_big_page_counts_although_the_host_does_not_say_how_big_the_file_is() -> None:
    result = json.dumps({"content": "\n".join(numbered([BIG[:300]] * 400, 1)), "total_lines": 400})
    assert _reason(lambda event: event._replace(result=result)) == "shortened_wide"


@pytest.mark.parametrize("head,tail", [(400, 100), (500, 50), (2_000, 0), (0, 2_000), (10_000, 10_000)])
def test_a_page_that_the_ends_cover_is_left_as_it_is(head: int, tail: int) -> None:
    covering = ON._replace(head_lines=head, tail_lines=tail)
    assert LOG.settle(covering, _no_answer).decision == Pass("covers_page")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_ends_cover_a_page_by_its_lines_and_not_by_the_hosts_empty_one(version: str) -> None:
    covered, longer = FakeHermes(log(250, "x" * 200), version), FakeHermes(log(251, "x" * 200), version)
    assert (
        covered.settle(ON._replace(threshold_bytes=len(covered.page()["content"])), _no_answer).reason == "covers_page"
    )
    assert longer.settle(ON._replace(threshold_bytes=len(longer.page()["content"])), _no_answer).reason == "no_gain"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("settings", [ON, TIGHT, ON._replace(head_lines=0), ON._replace(tail_lines=0)])
@pytest.mark.parametrize("text", [log(6_000), log(300, "w" * 1_500), "漢字🙂" * 30_000, log(30, "y" * 2_500)])
def test_what_was_shortened_passes_when_it_is_seen_again(version: str, settings: SummarySettings, text: str) -> None:
    file = FakeHermes(text, version)
    first = file.settle(settings)
    again = settle(file.event()._replace(result=first.text), settings, file.facts, _no_answer)
    assert again.reason in {"already_shortened", "small"}


def test_the_marker_of_somebody_else_at_the_start_of_a_line_counts_as_ours() -> None:
    record = LOG.page() | {"content": "1|a\n... [read-summarizer: and so on\n" + "b\n" * 400}
    assert _reason(lambda event: event._replace(result=json.dumps(record))) == "already_shortened"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_that_quotes_our_marker_is_shortened_like_any_other(version: str) -> None:
    file = FakeHermes(log(2_000, "... [read-summarizer: {n} lines, 1 bytes, truncated"), version)
    done = file.settle()
    assert done.reason == "shortened"
    assert shortened(done.text).tail == numbered(file.lines[-50:], 1_951)


def test_an_answer_that_would_be_no_smaller_is_not_given() -> None:
    file = FakeHermes(log(12, "{n} " + "x" * 80))
    assert file.settle(TIGHT._replace(head_lines=6, tail_lines=5), _no_answer).decision == Pass("no_gain")


UNCHANGED = json.dumps({"status": "unchanged", "dedup": True, "content_returned": False})
BLOCKED = json.dumps({"error": "BLOCKED: again", "already_read": 3})


def test_a_great_limit_that_the_host_takes_for_the_plain_read_gets_the_page_it_was_promised() -> None:
    file = FakeHermes(log(6_000), "0.22.2")
    for said in (UNCHANGED, BLOCKED):
        event = file.event(offset=0, limit=10_000)._replace(result=said)
        done = settle(event, ON, file.facts, file.answer)
        assert done.asked == [NeedLines(1, 2_000, anew=True)]
        assert done.decision == Replace("sent_whole", file.read())
        assert not done.in_part


def test_where_nothing_had_been_shortened_the_hosts_unchanged_stands() -> None:
    file = FakeHermes(log(3), "0.22.2")
    event = file.event(offset=0, limit=10_000)._replace(result=UNCHANGED)
    assert settle(event, ON, file.facts, file.answer).decision == Pass("own_range")
    assert settle(event, ON, file.facts, lambda _: None).decision == Pass("own_range")
    assert settle(event, ON, file.facts, lambda _: BLOCKED).decision == Pass("own_range")


@pytest.mark.parametrize(
    "arguments,facts",
    [
        ({"offset": 0, "limit": 10_000}, ToolFacts(500, 2_000)),
        ({"offset": 201, "limit": 10_000}, ToolFacts(2_000, 2_000)),
        ({"offset": 201, "limit": 500}, ToolFacts(2_000, 2_000)),
    ],
)
def test_any_other_range_that_the_host_calls_unchanged_was_seen_before(
    arguments: dict[str, Any], facts: ToolFacts
) -> None:
    event = LOG.event(**arguments)._replace(result=UNCHANGED)
    assert settle(event, ON, facts, _no_answer).decision == Pass("own_range")


def test_deciding_twice_gives_the_same() -> None:
    asked = decide(LOG.event(), ON, LOG.facts)
    assert isinstance(asked, NeedLines)
    decisions = [decide(LOG.event(), ON, LOG.facts, asked=asked, answers=[LOG.answer(asked)]) for _ in range(2)]
    assert decisions[0] == decisions[1] == LOG.settle().decision


def test_the_page_that_is_handed_back_with_the_answer_is_only_a_shorter_way() -> None:
    asked = decide(LOG.event(), ON, LOG.facts)
    assert isinstance(asked, NeedLines)
    answers = [LOG.answer(asked)]
    assert decide(LOG.event(), ON, LOG.facts, answers=answers) == LOG.settle().decision


def _settled(settings: SummarySettings, result: str) -> Settled:
    return settle(LOG.event()._replace(result=result), settings, LOG.facts, _no_answer)


@pytest.mark.parametrize(
    "result", ['{"a":' * 30_000, '{"content": "' + "1" * 60_000, "{" * 60_000, "9" * 5_000 + "|\n"]
)
def test_a_result_that_is_nearly_json_is_shortened_as_text_or_left_alone(result: str) -> None:
    assert _settled(ON, result).reason in {"small", "shortened_text"}


def test_a_number_too_long_to_be_one_is_text() -> None:
    record = {
        "content": "\n".join(["9" * 5_000 + "|x... [truncated]"] * 20),
        "total_lines": 20,
        "truncated_lines": True,
    }
    assert _settled(ON, json.dumps(record)).reason == "shortened_wide"
