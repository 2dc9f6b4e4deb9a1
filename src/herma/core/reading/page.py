"""One page of a file as a host's `read_file` returns it.

Both hosts answer with JSON whose `content` is lines of the form `N|text`, joined by line feeds.
Lines are split on the line feed alone: a form feed or a Unicode line separator is text.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["CutLine", "Page", "cut_lines", "line_number", "page_of", "parse_object"]

_CUT = "... [truncated]"
_HOST_LINE_LIMIT = 2_000


class Page(NamedTuple):
    """A parsed page. `record` is the host's object, `lines` its content split on line feeds."""

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
        """True when the page holds the last line of the file."""
        return not self.record.get("truncated") or self.last_number >= (self.total_lines or 0)


class CutLine(NamedTuple):
    """A line that the host cut because it was too long for it: its number, and the characters shown."""

    number: int
    shown: int


def cut_lines(page: Page, lines: Iterable[str]) -> list[CutLine]:
    """Those of `lines` that the host cut.

    A line that ends in the host's own words counts only at the host's limit, or where the
    host says that it cut lines: a file may contain those words too.
    """
    announced = bool(page.record.get("truncated_lines"))
    found = []
    for line in lines:
        if line.endswith(_CUT):
            number, text = line_number(line), line.partition("|")[2]
            shown = len(text) - len(_CUT)
            if number is not None and (announced or shown == _HOST_LINE_LIMIT):
                found.append(CutLine(number, shown))
    return found


def parse_object(text: str) -> dict[str, object] | None:
    """The JSON object in `text`, or None when it is anything else."""
    if not text.startswith("{"):
        return None
    try:
        record = json.loads(text)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def page_of(record: dict[str, object] | None) -> Page | None:
    """The page in a host's answer, or None when it carries no text content."""
    content = (record or {}).get("content")
    if record is None or not isinstance(content, str) or record.get("is_binary") or record.get("is_image"):
        return None
    return Page(record, content.split("\n"))


def line_number(line: str) -> int | None:
    """The number in a line's gutter, or None: redaction can merge lines and leave some without."""
    number, bar, _ = line.partition("|")
    return int(number) if bar and number.isascii() and number.isdigit() else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
