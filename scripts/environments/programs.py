"""Other programs, run quietly: what they say goes to a log, what went wrong comes back as one line."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from scripts.environments.trouble import diagnosis

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# A caller's settings that would send an installation to some other place.
STRAYS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER")


def surroundings(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment variables for a program: the caller's without the strays, in words that we can read."""
    kept = {name: value for name, value in environ.items() if name not in STRAYS}
    return {**kept, "LC_ALL": "C.UTF-8", "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


class Errand(NamedTuple):
    """What a program is run for: the `subject` of a complaint, the `log` for its output, the folder it works in."""

    subject: str
    log: Path
    cwd: Path


def run(errand: Errand, *command: str | Path) -> None:
    """Run `command`, its output appended to the errand's log. Raises the Trouble about its subject if it fails."""
    errand.log.parent.mkdir(parents=True, exist_ok=True)
    with errand.log.open("ab") as sink:
        start = sink.tell()
        done = subprocess.run(
            [str(part) for part in command],
            cwd=errand.cwd,
            env=surroundings(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        output = errand.log.read_bytes()[start:].decode("utf-8", "replace")
        raise diagnosis(output, subject=errand.subject, log=errand.log)
