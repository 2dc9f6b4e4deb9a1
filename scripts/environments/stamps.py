"""The note in each finished environment that says what it is. No note, no environment."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

NAME = "environment.json"
PRISTINE = ""  # our package is not in it
UNSETTLED = "?"  # our package was being installed when the run ended


class Stamp(NamedTuple):
    """`key` of its pins and interpreter, the absolute `place` its scripts point to, `source` digest of our package."""

    key: str
    place: str
    source: str = PRISTINE


def read(folder: Path) -> Stamp | None:
    """The stamp of the environment in `folder`; None if there is none, it is damaged or its Python cannot be run."""
    if not os.access(folder / "bin" / "python", os.X_OK):
        return None
    try:
        return Stamp(**json.loads((folder / NAME).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write(folder: Path, stamp: Stamp) -> None:
    """Put `stamp` into `folder`, whole or not at all."""
    draft = folder / f"{NAME}.new"
    draft.write_text(json.dumps(stamp._asdict()) + "\n", encoding="utf-8")
    draft.replace(folder / NAME)
