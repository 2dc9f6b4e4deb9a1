"""Asking one installation what is true about it: the probe, run by that environment's own Python."""

import os
from pathlib import Path
from typing import NamedTuple

from herma.errors import HostNotFound, HostUnreadable
from herma.install import probe
from herma.install.asking import REINSTALL, TIME_LIMIT, Program, ask
from herma.install.detect import Candidate
from herma.install.facts import Facts, facts_of
from herma.install.machine import Machine

__all__ = ["Question", "inspect"]


class Question(NamedTuple):
    """Which home to look at, for which plugins (each with its block of config.yaml, or "") and which variables.

    `settings` are paths of the host's own configuration, such as `gateway.strict`; `*` in one stands for every key, and
    a variable that begins with `*` for all that end so.
    """

    home: Path
    plugins: tuple[tuple[str, str], ...]
    variables: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    time_limit: float = TIME_LIMIT

    @property
    def arguments(self) -> list[str]:
        """The same as the probe takes it."""
        blocks = [f"{name}={block}" for name, block in self.plugins]
        return [*blocks, *self.variables, *(f".{path}" for path in self.settings)]


def inspect(candidate: Candidate, question: Question, machine: Machine) -> Facts:
    """The installation's facts. Raises a `HostError` where there are none. Changes nothing there."""
    if candidate.python is None:
        raise HostUnreadable(
            f"{candidate.environment} does not say which Python it starts",
            hint="name the environment's folder or its python with --hermes",
        )
    if not os.access(candidate.python, os.X_OK):
        raise HostNotFound(f"{candidate.python} is not there or cannot be run", hint=REINSTALL)
    program = Program(probe.__file__, probe.MARK, question.arguments)
    facts = facts_of(ask(candidate.python, program, machine, question.home, time_limit=question.time_limit))
    if facts is None:
        raise HostNotFound(f"there is no Hermes Agent in {candidate.environment}", hint=REINSTALL)
    return facts
