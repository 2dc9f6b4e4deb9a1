"""What a bare Debian machine lacks, fetched when we may, else asked for in the exact words."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NamedTuple

from scripts.environments.interpreter import NAMES, Python, chosen, probe
from scripts.environments.progress import say
from scripts.environments.trouble import Trouble


class Rights(NamedTuple):
    """What this run may do on the machine."""

    root: bool
    apt: bool


def rights() -> Rights:
    """Who runs us, and whether the machine has apt."""
    return Rights(root=os.geteuid() == 0, apt=shutil.which("apt-get") is not None)


def equipped(python: Python | None, rights: Rights) -> Python:
    """An interpreter that can make environments: `python` if it can, else what packages of the system bring."""
    if python and python.can_make_environments:
        return python
    missing, packages = shortage(python)
    demand(missing, packages, rights)
    found = _installed(packages, python)
    if found is None:
        raise Trouble(missing, hint=f"none of {', '.join(packages)} could be installed; name one by HERMA_PYTHON")
    return found


def shortage(python: Python | None) -> tuple[str, tuple[str, ...]]:
    """What is missing, in words, and the Debian packages of which any one brings it."""
    if python is None:
        return "no Python 3.11, 3.12 or 3.13 was found", tuple(f"{name}-venv" for name in NAMES)
    major, minor = python.series
    return f"{python.executable} cannot make environments", (f"python{major}.{minor}-venv",)


def demand(missing: str, packages: tuple[str, ...], rights: Rights) -> None:
    """Raise Trouble with the command for a person to run unless we may run it ourselves."""
    if rights.root and rights.apt:
        return
    if not rights.apt:
        raise Trouble(missing, hint="install Python 3.11 to 3.13 with its venv module, or name one by HERMA_PYTHON")
    command = f"sudo apt-get update && sudo apt-get install -y {packages[0]}"
    raise Trouble(missing, hint=f"run `{command}` and then the same command again")


def _installed(packages: tuple[str, ...], python: Python | None) -> Python | None:
    _apt("update")
    for package in packages:
        say(f"installing {package}")
        if _apt("install", "-y", "--no-install-recommends", package):
            found = probe(python.executable) if python else chosen()
            if found and found.can_make_environments:
                return found
    return None


def _apt(*arguments: str) -> bool:
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ("apt-get", "-q", *arguments)
    done = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode == 0
