"""The marker and the sentences beside it."""

import shlex
import subprocess
from pathlib import Path

import pytest

from herma.core.reading import marker
from herma.core.reading.events import ToolFacts
from herma.core.reading.page import CutLine

OLD = ToolFacts(500, 2_000)


def test_the_marker_is_word_for_word_the_one_people_know() -> None:
    assert marker.marker(6_000, 468_000, 200, 50) == (
        "... [read-summarizer: 6000 lines, 468000 bytes, truncated to first 200 + last 50; "
        "re-invoke read_file with offset/limit to fetch more] ..."
    )
    assert marker.marker(1, 2, 0, 0).startswith(marker.MARK)


@pytest.mark.parametrize(
    "first,last,facts,window",
    [
        (201, 5_950, OLD, "offset=201 and limit=500 "),
        (201, 300, OLD, "offset=201 and limit=100 "),
        (201, 5_950, ToolFacts(), "offset=201 and limit=5750 "),
        (1, 5_950, OLD, "offset=1 and limit=499 "),
        (1, 500, OLD, "offset=1 and limit=499 "),
        (1, 5_950, ToolFacts(2_000, 2_000), "offset=1 and limit=1999 "),
        (7, 7, OLD, "offset=7 and limit=1 "),
    ],
)
def test_the_way_to_the_rest_is_a_window_that_is_never_shortened(
    first: int, last: int, facts: ToolFacts, window: str
) -> None:
    assert window in marker.more_lines(first, last, facts)


def test_the_end_of_a_page_is_not_called_the_end_of_the_file() -> None:
    said = marker.not_the_end(451, 500, (5_951, 50))
    assert "451-500, not the end of the file" in said
    assert "offset=5951, limit=50" in said
    assert "offset" not in marker.not_the_end(451, 500, None)


def _said(cut: list[CutLine], path: object = "a.txt") -> str:
    return marker.cut_lines(cut, path, file_size=5_000)


def test_cut_lines_are_named_in_runs() -> None:
    cut = [CutLine(number, 2_000) for number in (1, 3, 4, 5, 9)]
    assert _said(cut).startswith("Lines 1, 3-5, 9 are longer than this tool shows")
    assert _said(cut[:1]).startswith("Line 1 is longer than this tool shows")
    assert "5000 bytes" in _said(cut)
    assert "bytes." not in marker.cut_lines(cut, "a.txt", file_size=None)


def test_many_runs_are_named_in_part_and_the_others_counted() -> None:
    said = _said([CutLine(number, 2_000) for number in range(1, 60, 2)])
    assert "17, 19 and 20 more are longer" in said


@pytest.mark.parametrize(
    "name",
    ["plain.txt", "with blank.txt", "it's.txt", "-rf", "--help", "$(id)`id`;|&.txt", "漢字🙂.txt", '"q"\\n*?.txt'],
)
def test_the_named_command_shows_what_the_host_left_out_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    line = "".join(f"{n:06d} " for n in range(1, 500))
    (tmp_path / name).write_text(f"first\n{line}\nlast\n", encoding="utf-8")
    command = marker.cut_lines([CutLine(2, 2_000)], name, file_size=None).partition("reaches it: ")[2]
    command = command.partition(" (then +22001")[0]
    assert shlex.split(command)[:3] == ["sed", "-n", "2p"]
    shown = subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert shown == line[2_000:] + "\n"


def test_a_path_below_home_is_still_found_below_home() -> None:
    said = _said([CutLine(2, 2_000)], "~/it's mine.txt")
    assert "sed -n '2p' ~/'it'\"'\"'s mine.txt' | tail -c +2001 | head -c 20000" in said


@pytest.mark.parametrize(
    "path",
    [
        "",
        None,
        5,
        ["a"],
        "two\nlines.txt",
        "tab\t.txt",
        "\x1b[31m.txt",
        "reversed\u202e.txt",
        "zero\u200bwidth",
        "\ud800",
    ],
)
def test_there_is_no_ready_command_for_a_name_that_hides_something(path: object) -> None:
    said = _said([CutLine(2, 2_000)], path)
    assert "sed" not in said
    assert "line 2 of the file through `tail -c +2001 | head -c 20000`" in said
    assert all(ch.isprintable() for ch in said)
