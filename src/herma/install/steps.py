"""The steps of setting up, as values that a plan shows, a receipt keeps and a removal takes back."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, cast

from herma.install.changes import Change, change_of
from herma.install.edits import Edit

__all__ = ["Aside", "File", "Package", "Step", "Tree", "as_record", "step_of"]


class Package(NamedTuple):
    """Herma put into an environment. `found` is the version that was there before, `program` the uv that does it.

    `wheel` is the one to install, None for one that is packed of this Herma. `over` is `reinstall` where the same
    version is there, `repair` where an attempt was cut off and what is there may be a part, or empty.
    """

    python: str
    version: str
    found: str | None
    program: str | None = None
    wheel: str | None = None
    over: str = ""


class Aside(NamedTuple):
    """A folder of the same name as a plugin, moved to where the host does not look for plugins."""

    path: str
    to: str
    made: tuple[str, ...] = ()


class Tree(NamedTuple):
    """A plugin's folder, put into a home: its files with the SHA-256 of each, and the folders made for it."""

    plugin: str
    path: str
    files: Mapping[str, str]
    made: tuple[str, ...] = ()


class File(NamedTuple):
    """A file of settings, changed: its SHA-256 before (None: it was not there) and after, and how to take it back.

    `edits` lead from one text to the other, made one after another; `undo` are the changes that take ours out of a
    file that somebody changed since.
    """

    path: str
    language: str
    before: str | None
    after: str
    edits: tuple[Edit, ...]
    undo: tuple[Change, ...]
    backup: str | None = None
    made: tuple[str, ...] = ()


Step: TypeAlias = Package | Aside | Tree | File

_KINDS: Mapping[str, type[Step]] = {"package": Package, "aside": Aside, "tree": Tree, "file": File}


def as_record(step: Step) -> dict[str, object]:
    """The step as JSON has it."""
    kind = next(name for name, of in _KINDS.items() if isinstance(step, of))
    return {"kind": kind, **step._asdict()}


def step_of(record: Mapping[str, object]) -> Step:
    """The step in a record. Raises `KeyError`, `TypeError` or `ValueError` for a record that is of none."""
    fields = dict(record)
    kind = _KINDS[str(fields.pop("kind"))]
    fields["made"] = tuple(cast("list[str]", fields.get("made", ())))
    if kind is Package:
        del fields["made"]
    if kind is File:
        fields["edits"] = tuple(Edit(*edit) for edit in cast("list[tuple[int, str, str]]", fields["edits"]))
        fields["undo"] = tuple(change_of(change) for change in cast("list[list[object]]", fields["undo"]))
    return kind(**fields)  # type: ignore[arg-type] # a record of our own
