"""The Hermes installations that the tests run."""

import os
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("0.19.0", "0.22.2")


class Hermes(NamedTuple):
    """One installed Hermes: its version and the interpreter of its environment."""

    version: str
    python: Path

    def command(self, *arguments: str) -> list[str]:
        """The command line of `hermes <arguments>`."""
        return [str(self.python), "-m", "hermes_cli.main", *arguments]

    @property
    def missing(self) -> str:
        """Why it cannot be run, or an empty string."""
        if not os.access(self.python, os.X_OK):
            return f"Hermes {self.version} is not installed: there is no {self.python}; `make test` installs it"
        if not self._distributions():
            return f"{self.python} is an environment without Hermes {self.version}"
        return ""

    def available(self) -> bool:
        """Whether it can be run; `missing` has the reason."""
        return not self.missing

    def _distributions(self) -> list[Path]:
        # The second version comes from a repackaging whose name and post-release differ from the official ones.
        environment = self.python.parent.parent
        return list(environment.glob(f"lib/python*/site-packages/hermes_agent*-{self.version}*.dist-info"))


def find(version: str) -> Hermes:
    """The installation of a version: `.envs/hermes-<version>`, or what HERMA_TEST_HERMES_<version> names."""
    named = os.environ.get(f"HERMA_TEST_HERMES_{version.replace('.', '_')}")
    return Hermes(version, Path(named) if named else ROOT / ".envs" / f"hermes-{version}" / "bin" / "python")
