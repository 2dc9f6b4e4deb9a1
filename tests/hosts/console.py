"""The real interactive `hermes chat`, at a terminal of its own: several turns of one process.

with Console(hermes, home, cwd=folder) as console:
console.type("read the notes")
console.shows("the answer")
"""

import os
import pty
import re
import select
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.hosts import process
from tests.hosts.failure import HostError, report, tail
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home

PROMPT = "❯"
START_SECONDS = 60
STOP_SECONDS = 30
_ECHO_SECONDS = 3
_TRIES = 6
_CLEAR = b"\x15"  # empties the line
_SCREEN = {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}


class Console:
    """One running chat. What it shows is read as it comes; leaving the block ends it."""

    def __init__(self, hermes: Hermes, home: Home, *, cwd: Path, environment: Mapping[str, str] | None = None) -> None:
        self._hermes = hermes
        self._home = home
        self._cwd = cwd
        self._environment = {**_SCREEN, **(environment or {})}
        self._seen = b""

    def __enter__(self) -> Self:
        """Starts the chat and waits for its first prompt."""
        self._screen, theirs = pty.openpty()
        try:
            self._process = process.start_at_terminal(
                self._hermes.command("chat"),
                cwd=self._cwd,
                environment=self._home.environment(self._environment),
                terminal=theirs,
            )
        finally:
            os.close(theirs)
        self.shows(PROMPT, timeout=START_SECONDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the chat, whatever it is doing."""
        process.kill(self._process)
        self._process.wait(STOP_SECONDS)
        os.close(self._screen)

    def exchange(self, text: str, answer: str) -> None:
        """Types a line, enters it, and waits for the answer.

        A chat shows its prompt a little before it listens, and takes what comes at once behind a text for a part of
        it: so the line is typed until it stands there, and entered until it is answered.
        """
        self._until(_CLEAR + text.encode(), text)
        self._until(b"\r", answer)

    def ask(self, text: str, pattern: str) -> str:
        """Types and enters a line, and waits for an answer that `pattern` finds; its first group."""
        self._until(_CLEAR + text.encode(), text)
        for _ in range(_TRIES):
            os.write(self._screen, b"\r")
            found = self._look(re.compile(pattern.encode()), _ECHO_SECONDS)
            if found is not None:
                return found.group(1).decode()
        raise self._silence(pattern)

    def _until(self, keys: bytes, shown: str) -> None:
        for _ in range(_TRIES - 1):
            os.write(self._screen, keys)
            if self._appears(shown, timeout=_ECHO_SECONDS):
                return
        os.write(self._screen, keys)
        self.shows(shown)

    def shows_prompt(self) -> None:
        """Waits for the prompt that comes after what was waited for last."""
        self.shows(PROMPT)

    def shows(self, text: str, *, timeout: float = 60) -> None:
        """Waits until the screen has shown `text`, after what was waited for before."""
        if not self._appears(text, timeout=timeout):
            raise self._silence(text)

    def _appears(self, text: str, *, timeout: float) -> bool:
        return self._look(re.compile(re.escape(text.encode())), timeout) is not None

    def _look(self, wanted: re.Pattern[bytes], timeout: float) -> re.Match[bytes] | None:
        """What is found in what was shown since the last find; None where it does not come within `timeout` seconds."""
        until = time.monotonic() + timeout
        while (found := wanted.search(self._seen)) is None:
            left = until - time.monotonic()
            ready = left > 0 and select.select([self._screen], [], [], left)[0]
            more = self._read() if ready else b""
            if not more:
                return None
            self._seen += more
        self._seen = self._seen[found.end() :]
        return found

    def _silence(self, wanted: str) -> HostError:
        shown = self._seen[-2_000:].decode("utf-8", "replace")
        return report(f"hermes {self._hermes.version} chat: did not show {wanted!r}", shown, tail(self._home.log))

    def _read(self) -> bytes:
        try:
            return os.read(self._screen, 65_536)
        except OSError:  # the other end is gone
            return b""
