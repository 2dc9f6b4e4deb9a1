"""The past of everybody on one host: found, read and erased. What a tool or a command says of it is not made here.

Every function takes the person first: there is no past that is not somebody's.
"""

from collections.abc import Callable, Iterable, Sequence
from threading import RLock
from typing import NamedTuple, TypeVar

from herma.core.recall.query import normal_words
from herma.core.recall.records import Reader
from herma.core.recall.scripts import normal, pieces
from herma.core.recall.snippet import snippet
from herma.core.recall.whose import Span, Whose, everything
from herma.core.recall.words import COMMON
from herma.errors import HermaError
from herma.stores.recall.finding import Hit, Limits
from herma.stores.recall.index import Index
from herma.stores.recall.reading import Said, Seen

__all__ = ["EVER", "NOBODY", "Found", "Match", "Pasts", "Spans"]

# What of each session is a person's past, as (session_id, first_at, last_at) in epoch milliseconds.
Spans = Callable[[str], Iterable[tuple[str, int, int]]]

NOBODY = "there is no person attached to this conversation, and so no past to search"

_PATIENCE = 20.0  # seconds for bringing the index up to date before an answer
_FIRST, _OTHERS = 5, 1  # matches of the best session, and of each other
_EVER = 1 << 62
EVER = Limits()

Answer = TypeVar("Answer")


class Match(NamedTuple):
    """One message that was found, with a piece of it around what was asked for."""

    message_id: str
    role: str
    kind: str
    at: int
    text: str
    snippet: str


class Found(NamedTuple):
    """One session that was found: its score is that of its best match, which stands first."""

    session: Seen
    score: float
    matches: tuple[Match, ...]


class Pasts:
    """Every method may be called from several threads, and raises `HermaError` for nobody, `StoreError` for the index.

    `spans` says what is whose; None for a host with one person. Nothing is opened before the first question.
    """

    def __init__(self, reader: Callable[[], Reader], index: Index, spans: Spans | None) -> None:
        self._open_reader = reader
        self._reader: Reader | None = None
        self._index = index
        self._spans = spans
        self._lock = RLock()

    def catch_up(self, *, patience: float = _PATIENCE) -> bool:
        """Bring the index up to date, for so many seconds at most; whether it is.

        Raises what the reader raises for the host's database; what was indexed before can be searched all the same.
        """
        with self._lock:
            if self._reader is None:
                self._reader = self._open_reader()
            return self._index.catch_up(self._reader, patience=patience)

    def discover(
        self, person: str, query: str, limits: Limits = EVER, *, session: str = "", limit: int = 3
    ) -> list[Found]:
        """The sessions that answer the query best, but for the present one."""
        whose = self.whose(person)
        hits = self._index.find(whose, query, limits, without=[session] if session else [])
        groups: dict[int, list[Hit]] = {}
        for hit in hits:
            groups.setdefault(hit.session, []).append(hit)
        words = _words(query)
        found: list[Found] = []
        for number, group in list(groups.items())[:limit]:
            seen = self._index.seen(whose, number)
            if seen is not None:
                most = _OTHERS if found else _FIRST
                found.append(Found(seen, group[0].score, tuple(_match(hit, words) for hit in group[:most])))
        return found

    def messages(self, person: str, session_id: str) -> tuple[Seen, Sequence[Said]] | None:
        """A session and its messages; None where nothing of it is this person's."""
        return self._index.session(self.whose(person), session_id)

    def sessions(self, person: str, *, session: str = "", limit: int = 3) -> list[Seen]:
        """The latest sessions but the present one."""
        return self._index.sessions(self.whose(person), limit=limit, without=[session] if session else [])

    def erase(self, person: str, *, session_id: str = "") -> int:
        """Take a person's past, or what they have in one session, out of the index for good; how many sessions.

        The host's own database is not touched; what is erased here is not taken from there again.
        """
        whose = self.whose(person)
        every = self._index.sessions(whose, limit=_EVER)
        there = {each.session_id for each in every if session_id in ("", each.session_id)}
        spans = whose.spans if whose.spans is not None else tuple(Span(each, -_EVER, _EVER) for each in sorted(there))
        self._index.erase(span for span in spans if span.session_id in there)
        return len(there)

    def whose(self, person: str) -> Whose:
        """What of this host's past is this person's."""
        if not person:
            raise HermaError(NOBODY, hint="say who asks")
        if self._spans is None:
            return everything(person)
        return Whose(person, tuple(sorted(Span(*span) for span in self._spans(person))))

    def close(self) -> None:
        """Let go of the index and of the host's database."""
        with self._lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
            self._index.close()


def _words(query: str) -> list[str]:
    """What a snippet begins before: the words of a query that say something, the long ones first, then its pieces."""
    text = normal(query)
    words = [word for word in normal_words(text) if word not in COMMON]
    return [*sorted(words, key=len, reverse=True), *(piece for run in pieces(text) for piece in run)]


def _match(hit: Hit, words: Sequence[str]) -> Match:
    return Match(hit.message_id, hit.role, hit.kind, hit.at, hit.text, snippet(hit.text, words))
