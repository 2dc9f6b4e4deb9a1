"""A list in the outermost object of a JSON file with comments: an entry put in and taken out, the rest untouched."""

import json
from collections.abc import Sequence
from typing import cast

from herma.core.memory.jsonc import loads
from herma.errors import OddFile
from herma.install.changes import Change
from herma.install.edits import Edit
from herma.install.jsonc_tree import Node, key_text, tree_of
from herma.install.outline import BY_HAND

__all__ = ["Jsonc", "entries"]

_INDENT = "  "


def entries(text: str, key: str) -> list[object]:
    """The entries of a list; empty where there is none. Raises `OddFile` for a text that cannot be read."""
    found = _read(text).get(key)
    return list(found) if isinstance(found, list) else []


class Jsonc:
    """An opencode.json or opencode.jsonc. It knows `list` and `unlist` of one name, and `prune`, at its top level."""

    name = "jsonc"

    def edits(self, text: str, change: Change) -> tuple[list[Edit], list[Change]]:
        """Where the list stands, and the changes that undo it."""
        (key,) = change.path
        root = tree_of(text)
        if root is not None and root.kind != "{":
            raise OddFile("it is not an object", hint=BY_HAND)
        if change.what == "list":
            return self._list(text, root, key, change.value)
        if root is None:
            return [], []
        made = _unlist(text, root, key, change.value) if change.what == "unlist" else _prune(text, root, key)
        return made, []

    def check(self, before: str, after: str, changes: Sequence[Change]) -> None:
        """By what both read as."""
        wanted = _read(before)
        for change in changes:
            _change(wanted, change)
        if wanted != _read(after):
            raise OddFile("other settings would change with it", hint=BY_HAND)

    def _list(self, text: str, root: Node | None, key: str, name: str) -> tuple[list[Edit], list[Change]]:
        back = [Change("unlist", (key,), name)]
        written = json.dumps(name, ensure_ascii=False)
        if root is None:
            whole = f"{{\n{_INDENT}{json.dumps(key)}: [{written}]\n}}\n"
            return [Edit(len(text), "", whole)], [*back, Change("prune", (key,))]
        found = _find(text, root, key)
        if found is None:
            return [_member(text, root, f"{json.dumps(key)}: [{written}]")], [*back, Change("prune", (key,))]
        if found.kind != "[":
            raise OddFile(f"{key} is not a list", hint=BY_HAND)
        if name in entries(text, key):
            return [], []
        return _appended(text, found, written), back


def _read(text: str) -> dict[str, object]:
    if tree_of(text) is None:
        return {}
    try:
        found = loads(text)
    except (ValueError, RecursionError):
        raise OddFile("it is not JSON with comments", hint=BY_HAND) from None
    if not isinstance(found, dict):
        raise OddFile("it is not an object", hint=BY_HAND)
    return cast("dict[str, object]", found)


def _change(data: dict[str, object], change: Change) -> None:
    (key,) = change.path
    now = cast("list[object]", data.get(key, []))
    if change.what == "list":
        data[key] = [*now, change.value]
    elif change.what == "unlist":
        data[key] = [entry for entry in now if entry != change.value]
    else:
        data.pop(key, None)


def _find(text: str, root: Node, key: str) -> Node | None:
    found = [item for name, item in zip(root.keys, root.items, strict=True) if key_text(text, name) == key]
    if len(found) > 1:
        raise OddFile(f"{key} stands there twice", hint=BY_HAND)
    return found[0] if found else None


def _member(text: str, root: Node, member: str) -> Edit:
    """The member as the first of the object, in a line of its own where the others have theirs."""
    comma = "," if root.items else ""
    first = root.keys[0].start if root.keys else root.end - 1
    between = text[root.start + 1 : first]
    if "\n" not in between:
        return Edit(root.start + 1, "", f"\n{_INDENT}{member}{comma}" + ("" if root.items else "\n"))
    indent = between[between.rindex("\n") + 1 :] if root.items else _INDENT
    return Edit(root.start + 1, "", f"\n{indent if not indent.strip() else _INDENT}{member}{comma}")


def _appended(text: str, array: Node, written: str) -> list[Edit]:
    """Behind the last entry, whose comment in the same line stays its own."""
    end = array.end - 1
    if not array.items:
        return [Edit(array.start + 1, "", written)]
    last = array.items[-1]
    comma = [] if last.comma >= 0 else [Edit(last.end, "", ",")]
    line = text.rfind("\n", last.end, end)
    if line < 0:
        return [Edit(end, "", f" {written}"), *comma]
    begin = text.rfind("\n", 0, last.start) + 1
    lead = text[begin : last.start]
    indent = lead if not lead.strip() else _INDENT * 2
    return [Edit(line, "", f"\n{indent}{written}"), *comma]


def _unlist(text: str, root: Node, key: str, name: str) -> list[Edit]:
    found = _find(text, root, key)
    if found is None or found.kind != "[":
        return []
    for number, item in enumerate(found.items):
        if key_text(text, item) == name:
            start, end = item.start, (item.comma + 1 if item.comma >= 0 else item.end)
            if item.comma < 0 and number:
                before = found.items[number - 1].comma
                return [Edit(start, text[start:end], ""), Edit(before, ",", "")]
            return [Edit(start, text[start:end], "")]
    return []


def _prune(text: str, root: Node, key: str) -> list[Edit]:
    found = _find(text, root, key)
    if found is None or found.items:
        return []
    place = root.items.index(found)
    start, end = root.keys[place].start, (found.comma + 1 if found.comma >= 0 else found.end)
    out = [Edit(start, text[start:end], "")]
    if found.comma < 0 and place:
        out.append(Edit(root.items[place - 1].comma, ",", ""))
    return out
