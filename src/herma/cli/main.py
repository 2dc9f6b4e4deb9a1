"""The program `herma`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from herma import __version__
from herma.cli import doctor, remove, setup, status
from herma.cli.command import Command
from herma.cli.output import say
from herma.errors import HermaError
from herma.install.machine import Machine

__all__ = ["main", "parser"]

COMMANDS: tuple[Command, ...] = (setup.COMMAND, remove.COMMAND, doctor.COMMAND, status.COMMAND)

_INTERRUPTED = 130  # what a shell reports for a program that was interrupted


class _Parser(ArgumentParser):
    """A parser whose complaints look like every other error of ours."""

    def error(self, message: str) -> NoReturn:
        raise HermaError(message, hint=f"`{self.prog} --help` lists what there is")


def main(argv: Sequence[str] | None = None, *, machine: Machine | None = None) -> int:
    """Run one command line and return its exit code. `machine` is where to look, this one unless told otherwise."""
    try:
        return _dispatch(sys.argv[1:] if argv is None else argv, machine or _this_machine())
    except HermaError as error:
        say([f"error: {error}", f"hint: {error.hint}"], sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except SystemExit as done:  # argparse has printed help or the version
        return int(done.code or 0)


def _dispatch(argv: Sequence[str], machine: Machine) -> int:
    commands = {command.name: command for command in COMMANDS}
    if not argv:
        parser().print_help()
        return 0
    if not argv[0].startswith("-") and argv[0] not in commands:
        raise _unknown(argv[0], commands)
    arguments = parser().parse_args(argv)
    return commands[arguments.command].run(arguments, machine)


def parser() -> ArgumentParser:
    """The parser of the whole command line; the page about it is made from here."""
    made = _Parser(prog="herma", description="The layer at the door of an AI agent.")
    made.add_argument("--version", action="version", version=f"herma {__version__}")
    parsers = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.configure(parsers.add_parser(command.name, help=command.help))
    return made


def _unknown(name: str, known: Sequence[str] | dict[str, Command]) -> HermaError:
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(known)}"
    return HermaError(f"there is no command {name}", hint=hint)


def _this_machine() -> Machine:
    try:
        home = Path.home()
    except RuntimeError:
        raise HermaError("it cannot be told whose home folder to look into", hint="set HOME") from None
    return Machine(os.environ, home, Path(sys.prefix))
