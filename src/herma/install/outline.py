"""A YAML text with the places of its parts, as a host's own reader found them."""

from collections.abc import Mapping
from typing import NamedTuple, cast

from herma.errors import OddFile

__all__ = ["BY_HAND", "Document", "Entry", "Node", "document_of"]

BY_HAND = "make the change by hand"

_NULLS = ("", "~", "null", "Null", "NULL")
_PROBLEMS = {
    "no_reader": "the environment has no reader for YAML",
    "not_a_block": "there are no settings at its top level",
    "several": "there is more than one document in it",
}


class Node(NamedTuple):
    """A part of a text, in characters from its start. `last` is where its last word ends; comments do not count.

    `kind` is `mapping` (its `items` are keys and values in turn), `sequence`, `scalar` or `alias`. `plain` means that
    a scalar has no quotes, `marked` that the node has an anchor or a tag.
    """

    kind: str
    start: int
    end: int
    last: int
    plain: bool
    flow: bool
    marked: bool
    value: str | None
    items: "tuple[Node, ...]"

    @property
    def is_null(self) -> bool:
        """Whether nothing is written there, or one of the words for nothing."""
        return self.kind == "scalar" and self.plain and not self.marked and self.value in _NULLS

    @property
    def is_written(self) -> bool:
        """Whether there is a word at all."""
        return self.end > self.start

    def entries(self) -> "list[Entry]":
        """The keys of a mapping with their values."""
        return [Entry(key, value) for key, value in zip(self.items[::2], self.items[1::2], strict=True)]

    def entry(self, name: str) -> "Entry | None":
        """The entry of this name. Raises `OddFile` where there are several."""
        found = [entry for entry in self.entries() if entry.key.kind == "scalar" and entry.key.value == name]
        if len(found) > 1:
            raise OddFile(f"{name} stands there twice", hint=BY_HAND)
        return found[0] if found else None


class Entry(NamedTuple):
    """A key of a mapping and its value."""

    key: Node
    value: Node

    @property
    def last(self) -> int:
        """Where its last word ends."""
        return max(self.key.last, self.value.last)


class Document(NamedTuple):
    """A text with its root, None where it has no data. `end` is where more may be written at its end."""

    text: str
    root: Node | None
    end: int


def document_of(text: str, answer: object) -> Document:
    """The document in a judge's answer about `text`. Raises `OddFile` where the reader cannot read it as one."""
    record = cast("Mapping[str, object]", answer)
    problem = record["problem"]
    if problem is not None:
        near = f" near line {record['line']}" if record.get("line") else ""
        raise OddFile(_PROBLEMS.get(str(problem), f"it is not valid YAML{near}"), hint=BY_HAND)
    tree = cast("Mapping[str, object] | None", record["tree"])
    return Document(text, None if tree is None else _node(tree), cast("int", record["end"]))


def _node(record: Mapping[str, object]) -> Node:
    items = cast("list[Mapping[str, object]]", record.get("items") or [])
    return Node(**{**record, "items": tuple(map(_node, items))})  # type: ignore[arg-type] # the judge's own form
