"""One turn of the real `hermes chat`, in a process of its own."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

from tests.hosts import process
from tests.hosts.failure import HostFailure, report, tail
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home

OUTPUT_CHARS = 4000


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

    Raises `HostFailure` when the host fails or takes longer than `timeout` seconds.
    """
    arguments = ["chat", "-Q", "-q", prompt, *(["--resume", resume] if resume else [])]
    surroundings = home.environment({"TERMINAL_CWD": str(cwd), **(environment or {})})
    with TemporaryFile() as out, TemporaryFile() as err:
        running = process.start(
            hermes.command(*arguments), cwd=cwd, environment=surroundings, output=out, errors=err
        )
        late = _late(running, timeout)
        out.seek(0)
        err.seek(0)
        turn = _turn(out.read(), err.read(), running.returncode)
    if late or turn.code != 0:
        raise _failure(hermes, home, turn, f"did not end within {timeout} s" if late else f"exit code {turn.code}")
    return turn


def _late(running: subprocess.Popen[bytes], timeout: float) -> bool:
    """Waits for the end, which may have to be made: whatever the turn left running in its group ends with it."""
    try:
        running.wait(timeout)
    except subprocess.TimeoutExpired:
        return True
    finally:
        process.kill(running)
        running.wait()
    return False


def _turn(out: bytes, err: bytes, code: int) -> Turn:
    stdout, stderr = out.decode(errors="replace"), err.decode(errors="replace")
    # The versions print it on different streams.
    session = re.search(r"session_id:\s*(\S+)", stdout + "\n" + stderr)
    return Turn(session.group(1) if session else "", stdout, stderr, code)


def _failure(hermes: Hermes, home: Home, turn: Turn, why: str) -> HostFailure:
    return report(
        f"hermes {hermes.version} chat: {why}",
        f"--- stdout\n{turn.stdout[-OUTPUT_CHARS:]}",
        f"--- stderr\n{turn.stderr[-OUTPUT_CHARS:]}",
        *(tail(log) for log in home.logs()),
    )
