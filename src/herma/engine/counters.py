"""What happened in this process: reasons counted, sizes before and after. No text, no path, nothing on disk."""

from collections import deque
from collections.abc import Iterator
from threading import Lock
from typing import NamedTuple

from herma.core.reasons import REASONS

__all__ = ["Counters", "Outcome"]

_KNOWN = frozenset((reason.system, reason.id) for reason in REASONS)
_KEPT_OUTCOMES = 256


class Outcome(NamedTuple):
    """What became of one tool result; sizes in characters."""

    system: str
    reason: str
    tool: str
    call_id: str
    before: int
    after: int


class Counters:
    """Thread-safe. A reason outside the closed list is a programming error and raises KeyError."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._reasons: dict[tuple[str, str], int] = {}
        self._outcomes: deque[Outcome] = deque(maxlen=_KEPT_OUTCOMES)

    def count(self, system: str, reason: str) -> None:
        """Count one reason."""
        key = system, reason
        if key not in _KNOWN:
            raise KeyError(f"{system}: {reason} is not in the table of reasons")
        with self._lock:
            self._reasons[key] = self._reasons.get(key, 0) + 1

    def record(self, outcome: Outcome) -> None:
        """Count the outcome's reason and keep it among the latest."""
        self.count(outcome.system, outcome.reason)
        with self._lock:
            self._outcomes.append(outcome)

    def reasons(self, system: str) -> dict[str, int]:
        """How often each reason was given, by its id."""
        with self._lock:
            return {reason: n for (owner, reason), n in self._reasons.items() if owner == system}

    def latest(self) -> Iterator[Outcome]:
        """The latest outcomes, oldest first; at most 256."""
        with self._lock:
            return iter(tuple(self._outcomes))
