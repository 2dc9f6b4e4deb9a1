"""What can be done to a list of entries, and when it may not be.

A batch is carried out in its order on a copy. It counts as a whole: one operation that cannot be done undoes all, and
only the final list is held against the limit.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from herma.core.memory.characters import hidden
from herma.core.memory.entries import clean, same, size
from herma.core.memory.secrets import secret
from herma.core.memory.shape import breaks
from herma.core.memory.shown import as_shown
from herma.core.memory.similar import shortens
from herma.core.memory.threats import threats

__all__ = ["ACTIONS", "Applied", "Failure", "Operation", "Step", "apply", "most_losses", "objection"]


class Operation(NamedTuple):
    """One wish: `add` content, or `replace`, `remove` or `demote` the one entry that holds `old_text`."""

    action: str
    content: str = ""
    old_text: str = ""


class Step(NamedTuple):
    """One operation as it was done: the whole entry that was met, and the text that is there now.

    For an `add` of what is there already, `matched` is the entry that says it.
    """

    action: str
    matched: str = ""
    content: str = ""

    @property
    def loses(self) -> bool:
        """Whether something is gone that no list holds any more. Demoting and shortening do not count."""
        if self.action == "replace":
            return self.content != self.matched and not shortens(self.content, self.matched)
        return self.action == "remove"


class Applied(NamedTuple):
    """The list after all operations."""

    entries: tuple[str, ...]
    steps: tuple[Step, ...]


class Failure(NamedTuple):
    """Why nothing was done.

    `kind` is one of `no_content`, `no_old_text`, `unknown_action`, `no_match`, `ambiguous`, `refused`, `over` and
    `losses`. `position` is that of the operation, from 1; `entries` is the list that it met, for `over` the final
    one; `matches` are the entries that an `ambiguous` text was found in.
    """

    kind: str
    position: int
    operation: Operation
    entries: tuple[str, ...]
    detail: str = ""
    matches: tuple[str, ...] = ()


class _Stop(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, kind: str, detail: str = "", matches: tuple[str, ...] = ()) -> None:
        super().__init__(kind)
        self.kind, self.detail, self.matches = kind, detail, matches


def apply(
    entries: Sequence[str], operations: Sequence[Operation], *, limit: int, losses: int | None = None
) -> Applied | Failure:
    """Do all of `operations`, or nothing.

    `limit` holds for the final list; one that was longer before may stay so while it does not grow. `losses` is how
    many entries may get lost, any number unless given.
    """
    now: list[str] = list(entries)
    steps: list[Step] = []
    operation = Operation("")
    try:
        for operation in operations:
            steps.append(_one(now, operation))
    except _Stop as stop:
        return Failure(stop.kind, len(steps) + 1, operation, tuple(now), stop.detail, stop.matches)
    final = tuple(dict.fromkeys(now))
    if losses is not None and sum(step.loses for step in steps) > losses:
        return Failure("losses", 0, operation, tuple(entries), str(losses))
    if size(final) > max(limit, size(entries)):
        return Failure("over", 0, operation, final)
    return Applied(final, tuple(steps))


def most_losses(entries: Sequence[str]) -> int:
    """How many entries a pass without a person may lose in one run: three, or a tenth where that is more."""
    return max(3, len(entries) // 10)


def objection(content: str) -> str:
    """Why this text may not become an entry, in words, or "" when it may."""
    found = hidden(content)
    if found:
        return f"it contains invisible or direction-changing characters ({', '.join(found[:5])})"
    frame = breaks(content)
    if frame:
        return f"it contains {frame}"
    kinds = threats(content)
    if kinds:
        return f"it matches threat pattern '{kinds[0]}', and entries are part of every later prompt"
    kind = secret(content)
    return f"it seems to hold a secret ({kind}), and entries are sent with every request" if kind else ""


def _one(now: list[str], operation: Operation) -> Step:
    do = ACTIONS.get(operation.action)
    if do is None:
        raise _Stop("unknown_action", operation.action)
    return do(now, operation)


def _add(now: list[str], operation: Operation) -> Step:
    content = _content(operation)
    form = same(content)
    there = next((entry for entry in now if entry == content or same(entry) == form), "")
    if not there:
        _accept(content)
        now.append(content)
    return Step("add", there, content)


def _replace(now: list[str], operation: Operation) -> Step:
    if not clean(operation.old_text):
        raise _Stop("no_old_text")
    content = _content(operation)
    matched = _match(now, operation)
    if content != matched:
        _accept(content)
    now[:] = dict.fromkeys(content if entry == matched else entry for entry in now)
    return Step("replace", matched, content)


def _evict(now: list[str], operation: Operation) -> Step:
    matched = _match(now, operation)
    now.remove(matched)
    return Step(operation.action, matched)


ACTIONS: dict[str, Callable[[list[str], Operation], Step]] = {
    "add": _add,
    "replace": _replace,
    "remove": _evict,
    "demote": _evict,
}


def _content(operation: Operation) -> str:
    content = clean(operation.content)
    if not content:
        raise _Stop("no_content")
    return content


def _accept(content: str) -> None:
    why = objection(content)
    if why:
        raise _Stop("refused", why)


def _match(now: Sequence[str], operation: Operation) -> str:
    """The one entry that holds the text: as it is, else in the form of comparison, else as it is shown."""
    needle = clean(operation.old_text)
    if not needle:
        raise _Stop("no_old_text")
    found = [entry for entry in now if needle in entry]
    if not found:
        plain = same(needle)
        found = [entry for entry in now if plain in same(entry)]
        found = found or [entry for entry in now if plain in same(as_shown(entry))]
    if not found:
        raise _Stop("no_match", needle)
    if len(found) > 1 and needle not in found:
        raise _Stop("ambiguous", needle, tuple(found))
    return found[0] if len(found) == 1 else needle
