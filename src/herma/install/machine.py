"""What we are told about the machine: nothing below the command line looks at the process's own environment."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["Machine", "exists", "is_folder"]


class Machine(NamedTuple):
    """The environment variables, the person's home folder, the environment that Herma itself runs in, and `/`."""

    environ: Mapping[str, str]
    home: Path
    prefix: Path
    root: Path = Path("/")

    def folder(self, variable: str) -> Path | None:
        """The folder that an environment variable names, absolute; None where it is unset or blank."""
        text = self.environ.get(variable, "").strip()
        return Path(text).absolute() if text else None

    def search_path(self) -> tuple[Path, ...]:
        """The folders of PATH, in order. An empty entry means the working folder to a shell; it is left out here."""
        return tuple(Path(entry) for entry in self.environ.get("PATH", "").split(":") if entry)


def exists(path: Path) -> bool:
    """Whether there is something at `path`. What may not be looked at counts as absent; nothing raises."""
    return os.access(path, os.F_OK)


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder, in the same way."""
    return os.access(f"{path}{os.sep}", os.F_OK)
