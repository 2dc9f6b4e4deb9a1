"""The Python that environments are made from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from scripts.environments.trouble import Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping

OLDEST = (3, 11)
TOO_NEW = (3, 14)  # Hermes Agent asks for less
NAMES = ("python3.11", "python3.12", "python3.13")

PROBE = """
import importlib.util, json, sys, sysconfig
print(json.dumps({
    "executable": sys.executable,
    "version": "%d.%d.%d" % sys.version_info[:3],
    "prefix": sys.base_prefix,
    "platform": sysconfig.get_platform(),
    "can_make_environments": all(map(importlib.util.find_spec, ("venv", "ensurepip"))),
}))
"""


class Python(NamedTuple):
    """One interpreter; `version` has three numbers, `prefix` is the installation and not an environment over it."""

    executable: str
    version: str
    prefix: str
    platform: str
    can_make_environments: bool

    @property
    def series(self) -> tuple[int, int]:
        """Major and minor number."""
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)

    @property
    def suits(self) -> bool:
        """Whether the project and its hosts run on it."""
        return OLDEST <= self.series < TOO_NEW


def probe(command: str) -> Python | None:
    """What `command` (a name or a path) runs; None if it is no Python 3 that starts."""
    try:
        done = subprocess.run(
            (command, "-I", "-c", PROBE), stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=30
        )
        return Python(**json.loads(done.stdout))
    except (OSError, ValueError, TypeError, subprocess.SubprocessError):
        return None


def chosen(environ: Mapping[str, str] = os.environ) -> Python | None:
    """The interpreter named by HERMA_PYTHON, else the running one, else one on PATH; None if none of those suits.

    Raises Trouble if HERMA_PYTHON names something else: a wish is not replaced by a guess.
    """
    wish = environ.get("HERMA_PYTHON")
    if wish:
        return _wished(wish)
    for command in (sys.executable, *NAMES):
        python = probe(command)
        if python and python.suits:
            return python
    return None


def _wished(command: str) -> Python:
    python = probe(command)
    if python and python.suits:
        return python
    found = f"is Python {python.version}" if python else "does not start"
    raise Trouble(f"HERMA_PYTHON={command} {found}", hint="name a Python 3.11, 3.12 or 3.13, or leave it unset")
