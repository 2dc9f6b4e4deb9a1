"""read-summarizer's decision: huge results become their first and last lines with a marker between.

`decide` is total. What it cannot know it asks for: `NeedLines` means that the host should read those
lines of the same file, and that `decide` is to be called again with the answer added.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from herma.core.reading import shorten
from herma.core.reading.events import Decision, NeedLines, Pass, Replace, ToolFacts, ToolResult
from herma.core.reading.excerpt import size
from herma.core.reading.kept import Limits, Tail
from herma.core.reading.marker import MARK
from herma.core.reading.page import Page, answered_before, is_media, page_of, parse_object
from herma.core.reading.ranges import asks_for_plain_window, names_own_range
from herma.core.reading.shorten import Read

__all__ = ["SummarySettings", "decide"]

# Extra lines around the tail that is asked for. They cover a file that grows between the two reads and
# a last line that Hermes 0.19 does not count, and they make a window that no model asks for: a host
# answers a repeated window with "unchanged", and the model must never get that for lines it has not seen.
_SLACK = 16
_ATTEMPTS = 3
# What surely fits into one of a host's pages, which hold 100,000 characters: bytes, and lines of the greatest
# length a host shows.
_FITS_A_PAGE = 90_000
_WIDEST_LINES = 40
_READ_TOOL = "read_file"


class SummarySettings(NamedTuple):
    """The plugin's settings, as `herma.core.settings` documents them."""

    enabled: bool = False
    threshold_bytes: int = 50_000
    head_lines: int = 200
    tail_lines: int = 50
    allowed_tools: tuple[str, ...] = ("read_file", "Read", "read_path")

    @property
    def limits(self) -> Limits:
        """What is kept at most."""
        return Limits(self.head_lines, self.tail_lines, self.threshold_bytes)


_Gate = Callable[[ToolResult, SummarySettings, ToolFacts], bool]

# The first gate that holds gives the reason; none of them looks into the result.
_GATES: tuple[tuple[str, _Gate], ...] = (
    ("disabled", lambda _event, settings, _facts: not settings.enabled),
    ("other_tool", lambda event, settings, _facts: event.tool not in settings.allowed_tools),
    ("nested_call", lambda event, _settings, _facts: not event.call_id),
    ("not_text", lambda event, _settings, _facts: not isinstance(event.result, str)),
)


def decide(
    event: ToolResult,
    settings: SummarySettings,
    facts: ToolFacts,
    *,
    asked: NeedLines | None = None,
    answers: Sequence[str | None] = (),
) -> Decision:
    """What becomes of a finished read.

    `asked` is the latest `NeedLines` of this event; `answers` are the host's replies to all of them, oldest first.
    """
    if asked is not None and asked.page is not None:
        return _decide_page(event, asked.page, settings, facts, answers)
    for reason, holds in _GATES:
        if holds(event, settings, facts):
            return Pass(reason)
    decide_ = _own_range if names_own_range(event.arguments, facts) else _plain_read
    return decide_(event, settings, facts, answers)


def _plain_read(
    event: ToolResult, settings: SummarySettings, facts: ToolFacts, answers: Sequence[str | None]
) -> Decision:
    """A read that asked for a file and not for a part of it."""
    text = str(event.result)
    record = parse_object(text)
    if event.failed or (record and record.get("error")):
        return Pass("error_result")
    page = page_of(record)
    if page is not None:
        return _decide_page(event, page, settings, facts, answers)
    if size(text) <= settings.threshold_bytes or is_media(record or {}):
        return Pass("no_content" if record else "small")
    return shorten.text(text, settings.limits, facts)


def _own_range(
    event: ToolResult, settings: SummarySettings, facts: ToolFacts, answers: Sequence[str | None]
) -> Decision:
    """A read with a range of its own passes whole, and a marker's promise holds even where the host would break it.

    Hermes 0.22 takes limit=10000 for its default page and answers "unchanged" after a plain read. Where that
    plain read was shortened, the model has not seen what the host points at, so it gets the page.
    """
    if event.tool != _READ_TOOL or not asks_for_plain_window(event.arguments, facts):
        return Pass("own_range")
    if not answered_before(parse_object(str(event.result))):
        return Pass("own_range")
    if not answers:
        return NeedLines(1, facts.most_lines or 1, anew=True)
    plain = event._replace(arguments={"path": event.arguments.get("path")}, result=answers[0], failed=False)
    would_be = decide(plain, settings, facts) if answers[0] is not None else Pass("own_range")
    return Pass("own_range") if isinstance(would_be, Pass) else Replace("sent_whole", str(answers[0]))


