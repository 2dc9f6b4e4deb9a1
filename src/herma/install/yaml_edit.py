"""Changes to the settings in a YAML text, made so that only the lines they concern become different.

Where a part stands comes from a reader's outline, never from a guess. A form that is not provided for raises `OddFile`;
what the result means is for the judge to say.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from herma.errors import OddFile
from herma.install.changes import Change, dotted
from herma.install.edits import Edit
from herma.install.outline import BY_HAND, Document, Entry, Node
from herma.install.yaml_lines import (
    behind_colon,
    block_at,
    indent_of,
    is_quoted,
    line_after,
    prefix_of,
    whole_lines,
    word,
)

__all__ = ["edits_for", "undoing"]

_DASH = re.compile(r" *-[ ]+")
_STEP = "  "


def edits_for(document: Document, change: Change) -> list[Edit]:
    """The edits that make the change, to be made in this order; none where nothing has to be done."""
    return _EDITS[change.what](document, change)


def undoing(document: Document, change: Change) -> list[Change]:
    """The changes that would take `change` back, once it is made to this document."""
    there, missing = _reach(document, change.path)
    made = [Change("prune", change.path[: len(there) + n]) for n in range(len(missing), 0, -1)]
    if change.what == "unlist":
        return [change._replace(what="list")]
    if change.what == "list":
        listed = [] if missing else [item.value for item in there[-1].value.items]
        added = [name for name in change.value.split() if name not in listed]
        return [*(change._replace(what="unlist", value=name) for name in added), *made]
    if missing:
        return [Change("drop", change.path, only_if=change.value), *made[1:]]
    value = there[-1].value
    old = document.text[value.start : value.end] or "null"
    return [change._replace(value=old, only_if=change.value)]


class _Leaf(NamedTuple):
    """What stands at the end of a new path: names of a list, or the source of a value."""

    names: tuple[str, ...] = ()
    source: str = ""

    def flow(self, *, quoted: bool) -> str:
        """On one line."""
        return self.source or f"[{', '.join(word(name, quoted=quoted) for name in self.names)}]"


def _list(document: Document, change: Change) -> list[Edit]:
    there, missing = _reach(document, change.path)
    names = change.value.split()
    if missing or there[-1].value.is_null:
        return _new(document, there, missing, _Leaf(names=tuple(names)))
    found = _simple(there[-1].value, change.path)
    if found.kind != "sequence" or any(item.kind != "scalar" or item.is_null for item in found.items):
        raise OddFile(f"{dotted(change.path)} is not a list of names", hint=BY_HAND)
    listed = [item.value for item in found.items]
    wanted = [name for name in names if name not in listed]
    if not wanted:
        return []
    if not found.flow:
        return [_lines_behind(document, found, wanted)]
    sample = found.items[-1] if found.items else there[-1].key
    text = ", ".join(word(name, quoted=is_quoted(document, sample)) for name in wanted)
    return [Edit(found.items[-1].end, "", f", {text}") if found.items else Edit(found.start + 1, "", text)]


def _unlist(document: Document, change: Change) -> list[Edit]:
    there, missing = _reach(document, change.path)
    found = None if missing else there[-1].value
    if found is None or found.kind != "sequence":
        return []
    place = next((n for n, item in enumerate(found.items) if item.value == change.value), None)
    if place is None:
        return []
    _simple(found, change.path)
    if found.flow:
        return [_out_of_flow(document, [(item.start, item.end) for item in found.items], place)]
    item = found.items[place]
    prefix_of(document, item.start, _DASH)
    gone = whole_lines(document, item.start, item.last)
    return [gone] if len(found.items) > 1 else [gone, behind_colon(document, there[-1].key, " []")]


def _put(document: Document, change: Change) -> list[Edit]:
    there, missing = _reach(document, change.path)
    if missing:
        return [] if change.only_if else _new(document, there, missing, _Leaf(source=change.value))
    value = _simple(there[-1].value, change.path)
    if value.kind != "scalar":
        raise OddFile(f"{dotted(change.path)} is not one value", hint=BY_HAND)
    old = document.text[value.start : value.end]
    if old == change.value or change.only_if not in (None, old):
        return []
    if not value.is_written:
        return [behind_colon(document, there[-1].key, f" {change.value}")]
    return [Edit(value.start, old, change.value)]


def _drop(document: Document, change: Change) -> list[Edit]:
    there, missing = _reach(document, change.path)
    if missing:
        return []
    value = there[-1].value
    if change.only_if not in (None, document.text[value.start : value.end]):
        return []
    return _without(document, there)


def _prune(document: Document, change: Change) -> list[Edit]:
    there, missing = _reach(document, change.path)
    if missing:
        return []
    value = there[-1].value
    is_empty = value.is_null or (value.kind in ("mapping", "sequence") and not value.items and not value.marked)
    return _without(document, there) if is_empty else []


_EDITS: Mapping[str, Callable[[Document, Change], list[Edit]]] = {
    "list": _list,
    "unlist": _unlist,
    "put": _put,
    "drop": _drop,
    "prune": _prune,
}


def _reach(document: Document, path: Sequence[str]) -> tuple[list[Entry], tuple[str, ...]]:
    """The entries along the path that are there, and the keys that are not."""
    there: list[Entry] = []
    node = document.root
    for depth, key in enumerate(path):
        if node is None or node.is_null:
            return there, tuple(path[depth:])
        if _simple(node, path[:depth]).kind != "mapping":
            raise OddFile(f"{dotted(path[:depth])} is not a block of settings", hint=BY_HAND)
        if node.entry("<<"):
            raise OddFile(f"{dotted(path[:depth]) or 'the file'} takes settings over with <<", hint=BY_HAND)
        entry = node.entry(key)
        if entry is None:
            return there, tuple(path[depth:])
        there.append(entry)
        node = entry.value
    return there, ()


def _simple(node: Node, path: Sequence[str]) -> Node:
    if node.kind == "alias" or node.marked:
        raise OddFile(f"{dotted(path) or 'the file'} has an anchor, an alias or a tag", hint=BY_HAND)
    return node


def _new(document: Document, there: Sequence[Entry], missing: Sequence[str], leaf: _Leaf) -> list[Edit]:
    """A path of new keys below the last entry that is there, in the style of what it comes into."""
    into = there[-1].value if there else document.root
    if into is not None and into.kind == "mapping" and into.flow:
        quoted = is_quoted(document, into.items[0] if into.items else _sample(document, there))
        return [_into_flow(document, into, _in_flow(missing, leaf, quoted=quoted))]
    if not there:
        return [_at_top_level(document, into, missing, leaf)]
    if into is not None and into.is_written and into.is_null:
        quoted = is_quoted(document, _sample(document, there))
        text = leaf.flow(quoted=quoted) if not missing else f"{{{_in_flow(missing, leaf, quoted=quoted)}}}"
        return [Edit(into.start, document.text[into.start : into.end], text)]
    above = there[-2].value if len(there) > 1 else document.root
    if above is None or above.flow:
        raise OddFile(f"{there[-1].key.value} has no value on its line", hint=BY_HAND)
    at = line_after(document.text, there[-1].key.end)
    own = indent_of(document, there[-1].key.start)
    indent = indent_of(document, into.start) if into is not None and into.items else own + _STEP
    return [block_at(document, at, _in_block(missing, leaf, indent))]


def _at_top_level(document: Document, root: Node | None, missing: Sequence[str], leaf: _Leaf) -> Edit:
    """Behind all that is there; before it, where a line more would become part of a text that ends the file."""
    if root is None or not root.items:
        return block_at(document, document.end, _in_block(missing, leaf, ""))
    indent = indent_of(document, root.start)
    is_text = document.text[root.items[-1].start :][:1] in ("|", ">")
    at = root.start - len(indent) if is_text and not document.text.endswith("\n") else document.end
    return block_at(document, at, _in_block(missing, leaf, indent))


def _sample(document: Document, there: Sequence[Entry]) -> Node | None:
    return there[-1].key if there else document.root


def _in_block(keys: Sequence[str], leaf: _Leaf, indent: str) -> list[str]:
    """Lines of block style. Without keys, only the items of a list."""
    lines = []
    for key in keys:
        lines.append(f"{indent}{key}:")
        indent += _STEP
    if leaf.source:
        return [*lines[:-1], f"{lines[-1]} {leaf.source}"]
    return [*lines, *(f"{indent}- {word(name, quoted=False)}" for name in leaf.names)]


def _in_flow(keys: Sequence[str], leaf: _Leaf, *, quoted: bool) -> str:
    key, *more = keys
    value = f"{{{_in_flow(more, leaf, quoted=quoted)}}}" if more else leaf.flow(quoted=quoted)
    return f"{word(key, quoted=quoted)}: {value}"


def _into_flow(document: Document, into: Node, entry: str) -> Edit:
    behind = document.text[into.start + 1 : into.start + 2]
    comma = "" if not into.items else "," if behind.isspace() else ", "
    return Edit(into.start + 1, "", entry + comma)


def _out_of_flow(document: Document, spans: Sequence[tuple[int, int]], place: int) -> Edit:
    """Without the part at `place`, and without one of the commas beside it."""
    start, end = spans[place]
    if place:
        start = spans[place - 1][1]
    elif len(spans) > 1:
        end = spans[1][0]
    return Edit(start, document.text[start:end], "")


def _without(document: Document, there: Sequence[Entry]) -> list[Edit]:
    """Without the last entry of a path."""
    above = there[-2].value if len(there) > 1 else document.root
    entries = above.entries() if above else []
    if above is not None and above.flow:
        spans = [(entry.key.start, entry.last) for entry in entries]
        return [_out_of_flow(document, spans, spans.index((there[-1].key.start, there[-1].last)))]
    indent_of(document, there[-1].key.start)
    gone = whole_lines(document, there[-1].key.start, there[-1].last)
    alone = len(entries) == 1 and len(there) > 1
    return [gone, behind_colon(document, there[-2].key, " {}")] if alone else [gone]


def _lines_behind(document: Document, found: Node, names: Sequence[str]) -> Edit:
    last = found.items[-1]
    prefix = prefix_of(document, last.start, _DASH)
    lines = [prefix + word(name, quoted=False) for name in names]
    return block_at(document, line_after(document.text, last.last), lines)
