"""A person's own files: read with care, replaced as a whole, never without a copy beside."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple

from herma.errors import OddFile, StepFailed
from herma.install.outline import BY_HAND

__all__ = [
    "Kept",
    "back_up",
    "beside",
    "digest",
    "discard",
    "draft_of",
    "kept",
    "made_folders",
    "put",
    "put_new",
    "unmake",
]

_LARGEST = 4 * 1_048_576
_PRIVATE = 0o600


class Kept(NamedTuple):
    """A file as it was read; `data` is None for one that is not there. Who writes it anew keeps mode and owner."""

    path: Path
    data: bytes | None
    mode: int = _PRIVATE
    owner: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """Its text, empty for a file that is not there; a byte order mark stays its first character.

        Raises `OddFile`.
        """
        try:
            return (self.data or b"").decode("utf-8")
        except UnicodeDecodeError:
            raise OddFile("it is not text in UTF-8", hint=BY_HAND) from None


def digest(data: bytes | None) -> str | None:
    """The SHA-256 of a file's bytes in hexadecimal digits; None for a file that is not there."""
    return None if data is None else sha256(data).hexdigest()


def kept(path: Path) -> Kept:
    """The file at `path`. Raises `OddFile` for one that could not be replaced by another without changing more."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        if not os.access(_nearest(path.parent), os.W_OK | os.X_OK):
            raise OddFile("it may not be written there", hint=BY_HAND) from None
        return Kept(path, None)
    except OSError as error:
        raise OddFile(f"it cannot be looked at: {error.strerror}", hint=BY_HAND) from None
    for odd, why in (
        (stat.S_ISLNK(found.st_mode), "it is a link to another place"),
        (not stat.S_ISREG(found.st_mode), "it is not a file"),
        (found.st_nlink > 1, "it has a second name (a hard link)"),
        (found.st_size > _LARGEST, "it is larger than 4 MiB"),
        (os.geteuid() not in (0, found.st_uid), "it belongs to somebody else"),
        (not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK | os.X_OK), "it may not be written"),
    ):
        if odd:
            raise OddFile(why, hint=BY_HAND)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OddFile(f"it cannot be read: {error.strerror}", hint=BY_HAND) from None
    return Kept(path, data, stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid))


def put(was: Kept, data: bytes | None) -> None:
    """Put `data` in the place of a file, at once and whole; None takes the file away.

    Raises `StepFailed` if the file is no longer what it was, or cannot be replaced.
    """
    try:
        if kept(was.path).data != was.data:
            raise StepFailed(f"{was.path} was changed meanwhile", hint="run the command again")
        if data is None:
            was.path.unlink(missing_ok=True)
        else:
            draft = draft_of(was.path)
            draft.unlink(missing_ok=True)  # what a run that was cut off left behind
            put_new(draft, data, was)
            draft.replace(was.path)
        _settle(was.path.parent)
    except OSError as error:
        raise StepFailed(f"{was.path} cannot be written: {error.strerror}", hint="see who may write there") from None


def put_new(path: Path, data: bytes, like: Kept | None = None) -> None:
    """Write a file that must not be there yet: for its owner alone, or with the mode and owner of another."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _PRIVATE), "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)
        if like and like.owner and like.owner != _owner(file.fileno()):
            os.fchown(file.fileno(), *like.owner)
        os.fchmod(file.fileno(), like.mode if like else _PRIVATE)
        file.flush()
        os.fsync(file.fileno())


def draft_of(path: Path) -> Path:
    """Where the new file stands before it takes the place of the one before."""
    return path.with_name(f".{path.name}.herma-tmp")


def discard(path: Path, expected: str | None) -> None:
    """Delete a copy of ours, if it still has the expected SHA-256. What cannot be deleted stays."""
    with suppress(OSError):
        if digest(path.read_bytes()) == expected:
            path.unlink()


def beside(path: Path) -> Path:
    """The first free name for a copy beside a file or folder."""
    names = (path.with_name(f"{path.name}.herma-{n}.bak") for n in count(1))
    return next(name for name in names if not os.path.lexists(name))


def back_up(was: Kept, copy: Path) -> None:
    """Write the copy of a file, for its owner alone. Raises `StepFailed`."""
    try:
        put_new(copy, was.data or b"")
    except OSError as error:
        raise StepFailed(f"{copy} cannot be written: {error.strerror}", hint="see who may write there") from None


def made_folders(folder: Path) -> tuple[str, ...]:
    """The folders that have to be made for `folder` to be there, the outermost first."""
    missing = []
    while not os.path.lexists(folder):
        missing.append(str(folder))
        folder = folder.parent
    return tuple(reversed(missing))


def unmake(folders: Iterable[str]) -> None:
    """Take away the folders that were made, the innermost first, as far as nothing is in them."""
    for folder in reversed(tuple(folders)):
        with suppress(OSError):
            Path(folder).rmdir()


def _nearest(folder: Path) -> Path:
    """The folder, or the first above it that is there."""
    return next(place for place in (folder, *folder.parents) if os.path.lexists(place))


def _owner(descriptor: int) -> tuple[int, int]:
    found = os.fstat(descriptor)
    return found.st_uid, found.st_gid


def _settle(folder: Path) -> None:
    """Make a change of names last."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
