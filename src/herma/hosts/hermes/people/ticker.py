"""The thread that lets asks run out and tells `herma doctor` that this process is alive."""

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread

__all__ = ["Ticker"]

_log = logging.getLogger("herma")
_AFTER_FAILURE_S = 5.0


class Ticker:
    """Calls `tick` for as long as the process lives; it says in how many milliseconds it wants to be called again."""

    def __init__(self, tick: Callable[[], int]) -> None:
        self._tick = tick
        self._lock = Lock()
        self._thread: Thread | None = None
        self._wake = Event()

    def start(self) -> None:
        """Begin, once; later calls do nothing. The thread dies with the process."""
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="herma-watch", daemon=True)
                self._thread.start()

    def wake(self) -> None:
        """Something new has a deadline: look now."""
        self._wake.set()

    def _run(self) -> None:
        while True:
            try:
                seconds = self._tick() / 1_000
            except Exception as error:  # noqa: BLE001 - the thread has to go on, whatever failed
                _log.warning("manyhands: %s while looking after asks", type(error).__name__)
                seconds = _AFTER_FAILURE_S
            self._wake.wait(seconds)
            self._wake.clear()
