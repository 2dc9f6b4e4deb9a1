"""Which earlier results stand in a request to the model, word for word.

A text is known by its length and its SHA-256, never kept. Only results of tools are looked at, in the
three shapes in which requests are sent: chat completions, Responses, and Anthropic messages.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

__all__ = ["Index", "Mark", "Seen", "index_of", "mark_of", "seen_in"]

# A host may append a remark to a finished page: directory hints, warnings of its loop guard.
# Its pages are JSON on one line, so the first blank line is where the remark begins.
_REMARK = "\n\n["


class Mark(NamedTuple):
    """What is known of a text: its length in characters, its SHA-256, and its hash in this process."""

    length: int
    digest: bytes
    quick: int


# A text that stands in a request, behind the id of the call whose result it is there; empty without one.
Seen: TypeAlias = tuple[str, str]
# The digests by length and by quick hash, so that a text of no such length or hash costs no digest.
Index: TypeAlias = Mapping[int, Mapping[int, bytes]]


def mark_of(text: str) -> Mark:
    """The mark of `text`; lone surrogates count as themselves."""
    return Mark(len(text), _digest(text), hash(text))


def index_of(marks: Iterable[Mark]) -> dict[int, dict[int, bytes]]:
    """The index of these marks."""
    found: dict[int, dict[int, bytes]] = {}
    for mark in marks:
        found.setdefault(mark.length, {})[mark.quick] = mark.digest
    return found


def seen_in(request: object, index: Index) -> dict[bytes, Seen]:
    """Of the texts in `index` those that stand in `request` as one result of a tool, by digest; the newest if equal."""
    seen: dict[bytes, Seen] = {}
    if not index or not isinstance(request, dict):
        return seen
    messages, items = _list(request.get("messages")), _list(request.get("input"))
    _confirm(_whole(messages, index), index, seen)
    if len(seen) < sum(map(len, index.values())):
        _confirm(_parts(messages, items), index, seen)
    return seen


def _confirm(results: Iterable[Seen], index: Index, seen: dict[bytes, Seen]) -> None:
    """Adds those of `results` to `seen` that are in the index."""
    found, none = index.get, _NONE
    for result in results:
        text = result[1]
        digest = found(len(text), none).get(hash(text))
        if digest is not None and sha256(text.encode("utf-8", "surrogatepass")).digest() == digest:
            seen[digest] = result


def _whole(messages: Iterable[Any], index: Index) -> Iterator[Seen]:
    """The results of tools that are one string and have a length of the index.

    This runs before every request to the model, over all of its messages.
    """
    try:
        near = [message for message in messages if len(message["content"] or "") in index]
    except (KeyError, TypeError):  # one of another shape is among them
        near = [each for each in messages if isinstance(each, dict) and _length(each.get("content")) in index]
    for message in near:
        content = message["content"]
        if message.get("role") == "tool" and isinstance(content, str):
            call_id = message.get("tool_call_id")
            yield call_id if isinstance(call_id, str) else "", content


def _parts(messages: Iterable[Any], items: Iterable[Any]) -> Iterator[Seen]:
    """The results of tools that are in parts, or in the other shapes, or have a host's remark behind them."""
    for message in messages:
        if isinstance(message, dict):
            content = message.get("content")
            if message.get("role") != "tool":
                for block in _list(content):
                    if isinstance(block, dict) and block.get("type") == "tool_result":
                        yield from _leaves(_id(block, "tool_use_id"), block.get("content"))
            elif not isinstance(content, str):
                yield from _leaves(_id(message, "tool_call_id"), content)
            elif content[-1:] != "}" and content[:1] == "{":
                yield _id(message, "tool_call_id"), content.partition(_REMARK)[0]
    for item in items:
        if isinstance(item, dict) and item.get("type") == "function_call_output":
            yield from _leaves(_id(item, "call_id"), item.get("output"))


def _leaves(call_id: str, content: object) -> Iterator[Seen]:
    """The strings of a result, and what stands before a remark."""
    for part in (content,) if isinstance(content, str) else _list(content):
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            yield call_id, text
            if text[:1] == "{" and text[-1:] != "}":
                yield call_id, text.partition(_REMARK)[0]


def _length(content: object) -> int:
    return len(content) if isinstance(content, str) else -1


def _id(holder: dict[str, Any], name: str) -> str:
    found = holder.get(name)
    return found if isinstance(found, str) else ""


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _list(value: object) -> Iterable[Any]:
    return value if isinstance(value, (list, tuple)) else ()


_NONE: Mapping[int, bytes] = {}
