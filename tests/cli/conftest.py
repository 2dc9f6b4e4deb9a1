"""What the tests of the command line share."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from herma.cli.main import main
from herma.install.machine import Machine
from tests.hosts.conftest import hermes, model
from tests.install.environment import environment

__all__ = ["hermes", "model"]


class Outcome(NamedTuple):
    """What a command line left behind."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The data in the one JSON object that is all of stdout."""
        found = json.loads(self.out)
        assert set(found) == {"schema", "data", "warnings"}
        return found["data"]

    def checks(self, identity: str) -> list[dict[str, str]]:
        """The checks with this id, on the machine and on every host."""
        groups = [self.data, *self.data["hosts"]]
        return [check for group in groups for check in group["checks"] if check["id"] == identity]

    def check(self, identity: str) -> dict[str, str]:
        """The one check with this id."""
        (found,) = self.checks(identity)
        return found


Herma = Callable[..., Outcome]
ON = {"plugins": {"enabled": ["read-summarizer"]}, "read_summarizer": {"enabled": True}}


def configure(folder: Path, config: object) -> Path:
    """Write the config.yaml of the machine below `folder`, as it is or as JSON (which is YAML), and return its path."""
    path = folder / ".hermes" / "config.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(config if isinstance(config, str) else json.dumps(config), encoding="utf-8")
    return path


@pytest.fixture
def env(tmp_path: Path) -> Path:
    """An environment with Hermes and Herma in the folder of pipx."""
    return environment(tmp_path / ".local" / "pipx" / "venvs" / "hermes-agent")


@pytest.fixture
def herma(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Herma:
    """Runs `herma <arguments>` on a machine that has what is below `tmp_path`, with these environment variables."""

    def run(*arguments: str, **environ: str) -> Outcome:
        machine = Machine(environ, home=tmp_path, prefix=tmp_path / "own", root=tmp_path / "root")
        code = main(arguments, machine=machine)
        return Outcome(code, *capsys.readouterr())

    return run
