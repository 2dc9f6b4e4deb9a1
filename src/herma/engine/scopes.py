"""What is remembered of each context window: answered reads, and which of them stood in which request.

Nothing here locks; `herma.engine.once` does. Everything is bounded, and the oldest goes first.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from herma.core.reading.repeat import NO_MARK, Entry
from herma.core.reading.request import ReadKey
from herma.core.reading.visibility import Index, index_of

__all__ = ["MOST_ENTRIES", "MOST_REQUESTS", "MOST_SCOPES", "Doubts", "Scope", "Scopes", "Short"]

MOST_ENTRIES = 128
MOST_REQUESTS = 64
MOST_SCOPES = 256
_MOST_TASKS = 64
_NOTHING: Mapping[bytes, str] = {}
_MOST_DOUBTS = 1_024


class Short(NamedTuple):
    """A read was answered without content: in which turn, to which request, and whether with a note of ours."""

    turn: str
    request: str
    noted: bool


class Doubts:
    """Tasks of the host in which it may remember reads that nothing is known of here."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, task: str) -> bool:
        return task in self._tasks

    def raise_for(self, tasks: Iterable[str]) -> None:
        """The host may remember something of these tasks."""
        for task in tasks:
            self._tasks[task] = None
            if len(self._tasks) > _MOST_DOUBTS:
                self._tasks.popitem(last=False)

    def settle(self, task: str) -> None:
        """The host has been made to forget what it knew of this task."""
        self._tasks.pop(task, None)


class Scope:
    """One context window: the conversation of one session, and the host's tasks in it.

    `short` holds the reads that were answered without content and not with content since.
    """

    __slots__ = ("_doubts", "_tasks", "entries", "index", "requests", "short")

    def __init__(self, doubts: Doubts) -> None:
        self._doubts = doubts
        self._tasks: OrderedDict[str, None] = OrderedDict()
        self.entries: OrderedDict[ReadKey, Entry] = OrderedDict()
        self.requests: OrderedDict[str, Mapping[bytes, str]] = OrderedDict()
        self.short: dict[ReadKey, Short] = {}
        self.index: Index = {}

    def serves(self, task: str) -> None:
        """The host reads for this task of the conversation."""
        self._tasks[task] = None
        if len(self._tasks) > _MOST_TASKS:
            self._tasks.popitem(last=False)

    def doubt(self) -> None:
        """Something is forgotten here that the host may remember."""
        self._doubts.raise_for(self._tasks)

    def put(self, key: ReadKey, entry: Entry) -> None:
        """Remember the latest answer with content to `key`; it becomes the newest entry."""
        self.entries.pop(key, None)
        self.short.pop(key, None)
        self.entries[key] = entry
        if len(self.entries) > MOST_ENTRIES:
            oldest, _ = self.entries.popitem(last=False)
            self.short.pop(oldest, None)
            self.doubt()
        self.index = index_of(each.mark for each in self.entries.values() if each.mark is not NO_MARK)

    def blank(self, keys: Iterable[ReadKey]) -> None:
        """Forget what was answered to these reads, and that it cannot be vouched for any more."""
        for key in keys:
            self.put(key, self.entries[key]._replace(mark=NO_MARK, exact=False))

    def saw(self, request: str, calls: Mapping[bytes, str]) -> None:
        """Remember which texts stood in a request, as the results of which calls.

        Of a request that is sent again, the last attempt counts.
        """
        self.requests.pop(request, None)
        self.requests[request] = calls
        if len(self.requests) > MOST_REQUESTS:
            self.requests.popitem(last=False)

    def visible(self, request: str, entry: Entry | None) -> str | None:
        """The id of the call as whose result the entry's text stood in that request; None when it did not."""
        return None if entry is None else self.requests.get(request, _NOTHING).get(entry.mark.digest)

    def answered_short(self, key: ReadKey, turn: str, request: str) -> bool:
        """True when the read was answered without content in this turn and the model has seen that since.

        Another call out of the same request was made without knowing. A turn without an id counts as any.
        """
        found = self.short.get(key)
        return found is not None and (found.turn == turn or not turn) and found.request != request

    def counts(self) -> tuple[int, int]:
        """How many entries could be answered with a note, and how many of them stood in the latest request."""
        latest = next(reversed(self.requests.values()), _NOTHING)
        exact = [entry for entry in self.entries.values() if entry.exact]
        return len(exact), sum(entry.mark.digest in latest for entry in exact)


class Scopes:
    """The scopes of one profile, by session. `epoch` counts the times that all of them were forgotten."""

    def __init__(self) -> None:
        self._scopes: OrderedDict[str, Scope] = OrderedDict()
        self.doubts = Doubts()
        self.epoch = 0

    def __iter__(self) -> Iterator[Scope]:
        return iter(tuple(self._scopes.values()))

    def find(self, session: str) -> Scope | None:
        """The scope of a session that has one."""
        return self._scopes.get(session)

    def of(self, session: str) -> Scope:
        """The scope of a session, made on first use."""
        found = self._scopes.get(session)
        if found is None:
            found = self._scopes[session] = Scope(self.doubts)
            if len(self._scopes) > MOST_SCOPES:
                self._forget(next(iter(self._scopes)))
        return found

    def end(self, sessions: Iterable[str]) -> None:
        """Forget these sessions."""
        for session in sessions:
            self._forget(session)

    def end_all(self) -> None:
        """Forget every session."""
        self.epoch += 1
        self.end(tuple(self._scopes))

    def _forget(self, session: str) -> None:
        scope = self._scopes.pop(session, None)
        if scope is not None:
            scope.doubt()
