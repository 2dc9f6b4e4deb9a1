"""A reader's double in memory: a host whose sessions a test writes."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from herma.core.recall.records import Change, Passage, Past
from herma.core.recall.whose import Whose, everything
from herma.stores.recall.finding import Hit, Limits
from herma.stores.recall.index import Index

__all__ = ["ME", "Told", "index_of", "texts"]

ME = everything("ada")


class Told:
    """Every change is a list of records; the cursor counts how many of them were told."""

    kind = "double"

    def __init__(self) -> None:
        self.log: list[tuple[str, object]] = []
        self.asked = 0

    def session(self, session_id: str, *texts: str, at: int = 0, role: str = "user", **more: object) -> None:
        """A session with these messages, `<session>-<n>`, one a second."""
        self.log.append(("sessions", Past(session_id, more.pop("title", session_id), at, at, **more)))  # type: ignore[arg-type]
        for place, text in enumerate(texts):
            self.say(session_id, f"{session_id}-{place}", text, place=place, at=at + 1000 * place, role=role)

    def say(  # noqa: PLR0913 - a message has so many parts
        self, session_id: str, message: str, text: str, *, place: int, at: int, role: str = "user", kind: str = "text"
    ) -> None:
        """One message; under an id that was used before it takes the place of that one."""
        self.log.append(("passages", Passage(session_id, message, place, role, kind, text, at)))

    def forget(self, *, sessions: Sequence[str] = (), messages: Sequence[str] = ()) -> None:
        """These are gone."""
        self.log += [("gone_sessions", each) for each in sessions]
        self.log += [("gone_messages", each) for each in messages]

    def changes(self, cursor: str, *, most: int) -> Change:
        """As a reader tells them."""
        self.asked += 1
        start = json.loads(cursor) if cursor else 0
        # Records of one kind at a time, so that their order is kept.
        end = start
        while end < min(len(self.log), start + most) and _rank(self.log[end][0]) >= _rank(
            self.log[max(start, end - 1)][0]
        ):
            end += 1
        parts: dict[str, list[object]] = {"sessions": [], "passages": [], "gone_sessions": [], "gone_messages": []}
        for kind, record in self.log[start:end]:
            parts[kind].append(record)
        return Change(**parts, cursor=json.dumps(end))  # type: ignore[arg-type]

    def sessions(self, *, limit: int) -> Sequence[Past]:
        """In the order in which they were told."""
        return [record for _, record in self.log if isinstance(record, Past)][:limit]

    def messages(self, session_id: str) -> Iterator[Passage]:
        """Of one session."""
        return (record for _, record in self.log if isinstance(record, Passage) and record.session_id == session_id)

    def close(self) -> None:
        """Nothing is open."""


def _rank(kind: str) -> int:
    """The order in which a change is carried out."""
    return ("gone_sessions", "gone_messages", "sessions", "passages").index(kind)


def index_of(folder: Path, told: Told) -> Index:
    """An index that is up to date."""
    index = Index(folder / "index.db", told.kind)
    assert index.catch_up(told, patience=60)
    return index


def texts(index: Index, question: str, whose: Whose = ME, limits: Limits = Limits()) -> list[str]:  # noqa: B008 - a value
    """What is found, best first."""
    hits: list[Hit] = index.find(whose, question, limits)
    return [hit.text for hit in hits]
