"""What tools told one person about themselves, taken out of later turns: the host sends it again in all of them."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from herma.core.people.request.edits import Rewritten, edited
from herma.core.people.request.shapes import NotUnderstood, Path, Row, view
from herma.core.people.request.steering import own_row
from herma.core.people.tools import CALLER

__all__ = ["ANSWERED", "take_out_answers"]

ANSWERED = "(What this tool said in an earlier turn is left out: it was for the person of that turn.)"

_IDS = ("id", "call_id", "tool_call_id", "tool_use_id")


class _Call(NamedTuple):
    """A call in a request: how results name it, which tools it may reach, and where its arguments stand.

    `tools` is None where it cannot be told.
    """

    ids: frozenset[str]
    tools: Collection[str] | None
    arguments: Path
    given: object = None


def take_out_answers(request: object, tools: Collection[str]) -> Rewritten | NotUnderstood:
    """The request without what these tools were given and said before the words that the turn is about.

    Calls and results stay, without a content. Where nobody's words are in it, all of it counts as said before.
    """
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    own = own_row(seen)
    before = seen.rows[: seen.rows.index(own)] if own is not None else seen.rows
    calls = [call for row in before if row.kind == "assistant" for call in _calls(row, _at(seen.request, row.path))]
    ours = [call for call in calls if call.tools is None or not set(tools).isdisjoint(call.tools)]
    ids = frozenset().union(*(call.ids for call in ours))
    edits: dict[Path, object] = {
        call.arguments: "{}" if isinstance(call.given, str) else {} for call in ours if call.given is not None
    }
    for row in before:
        if row.kind == "tool":
            result = _at(seen.request, row.path)
            if result.get("name") in tools or not ids.isdisjoint(_ids(result)):
                edits[*row.path, "output" if "output" in result else "content"] = ANSWERED
    changed = {path: new for path, new in edits.items() if _at(seen.request, path) != new}
    return Rewritten(edited(seen.request, changed))


def _calls(row: Row, said: Mapping[str, Any]) -> Iterator[_Call]:
    """The calls in what a model said, in each of the three shapes."""
    if said.get("type") == "function_call":
        yield _call(said, said, row.path, "arguments")
    for number, call in _listed(said.get("tool_calls")):
        inner = call.get("function")
        if isinstance(inner, Mapping):
            yield _call(call, inner, (*row.path, "tool_calls", number, "function"), "arguments")
    for number, block in _listed(said.get("content")):
        if block.get("type") == "tool_use":
            yield _call(block, block, (*row.path, "content", number), "input")


def _call(call: Mapping[str, Any], named: Mapping[str, Any], path: Path, key: str) -> _Call:
    name, given = str(named.get("name")), named.get(key)
    return _Call(_ids(call), _inner(given) if name == CALLER else (name,), (*path, key), given)


def _inner(given: object) -> Collection[str] | None:
    """Every text in the arguments of the tool that calls others: the names of those are among them."""
    try:
        return frozenset(_words(json.loads(given) if isinstance(given, str) else given))
    except (ValueError, RecursionError):
        return None


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, Mapping)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _words(each)


def _ids(call: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(found for name in _IDS if isinstance(found := call.get(name), str) and found)


def _listed(value: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if isinstance(value, list):
        yield from ((number, each) for number, each in enumerate(value) if isinstance(each, Mapping))


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value
