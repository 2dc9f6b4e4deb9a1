"""The log file of opencode-hermes: a line an event, rotated, and never a flood."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

__all__ = ["Log"]

_LARGEST = 1_048_576
_LOOK_EVERY = 30.0  # seconds between two looks at the size
_SAME_AFTER = 60.0  # seconds before a line of the same kind is written again
_MOST_KINDS = 256
_KEPT = (".1", ".2")


class Log:
    """Lines `<ISO time> <text>` in a file for its owner alone. What goes wrong with the log stays unsaid.

    `clock` gives seconds since the epoch.
    """

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock
        self._looked = float("-inf")
        self._told: dict[str, float] = {}

    def say(self, text: str) -> None:
        """Write one line."""
        now = self._clock()
        with suppress(OSError, ValueError):
            self._rotate(now)
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            line = f"{_written(now)} {' '.join(text.splitlines())}\n".encode(errors="backslashreplace")
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(descriptor, line)
            finally:
                os.close(descriptor)

    def say_seldom(self, kind: str, text: str) -> None:
        """The same, at most once a minute for each kind."""
        now = self._clock()
        if now - self._told.get(kind, float("-inf")) < _SAME_AFTER:
            return
        if len(self._told) >= _MOST_KINDS:
            self._told.clear()
        self._told[kind] = now
        self.say(text)

    def _rotate(self, now: float) -> None:
        if now - self._looked < _LOOK_EVERY:
            return
        self._looked = now
        with suppress(FileNotFoundError):
            if self._path.stat().st_size >= _LARGEST:
                older = [self._path.with_name(self._path.name + end) for end in _KEPT]
                for source, target in ((older[0], older[1]), (self._path, older[0])):
                    with suppress(FileNotFoundError):
                        source.replace(target)


def _written(now: float) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now % 1 * 1000):03d}Z"
