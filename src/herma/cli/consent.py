"""Asking before anything is changed. Only a person at a terminal is asked; everybody else says `--yes` beforehand."""

import sys
from argparse import ArgumentParser, Namespace

from herma.cli.output import say
from herma.cli.steps import Planned

__all__ = ["add_options", "agreed", "may_ask", "withheld"]

_YES = ("y", "yes")


def add_options(parser: ArgumentParser) -> None:
    """The options of every command that changes something."""
    parser.add_argument("--dry-run", action="store_true", help="show what would be done, and do nothing")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def may_ask(arguments: Namespace) -> bool:
    """Whether there is somebody to ask."""
    return not arguments.json and sys.stdin.isatty() and sys.stdout.isatty()


def withheld(plan: Planned, arguments: Namespace) -> str:
    """Why a plan is not carried out: stopped, nothing (to do), planned (only), unasked, declined; empty where it is."""
    if plan.stops:
        return "stopped"
    if not plan.steps:
        return "nothing"
    if arguments.dry_run:
        return "planned"
    if arguments.yes:
        return ""
    if not may_ask(arguments):
        return "unasked"
    return "" if agreed("  Do this?") else "declined"


def agreed(question: str) -> bool:
    """Whether the person at the terminal says yes. Anything else, the end of input too, is no."""
    sys.stdout.write(f"{question} [y/N] ")
    sys.stdout.flush()
    answer = sys.stdin.readline()
    if not answer:
        say([""])
    return answer.strip().lower() in _YES
