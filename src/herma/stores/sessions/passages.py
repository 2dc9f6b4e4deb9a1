"""The passages of a session, made of what its messages say."""

import sqlite3
from collections.abc import Iterator, Sequence

from herma.core.recall.records import Passage
from herma.stores.sessions.layout import Entry, Layout, Said

__all__ = ["ids_of", "passages"]

_TOOLS = "/tool"
_BACK = 20  # messages of a person that are looked through for one with words


def ids_of(entry: Entry) -> tuple[str, str]:
    """The ids of all passages that a message can have."""
    return entry.id, entry.id + _TOOLS


def passages(  # noqa: PLR0913, PLR0917 - a stretch of an outline
    database: sqlite3.Connection, layout: Layout, session: str, outline: Sequence[Entry], start: int, end: int
) -> Iterator[Passage]:
    """What was said in `outline[start:end]`, in order."""
    turn = _turn(database, layout, outline[:start])
    wanted = outline[start:end]
    for place, (entry, said) in enumerate(zip(wanted, layout.said(database, wanted), strict=True), start):
        if _is_persons(entry, said):
            turn = entry.id
        words, tools = ids_of(entry)
        if said.text:
            role = "assistant" if said.kind == "summary" else entry.role
            yield Passage(session, words, 2 * place, role, said.kind, said.text, entry.at, turn)
        if said.tools:
            yield Passage(session, tools, 2 * place + 1, "tool", "tool", said.tools, entry.at, turn)


def _turn(database: sqlite3.Connection, layout: Layout, before: Sequence[Entry]) -> str:
    """The last message with words of a person before this place."""
    persons = [entry for entry in before if entry.role == "user"][-_BACK:]
    for entry in reversed(persons):
        (said,) = layout.said(database, [entry])
        if _is_persons(entry, said):
            return entry.id
    return ""


def _is_persons(entry: Entry, said: Said) -> bool:
    return entry.role == "user" and said.kind == "text" and bool(said.text)
