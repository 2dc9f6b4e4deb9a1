"""The composition root, and the one object that Herma's plugins share in a process.

Hosts may load plugins of one package as separate module instances and may discover them twice, so what
they share hangs on this module of the installed package, keyed by home and profile.
"""

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from herma.core.reasons import REASONS
from herma.engine.counters import Counters
from herma.engine.reading import Pipeline

if TYPE_CHECKING:
    from herma.engine.once import Once

__all__ = ["Runtime", "runtime", "snapshot"]

Part = TypeVar("Part")


class Runtime:
    """What all plugins of one home and profile share in this process."""

    def __init__(self, home: str, profile: str) -> None:
        self.home = home
        self.profile = profile
        self.counters = Counters()
        self.reading = Pipeline(self.counters)
        self.capabilities: dict[str, object] = {}
        self._once: Once | None = None
        self._parts: dict[str, Any] = {}

    @property
    def once(self) -> "Once":
        """The service behind read-once, made for the first plugin that asks: the others do not pay for its import."""
        with _lock:
            if self._once is None:
                from herma.engine.once import Once  # noqa: PLC0415 - see above

                self._once = Once(self.counters)
            return self._once

    def part(self, name: str, make: Callable[[], Part]) -> Part:
        """What a plugin keeps once for this home and profile, made by the first that asks for it."""
        with _lock:
            if name not in self._parts:
                self._parts[name] = make()
            found: Part = self._parts[name]
            return found

    def known(self, name: str) -> object | None:
        """What a plugin keeps here under this name; None where none has made it. Nothing is made by asking."""
        with _lock:
            return self._parts.get(name)

    def saved(self) -> dict[str, object]:
        """What was saved, by system; only systems that are in use."""
        return {} if self._once is None else {"read-once": self._once.stats().saved._asdict()}


_SYSTEMS = tuple(dict.fromkeys(reason.system for reason in REASONS))
_runtimes: dict[tuple[str, str], Runtime] = {}
_lock = RLock()


def runtime(home: str, profile: str) -> Runtime:
    """The runtime of this home and profile; the same object for every plugin that asks."""
    with _lock:
        return _runtimes.setdefault((home, profile), Runtime(home, profile))


def snapshot() -> list[dict[str, object]]:
    """Counted reasons, latest outcomes, sums and probed capabilities of every runtime here, as plain data."""
    with _lock:
        found = list(_runtimes.values())
    return [
        {
            "home": each.home,
            "profile": each.profile,
            "reasons": {system: each.counters.reasons(system) for system in _SYSTEMS},
            "outcomes": [outcome._asdict() for outcome in each.counters.latest()],
            "saved": each.saved(),
            "capabilities": dict(each.capabilities),
        }
        for each in found
    ]
