"""JSON with comments and trailing commas, as people write it."""

import json
import re

__all__ = ["loads", "plain"]

_COMMENT = r"//[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/"
_TOKEN = re.compile(rf'"(?:[^"\\]|\\.)*"|{_COMMENT}|,(?=(?:\s|{_COMMENT})*[}}\]])', re.DOTALL)
_NOT_LINES = re.compile(r"[^\n]")


def loads(text: str) -> object:
    """The value of `text`. Raises `json.JSONDecodeError`, whose line and column are those of `text`."""
    return json.loads(plain(text.removeprefix("\ufeff")))


def plain(text: str) -> str:
    """`text` with blanks in the place of comments and trailing commas; what stands in strings is left alone."""
    return _TOKEN.sub(_without, text)


def _without(found: re.Match[str]) -> str:
    token = found.group()
    return token if token.startswith('"') else _NOT_LINES.sub(" ", token)
