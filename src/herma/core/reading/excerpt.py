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
    return _part(_first_bytes(lines[0], bounds.size))


def last_lines(lines: Sequence[str], bounds: Bounds) -> End:
    """As many whole lines from the end as fit; if not even one does, the end of the last."""
    kept = _fitting(reversed(lines), bounds)
    if kept or not lines or not bounds.lines:
        return End(list(lines[len(lines) - kept :]))
    return _part(_last_bytes(lines[-1], bounds.size))


def size(text: str) -> int:
    """Bytes of `text` in UTF-8. Lone surrogates, which hosts can hand on, count as three bytes."""
    return len(text) if text.isascii() else len(_encoded(text))


def _fitting(lines: Iterable[str], bounds: Bounds) -> int:
    kept, used = 0, 0
    for line in lines:
        used += size(line) + 1
        if kept == bounds.lines or used > bounds.size:
            break
        kept += 1
    return kept


def _part(text: str) -> End:
    """A piece of one line; no line at all where not even one character fits."""
    return End([text], part_of_line=True) if text else End([])


def _first_bytes(line: str, most: int) -> str:
    """The longest start of `line` within `most` bytes, never with half a character."""
    data = _encoded(line)
    end = min(most, len(data))
    while 0 < end < len(data) and _continues(data[end]):
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


def _last_bytes(line: str, most: int) -> str:
    """The longest end of `line` within `most` bytes, never with half a character."""
    data = _encoded(line)
    start = max(0, len(data) - most)
    while start < len(data) and _continues(data[start]):
        start += 1
    return data[start:].decode("utf-8", "surrogatepass")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _continues(byte: int) -> bool:
    """True for every byte of a character in UTF-8 but its first."""
    return byte & 0xC0 == 0x80  # noqa: PLR2004 - the two bits that UTF-8 marks it with
