"""The marker that stands for left-out lines, and the sentences beside it.

The marker's text is exact: people and models that know the plugin look for it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from herma.core.reading.events import ToolFacts
from herma.core.reading.page import CutLine
from herma.core.reading.ranges import limit_of_own_range

__all__ = ["MARK", "LeftOut", "cut_lines", "marker", "more_lines", "not_the_end", "shown_in_part", "text_window"]

MARK = "... [read-summarizer: "

_CHUNK = 20_000
_NAMED_LINES = 10


def marker(lines: int, size: int, head: int, tail: int) -> str:
    """One line that says how much there is (lines, bytes) and how much of both ends is shown."""
    return (
        f"{MARK}{lines} lines, {size} bytes, truncated to first {head} + last {tail}; "
        "re-invoke read_file with offset/limit to fetch more] ..."
    )


def more_lines(first: int, last: int, facts: ToolFacts) -> str:
    """How to read the left-out lines `first` to `last`."""
    limit = limit_of_own_range(first, min(last - first + 1, facts.default_limit or last), facts)
    return (
        f"Lines {first}-{last} are left out. Use offset={first} and limit={limit} to continue; "
        "a read that names its own range is never shortened, and its next_offset or hint names the next page."
    )


def not_the_end(first: int, last: int, end: tuple[int, int] | None) -> str:
    """Said where the tail is only the end of the page, because the end of the file could not be read.

    `end` is the offset and limit of the end of the file, None where the host does not say how long it is.
    """
    said = f"[read-summarizer: what follows is lines {first}-{last}, not the end of the file"
    return said + (f"; the end is at offset={end[0]}, limit={end[1]}]" if end else "]")


def shown_in_part(number: int) -> str:
    """Said of a line of which only the start or the end fitted."""
    return f"Of line {number} only a part is shown."


class LeftOut(NamedTuple):
    """A run of bytes that a plain text result is shown without: where it starts, and how many there are."""

    start: int
    length: int
    part_of_line: bool


def text_window(left_out: LeftOut, facts: ToolFacts, most: int) -> str:
    """What is left out of a plain text result, and the first window to ask for if the tool takes one.

    A window is at most `most` bytes: a host puts a result that is too big into a file of its own.
    """
    start, length, inside = left_out
    end = start + length
    said = f"[read-summarizer: bytes {start}-{end - 1} of the result are left out here"
    if inside:
        said += ", in the middle of a line"
    if facts.byte_window:
        first, how_many = facts.byte_window
        said += f"; ask again with {first}={start}, {how_many}={min(length, most)}, and so on up to byte {end}"
    return said + "]"


def cut_lines(cut: Sequence[CutLine], path: object, *, file_size: int | None) -> str:
    """Which lines the host cut, and a command that shows the rest of the first of them."""
    many = len(cut) > 1
    shown = min(line.shown for line in cut)
    size = f" The file has {file_size} bytes." if file_size is not None else ""
    return (
        f"Line{'s' if many else ''} {_runs([line.number for line in cut])} {'are' if many else 'is'} longer than "
        f"this tool shows: what follows the first {shown} characters is left out and no offset reaches it.{size} "
        + _way(cut[0].number, shown + 1, path)
    )


def _way(number: int, start: int, path: object) -> str:
    window = f"tail -c +{start} | head -c {_CHUNK}"
    quoted = _quoted(path)
    if quoted is None:
        return f"The terminal tool reaches it: pass line {number} of the file through `{window}`."
    return f"The terminal tool reaches it: sed -n '{number}p' {quoted} | {window} (then +{start + _CHUNK}, and so on)."


def _quoted(path: object) -> str | None:
    """`path` as one word of a POSIX shell, or None when it is not safe to show as one."""
    if not isinstance(path, str) or not path or not path.isprintable():
        return None
    home, rest = ("~/", path[2:]) if path.startswith("~/") else ("", path)
    if not home and rest.startswith("-"):
        rest = "./" + rest
    return home + "'" + rest.replace("'", "'\"'\"'") + "'"


def _runs(numbers: Sequence[int]) -> str:
    """`1, 4-6 and 12 more`: line numbers as a person writes them."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [str(a) if a == b else f"{a}-{b}" for a, b in runs[:_NAMED_LINES]]
    left = sum(b - a + 1 for a, b in runs[_NAMED_LINES:])
    return ", ".join(shown) + (f" and {left} more" if left else "")
