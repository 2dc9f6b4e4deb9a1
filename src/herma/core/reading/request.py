"""What makes two calls the same read, whatever way the model wrote them.

Hosts clamp the window and accept numbers as text, so `"1"`, `1`, `0` and a left-out offset are one read.
"""

from collections.abc import Mapping
from typing import NamedTuple

from herma.core.reading.events import ToolFacts
from herma.core.reading.numbers import whole_number

__all__ = ["ReadKey", "key_of"]

_ARGUMENTS = frozenset(("path", "offset", "limit"))


class ReadKey(NamedTuple):
    """One read: an absolute path as it was written, the first line (from 1) and the most lines."""

    path: str
    offset: int
    limit: int


def key_of(arguments: Mapping[str, object], facts: ToolFacts) -> ReadKey | str:
    """The key of a call of `read_file`, or the id of the reason why it has none."""
    if not _ARGUMENTS.issuperset(arguments):
        return "unknown_arg"
    if facts.default_limit is None:
        return "no_schema"
    path, offset, limit = arguments.get("path"), arguments.get("offset"), arguments.get("limit")
    first = 1 if offset is None else _clamped(offset, None)
    most = facts.default_limit if limit is None else _clamped(limit, facts.most_lines)
    if not isinstance(path, str) or not path or "\0" in path or first is None or most is None:
        return "bad_args"
    return ReadKey(path, first, most) if path[0] == "/" else "relative_path"


def _clamped(value: object, most: int | None) -> int | None:
    """A whole number, also from text, between 1 and `most`; None for what is no whole number."""
    number = whole_number(value)
    if number is None:
        return None
    return max(1, number if most is None else min(number, most))
