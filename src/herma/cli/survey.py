"""The installations that a command looks at, and what each of them said."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import NamedTuple

from herma.errors import HostError, HostNotFound
from herma.install.asking import TIME_LIMIT
from herma.install.detect import Candidate, find
from herma.install.facts import Facts
from herma.install.home import home_in_force
from herma.install.inspection import Question, inspect
from herma.install.machine import Machine
from herma.install.systems import questions

__all__ = ["Seen", "add_options", "nobody", "one_by_one", "survey"]

_LONGEST = 3_600  # seconds


class Seen(NamedTuple):
    """An installation and its facts, or the trouble with it."""

    candidate: Candidate
    answer: Facts | HostError

    @property
    def title(self) -> str:
        """The installation in a few words."""
        if isinstance(self.answer, HostError):
            return f"Hermes in {self.candidate.environment}"
        version, distribution = self.answer.hermes_version or "of unknown version", self.answer.distribution
        named = f" ({distribution})" if distribution else ""
        return f"Hermes {version}{named} in {self.candidate.environment}"

    def identity(self) -> dict[str, object]:
        """Which installation this is, as JSON has it."""
        facts = self.answer if isinstance(self.answer, Facts) else None
        return {
            "environment": str(self.candidate.environment),
            "python": str(self.candidate.python) if self.candidate.python else None,
            "found_by": self.candidate.found_by,
            "home": str(facts.home) if facts else None,
            "hermes_version": facts.hermes_version if facts else None,
            "distribution": facts.distribution if facts else None,
            "python_version": facts.python_version if facts else None,
        }


def add_options(parser: ArgumentParser) -> None:
    """The options of every command that looks at installations."""
    parser.add_argument("--hermes", metavar="PATH", help="look at this one: a hermes, an environment, or its python")
    parser.add_argument("--home", metavar="PATH", help="the Hermes home to look into (default: the one in force)")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=_seconds,
        default=TIME_LIMIT,
        help="how long an installation may take to answer (default: %(default)g)",
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= _LONGEST:
        raise ValueError(text)
    return seconds


def survey(arguments: Namespace, machine: Machine) -> tuple[Seen, ...]:
    """Every installation, or the one that `--hermes` names. An environment that two ways lead to is there once."""
    return tuple(one_by_one(arguments, machine))


def one_by_one(arguments: Namespace, machine: Machine) -> Iterator[Seen]:
    """The same, each asked only when it is its turn: for those who change one before they look at the next."""
    home = home_in_force(machine, arguments.home)
    question = Question(home, *questions(), time_limit=arguments.time_limit)
    seen: set[str] = set()
    for candidate in find(machine, arguments.hermes):
        one = Seen(candidate, _asked(candidate, question, machine))
        place = candidate.environment if isinstance(one.answer, HostError) else one.answer.prefix
        if str(place) not in seen:
            seen.add(str(place))
            yield one


def nobody() -> HostNotFound:
    """What to say when the machine has no installation at all."""
    return HostNotFound(
        "no Hermes Agent was found: not on PATH, not in the folders of its installer, of pipx or of uv",
        hint="install Hermes, or name its command, its environment's folder or its python with --hermes",
    )


def _asked(candidate: Candidate, question: Question, machine: Machine) -> Facts | HostError:
    try:
        return inspect(candidate, question, machine)
    except HostError as error:
        return error
