"""The frozen text of each session, so that one that is resumed elsewhere gets the same bytes."""

import os
from contextlib import suppress
from pathlib import Path
from threading import get_ident

from herma.errors import Unreadable
from herma.stores.memory.files import look, put
from herma.stores.memory.places import safe

__all__ = ["MOST", "Snapshots"]

MOST = 512

_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


class Snapshots:
    """A folder with a file a session, each for its owner alone; of more than 512 the ones longest unused go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, session: str) -> str | None:
        """The text of this session, or None where none was frozen."""
        path = self._path(session)
        try:
            data = look(path).data
            text = None if data is None else data.decode("utf-8")
        except (Unreadable, UnicodeDecodeError):
            return None
        if text is not None:
            with suppress(OSError):
                os.utime(path)
        return text

    def freeze(self, session: str, text: str) -> str:
        """Keep `text` for the session, unless another process has been first. Returns what is kept."""
        path = self._path(session)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = f"{path}.{os.getpid()}-{get_ident()}.tmp"
        with open(os.open(place, _WRITE, 0o600), "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(text.encode("utf-8"))
        if put(place, path, new=True):
            self._prune()
            return text
        os.unlink(place)  # noqa: PTH108 - a text
        return self.get(session) or text

    def drop(self, session: str) -> None:
        """Forget the session."""
        with suppress(FileNotFoundError):
            os.unlink(self._path(session))  # noqa: PTH108 - a text

    def _path(self, session: str) -> str:
        return f"{self._folder}/{safe(session)}.txt"

    def _prune(self) -> None:
        names = os.listdir(self._folder)  # noqa: PTH208 - names are all that is needed
        if len(names) <= MOST:
            return
        aged = sorted((self._folder / name for name in names), key=_used)
        for path in aged[: len(names) - MOST]:
            path.unlink(missing_ok=True)


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
