"""Plain text results of other tools."""

import re
from typing import NamedTuple

import pytest
from tests.core.reading.fake_hermes import ON, TIGHT, Settled, log, marker, settle

from herma.core.reading.events import Pass, ToolFacts, ToolResult
from herma.core.reading.excerpt import size
from herma.core.reading.summarizer import SummarySettings

NO_WINDOW = ToolFacts()
WINDOW = ToolFacts(byte_window=("byte_offset", "byte_limit"))
LEFT_OUT = re.compile(r"^\[read-summarizer: bytes (\d+)-(\d+) of the result are left out here", re.MULTILINE)


class Text(NamedTuple):
    """A shortened text: what stands before and after the two lines that are ours, and the bytes they name.

    `head` ends with the line feed before our lines, `tail` begins with the one after them.
    """

    head: str
    marker: str
    note: str
    tail: str
    start: int
    end: int


def _settled(text: str, settings: SummarySettings = ON, facts: ToolFacts = NO_WINDOW, tool: str = "Read") -> Settled:
    return settle(ToolResult(tool, {"path": "a.txt"}, text, "call_1"), settings, facts, lambda _: None)


def _shortened(text: str, settings: SummarySettings = ON, facts: ToolFacts = NO_WINDOW) -> Text:
    done = _settled(text, settings, facts)
    assert done.reason == "shortened_text"
    mark = next(line for line in done.text.split("\n") if line.startswith("... [read-summarizer: "))
    head, _, rest = done.text.partition(mark + "\n")
    note, feed, tail = rest.partition("\n")
    named = LEFT_OUT.search(note)
    assert named is not None
    return Text(head, mark, note, feed + tail, int(named[1]), int(named[2]) + 1)


@pytest.mark.parametrize("text", ["", "one line", "x" * 50_000, log(2_000, "{n} xxxxxxxxxx")])
def test_a_text_up_to_the_threshold_is_small(text: str) -> None:
    assert size(text) <= 50_000
    assert _settled(text).decision == Pass("small")


@pytest.mark.parametrize(
    "text",
    [
        log(3_000, "{n} a line of text that is long enough"),
        log(3_000, "{n} a line of text that is long enough", ending=""),
        log(3_000, "{n} a line of text that is long enough", ending="\n\n\n"),
        "\n\n" + log(3_000, "{n} carriage return and so on and so on\r"),
        log(900, "{n} 漢字かな🙂 \u2028 form\ffeed" + "字" * 30),
        log(90, "{n}" + "\ud800" * 900),
        "漢字🙂" * 20_000,
        "x" * 60_000,
        "x" * 60_000 + "\n",
        "short\n" + "x" * 60_000 + "\nshort\n",
        "漢" * 30_000 + "\nshort",
        "short\n" + "🙂" * 30_000,
        "\n" * 60_000,
    ],
)
@pytest.mark.parametrize("head,tail", [(200, 50), (0, 50), (50, 0), (1, 1), (5_000, 5_000), (1, 100_000), (100_000, 1)])
@pytest.mark.parametrize("most", [1_000, 50_000])
def test_the_kept_ends_and_the_named_bytes_are_the_whole_text(text: str, head: int, tail: int, most: int) -> None:
    parts = _shortened(text, ON._replace(head_lines=head, tail_lines=tail, threshold_bytes=most))
    whole = text.encode("utf-8", "surrogatepass")
    before, after = whole[: parts.start], whole[parts.end :]
    head_kept, tail_kept = (part.encode("utf-8", "surrogatepass") for part in (parts.head, parts.tail))
    if "in the middle of a line" in parts.note:
        assert head_kept in {before, before + b"\n"}
        assert tail_kept in {after, b"\n" + after}
    else:
        assert (head_kept, tail_kept) == (before, after)
    assert len(before) + len(after) <= most + text.endswith("\n")
    counts = re.search(r"(\d+) lines, (\d+) bytes, truncated to first (\d+) \+ last (\d+);", parts.marker)
    assert counts is not None
    lines, bytes_, first, last = map(int, counts.groups())
    assert (lines, bytes_) == (text.removesuffix("\n").count("\n") + 1, len(whole))
    assert first <= head
    assert last <= tail
    assert text.endswith("\n") == _settled(text, ON._replace(head_lines=head, tail_lines=tail)).text.endswith("\n")


def test_a_text_becomes_its_first_and_last_lines_with_the_marker_between() -> None:
    lines = [f"{n} a line of text that is long enough" for n in range(1, 3_001)]
    parts = _shortened("\n".join(lines) + "\n")
    assert parts.head.split("\n") == [*lines[:200], ""]
    assert parts.tail.split("\n") == ["", *lines[-50:], ""]
    assert parts.marker == marker(3_000, len("\n".join(lines)) + 1, 200, 50)


def test_a_window_of_bytes_is_named_only_where_the_tool_takes_one() -> None:
    text = log(3_000, "{n} a line of text that is long enough")
    parts = _shortened(text, facts=WINDOW)
    named = re.search(r"byte_offset=(\d+), byte_limit=(\d+), and so on up to byte (\d+)", parts.note)
    assert named is not None
    assert [int(number) for number in named.groups()] == [parts.start, 50_000, parts.end]
    assert "=" not in _shortened(text).note


def test_windows_named_one_after_the_other_reach_every_byte() -> None:
    whole = log(9_000, "{n} a line of text that is long enough").encode()
    parts = _shortened(whole.decode(), facts=WINDOW)
    limit = int(parts.note.partition("byte_limit=")[2].partition(",")[0])
    read, at = b"", parts.start
    while at < parts.end:
        read += whole[at : at + limit]
        at += limit
    assert whole[: parts.start] + read[: parts.end - parts.start] + whole[parts.end :] == whole


def test_that_a_cut_lies_inside_a_line_is_said() -> None:
    assert "in the middle of a line" in _shortened("x" * 60_000).note
    assert "in the middle of a line" not in _shortened(log(9_000)).note


@pytest.mark.parametrize("text", [log(9_000), "x" * 60_000, "漢" * 60_000, "\n" * 60_000])
def test_a_shortened_text_passes_when_it_is_seen_again(text: str) -> None:
    for settings in (ON, TIGHT):
        again = _settled(_settled(text, settings).text, settings)
        assert again.reason in {"already_shortened", "small"}


def test_a_text_that_would_be_no_smaller_passes() -> None:
    assert _settled("x" * 1_050, TIGHT).decision == Pass("no_gain")
    assert _settled(log(21, "x" * 48), TIGHT).decision == Pass("no_gain")


def test_json_that_is_no_page_is_bounded_like_a_text() -> None:
    assert _settled("[" + "1, " * 30_000 + "1]").reason == "shortened_text"
    assert _settled('{"output": "' + "x" * 60_000 + '"}').reason == "shortened_text"
