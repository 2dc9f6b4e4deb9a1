"""The turns that are running in this process, and whose each of them is.

A turn is found by its id, which the host gives with every call. Where a call carries none, it is a script's inside
another tool (the outer task's turn) or the host's own in a session it knows, and neither has a person's authority of
its own. The session's last speaker is never taken.
"""

from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from herma.core.people.identity import meet
from herma.core.people.principal import Standing

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Call", "Live", "Turns"]

_MOST = 4_096


class Call(NamedTuple):
    """The ids a host gives with a tool call or a request; empty where it gives none."""

    turn_id: str = ""
    session_id: str = ""
    task_id: str = ""
    tool_call_id: str = ""


class Live:
    """A running turn. `refusal` is what its person is told instead of an answer; `context` goes into its requests."""

    __slots__ = (
        "context",
        "conversation",
        "platform",
        "refusal",
        "session_id",
        "shared",
        "standing",
        "text",
        "turn_id",
        "words",
    )

    def __init__(self, turn_id: str, session_id: str, standing: Standing, *, platform: str = "") -> None:
        self.turn_id = turn_id
        self.session_id = session_id
        self.standing = standing
        self.platform = platform
        self.conversation = session_id
        self.shared = False
        self.context = ""
        self.refusal = ""
        self.text = ""
        # Words of others that were seen in its requests already.
        self.words: set[str] = set()


class Turns:
    """Thread-safe. Bounded: the oldest turns are forgotten, and a forgotten turn is one without authority."""

    def __init__(self) -> None:
        # Who the host's own turns of a session act as; nobody, until the service that knows sessions says more.
        self.machine: Callable[[str], Standing | None] = lambda _session_id: None
        self._lock = RLock()
        self._turns: dict[str, Live] = {}
        self._by_task: dict[str, str] = {}
        self._by_session: dict[str, str] = {}
        self._parents: dict[str, str] = {}

    def begin(self, live: Live, *, task_id: str) -> None:
        """A turn has begun; it is now the running one of its session and of its task. One without an id is not kept."""
        if not live.turn_id:
            return
        with self._lock:
            self._turns[live.turn_id] = live
            self._by_session[live.session_id] = live.turn_id
            if task_id:
                self._by_task[task_id] = live.turn_id
            for table in (self._turns, self._by_session, self._by_task):
                while len(table) > _MOST:
                    table.pop(next(iter(table)))

    def child(self, session_id: str, parent_turn: str) -> None:
        """A subagent's session begins inside a turn."""
        with self._lock:
            self._parents[session_id] = parent_turn
            while len(self._parents) > _MOST:
                self._parents.pop(next(iter(self._parents)))

    def parent(self, session_id: str) -> Live | None:
        """The turn in which a subagent's session began."""
        with self._lock:
            return self._turns.get(self._parents.get(session_id, ""))

    def is_child(self, session_id: str) -> bool:
        """Whether this is a subagent's session."""
        return session_id in self._parents

    def turn(self, turn_id: str) -> Live | None:
        """A turn by its id."""
        return self._turns.get(turn_id)

    def running(self, session_id: str) -> Live | None:
        """The latest turn of a session: for what a host reports by session alone and what grants nothing."""
        with self._lock:
            return self._turns.get(self._by_session.get(session_id, ""))

    def find(self, call: Call, unknown: Standing) -> Live:
        """Whose call this is. Total: without evidence it is `unknown`."""
        found = self._turns.get(call.turn_id) if call.turn_id else None
        if found is not None:
            return found
        if not call.turn_id and not call.session_id and call.task_id:
            return self._nested(call, unknown)
        return self._of_host(call, unknown)

    def mix(self, turn_id: str, others: tuple[Standing, ...]) -> Standing | None:
        """Other people's words have come into a turn; its standing from now on, None where the turn is not known."""
        with self._lock:
            live = self._turns.get(turn_id)
            if live is None:
                return None
            live.standing = meet(live.standing, others)
            return live.standing

    def _nested(self, call: Call, unknown: Standing) -> Live:
        outer = self._turns.get(self._by_task.get(call.task_id, ""))
        if outer is None:
            return Live("", "", unknown._replace(kind="nested"))
        standing = outer.standing
        # A turn that was broken off may leave its script running: in a shared session the call may be anybody's there.
        everybody = self.machine(outer.session_id) if outer.shared else None
        if everybody is not None:
            standing = meet(standing, (everybody._replace(others=()), *everybody.others))
        inner = Live(outer.turn_id, outer.session_id, standing._replace(kind="nested"), platform=outer.platform)
        inner.conversation = outer.conversation
        return inner

    def _of_host(self, call: Call, unknown: Standing) -> Live:
        parent = self.parent(call.session_id) if call.session_id else None
        if parent is not None:
            return Live(call.turn_id, call.session_id, parent.standing._replace(kind="subagent"))
        standing = self.machine(call.session_id) if call.session_id else None
        return Live(call.turn_id, call.session_id, standing or unknown)
