"""The journal file: lines are added at its end, each to the disk before what it tells of happens."""

import mmap
import os
import re
from collections.abc import Mapping, Sequence
from errno import ENOSPC
from typing import NamedTuple

from herma.core.memory.journal import Change, from_line, in_force, to_line

__all__ = ["History"]

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_CLOEXEC
_TAIL = 16 * 1024
_NUMBER = re.compile(rb'\{"n":(\d{1,18}),')


class _State(NamedTuple):
    """By which a file that only grows is known to be as it was."""

    inode: int
    size: int


class History:
    """The journal at `path`. Whoever writes holds the memory's lock; reading needs none."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._latest: tuple[_State, Tail] | None = None

    def lines(self) -> tuple[Change, ...]:
        """Every line, oldest first, those included that say of others that they are not in force."""
        return tuple(change for line in self._all().split(b"\n") if (change := from_line(line)) is not None)

    def changes(self) -> tuple[Change, ...]:
        """Every change in force, oldest first."""
        return in_force(self.lines())

    def tail(self) -> "Tail":
        """The end of the journal, as it is needed to go on with it; what this process wrote last it need not read."""
        try:
            found = os.stat(self.path)  # noqa: PTH116 - a text
        except FileNotFoundError:
            return Tail(b"", whole=True, path=self.path)
        latest, state = self._latest, _State(found.st_ino, found.st_size)
        if latest is not None and latest[0] == state:
            return latest[1]
        opened = os.open(self.path, _READ)
        try:
            start = max(0, state.size - _TAIL)
            return Tail(os.pread(opened, state.size - start, start), whole=start == 0, path=self.path)
        finally:
            os.close(opened)

    def append(self, lines: Sequence[Change], tail: "Tail") -> None:
        """Add changes, to the disk. A line that was cut off by a crash is closed first."""
        added = b"".join(map(to_line, lines))
        cut = tail.data and not tail.data.endswith(b"\n")
        opened = os.open(self.path, _APPEND, 0o600)
        try:
            state = _write(opened, b"\n" + added if cut else added)
            os.fsync(opened)
        finally:
            os.close(opened)
        self._latest = (state, tail.followed_by(lines, added))

    def _all(self) -> bytes:
        try:
            opened = os.open(self.path, _READ)
        except FileNotFoundError:
            return b""
        with open(opened, "rb") as file:  # noqa: PTH123 - a descriptor
            return file.read()


def _write(opened: int, data: bytes) -> _State:
    """Write at the end of a file, all of it or nothing."""
    found = os.fstat(opened)
    at = found.st_size
    written = os.write(opened, data)
    if written != len(data):
        os.ftruncate(opened, at)
        raise OSError(ENOSPC, os.strerror(ENOSPC))
    return _State(found.st_ino, at + written)


class Tail:
    """The last lines of a journal; what is further up is fetched when it is asked for."""

    def __init__(self, data: bytes, *, whole: bool, path: str, lasts: Mapping[str, Change] | None = None) -> None:
        self.data, self._whole, self._path = data, whole, path
        self._lasts = dict(lasts or {})

    def followed_by(self, lines: Sequence[Change], data: bytes) -> "Tail":
        """The end of a journal to which these lines have been added."""
        lasts = {**self._lasts, **{line.target: line for line in lines}}
        return Tail(data, whole=False, path=self._path, lasts=lasts)

    def next_number(self) -> int:
        """The number of the next change: one more than the highest there is."""
        found = _NUMBER.match(self.data, self.data.rfind(b'{"n":'))
        return int(found[1]) + 1 if found else self._past()

    def last(self, target: str) -> Change | None:
        """The latest change of one list, also one that was never completed."""
        return self._lasts.get(target) or self._find(f'"target":"{target}"'.encode())

    def _past(self) -> int:
        """The same where the tail holds no beginning of a line."""
        last = self._find(b'{"n":')
        return last.number + 1 if last else 1

    def _find(self, mark: bytes) -> Change | None:
        found = _last(self.data, mark, closed=self._whole)
        if found is None and not self._whole:
            with open(self._path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:  # noqa: PTH123 - a text
                found = _last(whole, mark, closed=True)
        return found


def _last(data: "bytes | mmap.mmap", mark: bytes, *, closed: bool) -> Change | None:
    """The last undamaged line with `mark`; unless `closed`, the first line is a part of one.

    The mark cannot stand inside a text of a line: quotes are escaped there.
    """
    end = len(data)
    while (at := data.rfind(mark, 0, end)) >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        if start == 0 and not closed:
            return None
        stop = data.find(b"\n", at)
        found = from_line(data[start : stop if stop >= 0 else len(data)])
        if found is not None:
            return found
        end = start
    return None
