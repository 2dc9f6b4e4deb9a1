"""What is read from a host's session store and searched. Times are epoch milliseconds; ids are the host's own."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

__all__ = ["Change", "Passage", "Past", "Reader"]


class Past(NamedTuple):
    """One session of a host. `parent` is the session it came from; `hidden` is a subagent's or an internal one.

    `owner` is whoever the host says the session began with, as an account, empty where the host knows no people.
    """

    session_id: str
    title: str
    started_at: int
    updated_at: int
    parent: str = ""
    directory: str = ""
    owner: str = ""
    hidden: bool = False


class Passage(NamedTuple):
    """What one message of a session says, whole. `kind` is `text`, `tool` (what tools were given or gave) or `summary`.

    A message that has words and calls tools is two passages: `message_id` is the host's id for the words and that
    with `/tool` after it for the rest, so that it is unique in its session. `place` orders the passages of a session.
    `turn` is the id of the message of a person that it belongs to.
    """

    session_id: str
    message_id: str
    place: int
    role: str
    kind: str
    text: str
    at: int
    turn: str = ""


class Change(NamedTuple):
    """Sessions and messages that are new or different since a cursor, and ids that are gone; `cursor` is the end.

    What is gone comes first: a session that is in `gone_sessions` and in `sessions` was written anew in the host, and
    all that is to be kept of it is in `passages`, here and in the changes after this one. `gone_messages` are the ids
    of passages; an id that was never told is not wrong there. Whatever is here may have been told before.
    """

    sessions: Sequence[Past]
    passages: Sequence[Passage]
    gone_sessions: Sequence[str]
    gone_messages: Sequence[str]
    cursor: str


class Reader(Protocol):
    """A host's session store, opened read-only. It never writes a byte beside it and never keeps the host waiting."""

    kind: str

    def changes(self, cursor: str, *, most: int) -> Change:
        """What changed since `cursor` (empty for all), about `most` messages at most. Nothing new: the same cursor."""
        ...

    def sessions(self, *, limit: int) -> Sequence[Past]:
        """Sessions, newest first, without hidden ones."""
        ...

    def messages(self, session_id: str) -> Iterator[Passage]:
        """All messages of one session, in order."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...
