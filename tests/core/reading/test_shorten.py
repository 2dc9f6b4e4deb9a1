"""What a shortened page looks like: its shape, its counts, what is said beside it."""

import json
from typing import Any

import pytest
from tests.core.reading.fake_hermes import (
    ON,
    TIGHT,
    VERSIONS,
    FakeHermes,
    Shortened,
    log,
    marker,
    numbered,
    settle,
    shortened,
)

from herma.core.reading.events import ToolFacts, ToolResult
from herma.core.reading.excerpt import size
from herma.core.reading.ranges import names_own_range

CUT = "... [truncated]"
MAY_BE_ADDED = {"next_offset", "hint", "truncated_lines"}


def _named_window(hint: str) -> dict[str, int]:
    """The offset and limit that the text tells the model to use."""
    offset, limit = hint.partition("Use offset=")[2].partition(" to continue")[0].split(" and limit=")
    return {"offset": int(offset), "limit": int(limit)}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_long_log_becomes_its_head_the_marker_and_its_tail(version: str) -> None:
    file = FakeHermes(log(6_000), version)
    parts = shortened(file.settle().text)
    assert parts.head == numbered(file.lines[:200], 1)
    assert parts.tail == numbered(file.lines[-50:], 5_951)
    assert parts.marker == marker(6_000, file.size, 200, 50)
    assert parts.note == ""


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("text", [log(6_000), log(300, "w" * 1_500), log(300, "w" * 2_500), "z" * 90_000])
def test_the_shape_stays_the_hosts(version: str, text: str) -> None:
    file = FakeHermes(text, version)
    before, after = file.page(), json.loads(file.settle(TIGHT).text)
    assert set(before) <= set(after)
    assert set(after) - set(before) <= MAY_BE_ADDED
    assert [key for key in after if key in before] == list(before)
    changed = {"content", "truncated", "hint", "next_offset", "truncated_lines"}
    assert {key: after[key] for key in before if key not in changed} == {
        key: value for key, value in before.items() if key not in changed
    }
    assert after["truncated"] is True


@pytest.mark.parametrize("version", VERSIONS)
def test_the_next_offset_and_the_named_window_begin_at_the_first_line_left_out(version: str) -> None:
    file = FakeHermes(log(6_000), version)
    parts = shortened(file.settle().text)
    assert parts.record["next_offset"] == 201
    assert "Lines 201-5950 are left out" in parts.hint
    assert _named_window(parts.hint) == {"offset": 201, "limit": file.facts.default_limit}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("head,tail", [(0, 50), (0, 1), (1, 100_000)])
def test_without_a_head_the_named_window_is_still_no_plain_read(version: str, head: int, tail: int) -> None:
    file = FakeHermes(log(6_000, "{n}" + "x" * 40), version)
    parts = shortened(file.settle(TIGHT._replace(head_lines=head, tail_lines=tail)).text)
    assert parts.head == []
    assert parts.record["next_offset"] == 1
    assert names_own_range(_named_window(parts.hint), file.facts)
    offset, limit = _named_window(parts.hint).values()
    assert file.settle(offset=offset, limit=limit).reason == "own_range"


@pytest.mark.parametrize("version", VERSIONS)
def test_with_neither_head_nor_tail_the_marker_stands_alone(version: str) -> None:
    file = FakeHermes(log(6_000), version)
    parts = shortened(file.settle(ON._replace(head_lines=0, tail_lines=0)).text)
    assert parts.record["content"] == marker(6_000, file.size, 0, 0)
    assert "Lines 1-6000 are left out" in parts.hint


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("head,tail", [(200, 50), (0, 50), (5_000, 1), (1, 5_000), (7, 7), (10**9, 10**9)])
@pytest.mark.parametrize(
    "text",
    [
        log(3_000, "{n} " + "x" * 100),
        log(300, "w" * 1_500),
        log(900, "漢字" * 40),
        "🙂" * 9_000,
        "z" * 90_000,
        log(90, "é" * 1_999),
    ],
)
@pytest.mark.parametrize("most", [1_000, 1_001, 50_000])
def test_what_is_kept_never_exceeds_the_threshold(version: str, head: int, tail: int, text: str, most: int) -> None:
    file = FakeHermes(text, version)
    done = file.settle(ON._replace(threshold_bytes=most, head_lines=head, tail_lines=tail))
    if done.reason in {"covers_page", "cut_lines_named", "small"}:
        assert size(file.page()["content"]) <= most or done.reason == "small"
        return
    parts = shortened(done.text)
    assert size("\n".join(parts.head)) + size("\n".join(parts.tail)) <= most
    assert len(parts.head) <= head
    assert len(parts.tail) <= tail
    assert f"truncated to first {len(parts.head)} + last {len(parts.tail)};" in parts.marker


