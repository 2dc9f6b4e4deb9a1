"""A host's process and what it started: begun in a group of its own, ended as a whole."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO


def start(
    command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], output: IO[bytes], errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Starts a program with nothing on its standard input."""
    return subprocess.Popen(
        list(command),
        cwd=cwd,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        start_new_session=True,
    )


def start_at_terminal(
    command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], terminal: int
) -> subprocess.Popen[bytes]:
    """Starts a program with a terminal, given as a descriptor, for all that it reads and writes."""
    return subprocess.Popen(
        list(command),
        cwd=cwd,
        env=dict(environment),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills the program and everything in its group; what is gone already is no error."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
