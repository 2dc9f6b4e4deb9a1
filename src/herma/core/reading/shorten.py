"""How a result is shortened: which lines stay, and what is said in the place of the others."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from herma.core.reading import marker
from herma.core.reading.events import Pass, Replace, ToolFacts
from herma.core.reading.excerpt import first_lines, last_lines, size
from herma.core.reading.kept import Kept, Limits, Tail, keep
from herma.core.reading.page import Page, cut_lines
from herma.core.reading.ranges import limit_of_own_range

__all__ = ["Read", "name_cut_lines", "page", "text"]


class Read(NamedTuple):
    """What is known of the read whose result is shortened. `whole` is the result's size in bytes."""

    limits: Limits
    facts: ToolFacts
    path: object
    whole: int


def page(shown: Page, tail: Tail, read: Read) -> Pass | Replace:
    """`shown` with its middle left out, or the reason why that would not help."""
    kept = keep(shown, tail, read.limits)
    if kept.first_left_out > kept.last_left_out:
        return Pass("covers_page")
    parts = [*kept.head.lines, _marker(shown, tail, kept, read.whole)]
    if not tail.at_end and kept.tail.lines:
        parts.append(_page_end_note(tail, kept, read))
    record = dict(shown.record, content="\n".join([*parts, *kept.tail.lines]), truncated=True)
    if shown.numbered:
        record["next_offset"] = kept.first_left_out
    if kept.cut:
        record["truncated_lines"] = True
    record["hint"] = " ".join(filter(None, _hints(shown, tail, kept, read)))
    shortened = json.dumps(record, ensure_ascii=False)
    if size(shortened) >= read.whole:
        return Pass("no_gain")
    return Replace(_reason(tail, kept, read.limits), shortened, in_part=True)


def name_cut_lines(shown: Page, path: object) -> Pass | Replace:
    """Nothing is left out by us; where the host cut lines of a big file, its hint now says so."""
    cut = [] if shown.record.get("extracted_document") else cut_lines(shown, shown.lines)
    if not cut:
        return Pass("covers_page")
    said = marker.cut_lines(cut, path, file_size=shown.file_size)
    before = str(shown.record.get("hint") or "")
    if said in before:
        return Pass("already_shortened")
    hint = f"{before} {said}".lstrip()
    record = dict(shown.record, truncated=True, truncated_lines=True, hint=hint)
    return Replace("cut_lines_named", json.dumps(record, ensure_ascii=False))


def text(whole: str, limits: Limits, facts: ToolFacts) -> Pass | Replace:
    """A plain text with its middle left out, bounded by bytes where lines do not bound it."""
    ending = "\n" if whole.endswith("\n") else ""
    lines = whole.removesuffix("\n").split("\n")
    if marker.MARK in whole and any(line.startswith(marker.MARK) for line in lines):
        return Pass("already_shortened")
    head, tail = first_lines(lines, limits.head), last_lines(lines, limits.tail)
    first = size("\n".join(head.lines)) + (bool(head.lines) and not head.part_of_line)
    end = size(whole) - size("\n".join(tail.lines)) - size(ending) - (bool(tail.lines) and not tail.part_of_line)
    left_out = marker.LeftOut(first, end - first, head.part_of_line or tail.part_of_line)
    said = marker.text_window(left_out, facts, limits.size)
    mark = marker.marker(len(lines), size(whole), len(head.lines), len(tail.lines))
    shortened = "\n".join([*head.lines, mark, said, *tail.lines]) + ending
    return Replace("shortened_text", shortened) if size(shortened) < size(whole) else Pass("no_gain")


def _marker(shown: Page, tail: Tail, kept: Kept, whole: int) -> str:
    """The totals are the host's own, from the later read where there were two: a log may grow in between."""
    latest = tail.page if tail.at_end else shown
    lines = latest.total_lines if latest.total_lines is not None else len(shown.lines)
    bytes_ = latest.file_size if latest.file_size is not None else whole
    return marker.marker(lines, bytes_, len(kept.head.lines), len(kept.tail.lines))


def _page_end_note(tail: Tail, kept: Kept, read: Read) -> str:
    shown, total = tail.page, tail.page.total_lines
    first, last = kept.last_left_out + 1, shown.last_number if shown.numbered else len(shown.lines)
    if not total:
        return marker.not_the_end(first, last, None)
    offset = max(1, total - read.limits.tail_lines + 1)
    return marker.not_the_end(first, last, (offset, limit_of_own_range(offset, total - offset + 1, read.facts)))


def _hints(shown: Page, tail: Tail, kept: Kept, read: Read) -> Iterator[str]:
    """What the host said of the file, then what is left out and how to get it."""
    first, last = kept.first_left_out, kept.last_left_out
    yield _said_by_host(shown)
    if shown.numbered:
        yield marker.more_lines(first, last, read.facts)
        in_part = {n for n, end in ((first, kept.head), (last, kept.tail)) if end.part_of_line}
        yield from map(marker.shown_in_part, sorted(in_part))
    else:
        yield f"Lines {first}-{last} of this result are left out."
    if not tail.at_end and tail.page.total_lines:
        yield f"The end of the file, line {tail.page.total_lines}, is not shown."
    # Nothing for a document: its lines are not those of the file, so no command on the file shows them.
    if kept.cut and not shown.record.get("extracted_document"):
        yield marker.cut_lines(kept.cut, read.path, file_size=shown.file_size)


def _said_by_host(shown: Page) -> str:
    """The host's hint without its directions to the next page, which no longer hold."""
    hint = str(shown.record.get("hint") or "")
    for directions in ("Use offset=", "Output truncated at "):
        hint = hint.partition(directions)[0]
    return hint.strip()


def _reason(tail: Tail, kept: Kept, limits: Limits) -> str:
    if not tail.at_end:
        return "shortened_page_end"
    full = len(kept.head.lines) == limits.head_lines and len(kept.tail.lines) == limits.tail_lines
    whole = not kept.head.part_of_line and not kept.tail.part_of_line
    return "shortened" if full and whole else "shortened_wide"
