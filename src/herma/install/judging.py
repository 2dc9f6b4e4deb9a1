"""The judge, asked: the readers of a host's own environment look at a text and at what an edit made of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from herma.errors import OddFile
from herma.install import dotenv_edit, judge, yaml_edit
from herma.install.asking import TIME_LIMIT, Program, ask
from herma.install.changes import Change
from herma.install.edits import Edit, applied
from herma.install.jsonc_edit import Jsonc
from herma.install.machine import Machine
from herma.install.outline import BY_HAND, document_of

__all__ = ["Ask", "Dotenv", "Language", "Rewrite", "Yaml", "asking", "language", "rewritten"]

Ask = Callable[[Mapping[str, object]], object]


class Rewrite(NamedTuple):
    """A text with changes made to it, the edits that made them, one after another, and the changes that undo them."""

    text: str
    edits: tuple[Edit, ...]
    undo: tuple[Change, ...]


class Language(Protocol):
    """How a file of settings is changed, and how it is told whether that went right."""

    name: str

    def edits(self, text: str, change: Change) -> tuple[list[Edit], list[Change]]:
        """The edits that make the change, and the changes that undo it. Raises `OddFile`."""
        ...

    def check(self, before: str, after: str, changes: Sequence[Change]) -> None:
        """Raise `OddFile` unless `after` says exactly what `before` says with the changes made to it."""
        ...


def asking(python: Path, machine: Machine, home: Path, *, time_limit: float = TIME_LIMIT) -> Ask:
    """A way to ask the judge of the environment of `python`."""

    def put(question: Mapping[str, object]) -> object:
        return ask(python, Program(judge.__file__, judge.MARK, question=question), machine, home, time_limit=time_limit)

    return put


def rewritten(text: str, changes: Iterable[Change], of: Language) -> Rewrite:
    """The text with those of the changes made that are not so already. Raises `OddFile`, or a `HostError`."""
    now, edits, undo, made = text, list[Edit](), list[Change](), list[Change]()
    for change in changes:
        new, back = of.edits(now, change)
        if new:
            now, edits, undo, made = applied(now, new), edits + new, back + undo, [*made, change]
    if made:
        of.check(text, now, made)
    return Rewrite(now, tuple(edits), tuple(undo))


class Yaml:
    """A config.yaml."""

    name = "yaml"

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def edits(self, text: str, change: Change) -> tuple[list[Edit], list[Change]]:
        """In the lines of the text, by the places that the reader finds."""
        answer = self._ask({"ask": "outline", "text": text, "keys": [change.path[0]]})
        document = document_of(text, answer)
        edits = yaml_edit.edits_for(document, change)
        return edits, yaml_edit.undoing(document, change) if edits else []

    def check(self, before: str, after: str, changes: Sequence[Change]) -> None:
        """By what the reader makes of both."""
        asked = [change.as_asked() for change in changes]
        _expect(self._ask({"ask": "judged", "before": before, "after": after, "changes": asked}))


class Dotenv:
    """A .env."""

    name = "dotenv"

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def edits(self, text: str, change: Change) -> tuple[list[Edit], list[Change]]:
        """In the line of the variable, or one more."""
        answer = _expect(self._ask({"ask": "variables", "text": text, "names": list(change.path)}))
        now = cast("Mapping[str, str | None]", answer["values"])[change.path[0]]
        edits = dotenv_edit.edits_for(text, change, now)
        return edits, dotenv_edit.undoing(change, now) if edits else []

    def check(self, before: str, after: str, changes: Sequence[Change]) -> None:
        """By what the reader makes of both."""
        values = {change.path[0]: change.value if change.what == "put" else None for change in changes}
        _expect(self._ask({"ask": "weighed", "before": before, "after": after, "values": values}))


_LANGUAGES: Mapping[str, Callable[[Ask], Language]] = {
    Yaml.name: Yaml,
    Dotenv.name: Dotenv,
    Jsonc.name: lambda _ask: Jsonc(),
}


def language(name: str, ask: Ask) -> Language:
    """The language of this name."""
    return _LANGUAGES[name](ask)


def _expect(answer: object) -> Mapping[str, object]:
    record = cast("Mapping[str, object]", answer)
    problem = record["problem"]
    if problem is not None:
        raise OddFile("the environment has no reader for it" if problem == "no_reader" else str(problem), hint=BY_HAND)
    return record
