"""The part of a list of lines that is kept: whole lines from both ends, bounded in number and bytes."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["Bounds", "End", "first_lines", "last_lines", "size"]


class Bounds(NamedTuple):
    """How much of one end is kept at most: lines, and bytes of UTF-8."""

    lines: int
    size: int


class End(NamedTuple):
    """The lines kept of one end. `part_of_line` is true when even one line was too long and was cut."""

    lines: list[str]
    part_of_line: bool = False


def first_lines(lines: Sequence[str], bounds: Bounds) -> End:
    """As many whole lines from the start as fit; if not even one does, the start of the first."""
    kept = _fitting(lines, bounds)
    if kept or not lines or not bounds.lines:
        return End(list(lines[:kept]))
    return End([_clip(lines[0], bounds.size)], part_of_line=True)


def last_lines(lines: Sequence[str], bounds: Bounds) -> End:
    """As many whole lines from the end as fit; if not even one does, the end of the last."""
    kept = _fitting(reversed(lines), bounds)
    if kept or not lines or not bounds.lines:
        return End(list(lines[len(lines) - kept :]))
    return End([_clip(lines[-1][::-1], bounds.size)[::-1]], part_of_line=True)


def size(text: str) -> int:
    """Bytes of `text` in UTF-8. Lone surrogates, which hosts can hand on, count as three bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _fitting(lines: Iterable[str], bounds: Bounds) -> int:
    kept, used = 0, 0
    for line in lines:
        used += size(line) + 1
        if kept == bounds.lines or used > bounds.size:
            break
        kept += 1
    return kept


def _clip(line: str, most: int) -> str:
    """The longest start of `line` within `most` bytes; never half a character, never nothing."""
    if size(line) <= most:
        return line
    clipped = line[:most]
    while len(clipped) > 1 and size(clipped) > most:
        clipped = clipped[: max(1, len(clipped) * most // size(clipped))]
    return clipped
