"""A host's database, looked at while the host goes on with its life."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self, TypeVar

from herma.stores.sessions.reader import open_sessions

_Found = TypeVar("_Found")

_TRIES = 20


def untouched(path: Path, read: Callable[[], _Found]) -> _Found:
    """What `read` returns; fails unless it leaves every file of the database at `path` as it was, and makes none.

    The host may write at any moment, so a change counts only if every one of many reads goes with one.
    """
    for _ in range(_TRIES):
        before = _files(path)
        found = read()
        if _files(path) == before:
            return found
    raise AssertionError(f"{_TRIES} reads, and each left other files than it found: {_files(path)}")


def _files(path: Path) -> dict[str, tuple[int, str]]:
    files = (each for each in path.parent.iterdir() if each.name.startswith(path.name))
    return {each.name: (each.stat().st_mtime_ns, sha256(each.read_bytes()).hexdigest()) for each in files}


class Restless:
    """Somebody who reads a database without pause, in a thread, until the block is left. `looks` counts."""

    def __init__(self, path: Path) -> None:
        self.looks = 0
        self._path = path
        self._enough = Event()
        self._trouble: list[Exception] = []
        self._thread = Thread(target=self._look)

    def __enter__(self) -> Self:
        """Begins."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends; what went wrong on the way is raised."""
        self._enough.set()
        self._thread.join()
        if self._trouble:
            raise self._trouble[0]

    def _look(self) -> None:
        cursor = ""
        try:
            while not self._enough.is_set():
                with open_sessions(self._path) as reader:
                    cursor = reader.changes(cursor, most=100).cursor
                self.looks += 1
        except Exception as error:  # noqa: BLE001 - raised where it is seen
            self._trouble.append(error)
