"""One page of a file as a host's `read_file` returns it.

Both hosts answer with JSON whose `content` is lines of the form `N|text`, joined by line feeds.
Lines are split on the line feed alone: a form feed or a Unicode line separator is text.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

__all__ = ["CutLine", "Page", "answered_before", "cut_lines", "is_media", "line_number", "page_of", "parse_object"]

_CUT = "... [truncated]"
_HOST_LINE_LIMIT = 2_000
_MOST_DIGITS = 12


class Page(NamedTuple):
    """A parsed page: `record` is the host's object, `lines` its content split on line feeds.

    The empty line that Hermes 0.19 adds with the number after the last one it shows is not among `lines`.
    """

    record: dict[str, object]
    lines: list[str]

    @property
    def content(self) -> str:
        """The content as the host wrote it."""
        return str(self.record["content"])

    @property
    def total_lines(self) -> int | None:
        """Lines of the whole file, as the host counts them; None where it does not say."""
        return _count(self.record.get("total_lines"))

    @property
    def file_size(self) -> int | None:
        """Bytes of the whole file, or None where the host does not say."""
        return _count(self.record.get("file_size"))

    @property
    def numbered(self) -> bool:
        """True for a page of a file whose lines carry their numbers."""
        return self.total_lines is not None and line_number(self.lines[0]) is not None

    @property
    def last_number(self) -> int:
        """The highest line number on the page, 0 without one."""
        numbers = (line_number(line) for line in reversed(self.lines))
        return next((number for number in numbers if number is not None), 0)

    @property
    def reaches_end(self) -> bool:
        """True when the page holds the last line that the host counts.

        A page cut by its size may end right before a line that the host does not count.
        """
        if not self.record.get("truncated"):
            return True
        return self.numbered and not self.record.get("truncated_by") and self.last_number >= (self.total_lines or 0)

    @property
    def ends_in_empty_next(self) -> bool:
        """True where the empty line of Hermes 0.19 stood.

        A last line without a line feed, which 0.19 does not count, may stand there in the file instead.
        """
        return self.content.endswith(f"\n{self.last_number + 1}|")


class CutLine(NamedTuple):
    """A line that the host cut because it was too long for it: its number, and the characters shown."""

    number: int
    shown: int


def cut_lines(page: Page, lines: Iterable[str]) -> list[CutLine]:
    """Those of `lines` that the host cut.

    A file may contain the host's words too. So a line that ends in them counts only at the host's limit or, where
    the host says that it cut lines, if it is about as long as the longest such line; redaction may have shortened it.
    """
    if _CUT not in page.content:
        return []
    longest = max((len(line) for line in page.lines if line.endswith(_CUT)), default=0)
    announced = bool(page.record.get("truncated_lines"))
    found = []
    for line in lines:
        if line.endswith(_CUT):
            number, text = line_number(line), line.partition("|")[2]
            shown = len(text) - len(_CUT)
            if number is not None and (shown == _HOST_LINE_LIMIT or (announced and 2 * len(line) >= longest)):
                found.append(CutLine(number, shown))
    return found


def parse_object(text: str) -> dict[str, object] | None:
    """The JSON object in `text`, or None when it is anything else or nested too deep to be a page."""
    if not text.startswith("{"):
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def answered_before(record: dict[str, object] | None) -> bool:
    """True for a host's answer that it gave this page before, first as a note and then as an error."""
    return record is not None and (bool(record.get("dedup")) or "already_read" in record)


def page_of(record: dict[str, object] | None) -> Page | None:
    """The page in a host's answer, or None when it carries no text content."""
    content = (record or {}).get("content")
    if record is None or not isinstance(content, str) or is_media(record):
        return None
    page = Page(record, content.split("\n"))
    return page._replace(lines=page.lines[:-1]) if _ends_in_artefact(page) else page


def is_media(record: Mapping[str, object]) -> bool:
    """True for an answer about an image or another file that is no text."""
    return bool(record.get("is_binary") or record.get("is_image"))


def _ends_in_artefact(page: Page) -> bool:
    """Whether the last line is empty and may not be one of the file.

    Hermes 0.19 ends a page with the next number and nothing behind it, whatever stands there in the file. On a
    page that is not the last, an empty line cannot be told from that, so it counts as not shown.
    """
    number, total = line_number(page.lines[-1]), page.total_lines
    if len(page.lines) == 1 or number is None or total is None or page.lines[-1] != f"{number}|":
        return False
    return bool(page.record.get("truncated")) or number > total


def line_number(line: str) -> int | None:
    """The number in a line's gutter, or None: redaction can merge lines and leave some without."""
    number, bar, _ = line.partition("|")
    digits = bar and len(number) <= _MOST_DIGITS and number.isascii() and number.isdigit()
    return int(number) if digits else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
