"""The lines of a YAML text: where one begins and ends, and edits of whole lines."""

import json
import re
from collections.abc import Sequence

from herma.errors import OddFile
from herma.install.edits import Edit
from herma.install.outline import BY_HAND, Document, Node

__all__ = ["behind_colon", "block_at", "indent_of", "is_quoted", "line_after", "prefix_of", "whole_lines", "word"]


def block_at(document: Document, at: int, lines: Sequence[str]) -> Edit:
    """New lines at the start of a line, or behind the last one, with the line ends that stand before them."""
    text = document.text
    newline = "\r\n" if text[:at].rpartition("\n")[0].endswith("\r") else "\n"
    if at == len(text) and text.strip("\ufeff") and not text.endswith("\n"):
        return Edit(at, "", "".join(newline + line for line in lines))
    return Edit(at, "", "".join(line + newline for line in lines))


def whole_lines(document: Document, first: int, last: int) -> Edit:
    """The whole lines of a part, gone. One at the end of a text without a last line end takes the end before it."""
    text = document.text
    start, end = _line_start(text, first), line_after(text, last)
    if end == len(text) and not text.endswith("\n") and start:
        start -= 2 if text[:start].endswith("\r\n") else 1
    return Edit(start, text[start:end], "")


def behind_colon(document: Document, key: Node, new: str) -> Edit:
    """Something new between the colon of a key and what follows it."""
    found = re.compile(r"\s*:").match(document.text, key.end)
    if found is None:
        raise OddFile(f"{key.value} is not written as `{key.value}:`", hint=BY_HAND)
    return Edit(found.end(), "", new)


def indent_of(document: Document, at: int) -> str:
    """The spaces before a key that is the first on its line."""
    return prefix_of(document, at, re.compile(" *"))


def prefix_of(document: Document, at: int, form: re.Pattern[str]) -> str:
    """What stands before a part on its line, if it has this form; otherwise the part is not on a line of its own."""
    before = document.text[_line_start(document.text, at) : at].removeprefix("\ufeff")
    if form.fullmatch(before) is None:
        line = document.text.count("\n", 0, at) + 1
        raise OddFile(f"line {line} is not one that can be added to", hint=BY_HAND)
    return before


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def line_after(text: str, at: int) -> int:
    """The start of the line after the one in which a part ends; a block of text ends with its line."""
    if at and text[at - 1] == "\n":
        return at
    return text.find("\n", at) + 1 or len(text)


def is_quoted(document: Document, sample: Node | None) -> bool:
    """Whether a part that stands near is written in double quotes, as all of JSON is."""
    return sample is not None and document.text[sample.start : sample.start + 1] == '"'


# What every reader takes for a text as it stands. A number, a date or one of the words for true and false is none.
_PLAIN = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][a-z0-9_./-]*", re.ASCII | re.IGNORECASE)


def word(name: str, *, quoted: bool) -> str:
    """A name as it is written: plain, or in double quotes where its neighbours are or where it would be no text."""
    return json.dumps(name) if quoted or _PLAIN.fullmatch(name) is None else name
