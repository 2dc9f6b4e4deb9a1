"""The program `herma`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from herma import __version__
from herma.cli.command import Command
from herma.cli.output import say
from herma.errors import HermaError
from herma.install.machine import Machine

__all__ = ["main", "parser"]

# Each is a module of this package with a COMMAND. Only the one that is run is imported: hosts start `herma rpc`, and
# a person's turn waits for it.
COMMANDS = ("setup", "remove", "doctor", "status", "audit", "people", "memory", "recall", "rpc")

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
    if not argv:
        parser().print_help()
        return 0
    if not argv[0].startswith("-") and argv[0] not in COMMANDS:
        raise _unknown(argv[0])
    named = [name for name in COMMANDS if name == argv[0]]
    arguments = parser(named or COMMANDS).parse_args(argv)
    return _command(arguments.command).run(arguments, machine)


def parser(names: Iterable[str] = COMMANDS) -> ArgumentParser:
    """The parser of the whole command line, or of some commands; the page about it is made from here."""
    made = _Parser(prog="herma", description="The layer at the door of an AI agent.")
    made.add_argument("--version", action="version", version=f"herma {__version__}")
    parsers = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        command = _command(name)
        command.configure(parsers.add_parser(command.name, help=command.help))
    return made


def _command(name: str) -> Command:
    found = import_module(f"herma.cli.{name}").COMMAND
    assert isinstance(found, Command)  # noqa: S101 - a mistake of ours, which every test of the command would show
    return found


def _unknown(name: str) -> HermaError:
    from difflib import get_close_matches  # noqa: PLC0415 - costs a start what only a mistake needs

    near = get_close_matches(name, COMMANDS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(COMMANDS)}"
    return HermaError(f"there is no command {name}", hint=hint)


def _this_machine() -> Machine:
    try:
        home = Path.home()
    except RuntimeError:
        raise HermaError("it cannot be told whose home folder to look into", hint="set HOME") from None
    return Machine(os.environ, home, Path(sys.prefix))
