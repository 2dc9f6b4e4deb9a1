"""How a result is shortened: which lines stay, and what is said in the place of the others."""

import json
from typing import NamedTuple

from herma.core.reading import marker
from herma.core.reading.events import Pass, Replace, ToolFacts
from herma.core.reading.excerpt import Bounds, End, first_lines, last_lines, size
from herma.core.reading.page import CutLine, Page, cut_lines, line_number

__all__ = ["Limits", "Read", "Tail", "name_cut_lines", "page", "text"]


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


class Read(NamedTuple):
    """What is known of the read whose result is shortened. `whole` is the result's size in bytes."""

    limits: Limits
    facts: ToolFacts
    path: object
    whole: int


class _Kept(NamedTuple):
    """What stays of a page, and the numbers of the first and last line that do not."""

    head: End
    tail: End
    first_left_out: int
    last_left_out: int


def page(shown: Page, tail: Tail, read: Read) -> Pass | Replace:
    """`shown` with its middle left out, or the reason why that would not help."""
    kept = _keep(shown, tail, read.limits)
    if kept.first_left_out > kept.last_left_out:
        return Pass("covers_page")
    parts = [*kept.head.lines, _marker(shown, tail, kept, read.whole)]
    if not tail.at_end and kept.tail.lines:
        parts.append(_page_end_note(tail, read.limits, kept))
    cut = cut_lines(shown, kept.head.lines) + cut_lines(tail.page, kept.tail.lines)
    record = dict(shown.record, content="\n".join([*parts, *kept.tail.lines]), truncated=True)
    if shown.numbered:
        record["next_offset"] = kept.first_left_out
    if cut:
        record["truncated_lines"] = True
    record["hint"] = _hint(shown, tail, kept, read) + _cut_hint(shown, cut, read.path)
    shortened = json.dumps(record, ensure_ascii=False)
    return Replace(_reason(tail, kept, read.limits), shortened) if size(shortened) < read.whole else Pass("no_gain")


def name_cut_lines(shown: Page, path: object) -> Pass | Replace:
    """Nothing is left out by us; where the host cut lines of a big file, its hint now says so."""
    cut = [] if shown.record.get("extracted_document") else cut_lines(shown, shown.lines)
    if not cut:
        return Pass("covers_page")
    said = marker.cut_lines(cut, path, file_size=shown.file_size)
    hint = " ".join(part for part in (shown.record.get("hint"), said) if isinstance(part, str))
    record = dict(shown.record, truncated=True, truncated_lines=True, hint=hint)
    return Replace("cut_lines_named", json.dumps(record, ensure_ascii=False))


def text(whole: str, limits: Limits, facts: ToolFacts) -> Pass | Replace:
    """A plain text with its middle left out, bounded by bytes where lines do not bound it."""
    ending = "\n" if whole.endswith("\n") else ""
    lines = whole.removesuffix("\n").split("\n")
    if any(line.startswith(marker.MARK) for line in lines):
        return Pass("already_shortened")
    head, tail = first_lines(lines, limits.head), last_lines(lines, limits.tail)
    first = size("\n".join(head.lines)) + (bool(head.lines) and not head.part_of_line)
    end = size(whole) - size("\n".join(tail.lines)) - size(ending) - (bool(tail.lines) and not tail.part_of_line)
    said = marker.text_window(facts, first, end - first, part_of_line=head.part_of_line or tail.part_of_line)
    mark = marker.marker(len(lines), size(whole), len(head.lines), len(tail.lines))
    shortened = "\n".join([*head.lines, mark, said, *tail.lines]) + ending
    return Replace("shortened_text", shortened) if size(shortened) < size(whole) else Pass("no_gain")


