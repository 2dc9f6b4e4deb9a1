"""Changes to a request by the places of values in it, which leave the request as it was and share the rest with it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from herma.core.people.request.shapes import Path, Text, View

__all__ = ["Rewritten", "edited", "rewritten"]


class Rewritten(NamedTuple):
    """A request to send instead: the given one itself where nothing had to be changed.

    `provider` tells that a block of a memory provider stood behind the operator's notes.
    """

    request: Mapping[str, Any]
    provider: bool = False


def edited(request: Mapping[str, Any], edits: Mapping[Path, object]) -> Mapping[str, Any]:
    """The request with the values at these places replaced; None takes an element of a list out.

    What lies on no way to an edit is the same object as before.
    """
    changed: Mapping[str, Any] = _edited(request, edits) if edits else request
    return changed


def rewritten(seen: View, texts: Iterable[Text], change: Callable[[str], str]) -> Rewritten:
    """The request with `change` done to each of these texts."""
    news = ((text.path, text.text, change(text.text)) for text in texts)
    return Rewritten(edited(seen.request, {path: new for path, old, new in news if new != old}))


def _edited(value: Any, edits: Mapping[Path, object]) -> Any:
    if () in edits:
        return edits[()]
    below: dict[Any, dict[Path, object]] = {}
    for path, new in edits.items():
        below.setdefault(path[0], {})[path[1:]] = new
    copy = value.copy()
    # From the back, so that taking an element out moves none that is still to come.
    for key in sorted(below, reverse=True):
        new = _edited(value[key], below[key])
        if new is None:
            del copy[key]
        else:
            copy[key] = new
    return copy
