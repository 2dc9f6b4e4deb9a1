"""Changes to a text as values: where, what stood there, what stands there now. They can be made and taken back."""

from collections.abc import Iterable
from typing import NamedTuple

from herma.errors import OddFile

__all__ = ["Edit", "applied", "reverted"]


class Edit(NamedTuple):
    """At this many characters from the start of the text, `old` becomes `new`. Either may be empty."""

    at: int
    old: str
    new: str


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits, made one after another. Raises `OddFile` where `old` is not what stands there."""
    for edit in edits:
        text = _made(text, edit)
    return text


def reverted(text: str, edits: Iterable[Edit]) -> str:
    """The text before the edits, taken back from the last to the first. Raises `OddFile` in the same way."""
    return applied(text, (Edit(edit.at, edit.new, edit.old) for edit in reversed(tuple(edits))))


def _made(text: str, edit: Edit) -> str:
    end = edit.at + len(edit.old)
    if not 0 <= edit.at <= len(text) or text[edit.at : end] != edit.old:
        raise OddFile("the text is not the one that the change was made for", hint="run the command again")
    return text[: edit.at] + edit.new + text[end:]
