"""One turn of the real `hermes chat`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.hosts.command import failure, run_command
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home


class Turn(NamedTuple):
    """What one turn left behind. Assert on the model's requests rather than on the output, which the host decorates."""

    session_id: str
    stdout: str
    stderr: str
    code: int


def run_turn(  # noqa: PLR0913 - the parts of a command line
    hermes: Hermes,
    home: Home,
    prompt: str,
    *,
    cwd: Path,
    resume: str | None = None,
    timeout: float = 120,
    environment: Mapping[str, str] | None = None,
) -> Turn:
    """Runs one prompt to its end and returns the turn; `resume` continues a session.

    Raises `HostError` when the host fails or takes longer than `timeout` seconds.
    """
    arguments = ["chat", "-Q", "-q", prompt, *(["--resume", resume] if resume else [])]
    finished = run_command(hermes, home, arguments, cwd=cwd, timeout=timeout, environment=environment)
    if finished.code != 0:
        raise failure(hermes, home, finished, f"chat ended with exit code {finished.code}")
    # The versions print it on different streams.
    session = re.search(r"session_id:\s*(\S+)", f"{finished.stdout}\n{finished.stderr}")
    return Turn(session.group(1) if session else "", *finished)
