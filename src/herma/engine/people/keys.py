"""The keys of a terminal: whether a person is seen at them, and whether that person means it."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TextIO

from herma.core.people.presence import below, unseen
from herma.stores.processes import PROC, all_ids, chain

__all__ = ["Keys", "word"]

_FIRST, _THEN = "bdfghjklmnprstvz", "aeiou"
_SYLLABLES = 3


class Keys(NamedTuple):
    """The terminal of this process. `random` gives that many bytes."""

    stdin: TextIO
    stdout: TextIO
    random: Callable[[int], bytes]
    proc: Path = PROC

    def unseen(self) -> str:
        """Why no person can be seen here; empty where one can. Never raises."""
        above = chain(os.getpid(), self.proc)
        if not above:
            return "it cannot be seen here what runs above it"
        return unseen(above, all_ids=all_ids(self.proc)) or self._elsewhere(above[0].terminal)

    def below(self) -> str:
        """Which host this process runs below, as a reason; empty for none. For a host's own terminal. Never raises."""
        above = chain(os.getpid(), self.proc)
        return below(above) if above else ""

    def confirmed(self, question: str) -> bool:
        """Whether the person types the word that is shown to them. What was typed before that does not count."""
        asked = word(self.random)
        self._forget_input()
        self.stdout.write(f"{question}\nType {asked} to go on, anything else to leave it: ")
        self.stdout.flush()
        return self.stdin.readline().strip().casefold() == asked

    def _elsewhere(self, terminal: int) -> str:
        """Why what is read and written is not the terminal that belongs to this process; empty where it is."""
        for stream in (self.stdin, self.stdout):
            try:
                device = os.fstat(stream.fileno()).st_rdev if stream.isatty() else None
            except (OSError, ValueError):
                device = None
            if device is None or _number(device) != terminal:
                return "what it reads and writes is not its own terminal"
        return ""

    def _forget_input(self) -> None:
        import termios  # noqa: PLC0415 - not on every system that loads this module

        termios.tcflush(self.stdin.fileno(), termios.TCIFLUSH)


def word(random: Callable[[int], bytes]) -> str:
    """A word that can be read and typed, and that nobody knows beforehand."""
    given = random(2 * _SYLLABLES)
    pairs = zip(given[::2], given[1::2], strict=True)
    return "".join(f"{_FIRST[one % len(_FIRST)]}{_THEN[other % len(_THEN)]}" for one, other in pairs)


def _number(device: int) -> int:
    """A device as `/proc` numbers the terminal of a process."""
    major, minor = os.major(device), os.minor(device)
    number = (minor & 0xFF) | (major << 8) | ((minor & ~0xFF) << 12)
    return number - (1 << 32) if number >= 1 << 31 and sys.platform == "linux" else number
