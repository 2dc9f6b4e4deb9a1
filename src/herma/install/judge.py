"""What a host's own readers make of a file's text: where its parts stand, and what an edit did to its data.

Run as a program of its own by the host's interpreter, `python -I -B judge.py`, with one question as a JSON object on
stdin. It prints one line, MARK and a JSON object. It opens no file, and returns values only of the parts asked for.
"""

import importlib
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

MARK = "herma-judge-1 "

_READERS = ("hermes_yaml", "yaml")  # 0.22 has a reader of its own, 0.19 uses PyYAML
_EMPTY: tuple[object, ...] = (None, [], {})

_Path = Sequence[str]
_Data = dict[Any, Any]


class Wrong(Exception):  # noqa: N818 - reads as the sentence it is raised in
    """The data is not of the form that a change needs. The text says what is wrong, in the file's own terms."""


def main() -> None:
    """Answer the question on stdin."""
    question = json.load(sys.stdin)
    answer = _ANSWERS[question.pop("ask")](**question)
    sys.stdout.write(f"\n{MARK}{json.dumps(answer)}\n")


def outline(text: str, keys: _Path) -> dict[str, object]:
    """Where the parts of a YAML text stand, in characters; below its top level only those of `keys`.

    `problem` is None, `no_reader`, `broken` (at `line`, where known), `not_a_block` or `several`; `tree` is None for
    a text without data.
    """
    try:
        data = _load(text)
        tree, end = _Tree(_events(text)).document()
    except Wrong as wrong:
        return {"problem": str(wrong)}
    except Exception as error:  # noqa: BLE001 - each reader has errors of its own, and their texts quote the file
        mark = getattr(error, "problem_mark", None)
        return {"problem": "broken", "line": mark.line + 1 if mark else None}
    if data is not None and not isinstance(data, Mapping):
        return {"problem": "not_a_block"}
    return {"problem": None, "tree": _pruned(tree, keys), "end": len(text) if end is None else end}


def judged(before: str, after: str, changes: Sequence[Sequence[Any]]) -> dict[str, object]:
    """Whether the data of `after` is exactly that of `before` with `changes` made to it; if not, in what way."""
    try:
        wanted = _unshared(_load(before) or {})
        for what, path, *value in changes:
            wanted = _CHANGES[what](wanted, path, *value)
        found = _load(after) or {}
    except Wrong as wrong:
        return {"problem": str(wrong)}
    except Exception as error:  # noqa: BLE001 - the same
        return {"problem": f"the reader fails with {type(error).__name__}"}
    return {"problem": None if _same(wanted, found) else "other settings would change with it"}


def variables(text: str, names: Sequence[str]) -> dict[str, object]:
    """The values that a file of `NAME=value` lines gives to `names`. `problem` is None, `no_reader` or `broken`."""
    try:
        found = _dotenv(text)
    except ImportError:
        return {"problem": "no_reader"}
    except Exception:  # noqa: BLE001 - whatever the reader trips over
        return {"problem": "broken"}
    return {"problem": None, "values": {name: found.get(name) for name in names}}


def weighed(before: str, after: str, values: Mapping[str, str | None]) -> dict[str, object]:
    """Whether `after` gives every variable the value that `before` gives it, but for `values` (None: not set)."""
    try:
        wanted, found = {**_dotenv(before), **values}, _dotenv(after)
        also = _dotenv(after, interpolate=True)
    except Exception as error:  # noqa: BLE001 - the same
        return {"problem": f"the reader fails with {type(error).__name__}"}
    same = {name: value for name, value in wanted.items() if value is not None or name not in values} == found
    literal = all(also.get(name) == value for name, value in values.items())
    return {"problem": None if same and literal else "other variables would change with it"}


_ANSWERS: Mapping[str, Callable[..., dict[str, object]]] = {
    "outline": outline,
    "judged": judged,
    "variables": variables,
    "weighed": weighed,
}


def _dotenv(text: str, *, interpolate: bool = False) -> dict[str, str | None]:
    module = importlib.import_module("dotenv.main")
    lines = module.DotEnv(None, stream=io.StringIO(text.removeprefix("\ufeff")), interpolate=interpolate)
    found: dict[str, str | None] = dict(lines.dict())
    return found


def _load(text: str) -> Any:
    for name in _READERS:
        try:
            read = importlib.import_module(name).safe_load
        except ImportError:
            continue
        return read(text.removeprefix("\ufeff"))
    raise Wrong("no_reader")


def _events(text: str) -> Iterable[Any]:
    try:
        yaml: Any = importlib.import_module("yaml")
    except ImportError:
        pass
    else:
        return (event for event in yaml.parse(text, Loader=yaml.SafeLoader))
    reader: Any = importlib.import_module("ruamel.yaml").YAML(typ="safe", pure=True)
    reader.version = (1, 1)
    return (event for event in reader.parse(text))


