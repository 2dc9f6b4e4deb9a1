"""Where the index of a host's database lies: in our own folder, for nothing is written beside the host's."""

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

__all__ = ["place_of"]


def place_of(database: Path, kind: str, *, environ: Mapping[str, str], home: Path) -> Path:
    """The index of the host's `database`, by its true path: `XDG_DATA_HOME/herma/recall/KIND-….db`."""
    named = environ.get("XDG_DATA_HOME", "").strip()
    data = Path(named) if named.startswith("/") else home / ".local" / "share"
    digest = sha256(os.fsencode(os.path.realpath(database))).hexdigest()[:12]
    return data / "herma" / "recall" / f"{kind}-{digest}.db"
