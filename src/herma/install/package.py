"""Putting Herma into another environment and taking it out again, by that environment's pip or by uv."""

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from herma.core.visible import visible
from herma.errors import StepFailed
from herma.install.machine import Machine
from herma.install.steps import Package
from herma.install.wheel import pack

__all__ = ["by_hand", "install", "uninstall", "uv_on"]

_TIME_LIMIT = 300.0  # seconds
_SHOWN_LINES = 3
_OFFLINE = ("--no-index", "--no-deps")
# What a person or a project has set for other installations does not hold for this one.
_FOREIGN = ("PIP_", "UV_", "PYTHON")
# Only pip can leave alone what has no list of its files, and only pip needs to.
_OVER = {"repair": ("--ignore-installed", "--reinstall"), "reinstall": ("--force-reinstall", "--reinstall")}


def uv_on(machine: Machine) -> Path | None:
    """The uv that a shell would find."""
    places = (folder / "uv" for folder in machine.search_path())
    return next((place for place in places if os.access(place, os.X_OK)), None)


def install(step: Package, machine: Machine) -> None:
    """Install the wheel. Raises `StepFailed`."""
    with TemporaryDirectory(prefix="herma-") as folder:
        wheel = step.wheel or str(pack(Path(folder)))
        over = _OVER[step.over][bool(step.program) :][:1] if step.over else ()
        _run([*_tool(step, "install"), *_OFFLINE, *over, wheel], machine)


def uninstall(step: Package, machine: Machine) -> None:
    """Uninstall Herma. Raises `StepFailed`."""
    _run([*_tool(step, "uninstall"), *(() if step.program else ("--yes",)), "herma"], machine)


def by_hand(python: Path) -> str:
    """The command that gives pip to an environment that has none, for a machine without uv."""
    return f"{shlex.quote(str(python))} -m ensurepip"


def _tool(step: Package, action: str) -> list[str]:
    if step.program:
        return [step.program, "--no-config", "--offline", "pip", action, "--python", step.python]
    quiet = ("--isolated", "--disable-pip-version-check", "--no-input")
    return [step.python, "-I", "-m", "pip", *quiet, action]


def _run(command: Sequence[str], machine: Machine) -> None:
    environ = {name: value for name, value in machine.environ.items() if not name.startswith(_FOREIGN)}
    try:
        done = subprocess.run(  # noqa: S603 - the installer of the environment that the person chose
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_TIME_LIMIT,
            check=False,
        )
    except OSError as error:
        raise StepFailed(f"{command[0]} cannot be started: {error.strerror}", hint="install it again") from None
    except subprocess.TimeoutExpired:
        raise StepFailed(f"{command[0]} did not end in time", hint="run the command again") from None
    if done.returncode:
        said = [visible(line) for line in done.stdout.splitlines() if line.strip()][-_SHOWN_LINES:]
        told = "; ".join(said) or f"exit code {done.returncode}"
        raise StepFailed(f"{command[0]} could not do it: {told}", hint="put right what it says, then run again")
