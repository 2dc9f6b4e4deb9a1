"""Files below one root, read without following a symbolic link on the way.

The walk opens every folder from the root by its name in the folder before it, and the file last, so that
what is hashed is below the root even while somebody renames things. The file's state is taken before and
after reading; a file that changed meanwhile has no content.
"""

import errno
import os
import stat
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from herma.core.reading.credentials import is_credential
from herma.core.reading.repeat import Version

__all__ = ["LARGEST", "Content", "Refusal", "identity", "is_below", "read"]

LARGEST = 1024 * 1024

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_STEP = _FOLDER | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NOT_OPENED = {errno.ELOOP: "symlink", errno.ENOENT: "stat_failed", errno.ENXIO: "not_regular"}


class Content(NamedTuple):
    """A file's bytes, their version, and the file's true path."""

    data: bytes
    version: Version
    path: str


class Refusal(NamedTuple):
    """Why a file was not read, as the id of a reason."""

    reason: str


class _Unreadable(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _NoWay(Exception):  # noqa: N818 - the same
    """A part on the way is a link, or no folder: only the true path tells which."""


def read(root: str, path: str, *, seen: bool = False) -> Content | Refusal:
    """The regular file at the absolute `path` if it is strictly below the folder `root`; at most 1 MiB.

    A path that bears the name of a credential, as it is written or as it truly is, is never opened.
    The file's kind is looked at before it is opened, for opening a pipe or a device can have effects. `seen`
    says that it was a regular file at an earlier read; then its kind is looked at once it is open.
    """
    try:
        below = _below(root.rstrip("/"), path)
        if below is not None:
            try:
                return _walk(root, below, path, seen)
            except _NoWay:
                pass
        return _by_true_path(root, path, seen)
    except _Unreadable as error:
        return Refusal(error.reason)


def is_below(root: str, path: object) -> bool:
    """Whether `path` is written as one below `root`; the file system is not asked."""
    return isinstance(path, str) and _below(root.rstrip("/"), path) is not None


def identity(path: str) -> tuple[str, tuple[int, int] | None]:
    """The true path of `path`, and its device and inode where it exists. Opens and reads nothing."""
    try:
        true = os.path.realpath(path)
        found = Path(true).stat()
    except ValueError:  # no path at all
        return path, None
    except OSError:
        return true, None
    return true, (found.st_dev, found.st_ino)


def _by_true_path(root: str, path: str, seen: bool) -> Content:  # noqa: FBT001 - handed on from `read`
    """The same where the path is written in another way, or leads through a link."""
    start = os.path.realpath(root)
    if not root.startswith("/") or not Path(start).is_dir():
        raise _Unreadable("root_invalid")
    if is_credential(path):
        raise _Unreadable("credential_path")
    if Path(path).is_symlink():
        raise _Unreadable("symlink")
    true = os.path.realpath(path)
    below = _below(start.rstrip("/"), true)
    if below is None:
        raise _Unreadable("outside_root")
    try:
        return _walk(start, below, true, seen)
    except _NoWay as error:
        raise _Unreadable("stat_failed") from error


def _below(root: str, path: str) -> list[str] | None:
    """The parts of `path` below `root`, or None when it is not written as being below it."""
    if not path.startswith(root + "/"):
        return None
    parts = path[len(root) + 1 :].split("/")
    return None if "" in parts or "." in parts or ".." in parts else parts


def _walk(root: str, below: Sequence[str], path: str, seen: bool) -> Content:  # noqa: FBT001
    """Opens part after part, each in the folder before it; only one of them is open at a time."""
    if is_credential(path):
        raise _Unreadable("credential_path")
    if root[:1] != "/":
        raise _Unreadable("root_invalid")
    try:
        opened = os.open(root, _FOLDER)
    except (OSError, ValueError) as error:
        raise _Unreadable("root_invalid") from error
    try:
        for part in below[:-1]:
            folder, opened = opened, os.open(part, _STEP, dir_fd=opened)
            os.close(folder)
        folder, opened = opened, _open(below[-1], opened, seen)
        os.close(folder)
        data, version = _bytes(opened)
        return Content(data, version, path)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise _NoWay from error
        raise _Unreadable("stat_failed") from error
    finally:
        os.close(opened)


def _open(name: str, folder: int, seen: bool) -> int:  # noqa: FBT001
    if not seen:
        try:
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        except OSError as error:
            raise _Unreadable("stat_failed") from error
        if not stat.S_ISREG(mode):
            raise _Unreadable("symlink" if stat.S_ISLNK(mode) else "not_regular")
    try:
        return os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        raise _Unreadable(_NOT_OPENED.get(error.errno or 0, "open_failed")) from error


def _bytes(file: int) -> tuple[bytes, Version]:
    before = os.fstat(file)
    size = before.st_size
    if not stat.S_ISREG(before.st_mode):
        raise _Unreadable("not_regular")
    if size > LARGEST:
        raise _Unreadable("too_large")
    try:
        data = os.read(file, size + 1)
        while 0 < len(data) < size and (more := os.read(file, size + 1 - len(data))):
            data += more
    except OSError as error:
        raise _Unreadable("hash_failed") from error
    digest = sha256(data).digest()
    after = os.fstat(file)
    if len(data) != size or after.st_size != size or after.st_mtime_ns != before.st_mtime_ns:
        raise _Unreadable("changed_during_hash")
    return data, Version(digest, size, before.st_mtime_ns, before.st_dev, before.st_ino)
