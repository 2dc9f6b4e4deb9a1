"""How a host's page is understood."""

import json
from typing import Any

import pytest

from herma.core.reading.page import CutLine, Page, cut_lines, line_number, page_of, parse_object

CUT = "... [truncated]"


def _page(content: str, **fields: Any) -> Page:
    page = page_of({"content": content, **fields})
    assert page is not None
    return page


@pytest.mark.parametrize(
    "line,number",
    [
        ("1|x", 1),
        ("12|", 12),
        ("3|7|x", 3),
        ("007|x", 7),
        ("|x", None),
        ("x|1", None),
        ("", None),
        ("5", None),
        (" 5|x", None),
        ("-5|x", None),
        ("²|x", None),
        ("٣|x", None),
        ("9" * 5_000 + "|x", None),
    ],
)
def test_the_number_of_a_line_is_what_stands_before_its_first_bar(line: str, number: int | None) -> None:
    assert line_number(line) == number


def test_lines_end_at_line_feeds_and_nowhere_else() -> None:
    page = _page("1|a\r\n2|form\ffeed\n3|sepa\u2028rator \x0b \x85\n4|\r", total_lines=4)
    assert page.lines == ["1|a\r", "2|form\ffeed", "3|sepa\u2028rator \x0b \x85", "4|\r"]


@pytest.mark.parametrize(
    "text",
    ["", "plain", "[1]", "null", '{"a": ', '{"a": 1} trailing', " {}", '{"a":' * 100_000, '{"a": ' + "1" * 5_000 + "}"],
)
def test_what_is_no_json_object_is_none(text: str) -> None:
    assert parse_object(text) is None


def test_a_json_object_is_read_as_it_stands() -> None:
    record = {"content": "1|\ud800 漢\u2028", "total_lines": 1, "x": {"y": [None, True]}}
    assert parse_object(json.dumps(record)) == record
    assert parse_object(json.dumps(record, ensure_ascii=False)) == record


@pytest.mark.parametrize(
    "record",
    [
        None,
        {},
        {"content": None},
        {"content": ["1|a"]},
        {"content": 5},
        {"status": "unchanged", "dedup": True, "content_returned": False},
        {"content": "1|a", "is_image": True},
        {"content": "1|a", "is_binary": True},
    ],
)
def test_an_answer_without_text_is_no_page(record: dict[str, Any] | None) -> None:
    assert page_of(record) is None


@pytest.mark.parametrize(
    "content,fields,lines",
    [
        ("1|a\n2|b\n3|", {"total_lines": 2, "truncated": False}, ["1|a", "2|b"]),
        ("1|a\n2|b\n3|c", {"total_lines": 2, "truncated": False}, ["1|a", "2|b", "3|c"]),
        ("1|a\n2|b\n3|", {"total_lines": 9, "truncated": True}, ["1|a", "2|b"]),
        ("1|a\n2|\n3|", {"total_lines": 3, "truncated": False}, ["1|a", "2|", "3|"]),
        ("1|", {"total_lines": 0, "truncated": False}, ["1|"]),
        ("a\nb\n", {"truncated": False}, ["a", "b", ""]),
    ],
)
def test_the_empty_line_of_0_19_that_is_none_of_the_file_is_left_off(
    content: str, fields: dict[str, Any], lines: list[str]
) -> None:
    assert _page(content, **fields).lines == lines


@pytest.mark.parametrize(
    "content,fields,reaches",
    [
        ("1|a\n2|b", {"total_lines": 2, "truncated": False}, True),
        ("1|a\n2|b", {"total_lines": 3, "truncated": True}, False),
        ("1|a\n2|b\n3|", {"total_lines": 3, "truncated": True}, False),
        ("1|a\n2|b", {"total_lines": 2, "truncated": True, "truncated_by": "bytes"}, False),
        ("1|a\n2|b", {"total_lines": 2, "truncated": True}, True),
        ("99|raw text\nb", {"truncated": True}, False),
        ("raw text\n99|b", {"total_lines": 50, "truncated": True}, False),
    ],
)
def test_a_page_reaches_the_end_only_when_it_shows_the_last_line(
    content: str, fields: dict[str, Any], *, reaches: bool
) -> None:
    assert _page(content, **fields).reaches_end is reaches


@pytest.mark.parametrize("value", [True, -1, "12", 1.5, None, []])
def test_a_count_that_is_no_count_is_unknown(value: object) -> None:
    page = _page("1|a", total_lines=value, file_size=value)
    assert (page.total_lines, page.file_size) == (None, None)
    assert not page.numbered


def _cut(*lines: str, **fields: Any) -> list[CutLine]:
    page = _page("\n".join(lines), total_lines=len(lines), **fields)
    return cut_lines(page, page.lines)


def test_without_the_hosts_word_only_two_thousand_characters_count_as_cut() -> None:
    assert _cut("1|a", "2|" + "x" * 2_000 + CUT) == [CutLine(2, 2_000)]
    assert _cut("1|told" + CUT, "2|" + "x" * 1_999 + CUT, "3|" + "x" * 2_001 + CUT) == []


def test_with_the_hosts_word_lines_of_its_own_length_count_and_short_ones_with_its_words_do_not() -> None:
    lines = ("1|a log line that was" + CUT, "2|" + "x" * 300 + CUT, "3|" + "x" * 280 + CUT, "4|" + "x" * 90 + CUT)
    assert _cut(*lines, truncated_lines=True) == [CutLine(2, 300), CutLine(3, 280)]


def test_the_length_is_judged_by_the_whole_page_and_not_by_the_lines_kept() -> None:
    page = _page("1|short" + CUT + "\n2|" + "x" * 2_000 + CUT, total_lines=2, truncated_lines=True)
    assert cut_lines(page, page.lines[:1]) == []


def test_characters_are_counted_and_not_bytes_and_the_gutter_is_none_of_them() -> None:
    assert _cut("123|" + "漢" * 2_000 + CUT) == [CutLine(123, 2_000)]
