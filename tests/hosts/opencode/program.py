"""The OpenCode installation that the tests run."""

import os
from pathlib import Path
from typing import NamedTuple

from tests.hosts.hermes import ROOT

VERSION = "1.18.33"
SHIM = ROOT / "integrations" / "opencode"


class OpenCode(NamedTuple):
    """One installed OpenCode."""

    path: Path

    @property
    def missing(self) -> str:
        """Why it cannot be run, or an empty string."""
        if os.access(self.path, os.X_OK):
            return ""
        return f"OpenCode {VERSION} is not installed: there is no {self.path}; `make test` installs it where npm is"


def find() -> OpenCode:
    """The installation: `.envs/opencode-<version>`, or what HERMA_TEST_OPENCODE names."""
    named = os.environ.get("HERMA_TEST_OPENCODE")
    return OpenCode(Path(named) if named else ROOT / ".envs" / f"opencode-{VERSION}" / "bin" / "opencode")
