"""Where OpenCode is, where it keeps what, and where our plugin's files go."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from herma.errors import HostNotFound, HostSilent, HostUnreadable
from herma.install.machine import Machine

__all__ = ["CONFIGS", "Places", "found_program", "places", "program_version"]

# In the order in which OpenCode reads them; their lists of plugins are joined.
CONFIGS = ("config.json", "opencode.json", "opencode.jsonc")

_TIME_LIMIT = 30.0  # seconds; the program has a quarter of a gigabyte to load
_VERSION = re.compile(r"\d+\.\d+\.\d+\S*")
_BINS = (".opencode/bin", ".local/bin", ".bun/bin", ".npm-global/bin")


class Places(NamedTuple):
    """The person's folders: OpenCode's configuration, and the one that our plugin's files are put into."""

    config: Path
    plugin: Path

    @property
    def uri(self) -> str:
        """The plugin as OpenCode's configuration names it."""
        return self.plugin.as_uri()


def places(machine: Machine) -> Places:
    """By XDG_CONFIG_HOME and XDG_DATA_HOME, as OpenCode itself has it."""
    config = _base(machine, "XDG_CONFIG_HOME", ".config")
    data = _base(machine, "XDG_DATA_HOME", ".local/share")
    return Places(config / "opencode", data / "herma" / "opencode-hermes")


def found_program(machine: Machine, named: str | None = None) -> Path:
    """The `opencode` that is named, or the one on PATH or where its installers put it. Raises `HostNotFound`."""
    candidates = [Path(named).expanduser().absolute()] if named else list(_usual(machine))
    for path in candidates:
        if os.access(path, os.X_OK) and not path.is_dir():
            return path
    where = named or "on PATH or where its installers put it"
    raise HostNotFound(f"no OpenCode was found {where}", hint="install OpenCode, or name its program with --opencode")


def program_version(program: Path, machine: Machine) -> str:
    """What it says of itself. Raises a `HostError`."""
    try:
        done = subprocess.run(  # noqa: S603 - a list of arguments, no shell
            [str(program), "--version"], env=dict(machine.environ), capture_output=True, text=True, check=False,
            timeout=_TIME_LIMIT, cwd=machine.home,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise HostSilent(f"{program} did not say its version within {_TIME_LIMIT:g} s", hint="run it by hand") from None
    except OSError as error:
        raise HostUnreadable(f"{program} cannot be run: {error.strerror}", hint="install OpenCode again") from None
    found = _VERSION.search(done.stdout)
    if done.returncode or found is None:
        raise HostUnreadable(f"{program} --version gave no version", hint="run it by hand to see what it says")
    return found.group(0)


def _usual(machine: Machine) -> Iterator[Path]:
    yield from (folder / "opencode" for folder in machine.search_path())
    yield from (machine.home / folder / "opencode" for folder in _BINS)


def _base(machine: Machine, variable: str, otherwise: str) -> Path:
    named = machine.environ.get(variable, "")
    return Path(named) if os.path.isabs(named) else machine.home / otherwise  # noqa: PTH117 - "" is none
