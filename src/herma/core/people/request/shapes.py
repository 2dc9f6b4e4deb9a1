"""The three shapes in which hosts send a request, seen as one: rows of texts, each with its place in the request.

They are chat completions (`messages`), Responses (`input` and `instructions`) and Anthropic messages (`messages` and
`system`). What is none of them is not understood, and a value says so.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Literal, NamedTuple, TypeAlias

__all__ = ["Kind", "NotUnderstood", "Path", "Row", "Shape", "Text", "View", "view"]

# The keys and indexes that lead from the request to a value in it.
Path: TypeAlias = tuple[str | int, ...]
Shape: TypeAlias = Literal["chat", "responses", "anthropic"]
Kind: TypeAlias = Literal["system", "user", "assistant", "tool"]

_KINDS: Mapping[str, Kind] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
# Where a system prompt stands that is no message.
_OUTER = ("system", "instructions")
_TEXT_TYPES = frozenset(("text", "input_text", "output_text"))


class NotUnderstood:
    """The request has another shape than is known, or a part whose end cannot be told: it must not be sent on.

    No tuple, so that nobody takes it for an empty or a full list of findings.
    """

    __slots__ = ("why",)

    def __init__(self, why: str) -> None:
        self.why = why

    def __repr__(self) -> str:
        return f"NotUnderstood({self.why!r})"


class Text(NamedTuple):
    """One text and its place."""

    path: Path
    text: str


class Row(NamedTuple):
    """What one side said at one position: the place of the message, and its texts; pictures and the like are not."""

    kind: Kind
    path: Path
    texts: tuple[Text, ...] = ()


class View(NamedTuple):
    """A request as rows, oldest first; `system` holds the texts of the system prompt and `rows` all the others."""

    request: Mapping[str, Any]
    shape: Shape
    system: tuple[Text, ...]
    rows: tuple[Row, ...]

    def said(self) -> list[Text]:
        """The texts of people, oldest first; what a host sends in their name is among them."""
        return [text for row in self.rows if row.kind == "user" for text in row.texts]

    def prompts(self) -> list[list[Text]]:
        """The texts of the system prompt, and of others that stand further down, each prompt with its parts."""
        return [list(texts) for _, texts in groupby(self.system, key=_prompt_of)]


def _prompt_of(text: Text) -> Path:
    """What the parts of one system prompt have in common."""
    return text.path[: 1 if text.path[0] in _OUTER else 2]


class _OtherShapeError(Exception):
    """Ends a walk through a request that is not understood."""


def view(request: object) -> View | NotUnderstood:
    """The request as rows of texts. Total: whatever is given, a view or the reason why there is none."""
    try:
        return _view(request)
    except _OtherShapeError as error:
        return NotUnderstood(str(error))


def _view(request: object) -> View:
    if not isinstance(request, dict):
        raise _OtherShapeError("the request is no mapping")
    messages, items = request.get("messages"), request.get("input")
    if isinstance(messages, list) and items is None:
        return _of_messages(request, messages)
    if isinstance(items, list) and messages is None:
        return _of_items(request, items)
    raise _OtherShapeError("the request has neither messages nor input alone")


def _of_messages(request: Mapping[str, Any], messages: list[Any]) -> View:
    rows = [row for number, message in enumerate(messages) for row in _rows(("messages", number), message)]
    outer = tuple(_prompt(("system",), request.get("system")))
    results_in_messages = any(row.kind == "tool" and len(row.path) > 2 for row in rows)  # noqa: PLR2004 - a block
    shape: Shape = "anthropic" if "system" in request or results_in_messages else "chat"
    return _sorted(request, shape, outer, rows)


def _of_items(request: Mapping[str, Any], items: list[Any]) -> View:
    rows = [row for number, item in enumerate(items) for row in _item(("input", number), item)]
    return _sorted(request, "responses", tuple(_prompt(("instructions",), request.get("instructions"))), rows)


def _sorted(request: Mapping[str, Any], shape: Shape, outer: tuple[Text, ...], rows: list[Row]) -> View:
    inner = (text for row in rows if row.kind == "system" for text in row.texts)
    return View(request, shape, (*outer, *inner), tuple(row for row in rows if row.kind != "system"))


def _prompt(path: Path, content: object) -> Iterator[Text]:
    """The texts of a system prompt; whatever else stood in one could hide what has to be found."""
    if content is None:
        return
    found = tuple(_texts(path, content))
    if isinstance(content, list) and len(found) != len(content):
        raise _OtherShapeError("the system prompt holds something that is no text")
    yield from found


def _item(path: Path, item: object) -> Iterator[Row]:
    if not isinstance(item, dict):
        raise _OtherShapeError("an item of the input is no mapping")
    kind = item.get("type", "message")
    if kind == "message":
        yield from _rows(path, item)
    elif kind == "function_call_output":
        yield Row("tool", path, tuple(_texts((*path, "output"), item.get("output"))))
    elif isinstance(kind, str):
        yield Row("assistant", path)  # calls, reasoning, and what else a model made
    else:
        raise _OtherShapeError("an item of the input has no type")


def _rows(path: Path, message: object) -> Iterator[Row]:
    """One message; results of tools inside it are rows of their own."""
    if not isinstance(message, dict):
        raise _OtherShapeError("a message is no mapping")
    kind = _KINDS.get(str(message.get("role")))
    content, place = message.get("content"), (*path, "content")
    if kind is None:
        raise _OtherShapeError("a message has a role that is not known")
    if kind == "assistant":
        yield Row(kind, path)
    elif kind == "system":
        yield Row(kind, path, tuple(_prompt(place, content)))
    elif kind == "user" and isinstance(content, list):
        yield from _user(path, place, content)
    else:
        yield Row(kind, path, tuple(_texts(place, content)))


def _user(path: Path, place: Path, blocks: list[Any]) -> Iterator[Row]:
    said: list[Text] = []
    others = not blocks
    for number, block in enumerate(blocks):
        here = (*place, number)
        if isinstance(block, dict) and block.get("type") == "tool_result":
            yield Row("tool", here, tuple(_texts((*here, "content"), block.get("content"))))
        else:
            others = True
            said.extend(_part(here, block))
    if others:
        yield Row("user", path, tuple(said))


def _texts(path: Path, content: object) -> Iterable[Text]:
    if content is None:
        return ()
    if isinstance(content, str):
        return (Text(path, content),)
    if not isinstance(content, list):
        raise _OtherShapeError("a content is neither text nor a list of parts")
    return [text for number, part in enumerate(content) for text in _part((*path, number), part)]


def _part(path: Path, part: object) -> Iterable[Text]:
    if isinstance(part, str):
        return (Text(path, part),)
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise _OtherShapeError("a part of a content has no type")
    if part["type"] not in _TEXT_TYPES:
        return ()
    if not isinstance(part.get("text"), str):
        raise _OtherShapeError("a part that says it is a text has none")
    return (Text((*path, "text"), part["text"]),)
