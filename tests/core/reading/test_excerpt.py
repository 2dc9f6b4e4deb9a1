"""What is kept of a list of lines."""

import pytest

from herma.core.reading.excerpt import Bounds, End, first_lines, last_lines, size

LINES = ["one", "two", "three"]


@pytest.mark.parametrize(
    "lines,most,kept",
    [(2, 100, ["one", "two"]), (9, 8, ["one", "two"]), (9, 7, ["one"]), (0, 100, []), (9, 100, LINES)],
)
def test_whole_lines_from_the_start_as_far_as_both_bounds_allow(lines: int, most: int, kept: list[str]) -> None:
    assert first_lines(LINES, Bounds(lines, most)) == End(kept)


@pytest.mark.parametrize(
    "lines,most,kept",
    [(2, 100, ["two", "three"]), (9, 10, ["two", "three"]), (9, 9, ["three"]), (0, 100, []), (9, 100, LINES)],
)
def test_whole_lines_from_the_end_as_far_as_both_bounds_allow(lines: int, most: int, kept: list[str]) -> None:
    assert last_lines(LINES, Bounds(lines, most)) == End(kept)


def test_of_a_line_that_is_too_long_a_piece_is_kept() -> None:
    assert first_lines(["abcdef", "x"], Bounds(5, 4)) == End(["abcd"], part_of_line=True)
    assert last_lines(["x", "abcdef"], Bounds(5, 4)) == End(["cdef"], part_of_line=True)


@pytest.mark.parametrize(
    "line,most,start,end",
    [
        ("漢字漢字", 7, "漢字", "漢字"),
        ("漢字漢字", 6, "漢字", "漢字"),
        ("🙂🙂🙂", 7, "🙂", "🙂"),
        ("a漢b漢c", 5, "a漢b", "b漢c"),
        ("aaaa漢漢漢漢", 8, "aaaa漢", "漢漢"),
        ("\ud800\udfff\ud800", 6, "\ud800\udfff", "\udfff\ud800"),
        ("é" * 9, 3, "é", "é"),
    ],
)
def test_no_character_is_split_and_no_room_is_wasted(line: str, most: int, start: str, end: str) -> None:
    assert first_lines([line], Bounds(1, most)) == End([start], part_of_line=True)
    assert last_lines([line], Bounds(1, most)) == End([end], part_of_line=True)


@pytest.mark.parametrize("most", [0, 1, 2])
def test_where_not_one_character_fits_there_is_no_line(most: int) -> None:
    assert first_lines(["漢字"], Bounds(1, most)) == End([])
    assert last_lines(["漢字"], Bounds(1, most)) == End([])


def test_no_lines_give_no_lines() -> None:
    assert first_lines([], Bounds(5, 5)) == End([])
    assert last_lines([], Bounds(5, 5)) == End([])


def test_a_file_of_empty_lines_counts_its_line_feeds() -> None:
    assert first_lines([""] * 9, Bounds(9, 4)) == End([""] * 4)
    assert last_lines([""] * 9, Bounds(9, 4)) == End([""] * 4)


@pytest.mark.parametrize("text,expected", [("", 0), ("abc", 3), ("é", 2), ("漢", 3), ("🙂", 4), ("\ud800", 3)])
def test_sizes_are_bytes_of_utf_8(text: str, expected: int) -> None:
    assert size(text) == expected
