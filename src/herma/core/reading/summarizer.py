"""read-summarizer's decision: huge results become their first and last lines with a marker between.

`decide` is total. What it cannot know it asks for: `NeedLines` means that the host should read those
lines of the same file, and that `decide` is to be called again with the answer added.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from herma.core.reading import shorten
from herma.core.reading.events import Decision, NeedLines, Pass, ToolFacts, ToolResult
from herma.core.reading.excerpt import size
from herma.core.reading.marker import MARK
from herma.core.reading.page import Page, page_of, parse_object
from herma.core.reading.ranges import names_own_range
from herma.core.reading.shorten import Limits, Read, Tail

__all__ = ["SummarySettings", "decide"]

# Extra lines around the tail that is asked for. They cover a file that grows between the two reads and
# a last line that Hermes 0.19 does not count, and they make a window that no model asks for: a host
# answers a repeated window with "unchanged", and the model must never get that for lines it has not seen.
_SLACK = 16
_ATTEMPTS = 3
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
    ("error_result", lambda event, _settings, _facts: event.failed),
    ("not_text", lambda event, _settings, _facts: not isinstance(event.result, str)),
    ("own_range", lambda event, _settings, facts: names_own_range(event.arguments, facts)),
)


def decide(
    event: ToolResult, settings: SummarySettings, facts: ToolFacts, *, answers: Sequence[str | None] = ()
) -> Decision:
    """What becomes of a finished read. `answers` are the host's replies to earlier `NeedLines`, oldest first."""
    for reason, holds in _GATES:
        if holds(event, settings, facts):
            return Pass(reason)
    text = str(event.result)
    record = parse_object(text)
    if record and record.get("error"):
        return Pass("error_result")
    page = page_of(record)
    if page is not None:
        return _decide_page(event, page, settings, facts, answers)
    if size(text) <= settings.threshold_bytes:
        return Pass("no_content" if record else "small")
    return shorten.text(text, settings.limits, facts)


def _decide_page(
    event: ToolResult, page: Page, settings: SummarySettings, facts: ToolFacts, answers: Sequence[str | None]
) -> Decision:
    """The same for a page of a file."""
    whole = size(str(event.result))
    if max(_file_bytes(page), whole) <= settings.threshold_bytes:
        return Pass("small")
    if any(line.startswith(MARK) for line in page.lines):
        return Pass("already_shortened")
    kept_at_most = settings.head_lines + settings.tail_lines
    if len(page.lines) <= kept_at_most and size(page.content) <= settings.threshold_bytes:
        return shorten.name_cut_lines(page, event.arguments.get("path"))
    if not settings.tail_lines:
        tail = Tail(page, at_end=True)
    elif page.reaches_end or not page.numbered or event.tool != _READ_TOOL:
        tail = Tail(page, at_end=page.reaches_end)
    else:
        wanted = _tail(page, settings.limits, facts, answers)
        if isinstance(wanted, NeedLines):
            return wanted
        tail = wanted
    return shorten.page(page, tail, Read(settings.limits, facts, event.arguments.get("path"), whole))


def _file_bytes(page: Page) -> int:
    """Bytes of text in the whole file. The size of a document is that of its container, so its text is estimated."""
    if page.record.get("extracted_document"):
        return size(page.content) * max(page.total_lines or 0, len(page.lines)) // len(page.lines)
    return page.file_size or 0


def _tail(page: Page, limits: Limits, facts: ToolFacts, answers: Sequence[str | None]) -> Tail | NeedLines:
    """The end of the file out of the host's answers, or the lines to ask it for next."""
    fallback = Tail(page, at_end=False)
    if not answers:
        return _window(page, _tail_lines(page, limits), facts)
    latest = page_of(parse_object(answers[-1] or ""))
    if latest is not None and (latest.total_lines or 0) < (page.total_lines or 0):
        return fallback  # the file was cut or replaced between the two reads
    if latest is not None and latest.numbered and latest.reaches_end:
        return Tail(latest, at_end=True)
    if len(answers) >= _ATTEMPTS or answers[-1] is None:
        return fallback
    if latest is None or not latest.numbered:
        return _window(page, _tail_lines(page, limits) + len(answers), facts)
    return _window(latest, max(1, len(latest.lines) // 4), facts)


def _tail_lines(page: Page, limits: Limits) -> int:
    """How many lines of this page's width fit into the tail; more would only be read to be dropped."""
    width = max(1, size(page.content) // len(page.lines))
    return max(1, min(limits.tail_lines, limits.tail_bytes // width + 1))


def _window(page: Page, lines: int, facts: ToolFacts) -> NeedLines:
    total = page.total_lines or 0
    if facts.most_lines:
        lines = max(1, min(lines, facts.most_lines - 2 * _SLACK))
    offset = max(1, total - lines - _SLACK + 1)
    return NeedLines(offset, total - offset + 1 + _SLACK)
