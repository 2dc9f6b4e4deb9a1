"""One command of the real `hermes`, in a process of its own."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

from tests.hosts import process
from tests.hosts.failure import HostError, report, tail
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home

OUTPUT_CHARS = 4000


class Finished(NamedTuple):
    """What a command printed, and its exit code."""

    stdout: str
    stderr: str
    code: int


def run_command(  # noqa: PLR0913 - the parts of a command line
    hermes: Hermes,
    home: Home,
    arguments: Sequence[str],
    *,
    cwd: Path,
    timeout: float = 120,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Runs `hermes <arguments>` to its end, whatever its exit code; what it left running is ended with it.

    Raises `HostError` when it takes longer than `timeout` seconds.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        running = process.start(
            hermes.command(*arguments), cwd=cwd, environment=home.environment(environment), output=out, errors=err
        )
        late = _late(running, timeout)
        out.seek(0)
        err.seek(0)
        finished = Finished(_text(out.read()), _text(err.read()), running.returncode)
    if late:
        raise failure(hermes, home, finished, f"{arguments[0]} did not end within {timeout} s")
    return finished


def run_python(
    hermes: Hermes, home: Home, arguments: Sequence[str], *, environment: Mapping[str, str] | None = None
) -> Finished:
    """Runs the interpreter of the host's environment in the user's home; raises `HostError` unless it ends well."""
    done = subprocess.run(
        [str(hermes.python), *arguments],
        env=home.environment(environment),
        cwd=home.user,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    finished = Finished(done.stdout, done.stderr, done.returncode)
    if finished.code:
        raise failure(hermes, home, finished, f"{' '.join(arguments)[:80]} ended with code {finished.code}")
    return finished


def failure(hermes: Hermes, home: Home, finished: Finished, why: str) -> HostError:
    """The error to raise about a command, with what it printed and the host's log."""
    return report(
        f"hermes {hermes.version}: {why}",
        f"--- stdout\n{finished.stdout[-OUTPUT_CHARS:]}",
        f"--- stderr\n{finished.stderr[-OUTPUT_CHARS:]}",
        tail(home.log),
    )


def _late(running: subprocess.Popen[bytes], timeout: float) -> bool:
    try:
        running.wait(timeout)
    except subprocess.TimeoutExpired:
        return True
    finally:
        process.kill(running)
        running.wait()
    return False


def _text(output: bytes) -> str:
    return output.decode(errors="replace")