def _keep(shown: Page, tail: Tail, limits: Limits) -> _Kept:
    """The lines of both ends. With numbers, both cuts lie where a numbered line begins."""
    if not shown.numbered:
        return _keep_unnumbered(shown, limits)
    head = first_lines(shown.lines, limits.head)
    rest = shown.lines[len(head.lines) :]
    while rest and line_number(rest[0]) is None and len(head.lines) > 1:
        rest.insert(0, head.lines.pop())
    after_head = _number_from(head.lines[::-1], 0) + (not head.part_of_line)
    first = after_head if head.part_of_line else _number_from(rest, after_head)
    candidates = _from_number(tail.page, first)
    end = last_lines(candidates, limits.tail)
    while end.lines and line_number(end.lines[0]) is None and not end.part_of_line:
        end.lines.pop(0)
    last = _last_left_out(shown, tail, candidates, end)
    return _Kept(head, end, first, last)


def _keep_unnumbered(shown: Page, limits: Limits) -> _Kept:
    head = first_lines(shown.lines, limits.head)
    end = last_lines(shown.lines[len(head.lines) - head.part_of_line :], limits.tail)
    first = len(head.lines) + (not head.part_of_line)
    return _Kept(head, end, first, len(shown.lines) - len(end.lines) + end.part_of_line)


def _number_from(lines: list[str], otherwise: int) -> int:
    return next((number for number in map(line_number, lines) if number is not None), otherwise)


def _from_number(source: Page, first: int) -> list[str]:
    """The lines of a page from number `first` on, without the empty line that Hermes 0.19 adds after the last."""
    start = next((i for i, line in enumerate(source.lines) if (line_number(line) or 0) >= first), len(source.lines))
    lines = source.lines[start:]
    phantom = f"{(source.total_lines or 0) + 1}|"
    return lines[:-1] if lines and lines[-1] == phantom else lines


def _last_left_out(shown: Page, tail: Tail, candidates: list[str], end: End) -> int:
    """The number of the last line that is not shown, or of the one that is shown in part."""
    if not end.lines:
        total = max(shown.total_lines or 0, tail.page.total_lines or 0)
        return max(total, _number_from(candidates[::-1], 0))
    if end.part_of_line:
        return _number_from(candidates[::-1], 0)
    return (line_number(end.lines[0]) or 1) - 1


def _marker(shown: Page, tail: Tail, kept: _Kept, whole: int) -> str:
    """The totals are the host's own, from the later read where there were two: a log may grow in between."""
    latest = tail.page if tail.at_end else shown
    lines = latest.total_lines if latest.total_lines is not None else len(shown.lines)
    bytes_ = latest.file_size if latest.file_size is not None else whole
    return marker.marker(lines, bytes_, len(kept.head.lines), len(kept.tail.lines))


def _page_end_note(tail: Tail, limits: Limits, kept: _Kept) -> str:
    total, first = tail.page.total_lines or 0, kept.last_left_out + 1
    offset = max(1, total - limits.tail_lines + 1)
    return marker.not_the_end(first, tail.page.last_number, offset, total - offset + 1)


def _hint(shown: Page, tail: Tail, kept: _Kept, read: Read) -> str:
    if not shown.numbered:
        return f"Lines {kept.first_left_out}-{kept.last_left_out} of this result are left out."
    said = marker.more_lines(kept.first_left_out, kept.last_left_out, read.facts)
    if not tail.at_end:
        said += f" The end of the file, line {tail.page.total_lines}, is not shown."
    return said


def _cut_hint(shown: Page, cut: list[CutLine], path: object) -> str:
    """Nothing for a document: its lines are not those of the file, so no command on the file shows them."""
    if not cut or shown.record.get("extracted_document"):
        return ""
    return " " + marker.cut_lines(cut, path, file_size=shown.file_size)


def _reason(tail: Tail, kept: _Kept, limits: Limits) -> str:
    if not tail.at_end:
        return "shortened_page_end"
    full = len(kept.head.lines) == limits.head_lines and len(kept.tail.lines) == limits.tail_lines
    return "shortened" if full else "shortened_wide"
