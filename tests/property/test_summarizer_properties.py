"""What holds for every file, every setting and every result, however odd."""

import json
import re
from typing import Any

import hypothesis.strategies as st
from hypothesis import example, given, settings
from tests.core.reading.fake_hermes import (
    MOST_IN_LINE,
    ON,
    TIGHT,
    VERSIONS,
    FakeHermes,
    Shortened,
    numbered,
    settle,
    shortened,
)

from herma.core.reading.events import NeedLines, Pass, Replace, ToolFacts, ToolResult
from herma.core.reading.excerpt import size
from herma.core.reading.ranges import names_own_range
from herma.core.reading.summarizer import SummarySettings, decide
from herma.core.reasons import of_system

PROVED = settings(derandomize=True, max_examples=150, deadline=None, database=None)
CUT = "... [truncated]"
REASONS = {reason.id for reason in of_system("read-summarizer")}
SENT = {reason.id for reason in of_system("read-summarizer") if reason.outcome == "changed"}

characters = st.one_of(
    st.sampled_from("ab 0123456789|,{}[]\"'\\\r\t\f\u2028\x85漢字かな🙂é\ud800\u202e"),
    st.characters(exclude_characters="\n"),
)
pieces = st.one_of(
    st.text(characters, max_size=40),
    st.sampled_from(["", CUT, "12|", "... [read-summarizer: 5 lines", "[read-summarizer: ", "-----", "漢字🙂"]),
)
lines = st.builds(
    lambda text, times: text * times, pieces, st.one_of(st.just(1), st.sampled_from([3, 30, 200, 1_999, 2_000, 2_001]))
).map(lambda line: line[:2_600])