def _decide_page(
    event: ToolResult, page: Page, settings: SummarySettings, facts: ToolFacts, answers: Sequence[str | None]
) -> Decision:
    """The same for a page of a file."""
    whole = size(str(event.result))
    if max(_file_bytes(page), whole) <= settings.threshold_bytes:
        return Pass("small")
    if MARK in page.content and any(line.startswith(MARK) for line in page.lines):
        return Pass("already_shortened")
    kept_at_most = settings.head_lines + settings.tail_lines
    if len(page.lines) <= kept_at_most and size(page.content) <= settings.threshold_bytes:
        return shorten.name_cut_lines(page, event.arguments.get("path"))
    if not settings.tail_lines:
        tail = Tail(page, at_end=True)
    elif _holds_end(page, facts) or not page.numbered or event.tool != _READ_TOOL:
        tail = Tail(page, at_end=page.reaches_end)
    else:
        wanted = _tail(page, settings.limits, facts, answers)
        if isinstance(wanted, NeedLines):
            return wanted._replace(page=page)
        tail = wanted
    return shorten.page(page, tail, Read(settings.limits, facts, event.arguments.get("path"), whole))


def _file_bytes(page: Page) -> int:
    """Bytes of text in the whole file. The size of a document is that of its container, so its text is estimated."""
    if page.record.get("extracted_document"):
        return size(page.content) * max(page.total_lines or 0, len(page.lines)) // len(page.lines)
    return page.file_size or 0


def _holds_end(page: Page, facts: ToolFacts) -> bool:
    """False too where the page is full and the file may go on behind it with a line that Hermes 0.19 does not count."""
    full = page.last_number == facts.default_limit
    return page.reaches_end and not (full and page.ends_in_empty_next)


def _tail(page: Page, limits: Limits, facts: ToolFacts, answers: Sequence[str | None]) -> Tail | NeedLines:
    """The end of the file out of the host's answers, or the lines to ask it for next."""
    fallback = Tail(page, at_end=page.reaches_end)
    if not answers:
        return _window(page, _tail_lines(page, limits), facts)
    latest = _answered(answers[-1])
    # A file that is shorter now was cut or replaced between the two reads.
    shorter = latest is not None and (latest.total_lines or 0) < (page.total_lines or 0)
    if shorter or latest is None or not latest.numbered or not latest.reaches_end:
        at_a_loss = shorter or answers[-1] is None or len(answers) >= _ATTEMPTS
        return fallback if at_a_loss else _next_window(page, latest, limits, facts, times=len(answers))
    return Tail(latest, at_end=True)


def _next_window(page: Page, latest: Page | None, limits: Limits, facts: ToolFacts, *, times: int) -> NeedLines:
    """What to ask for after `times` questions, whose latest answer was no page or did not reach the end."""
    if latest is None or not latest.numbered:
        return _window(page, _tail_lines(page, limits) + times, facts)
    if not latest.record.get("truncated_by"):
        return _window(latest, _tail_lines(page, limits), facts)
    fewer = len(latest.lines) // 2
    last_try = times == _ATTEMPTS - 1
    return _window(latest, max(1, min(fewer, _WIDEST_LINES) if last_try else fewer), facts, before=0)


def _answered(answer: str | None) -> Page | None:
    record = parse_object(answer or "")
    return None if record and record.get("error") else page_of(record)


def _tail_lines(page: Page, limits: Limits) -> int:
    """The lines to ask for: those of the tail as far as they can be kept, and if as wide as here fit into one page."""
    width = max(1, size(page.content) // len(page.lines))
    narrowest = len(f"{page.total_lines}|\n")
    return max(1, min(limits.tail_lines, limits.tail_bytes // narrowest + 1, _FITS_A_PAGE // width - _SLACK))


def _window(page: Page, lines: int, facts: ToolFacts, *, before: int = _SLACK) -> NeedLines:
    """The last `lines` lines, those `before` them, and some more behind the end."""
    total = page.total_lines or 0
    if facts.most_lines:
        lines = max(1, min(lines, facts.most_lines - 2 * _SLACK))
    offset = max(1, total - lines - before + 1)
    return NeedLines(offset, total - offset + 1 + _SLACK)
