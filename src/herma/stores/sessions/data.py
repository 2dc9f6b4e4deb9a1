"""JSON that somebody else wrote into a row: what is not of the kind that is asked for is as if it were not there."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["listed", "mapped", "parsed", "shown", "worded"]


def parsed(text: object) -> Any:
    """What a text of JSON says, None where it is none."""
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def mapped(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listed(value: object) -> Sequence[Mapping[str, Any]]:
    """The objects of a list, none where it is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def worded(value: object) -> str:
    """The value if it is a text, else an empty one."""
    return _whole(value) if isinstance(value, str) else ""


def shown(value: object) -> str:
    """The arguments of a tool as a text that can be searched."""
    return _whole(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) if value else "")


def _whole(text: str) -> str:
    """The text without halves of characters, as a cut by a host leaves them: no database keeps those."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
