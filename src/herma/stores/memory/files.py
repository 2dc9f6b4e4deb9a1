"""One small file that people and programs share: read whole, replaced whole, never half."""

import os
import stat
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from herma.errors import Unreadable

__all__ = ["LARGEST", "Bytes", "digest", "draft", "look", "put", "settle", "text_of", "true_path"]

LARGEST = 1024 * 1024

_PRIVATE = 0o600
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe in the place of the file must not hold us up
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_HINT = "put the file right, or move it away; nothing was changed"


class Bytes(NamedTuple):
    """What a file holds: None where there is no file. `mode` and `owner` are those its replacement gets."""

    data: bytes | None
    mode: int = _PRIVATE
    owner: tuple[int, int] | None = None


def look(path: str) -> Bytes:
    """Read the file, through a link where it is one. Raises `Unreadable` for what is there and cannot be had whole."""
    try:
        opened = os.open(path, _READ)
    except FileNotFoundError:
        if os.path.islink(path):  # noqa: PTH114 - paths are texts on this way
            raise Unreadable(f"{path} is a link that leads nowhere", hint=_HINT) from None
        return Bytes(None)
    except OSError as error:
        raise _odd(path, f"cannot be opened ({error.strerror})") from None
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise _odd(path, "is not a file")
        if found.st_size > LARGEST:
            raise _odd(path, "is larger than 1 MiB")
        data = os.read(opened, found.st_size + 1)
        while more := os.read(opened, LARGEST) if len(data) != found.st_size else b"":
            data += more
    except OSError as error:
        raise _odd(path, f"cannot be read ({error.strerror})") from None
    finally:
        os.close(opened)
    return Bytes(data, stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid))


def text_of(path: str, data: bytes | None) -> str:
    """The bytes of a file as text, without a byte order mark. Raises `Unreadable` where they are none."""
    try:
        return (data or b"").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _odd(path, f"is not text in UTF-8 (byte {error.start + 1})") from None


def true_path(path: str) -> str:
    """Where the file itself lies, if `path` is a link to it."""
    return os.path.realpath(path) if os.path.islink(path) else path  # noqa: PTH114 - the same


def digest(data: bytes | None) -> str:
    """The fingerprint of a file: SHA-256 in hexadecimal digits, "" where there is none."""
    return "" if data is None else sha256(data).hexdigest()


def draft(path: str, data: bytes, like: Bytes) -> str:
    """Write the file that is to take the place of `path`, beside it and to the disk. Returns where it stands."""
    folder, name = os.path.split(path)
    place = f"{folder}/.{name}.herma-tmp"
    try:
        opened = os.open(place, _WRITE, _PRIVATE)
    except FileExistsError:  # what a process that was killed left behind
        os.unlink(place)  # noqa: PTH108 - paths are texts on this way
        opened = os.open(place, _WRITE, _PRIVATE)
    try:
        if like.owner and like.owner != (os.geteuid(), os.getegid()):
            with suppress(OSError):  # whoever may not give a file away keeps it
                os.fchown(opened, *like.owner)
        if like.mode != _PRIVATE:
            os.fchmod(opened, like.mode)
        _write(opened, data)
        os.fsync(opened)
    finally:
        os.close(opened)
    return place


def put(place: str, path: str, *, new: bool) -> bool:
    """Put a draft into its place. False where `path` was to be `new` and is there by now."""
    if new:
        try:
            os.link(place, path, follow_symlinks=False)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            pass
        else:
            os.unlink(place)  # noqa: PTH108 - the same file under its first name
            return True
    os.replace(place, path)  # noqa: PTH105 - paths are texts on this way
    return True


def settle(folder: str) -> None:
    """Make changes of names in a folder last."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _write(opened: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(opened, view) :]


def _odd(path: str, why: str) -> Unreadable:
    return Unreadable(f"{path} {why}", hint=_HINT)
