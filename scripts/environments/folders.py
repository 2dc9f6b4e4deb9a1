"""Folders that appear whole or not at all, one maker at a time."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.environments.progress import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where finished environments wait to be copied: $HERMA_DEV_CACHE, else below the user's cache folder."""
    own = environ.get("HERMA_DEV_CACHE")
    if own:
        return Path(own).expanduser().resolve()
    users = environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(users).expanduser().resolve() / "herma-dev"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path`, waiting for other runs; the kernel frees it when a run is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another run ({path})")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def draft_of(final: Path) -> Iterator[Path]:
    """A new sibling folder that takes the place of `final` when the block ends well, and vanishes otherwise.

    Drafts that a killed run left are removed first: hold the lock of `final`.
    """
    final.parent.mkdir(parents=True, exist_ok=True)
    for leftover in final.parent.glob(f".{final.name}.*"):
        shutil.rmtree(leftover, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{final.name}.", dir=final.parent))
    draft.chmod(0o755)
    try:
        yield draft
        _replace(final, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _replace(final: Path, draft: Path) -> None:
    old = draft.with_name(f"{draft.name}.old")
    if final.exists():
        final.rename(old)
    draft.rename(final)
    shutil.rmtree(old, ignore_errors=True)


def prune(folder: Path, pattern: str, *, keep: int) -> None:
    """Remove what matches `pattern` in `folder`, except the `keep` most recently used."""
    found = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found[keep:]:
        shutil.rmtree(path, ignore_errors=True)
