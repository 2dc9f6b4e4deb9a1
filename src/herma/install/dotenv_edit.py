"""Changes to a file of `NAME=value` lines, made so that only the line they concern becomes different."""

import re

from herma.errors import OddFile
from herma.install.changes import Change
from herma.install.edits import Edit
from herma.install.outline import BY_HAND

__all__ = ["edits_for", "undoing"]

_PLAIN = re.compile(r"[\w./@%+:,-]+", re.ASCII)


def edits_for(text: str, change: Change, now: str | None) -> list[Edit]:
    """The edits that make the change, where a reader finds `now` for the variable; none where all is done already.

    `put` gives the variable a value, `drop` takes its line out; with `only_if`, where it has exactly that value.
    """
    (name,) = change.path
    if change.only_if not in (None, now) or (change.what == "put" and now == change.value):
        return []
    line = None if now is None else _line(text, name)  # what only looks like its line belongs to another value
    if change.what == "drop":
        return [] if line is None else [Edit(line.start(), line.group(), "")]
    if line is not None:
        return [Edit(line.start("value"), line["value"], _written(change.value))]
    newline = "\r\n" if text.rpartition("\n")[0].endswith("\r") else "\n"
    written = f"{name}={_written(change.value)}"
    if text.strip("\ufeff") and not text.endswith("\n"):
        return [Edit(len(text), "", newline + written)]
    return [Edit(len(text), "", written + newline)]


def undoing(change: Change, now: str | None) -> list[Change]:
    """The changes that would take `change` back, where a reader finds `now` before it."""
    if now is None:
        return [Change("drop", change.path, only_if=change.value)]
    return [Change("put", change.path, now, only_if=change.value)]


def _line(text: str, name: str) -> re.Match[str] | None:
    """The last line that gives the variable a value: of several, a reader takes that one."""
    form = rf"^(?:[ \t]*export)?[ \t]*{name}[ \t]*=[ \t]*(?P<value>[^\r\n]*)(?:\r?\n|\Z)"
    found = list(re.finditer(form, text, re.MULTILINE))
    return found[-1] if found else None


def _written(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    if not value.isprintable():
        raise OddFile("the value has characters that cannot be written on one line", hint=BY_HAND)
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
