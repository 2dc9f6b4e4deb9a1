"""What an environment was made from, as short digests: equal digests, equal environments."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from scripts.environments.interpreter import Python

LENGTH = 16


def environment_key(requirements: str, python: Python) -> str:
    """Sixteen hex digits over the pins and the interpreter. Comments and blank lines are not pins."""
    parts = (*pins(requirements), python.version, python.prefix, python.platform)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:LENGTH]


def pins(requirements: str) -> Iterator[str]:
    """The lines of a pinned file that decide what is installed."""
    for line in requirements.splitlines():
        meaning = line.strip()
        if meaning and not meaning.startswith("#"):
            yield meaning


def source_digest(root: Path, sources: Iterable[str]) -> str:
    """Sixteen hex digits over names and bytes of the files at and below `sources`; what is absent counts as such."""
    digest = hashlib.sha256()
    for path in sorted(_files(root, sources)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(root).as_posix()}\0{content}\0".encode())
    return digest.hexdigest()[:LENGTH]


def _files(root: Path, sources: Iterable[str]) -> Iterator[Path]:
    for source in sources:
        top = root / source
        found = (top,) if top.is_file() else top.rglob("*")
        yield from (path for path in found if path.is_file() and "__pycache__" not in path.parts)
