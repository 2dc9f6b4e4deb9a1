"""`herma doctor`: what is right and what is amiss in each installation, with the next thing to do."""

from argparse import ArgumentParser, Namespace

from herma import __version__
from herma.cli import hosts
from herma.cli.checks.host import host
from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.cli.report import Check, Status, as_data, as_lines, summed_up, worst
from herma.cli.survey import Seen, add_options, nobody, survey
from herma.errors import HostError
from herma.install.machine import Machine

__all__ = ["COMMAND"]

SCHEMA = "herma/doctor/1"


def _configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Check each Hermes installation, or OpenCode. Exit code 0: all well; 1: a warning; 2: a failure."
    )
    add_options(parser)
    hosts.add_option(parser)


def _run(arguments: Namespace, machine: Machine) -> int:
    if arguments.host == hosts.OPENCODE:
        from herma.cli.opencode.doctor import run  # noqa: PLC0415 - only where it is asked for

        return run(arguments, machine)
    reports = [(seen, host(seen)) for seen in survey(arguments, machine)]
    general = [] if reports else [_nobody()]
    checks = [*general, *(check for _, found in reports for check in found)]
    if arguments.json:
        say_json(SCHEMA, _data(reports, general, worst(checks)))
    else:
        say([f"herma {__version__}", *as_lines(general)])
        for seen, found in reports:
            say(["", *_heading(seen), *as_lines(found)])
        say(["", summed_up(checks)])
    return worst(checks).exit_code


def _nobody() -> Check:
    error = nobody()
    return Check("installation", Status.FAIL, str(error), error.hint)


def _heading(seen: Seen) -> list[str]:
    if isinstance(seen.answer, HostError):
        return [seen.title]
    return [seen.title, f"home {seen.answer.home}"]


def _data(reports: list[tuple[Seen, list[Check]]], general: list[Check], status: Status) -> dict[str, object]:
    return {
        "herma": __version__,
        "status": status.value,
        "checks": [as_data(check) for check in general],
        "hosts": [
            {**seen.identity(), "status": worst(found).value, "checks": [as_data(check) for check in found]}
            for seen, found in reports
        ],
    }


COMMAND = Command("doctor", "check each Hermes installation, with a hint for what is amiss", _configure, _run)
