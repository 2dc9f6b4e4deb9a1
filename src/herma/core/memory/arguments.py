"""The arguments of the `memory` tool: what models send, made into operations or a complaint.

Hosts that mark every argument as required get empty texts, empty lists and nulls for those that were not meant;
these count as absent.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from herma.core.memory.operations import ACTIONS, Operation
from herma.core.memory.targets import TARGETS

__all__ = ["Request", "request"]

_TEXTS = ("action", "content", "old_text")
_ACTIONS = "|".join(ACTIONS)


class Request(NamedTuple):
    """What is wanted of one list; `batch` when it came as `operations`."""

    target: str
    operations: tuple[Operation, ...]
    batch: bool


def request(arguments: Mapping[str, object]) -> Request | str:
    """The request, or why there is none, in words for the model. Nothing raises."""
    try:
        return _request({name: value for name, value in arguments.items() if value not in (None, "", [])})
    except _Complaint as complaint:
        return str(complaint)


class _Complaint(Exception):  # noqa: N818 - never leaves this module
    """The first thing that is wrong."""


def _request(given: Mapping[str, object]) -> Request:
    target = given.get("target", "memory")
    if not isinstance(target, str) or target not in TARGETS:
        raise _Complaint(f"invalid target {target!r}: use {' or '.join(map(repr, TARGETS))}")
    if "operations" in given:
        items = _listed(given["operations"])
        return Request(target, tuple(_item(item, target, at) for at, item in enumerate(items, 1)), batch=True)
    if "action" not in given:
        raise _Complaint(f"specify action ({_ACTIONS}) or a non-empty operations[]")
    return Request(target, (_operation(given, ""),), batch=False)


def _listed(value: object) -> Sequence[object]:
    if isinstance(value, str):  # some models write the list as text
        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, list) or not value:
        raise _Complaint("operations must be a list of objects such as {'action': 'add', 'content': '...'}")
    return value


def _item(item: object, target: str, at: int) -> Operation:
    if not isinstance(item, Mapping):
        raise _Complaint(f"operation {at} is not an object")
    if item.get("target") not in (None, "", target):
        raise _Complaint(f"operation {at} is for another target: all operations of a call are for {target!r}")
    return _operation(item, f"operation {at}: ")


def _operation(given: Mapping[str, object], where: str) -> Operation:
    texts = {name: given.get(name) or "" for name in _TEXTS}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise _Complaint(f"{where}{name} must be a text, not {type(text).__name__}")
    operation = Operation(**{name: str(text) for name, text in texts.items()})
    if operation.action not in ACTIONS:
        raise _Complaint(f"{where}unknown action {operation.action!r}: use {_ACTIONS}")
    return operation
