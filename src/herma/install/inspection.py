"""Asking one installation what is true about it: the probe, run by that environment's own Python."""

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Timer
from typing import NamedTuple

from herma.errors import HostNotFound, HostSilent, HostUnreadable
from herma.install import probe
from herma.install.detect import Candidate
from herma.install.facts import Facts, facts_of
from herma.install.machine import Machine

__all__ = ["TIME_LIMIT", "Question", "inspect"]

TIME_LIMIT = 30.0

_ANSWER_BYTES = 1_048_576
_SHOWN_CHARS = 200
_REINSTALL = "install Hermes again, or name another installation with --hermes"


class Question(NamedTuple):
    """What to ask: about which home, for which plugins (their names, each with its block of config.yaml)."""

    home: Path
    plugins: tuple[tuple[str, str], ...]
    time_limit: float = TIME_LIMIT


def inspect(candidate: Candidate, question: Question, machine: Machine) -> Facts:
    """The installation's facts. Raises a `HostError` where there are none. Changes nothing there."""
    if candidate.python is None:
        raise HostUnreadable(
            f"{candidate.environment} does not say which Python it starts",
            hint="name the environment's folder or its python with --hermes",
        )
    if not os.access(candidate.python, os.X_OK):
        raise HostNotFound(f"{candidate.python} is not there or cannot be run", hint=_REINSTALL)
    facts = facts_of(_answer(candidate.python, _run(candidate.python, question, machine)))
    if facts is None:
        raise HostNotFound(f"there is no Hermes Agent in {candidate.environment}", hint=_REINSTALL)
    return facts


def _run(python: Path, question: Question, machine: Machine) -> list[str]:
    """The lines that the probe printed, to either stream. It is ended, with all that it started, when time is up."""
    plugins = [f"{name}={block}" for name, block in question.plugins]
    try:
        process = subprocess.Popen(  # noqa: S603 - the interpreter that the person has, with a program of ours
            [str(python), "-I", "-B", probe.__file__, *plugins],
            env={**machine.environ, "HERMES_HOME": str(question.home)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise HostNotFound(f"{python} cannot be started: {error.strerror}", hint=_REINSTALL) from None
    with process:
        late = Event()
        timer = Timer(question.time_limit, _time_is_up, (process, late))
        timer.start()
        try:
            output = process.stdout.read(_ANSWER_BYTES) if process.stdout else b""
        finally:
            timer.cancel()
            _end(process)
    if late.is_set() and probe.MARK.encode() not in output:
        raise HostSilent(
            f"{python} did not answer within {question.time_limit:g} seconds",
            hint="try again with a longer --time-limit, or name another installation with --hermes",
        )
    return [line for line in output.decode(errors="replace").splitlines() if line.strip()]


def _time_is_up(process: subprocess.Popen[bytes], late: Event) -> None:
    late.set()
    _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):  # the second is how macOS says that it has ended already
        os.killpg(process.pid, signal.SIGKILL)


def _answer(python: Path, lines: Sequence[str]) -> object:
    found = next((line for line in reversed(lines) if line.startswith(probe.MARK)), None)
    if found is None:
        if lines:
            said = f"said “{lines[-1][:_SHOWN_CHARS]}” instead of an answer"
            raise HostUnreadable(f"{python} {said}", hint=_REINSTALL)
        raise HostSilent(f"{python} ended without a word", hint=_REINSTALL)
    try:
        return json.loads(found.removeprefix(probe.MARK))
    except ValueError:
        raise HostUnreadable(f"{python} gave an answer that is cut or garbled", hint=_REINSTALL) from None
