"""What the tests of the command line share."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from herma.cli.main import main
from herma.install.machine import Machine
from tests.hosts.conftest import hermes, model
from tests.install.environment import environment, lend

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

    def checks(self, identity: str, system: str = "read-summarizer") -> list[dict[str, str]]:
        """The checks with this id, on the machine, on every host and of one system there."""
        found = [check for group in [self.data, *self.data["hosts"]] for check in group["checks"]]
        return [check for check in found if check["id"] == identity and check["system"] in ("", system)]

    def check(self, identity: str, system: str = "read-summarizer") -> dict[str, str]:
        """The one check with this id."""
        (found,) = self.checks(identity, system)
        return found


Herma = Callable[..., Outcome]
ON = {"plugins": {"enabled": ["read-summarizer"]}, "read_summarizer": {"enabled": True}}


def configure(folder: Path, config: object) -> Path:
    """Write the config.yaml of the machine below `folder`, as it is or as JSON (which is YAML), and return its path."""
    path = folder / ".hermes" / "config.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(config if isinstance(config, str) else json.dumps(config), encoding="utf-8")
    return path


MINE = """\
# my own
model:
  default: m   # the model
  api_key: "SECRET"
plugins:
  enabled:
  - other   # mine
"""


@pytest.fixture
def env(tmp_path: Path) -> Path:
    """An environment with Hermes and Herma in the folder of pipx."""
    return environment(tmp_path / ".local" / "pipx" / "venvs" / "hermes-agent")


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """An environment with Hermes 0.22 and pip, without Herma, and a home with a configuration."""
    configure(tmp_path, MINE).chmod(0o640)
    made = environment(tmp_path / "env", version="0.22.2", herma=None)
    lend(made, "pip")
    return made


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """The same with Herma in it, which costs no pip."""
    configure(tmp_path, MINE)
    made = environment(tmp_path / "env", version="0.22.2")
    lend(made, "dotenv")
    return made


@pytest.fixture
def herma(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Herma:
    """Runs `herma <arguments>` on a machine that has what is below `tmp_path`, with these environment variables."""

    def run(*arguments: str, **environ: str) -> Outcome:
        machine = Machine(environ, home=tmp_path, prefix=tmp_path / "own", root=tmp_path / "root")
        code = main(arguments, machine=machine)
        return Outcome(code, *capsys.readouterr())

    return run
