"""Whether a read named a range of its own.

Such a read passes whole: it is how the model gets what a marker left out. Offset 1 together with the
host's default limit is a plain read, because many models always send both.
"""

from collections.abc import Mapping

from herma.core.reading.events import ToolFacts
from herma.core.reading.numbers import whole_number

__all__ = ["limit_of_own_range", "names_own_range"]


def names_own_range(arguments: Mapping[str, object], facts: ToolFacts) -> bool:
    """True when `arguments` ask for a part of the file, or for more than a plain read gives.

    A value that is no number counts as a range: what is not understood is not shortened.
    """
    if any(arguments.get(name) is not None for name in facts.byte_window or ()):
        return True
    offset, limit = arguments.get("offset"), arguments.get("limit")
    if offset is not None and not _at_most(offset, 1):
        return True
    return limit is not None and not _is(limit, facts.default_limit)


def limit_of_own_range(offset: int, limit: int, facts: ToolFacts) -> int:
    """`limit`, or one next to it where a read with this offset and that limit would count as a plain one."""
    if offset > 1 or limit != facts.default_limit:
        return limit
    return limit - 1 if limit > 1 else limit + 1


def asks_for_plain_window(arguments: Mapping[str, object], facts: ToolFacts) -> bool:
    """True when a read with a range of its own names, once clamped, the window of a plain read.

    Hosts clamp a limit of 10,000 to their largest page; where that is also their default page, they take
    both reads for the same one.
    """
    limit = whole_number(arguments.get("limit"))
    if limit is None or facts.most_lines is None or facts.most_lines != facts.default_limit:
        return False
    return limit > facts.most_lines and _at_most(arguments.get("offset", 1), 1)


def _at_most(value: object, most: int) -> bool:
    number = whole_number(value)
    return number is not None and number <= most


def _is(value: object, wanted: int | None) -> bool:
    number = whole_number(value)
    return number is not None and number == wanted