class _Tree:
    """A tree of nodes from a reader's events. `last` is where a node's last word ends."""

    def __init__(self, events: Iterable[Any]) -> None:
        self._events: Iterator[Any] = iter(events)
        self._closed = 0

    def document(self) -> tuple[dict[str, Any] | None, int | None]:
        """The one document's root, and where the document is ended by hand, if it is."""
        root, end, documents = None, None, 0
        for event in self._events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                documents += 1
            elif kind == "DocumentEndEvent":
                end = event.start_mark.index if event.explicit else None
            elif not kind.startswith("Stream"):
                root = self._node(event)
        if documents > 1:
            raise Wrong("several")
        return root, end

    def _node(self, event: Any) -> dict[str, Any]:
        kind = type(event).__name__.removesuffix("Event").removesuffix("Start").lower()
        node: dict[str, Any] = {
            "kind": kind,
            "start": event.start_mark.index,
            "end": event.end_mark.index,
            "last": event.end_mark.index,
            "plain": kind == "scalar" and event.style is None,
            "flow": bool(getattr(event, "flow_style", False)),
            "marked": getattr(event, "anchor", None) is not None or _tagged(event),
            "value": getattr(event, "value", None),
        }
        if kind in ("mapping", "sequence"):
            self._fill(node)
        return node

    def _fill(self, node: dict[str, Any]) -> None:
        parts: list[dict[str, Any]] = []
        for event in iter(self._next, None):
            part = self._node(event)
            # Where a value that is not written stands differs from reader to reader: it stands behind its key.
            if part["kind"] == "scalar" and part["plain"] and not part["value"]:
                before = parts[-1]["last"] if parts else node["start"]
                part.update(start=before, end=before, last=before)
            parts.append(part)
        node["items"] = parts
        if node["flow"]:
            node["end"] = node["last"] = self._closed
        elif parts:
            node["last"] = max(part["last"] for part in parts)

    def _next(self) -> Any:
        """The first event of the next part; None where the collection ends, whose place is kept."""
        event = next(self._events)
        if type(event).__name__ in ("MappingEndEvent", "SequenceEndEvent"):
            self._closed = event.end_mark.index
            return None
        return event


def _tagged(event: Any) -> bool:
    # The plain readers give every collection without a tag None, and so do ruamel's; a scalar's may be implied.
    return getattr(event, "tag", None) is not None


def _pruned(tree: dict[str, Any] | None, keys: _Path) -> dict[str, Any] | None:
    if tree is not None and tree["kind"] == "mapping":
        parts = tree["items"]
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            if key["value"] not in keys:
                value.pop("items", None)
                value["value"] = None
    return tree


def _list(data: _Data, path: _Path, names: Sequence[str]) -> _Data:
    block = _block(data, path[:-1])
    found = block.get(path[-1])
    found = block[path[-1]] = [] if found is None else found
    if not isinstance(found, list):
        raise Wrong(f"{'.'.join(path)} is not a list")
    found += [name for name in names if name not in found]
    return data


def _unlist(data: _Data, path: _Path, names: Sequence[str]) -> _Data:
    block = _block(data, path[:-1])
    block[path[-1]] = [name for name in block[path[-1]] if name not in names]
    return data


def _put(data: _Data, path: _Path, source: str) -> _Data:
    _block(data, path[:-1])[path[-1]] = _load(source)
    return data


def _drop(data: _Data, path: _Path) -> _Data:
    _block(data, path[:-1]).pop(path[-1], None)
    return data


def _prune(data: _Data, path: _Path) -> _Data:
    if _block(data, path[:-1]).get(path[-1]) not in _EMPTY:
        raise Wrong(f"{'.'.join(path)} is not empty")
    return _drop(data, path)


_CHANGES: Mapping[str, Callable[..., _Data]] = {
    "list": _list,
    "unlist": _unlist,
    "put": _put,
    "drop": _drop,
    "prune": _prune,
}


def _block(data: _Data, path: _Path) -> _Data:
    for key in path:
        if data.get(key) is None:
            data[key] = {}
        data = data[key]
        if not isinstance(data, dict):
            raise Wrong(f"{'.'.join(path)} is not a block")
    return data


def _unshared(value: Any) -> Any:
    """A copy in which nothing stands twice, as it does in data with aliases: a change to one is no change to the other.

    Of data that contains itself there is no such copy, and the attempt fails.
    """
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, list) else value


def _same(one: Any, other: Any) -> bool:
    """Equal in kind as well, so that 1 is not true; what is not a number equals itself."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        return {*map(repr, one)} == {*map(repr, other)} and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other) or repr(one) == repr(other)


if __name__ == "__main__":
    main()