@pytest.mark.parametrize("version", VERSIONS)
def test_wide_lines_are_bounded_by_bytes_and_stay_whole(version: str) -> None:
    file = FakeHermes(log(300, "{n} " + "w" * 1_490), version)
    done = file.settle()
    parts = shortened(done.text)
    assert done.reason == "shortened_wide"
    assert parts.head == numbered(file.lines[: len(parts.head)], 1)
    assert parts.tail == numbered(file.lines[-len(parts.tail) :], 301 - len(parts.tail))
    assert (len(parts.head), len(parts.tail)) == (26, 6)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("unit", ["x", "漢", "🙂", "é"])
def test_of_one_line_longer_than_everything_both_ends_stay_and_no_character_is_split(version: str, unit: str) -> None:
    file = FakeHermes(unit * 1_999, version)
    parts = shortened(file.settle(TIGHT).text)
    assert parts.head[0].removeprefix("1|") == unit * len(parts.head[0].removeprefix("1|"))
    assert parts.tail == [unit * (200 // size(unit))]
    assert len(parts.head[0]) == 2 + (798 // size(unit))
    assert "Of line 1 only a part is shown." in parts.hint
    assert _named_window(parts.hint) == {"offset": 1, "limit": 1}


def test_a_piece_of_a_line_is_no_line_and_the_reason_says_that_lines_are_wide() -> None:
    done = FakeHermes("first\n" + "x" * 1_500, "0.22.2").settle(TIGHT._replace(head_lines=1, tail_lines=1))
    parts = shortened(done.text)
    assert done.reason == "shortened_wide"
    assert parts.head == ["1|first"]
    assert parts.tail == ["x" * 500]
    assert "Of line 2 only a part is shown." in parts.hint
    assert parts.record["next_offset"] == 2


def test_the_end_of_a_long_line_never_looks_like_another_line() -> None:
    file = FakeHermes("a" * 1_700 + "12|" + "b" * 190, "0.22.2")
    tail = shortened(file.settle(TIGHT).text).tail
    assert tail == ["|" + "b" * 190] or not tail[0].partition("|")[0].isdigit()
    every_cut = [FakeHermes("a" * 1_700 + "77|" + "b" * width, "0.22.2") for width in range(190, 202)]
    for file in every_cut:
        (part,) = shortened(file.settle(TIGHT).text).tail
        assert not part.partition("|")[0].isdigit()
        assert file.text.endswith(part)


def test_the_model_sees_less_only_where_something_was_left_out() -> None:
    assert FakeHermes(log(6_000)).settle().in_part
    assert not FakeHermes("z" * 90_000).settle().in_part


def test_a_head_that_has_no_room_for_more_than_a_number_is_no_head() -> None:
    for head, tail in ((1, 330), (1, 500), (1, 999), (1, 10**6)):
        file = FakeHermes(log(2_000, "x" * 20), "0.19.0")
        parts = shortened(file.settle(TIGHT._replace(head_lines=head, tail_lines=tail)).text)
        assert parts.record["next_offset"] == 1
        assert all(len(line.partition("|")[2]) > 0 for line in parts.head)
        assert "Lines 1-" in parts.hint


@pytest.mark.parametrize("version", VERSIONS)
def test_line_ends_and_separators_of_other_systems_stay_as_they_are(version: str) -> None:
    file = FakeHermes(log(900, "{n} carriage \u2028 form\f vertical\v next\x85 end" + " " * 60 + "\r"), version)
    parts = shortened(file.settle().text)
    assert parts.head == numbered(file.lines[:200], 1)
    assert parts.tail == numbered(file.lines[-50:], 851)


def test_lone_surrogates_survive() -> None:
    file = FakeHermes(log(3_000, "{n} \ud800\udfff half a character"), "0.22.2")
    parts = shortened(file.settle().text)
    assert parts.head == numbered(file.lines[:200], 1)


@pytest.mark.parametrize("version", VERSIONS)
def test_lines_that_look_like_numbered_ones_keep_their_own_number(version: str) -> None:
    file = FakeHermes(log(3_000, "9999|a line that looks like another"), version)
    parts = shortened(file.settle().text)
    assert parts.head == numbered(file.lines[:200], 1)
    assert parts.tail == numbered(file.lines[-50:], 2_951)
    assert parts.record["next_offset"] == 201


def _result(record: dict[str, Any], tool: str = "read_file") -> ToolResult:
    return ToolResult(tool, {"path": "a.txt"}, json.dumps(record), "call_1")


def _parts(record: dict[str, Any], tool: str = "read_file", head: int = 3, tail: int = 3) -> Shortened:
    settings = ON._replace(threshold_bytes=2_500, head_lines=head, tail_lines=tail)
    return shortened(settle(_result(record, tool), settings, ToolFacts(500, 2_000), lambda _: None).text)


MERGED = [*numbered(["x" * 60] * 20, 1), "without a number", "another", *numbered(["x" * 60] * 20, 31)]


@pytest.mark.parametrize(
    "head,tail,kept,first,last",
    [
        (20, 3, 19, 20, 47),
        (21, 3, 19, 20, 47),
        (22, 3, 22, 31, 47),
        (3, 21, 3, 4, 30),
        (3, 20, 3, 4, 30),
        (1, 1, 1, 2, 49),
    ],
)
def test_both_cuts_lie_where_a_numbered_line_begins(head: int, tail: int, kept: int, first: int, last: int) -> None:
    parts = _parts({"content": "\n".join(MERGED), "total_lines": 50, "file_size": 9_000}, head=head, tail=tail)
    assert parts.head == MERGED[:kept]
    assert parts.record["next_offset"] == first
    assert parts.hint.startswith(f"Lines {first}-{last} are left out")
    assert parts.tail[0].startswith(f"{last + 1}|")
    assert parts.tail == MERGED[-len(parts.tail) :]


def test_a_line_without_a_number_right_behind_a_head_of_one_line_is_not_skipped() -> None:
    lines = ["1|" + "x" * 60, "without a number", *numbered(["x" * 60] * 40, 31)]
    parts = _parts({"content": "\n".join(lines), "total_lines": 70, "file_size": 9_000}, head=1, tail=1)
    assert parts.head == lines[:1]
    assert parts.record["next_offset"] == 2


def test_what_the_host_said_of_the_file_is_said_and_its_old_directions_are_not() -> None:
    said = "Transcoded from UTF-16-LE to UTF-8 for display."
    record = {"content": "\n".join(numbered(["x" * 60] * 60, 1)), "total_lines": 60, "file_size": 9_000}
    for directions in (
        "Use offset=61 to continue reading (showing 1-60 of 60 lines)",
        "Output truncated at the 5-char ...",
    ):
        parts = _parts(record | {"hint": f"{said} {directions}"})
        assert parts.hint.startswith(f"{said} Lines 4-57 are left out. Use offset=4 and limit=54 ")
        assert directions not in parts.hint
        assert _parts(record | {"hint": directions}).hint.startswith("Lines 4-57 are left out")


def test_a_page_without_numbers_is_shortened_by_its_lines() -> None:
    lines = [f"raw {n} " + "x" * 60 for n in range(1, 61)]
    parts = _parts({"content": "\n".join(lines)}, "Read")
    assert (parts.head, parts.tail) == (lines[:3], lines[-3:])
    assert parts.hint == "Lines 4-57 of this result are left out."
    assert "next_offset" not in parts.record
    assert parts.marker == marker(60, len(json.dumps({"content": "\n".join(lines)})), 3, 3)


@pytest.mark.parametrize("total", [None, 600])
def test_a_page_without_numbers_that_the_tool_has_cut_says_that_it_is_not_the_end(total: int | None) -> None:
    lines = [f"raw {n} " + "x" * 60 for n in range(1, 61)]
    parts = _parts({"content": "\n".join(lines), "truncated": True, "total_lines": total}, "Read")
    assert "lines 58-60, not the end of the file" in parts.note
    assert ("offset=598, limit=3" in parts.note) is (total is not None)
    assert ("line 600, is not shown" in parts.hint) is (total is not None)


@pytest.mark.parametrize("version", VERSIONS)
def test_one_line_of_json_is_named_as_cut_with_a_way_to_the_rest(version: str) -> None:
    file = FakeHermes(json.dumps([{"id": n} for n in range(20_000)]), version)
    done = file.settle()
    record = json.loads(done.text)
    assert done.reason == "cut_lines_named"
    assert record["content"] == file.page()["content"]
    assert record["truncated"] is record["truncated_lines"] is True
    assert "next_offset" not in record
    assert "Line 1 is longer than this tool shows: what follows the first 2000 characters is left out" in record["hint"]
    assert f"The file has {file.size} bytes." in record["hint"]
    assert "sed -n '1p' '/srv/files/a.txt' | tail -c +2001 | head -c 20000" in record["hint"]


@pytest.mark.parametrize("version", VERSIONS)
def test_only_lines_that_are_shown_are_named_as_cut_and_of_both_ends(version: str) -> None:
    lines = [f"{n} " + "y" * (2_500 if n in {2, 3, 9, 199, 200} else 300) for n in range(1, 201)]
    parts = shortened(FakeHermes("\n".join(lines) + "\n", version).settle(ON._replace(head_lines=5, tail_lines=4)).text)
    assert "Lines 2-3, 199-200 are longer than this tool shows" in parts.hint
    assert parts.record["truncated_lines"] is True
    assert parts.tail[-1].endswith(CUT)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_line_that_is_shown_in_part_is_named_when_the_host_had_cut_it_before(version: str) -> None:
    parts = shortened(FakeHermes("y" * 5_000, version).settle(TIGHT).text)
    assert parts.tail[0].endswith(CUT)
    assert "Line 1 is longer than this tool shows" in parts.hint
    assert parts.record["truncated_lines"] is True


def test_on_0_19_a_line_counts_as_cut_only_at_exactly_two_thousand_characters() -> None:
    told = FakeHermes(log(5, "x" * 1_985 + CUT), "0.19.0")
    with_a_cut_one = FakeHermes(told.text + "x" * 2_001 + "\n", "0.19.0")
    assert told.settle(ON._replace(threshold_bytes=len(told.page()["content"]))).reason == "covers_page"
    done = with_a_cut_one.settle(ON._replace(threshold_bytes=len(with_a_cut_one.page()["content"])))
    assert done.reason == "cut_lines_named"
    assert json.loads(done.text)["hint"].startswith("Line 6 is longer")


def test_no_command_is_offered_for_the_lines_of_a_document() -> None:
    record = {"content": "\n".join(numbered(["x" * 2_000 + CUT] * 20, 1)), "total_lines": 9_000, "file_size": 70_000}
    document = record | {"truncated": True, "extracted_document": True}
    settled = settle(_result(document), ON, ToolFacts(500, 2_000), lambda _: None)
    assert settled.reason == "covers_page"
    assert "sed" not in _parts(document).hint


def test_the_size_of_a_document_is_that_of_its_text_and_not_of_its_container() -> None:
    text = "\n".join(numbered(["x" * 20] * 400, 1))
    small = {
        "content": text,
        "total_lines": 400,
        "file_size": 9_000_000,
        "truncated": False,
        "extracted_document": True,
    }
    large = small | {"total_lines": 4_000, "file_size": 9_000, "truncated": True}
    assert settle(_result(small), ON, ToolFacts(500, 2_000), lambda _: None).reason == "small"
    assert settle(_result(large), ON, ToolFacts(500, 2_000), lambda _: None).reason == "shortened_page_end"
