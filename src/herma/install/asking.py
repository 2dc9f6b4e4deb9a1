"""Running a program of ours with another environment's Python, within a time, and reading its one answer."""

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Timer
from typing import NamedTuple

from herma.errors import HostNotFound, HostSilent, HostUnreadable
from herma.install.machine import Machine

__all__ = ["REINSTALL", "TIME_LIMIT", "Program", "ask"]

TIME_LIMIT = 30.0
REINSTALL = "install Hermes again, or name another installation with --hermes"

_ANSWER_BYTES = 16 * 1_048_576
_SHOWN_CHARS = 200


class Program(NamedTuple):
    """A file to run, its arguments, what it reads on stdin, and the mark that its answer's line begins with."""

    path: str
    mark: str
    arguments: Sequence[str] = ()
    question: object = None


def ask(python: Path, program: Program, machine: Machine, home: Path, *, time_limit: float = TIME_LIMIT) -> object:
    """What `program` answers in the environment of `python`, with `home` for its Hermes home.

    Raises a `HostError`, where the program cannot be started, does not end in time, or gives no answer.
    """
    return _answer(python, _run(python, program, {**machine.environ, "HERMES_HOME": str(home)}, time_limit), program)


def _run(python: Path, program: Program, environ: dict[str, str], time_limit: float) -> list[str]:
    """The lines that the program printed, to either stream. It is ended, with all that it started, when time is up."""
    with TemporaryFile() as asked:
        asked.write(json.dumps(program.question).encode())
        asked.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - the interpreter that the person has, with a program of ours
                [str(python), "-I", "-B", program.path, *program.arguments],
                env=environ,
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise HostNotFound(f"{python} cannot be started: {error.strerror}", hint=REINSTALL) from None
    with process:
        late = Event()
        timer = Timer(time_limit, _time_is_up, (process, late))
        timer.start()
        try:
            output = process.stdout.read(_ANSWER_BYTES) if process.stdout else b""
        finally:
            timer.cancel()
            _end(process)
    if late.is_set() and program.mark.encode() not in output:
        raise HostSilent(
            f"{python} did not answer within {time_limit:g} seconds",
            hint="try again with a longer --time-limit, or name another installation with --hermes",
        )
    return [line for line in output.decode(errors="replace").splitlines() if line.strip()]


def _time_is_up(process: subprocess.Popen[bytes], late: Event) -> None:
    late.set()
    _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):  # the second is how macOS says that it has ended already
        os.killpg(process.pid, signal.SIGKILL)


def _answer(python: Path, lines: Sequence[str], program: Program) -> object:
    found = next((line for line in reversed(lines) if line.startswith(program.mark)), None)
    if found is None:
        if lines:
            said = f"said “{lines[-1][:_SHOWN_CHARS]}” instead of an answer"
            raise HostUnreadable(f"{python} {said}", hint=REINSTALL)
        raise HostSilent(f"{python} ended without a word", hint=REINSTALL)
    try:
        return json.loads(found.removeprefix(program.mark))
    except ValueError:
        raise HostUnreadable(f"{python} gave an answer that is cut or garbled", hint=REINSTALL) from None
