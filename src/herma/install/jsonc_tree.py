"""Where the parts of a JSON text with comments stand, in characters. Values are left as they are written."""

import json
import re
from typing import NamedTuple

from herma.errors import OddFile
from herma.install.outline import BY_HAND

__all__ = ["Node", "key_text", "tree_of"]

_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_ATOM = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s,:{}\[\]/"]+')
_CLOSING = {"{": "}", "[": "]"}
_DEEPEST = 100


class Node(NamedTuple):
    """A value from `start` to `end`. `keys` are an object's, beside its `items`; `comma` is the one after it, or -1."""

    kind: str
    start: int
    end: int
    keys: tuple["Node", ...] = ()
    items: tuple["Node", ...] = ()
    comma: int = -1


def tree_of(text: str) -> Node | None:
    """The value that a text consists of; None for a text without one. Raises `OddFile`."""
    start = _blank(text, text.startswith("\ufeff"))
    if start == len(text):
        return None
    node = _value(text, start, 0)
    if _blank(text, node.end) != len(text):
        raise _odd(text, node.end)
    return node


def _value(text: str, at: int, depth: int) -> Node:
    kind = text[at : at + 1]
    if kind in _CLOSING and kind and depth < _DEEPEST:
        return _collection(text, at, depth)
    found = _ATOM.match(text, at)
    if found is None:
        raise _odd(text, at)
    return Node("atom", at, found.end())


def _collection(text: str, start: int, depth: int) -> Node:
    kind, keys, items = text[start], list[Node](), list[Node]()
    at = _blank(text, start + 1)
    while text[at : at + 1] != _CLOSING[kind]:
        if items and items[-1].comma < 0:
            raise _odd(text, at)
        if kind == "{":
            keys.append(_value(text, at, _DEEPEST))
            at = _blank(text, keys[-1].end)
            if text[at : at + 1] != ":":
                raise _odd(text, at)
            at = _blank(text, at + 1)
        item = _value(text, at, depth + 1)
        at = _blank(text, item.end)
        is_comma = text[at : at + 1] == ","
        items.append(item._replace(comma=at if is_comma else -1))
        at = _blank(text, at + 1) if is_comma else at
    return Node(kind, start, at + 1, tuple(keys), tuple(items))


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _odd(text: str, at: int) -> OddFile:
    line = text.count("\n", 0, at) + 1
    return OddFile(f"line {line} is not JSON with comments", hint=BY_HAND)


def key_text(text: str, key: Node) -> object:
    """What a key reads as; None for one that is no text."""
    try:
        return json.loads(text[key.start : key.end])
    except ValueError:
        return None