def _bounded(line: str, times: int) -> int:
    """`times`, or as often as makes a file of two pages: more only takes longer."""
    return min(times, 1 + 150_000 // (len(line) + 1))


runs = st.lists(st.tuples(lines, st.sampled_from([1, 1, 2, 3, 16, 49, 50, 199, 251, 498, 999])), min_size=1, max_size=6)
texts = st.builds(
    lambda parts, ending: "\n".join(line for line, times in parts for _ in range(_bounded(line, times))) + ending,
    runs,
    st.sampled_from(["\n", "", "\n\n", "\nthe end"]),
)
counts = st.one_of(st.integers(0, 3), st.sampled_from([5, 50, 200, 500, 2_000, 5_000]))
set_to = st.builds(
    ON._replace,
    threshold_bytes=st.sampled_from([1_000, 1_001, 4_000, 20_000, 50_000]),
    head_lines=counts,
    tail_lines=counts,
)
files = st.builds(FakeHermes, texts, st.sampled_from(VERSIONS), st.just(100_000))


def _seen(file: FakeHermes) -> list[str]:
    """The lines as the host can show them at all."""
    return [line if len(line) <= MOST_IN_LINE else line[:MOST_IN_LINE] + CUT for line in file.lines]


def _follow(file: FakeHermes, parts: Shortened, chosen: SummarySettings) -> dict[int, str]:
    """The lines that a reader gets who asks for what was left out, page by page, as the text says."""
    window = re.search(r"Lines (\d+)-(\d+) are left out\. Use offset=(\d+) and limit=(\d+) ", parts.hint)
    assert window is not None
    first, last, offset, limit = (int(number) for number in window.groups())
    assert first == offset == parts.record["next_offset"]
    got: dict[int, str] = {}
    while offset <= last:
        event = file.event(offset=offset, limit=limit)
        assert names_own_range(event.arguments, file.facts)
        assert settle(event, chosen, file.facts, lambda _: None).decision == Pass("own_range")
        page = json.loads(str(event.result))
        after = page.get("next_offset", offset + limit)
        shown = (line.partition("|") for line in page["content"].split("\n"))
        got |= {int(number): line for number, _, line in shown if int(number) < after}
        offset = after
    return got


@PROVED
@given(files, set_to)
@example(FakeHermes("x\n" * 501, "0.19.0"), TIGHT._replace(head_lines=5, tail_lines=5))
@example(FakeHermes("x\n" * 500 + "the end", "0.19.0"), TIGHT._replace(head_lines=5, tail_lines=5))
@example(FakeHermes("x\n" * 2_001, "0.22.2"), TIGHT._replace(head_lines=0, tail_lines=5))
def test_head_and_tail_and_the_pages_between_are_the_file(file: FakeHermes, chosen: SummarySettings) -> None:
    done = file.settle(chosen)
    if not isinstance(done.decision, Replace) or done.reason == "cut_lines_named":
        return
    parts, seen = shortened(done.text), _seen(file)
    got = _follow(file, parts, chosen)
    head_in_part = "Of line 1 only a part" in parts.hint and parts.head != []
    whole_head = parts.head[:-1] if head_in_part else parts.head
    assert whole_head == numbered(seen[: len(whole_head)], 1)
    assert not head_in_part or f"1|{seen[0]}".startswith(parts.head[0])
    got |= dict(enumerate(seen[: len(whole_head)], 1))
    if len(parts.tail) == 1 and not parts.tail[0].startswith(f"{len(seen)}|"):
        assert seen[-1].endswith(parts.tail[0])
    else:
        first = len(seen) - len(parts.tail) + 1
        assert parts.tail == numbered(seen[first - 1 :], first)
        got |= dict(enumerate(seen[first - 1 :], first))
    # Without a tail nobody hears of a line that 0.19 does not count, and its own pages may end before it.
    uncounted = not parts.tail and file.total_lines < len(seen)
    expected = len(seen) - uncounted
    assert [got[n] for n in range(1, expected + 1)] == seen[:expected]


@PROVED
@given(files, set_to)
def test_a_shortened_page_is_small_enough_true_in_its_counts_and_of_the_hosts_shape(
    file: FakeHermes, chosen: SummarySettings
) -> None:
    done = file.settle(chosen)
    assert done.reason in REASONS
    assert len(done.asked) <= 3
    if not isinstance(done.decision, Replace):
        return
    before, after = file.page(), json.loads(done.text)
    assert set(before) <= set(after) <= set(before) | {"next_offset", "hint", "truncated_lines"}
    assert after["truncated"] is True
    if done.reason == "cut_lines_named":
        assert after["content"] == before["content"]
        return
    parts = shortened(done.text)
    assert size("\n".join(parts.head)) + size("\n".join(parts.tail)) <= chosen.threshold_bytes
    assert parts.head or parts.tail or not (chosen.head_lines or chosen.tail_lines)
    assert len(parts.head) <= chosen.head_lines
    assert len(parts.tail) <= chosen.tail_lines
    assert parts.marker == (
        f"... [read-summarizer: {file.total_lines} lines, {file.size} bytes, truncated to first {len(parts.head)} + "
        f"last {len(parts.tail)}; re-invoke read_file with offset/limit to fetch more] ..."
    )
    assert size(done.text) < size(file.read())


@PROVED
@given(files, set_to)
def test_what_was_shortened_passes_bit_for_bit_when_it_is_seen_again(file: FakeHermes, chosen: SummarySettings) -> None:
    done = file.settle(chosen)
    if isinstance(done.decision, Replace):
        again = decide(file.event()._replace(result=done.text), chosen, file.facts)
        assert isinstance(again, Pass), again


@PROVED
@given(files, set_to)
def test_every_cut_line_that_is_shown_is_named(file: FakeHermes, chosen: SummarySettings) -> None:
    done = file.settle(chosen)
    if not isinstance(done.decision, Replace):
        return
    record = json.loads(done.text)
    shown = {
        int(line.partition("|")[0])
        for line in record["content"].split("\n")
        if re.match(r"\d+\|.*" + re.escape(CUT), line)
    }
    widths = [len(line) for line in file.lines]
    cut = {n for n in shown if n <= len(widths) and widths[n - 1] > MOST_IN_LINE}
    assert not cut or "longer than this tool shows" in record["hint"]
    assert not cut or record["truncated_lines"] is True


@PROVED
@given(files, files, set_to)
def test_a_file_that_becomes_another_meanwhile_never_breaks_the_result(
    before: FakeHermes, after: FakeHermes, chosen: SummarySettings
) -> None:
    done = before.settle(chosen, after._replace(version=before.version).answer)
    if isinstance(done.decision, Replace) and done.reason != "cut_lines_named":
        parts = shortened(done.text)
        assert size("\n".join(parts.head)) + size("\n".join(parts.tail)) <= chosen.threshold_bytes
        assert bool(parts.note) == (done.reason == "shortened_page_end" and bool(parts.tail))


@PROVED
@given(texts, set_to, st.sampled_from([None, ("byte_offset", "byte_limit")]))
def test_the_ends_of_a_plain_text_and_the_bytes_named_between_are_the_text(
    text: str, chosen: SummarySettings, window: tuple[str, str] | None
) -> None:
    facts = ToolFacts(byte_window=window)
    done = settle(ToolResult("Read", {}, text, "call_1"), chosen, facts, lambda _: None)
    if not isinstance(done.decision, Replace):
        return
    named = re.search(r"^\[read-summarizer: bytes (\d+)-(\d+) of the result.*\]$", done.text, re.MULTILINE)
    assert named is not None
    whole = text.encode("utf-8", "surrogatepass")
    start, end = int(named[1]), int(named[2]) + 1
    head, tail = (
        part.encode("utf-8", "surrogatepass") for part in (done.text[: named.start()], done.text[named.end() :])
    )
    assert head.startswith(whole[:start])
    assert tail.endswith(whole[end:])
    assert start + len(whole) - end <= chosen.threshold_bytes + 1


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    texts.map(lambda text: text[:3_000]),
    st.sampled_from(["1|a\n2|b\n3|", "5|x\n" * 400, "x" * 3_000, "1|" + "y" * 2_000 + CUT]),
)
COUNTS = ("total_lines", "file_size", "next_offset")
FLAGS = ("truncated", "truncated_by", "truncated_lines", "is_binary", "is_image", "dedup", "extracted_document")
names = st.sampled_from(["content", "hint", "error", "already_read", "_hint", "other", *COUNTS, *FLAGS])
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3))
records = st.dictionaries(names, values, max_size=9)
results = st.one_of(scalars, records, records.map(json.dumps), records.map(lambda r: json.dumps(r, ensure_ascii=False)))
arguments = st.dictionaries(st.sampled_from(["path", "offset", "limit", "byte_offset"]), scalars, max_size=4)
hosts = st.builds(
    ToolFacts,
    st.sampled_from([None, 1, 500, 2_000]),
    st.sampled_from([None, 1, 20, 2_000]),
    st.sampled_from([None, ("byte_offset", "byte_limit")]),
)
answers = st.lists(st.one_of(st.none(), records.map(json.dumps), st.text(max_size=9)), max_size=4)


@PROVED
@given(
    st.builds(
        ToolResult,
        st.sampled_from(["read_file", "Read", "terminal"]),
        arguments,
        results,
        st.sampled_from(["", "call_1"]),
        st.booleans(),
    ),
    set_to,
    hosts,
    answers,
)
def test_whatever_a_host_holds_a_decision_comes_of_it(
    event: ToolResult, chosen: SummarySettings, facts: ToolFacts, given_: list[str | None]
) -> None:
    decision = decide(event, chosen, facts, answers=given_)
    match decision:
        case NeedLines(offset, limit):
            assert len(given_) < 3
            assert offset > 0
            assert limit > 0
        case Replace(reason, text):
            assert reason in SENT
            if reason not in {"sent_whole", "shortened_text"}:
                _keeps_shape(event, text)
        case Pass(reason):
            assert reason in REASONS - SENT


def _keeps_shape(event: ToolResult, text: str) -> None:
    before: dict[str, Any] = json.loads(str(event.result))
    after = json.loads(text)
    assert set(before) <= set(after) <= set(before) | {"next_offset", "hint", "truncated_lines", "truncated"}
    assert after["truncated"] is True
