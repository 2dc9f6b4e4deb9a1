"""Which lines of a page stay: whole lines from both ends, and where what is left out begins and ends."""

from collections.abc import Sequence
from typing import NamedTuple

from herma.core.reading.excerpt import Bounds, End, first_lines, last_lines
from herma.core.reading.page import CutLine, Page, cut_lines, line_number

__all__ = ["Kept", "Limits", "Tail", "keep"]

_KEY_BEGINS = "-----BEGIN "
_KEY_ENDS = "PRIVATE KEY-----"


class Limits(NamedTuple):
    """What is kept at most: lines from both ends, and bytes of UTF-8 in all."""

    head_lines: int
    tail_lines: int
    size: int

    @property
    def head(self) -> Bounds:
        """The start's part: lines as set, bytes in the same proportion."""
        return Bounds(self.head_lines, self.size - self.tail_bytes)

    @property
    def tail(self) -> Bounds:
        """The end's part."""
        return Bounds(self.tail_lines, self.tail_bytes)

    @property
    def tail_bytes(self) -> int:
        """Bytes for the end."""
        return self.size * self.tail_lines // max(1, self.head_lines + self.tail_lines)


class Tail(NamedTuple):
    """The page that the last lines come from. `at_end` is false when it is not the end of the file."""

    page: Page
    at_end: bool


class Kept(NamedTuple):
    """What stays of a page, the numbers of the first and last line that do not, and what the host had cut."""

    head: End
    tail: End
    first_left_out: int
    last_left_out: int
    cut: Sequence[CutLine] = ()


def keep(shown: Page, tail: Tail, limits: Limits) -> Kept:
    """The lines of both ends. With numbers, both cuts lie where a numbered line begins."""
    if not shown.numbered:
        return _keep_unnumbered(shown, limits)
    head = first_lines(shown.lines, limits.head)
    if head.part_of_line and not head.lines[0].partition("|")[2]:
        head = End([])  # not even one character after the number fits
    rest = shown.lines[len(head.lines) :]
    while rest and line_number(rest[0]) is None and len(head.lines) > 1:
        rest.insert(0, head.lines.pop())
    after_head = _number_from(head.lines[::-1], 0) + (not head.part_of_line)
    first = after_head if head.part_of_line else _number_from(rest[:1], after_head)
    candidates = _from_number(tail.page, first)
    if tail.page is not shown:
        candidates = _without_half_a_key(candidates)
    end = last_lines(candidates, limits.tail)
    if end.part_of_line:
        end = _end_of_text(end.lines[0], candidates[-1])
    while end.lines and line_number(end.lines[0]) is None and not end.part_of_line:
        end.lines.pop(0)
    of_tail = candidates[len(candidates) - len(end.lines) :]
    cut = {*cut_lines(shown, shown.lines[: len(head.lines)]), *cut_lines(tail.page, of_tail)}
    return Kept(head, end, first, _last_left_out(shown, tail, candidates, end), sorted(cut))


def _end_of_text(part: str, line: str) -> End:
    """The end of a line's text, without any of the line's number and without what looks like one."""
    text = line.partition("|")[2]
    part = part[-len(text) :] if text else ""
    if line_number(part) is not None:
        part = part.lstrip("0123456789")
    return End([part], part_of_line=True) if part else End([])


def _keep_unnumbered(shown: Page, limits: Limits) -> Kept:
    head = first_lines(shown.lines, limits.head)
    end = last_lines(shown.lines[len(head.lines) - head.part_of_line :], limits.tail)
    first = len(head.lines) + (not head.part_of_line)
    return Kept(head, end, first, len(shown.lines) - len(end.lines) + end.part_of_line)


def _number_from(lines: list[str], otherwise: int) -> int:
    return next((number for number in map(line_number, lines) if number is not None), otherwise)


def _from_number(source: Page, first: int) -> list[str]:
    """The lines of a page from number `first` on."""
    start = next((i for i, line in enumerate(source.lines) if (line_number(line) or 0) >= first), len(source.lines))
    return source.lines[start:]


def _last_left_out(shown: Page, tail: Tail, candidates: list[str], end: End) -> int:
    """The number of the last line that is not shown, or of the one that is shown in part."""
    if not end.lines:
        total = max(shown.total_lines or 0, tail.page.total_lines or 0)
        return max(total, _number_from(candidates[::-1], 0))
    if end.part_of_line:
        return _number_from(candidates[::-1], 0)
    return (line_number(end.lines[0]) or 1) - 1


def _without_half_a_key(lines: list[str]) -> list[str]:
    """The lines after a private key of which only the end is here.

    A host hides a key that it sees whole. It is we who asked for a window that begins inside one.
    """
    for n, line in enumerate(lines):
        if _KEY_BEGINS in line:
            break
        if "-----END " in line and _KEY_ENDS in line:
            return lines[n + 1 :]
    return lines
