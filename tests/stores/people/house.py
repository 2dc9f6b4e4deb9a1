"""A database of people for one test, and processes of their own that use it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.contract.people import Clock

from herma.stores.people.store import SqliteStore, open_store

ROOT = Path(__file__).resolve().parents[3]


def opened(
    path: Path | str,
    *,
    clock: Callable[[], int] | None = None,
    home: str = "/home/bot",
    profile: str = "",
    surface: str = "gateway",
) -> SqliteStore:
    """A store at `path`, as a process of a host opens it."""
    return open_store(
        path,
        clock=clock or Clock(),
        randomness=os.urandom,
        surface=surface,
        host="hermes 0.22.2",
        home=home,
        profile=profile,
    )


class Worker:
    """A real process that runs `tests.stores.people.worker`: it answers each line with a line."""

    def __init__(self, task: str, path: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.stores.people.worker", task, str(path), *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def hears(self) -> str:
        """Its next line; empty when it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def go(self) -> None:
        """Let it go on."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        """End it as a machine does that has no time: SIGKILL."""
        self._process.kill()
        self.end()

    def end(self) -> None:
        """Wait for its end."""
        self._process.communicate(timeout=60)


def together(workers: list[Worker]) -> list[str]:
    """Let workers that are ready go on at once; what each of them says at its end."""
    for worker in workers:
        assert worker.hears() == "ready"
    for worker in workers:
        worker.go()
    said = [worker.hears() for worker in workers]
    for worker in workers:
        worker.end()
    return said
