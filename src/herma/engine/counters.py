"""What happened in this process: reasons counted, sizes before and after. No text, no path, nothing on disk."""

from collections import deque
from collections.abc import Iterator
from threading import Lock
from typing import NamedTuple

from herma.core.reasons import REASONS

__all__ = ["Counters", "Outcome"]

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
        self._counts: dict[str, dict[str, int]] = {reason.system: {} for reason in REASONS}
        for reason in REASONS:
            self._counts[reason.system][reason.id] = 0
        self._outcomes: deque[Outcome] = deque(maxlen=_KEPT_OUTCOMES)

    def count(self, system: str, reason: str) -> None:
        """Count one reason."""
        try:
            with self._lock:
                self._counts[system][reason] += 1
        except KeyError:
            raise KeyError(f"{system}: {reason} is not in the table of reasons") from None

    def record(self, outcome: Outcome) -> None:
        """Count the outcome's reason and keep it among the latest."""
        self.count(outcome.system, outcome.reason)
        with self._lock:
            self._outcomes.append(outcome)

    def reasons(self, system: str) -> dict[str, int]:
        """How often each reason was given, by its id; only those that were."""
        with self._lock:
            return {reason: given for reason, given in self._counts.get(system, {}).items() if given}

    def latest(self) -> Iterator[Outcome]:
        """The latest outcomes, oldest first; at most 256."""
        with self._lock:
            return iter(tuple(self._outcomes))
