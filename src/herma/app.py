"""The composition root, and the one object that Herma's plugins share in a process.

Hosts may load plugins of one package as separate module instances and may discover them twice, so what
they share hangs on this module of the installed package, keyed by home and profile.
"""

from threading import Lock
from typing import NamedTuple

from herma.engine.counters import Counters
from herma.engine.reading import Pipeline

__all__ = ["Runtime", "runtime", "snapshot"]


class Runtime(NamedTuple):
    """What all plugins of one home and profile share in this process."""

    home: str
    profile: str
    counters: Counters
    reading: Pipeline
    capabilities: dict[str, object]


_runtimes: dict[tuple[str, str], Runtime] = {}
_lock = Lock()


def runtime(home: str, profile: str) -> Runtime:
    """The runtime of this home and profile; the same object for every plugin that asks."""
    with _lock:
        found = _runtimes.get((home, profile))
        if found is None:
            counters = Counters()
            found = Runtime(home, profile, counters, Pipeline(counters), {})
            _runtimes[home, profile] = found
        return found


def snapshot() -> list[dict[str, object]]:
    """Counted reasons, latest outcomes and probed capabilities of every runtime in this process, as plain data."""
    with _lock:
        found = list(_runtimes.values())
    return [
        {
            "home": each.home,
            "profile": each.profile,
            "reasons": {"read-summarizer": each.counters.reasons("read-summarizer")},
            "outcomes": [outcome._asdict() for outcome in each.counters.latest()],
            "capabilities": dict(each.capabilities),
        }
        for each in found
    ]
