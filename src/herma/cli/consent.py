"""Asking before anything is changed. Only a person at a terminal is asked; everybody else says `--yes` beforehand."""

import sys
from argparse import ArgumentParser, Namespace

from herma.cli.output import say

__all__ = ["add_options", "agreed", "may_ask"]

_YES = ("y", "yes")


def add_options(parser: ArgumentParser) -> None:
    """The options of every command that changes something."""
    parser.add_argument("--dry-run", action="store_true", help="show what would be done, and do nothing")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def may_ask(arguments: Namespace) -> bool:
    """Whether there is somebody to ask."""
    return not arguments.json and sys.stdin.isatty() and sys.stdout.isatty()


def agreed(question: str) -> bool:
    """Whether the person at the terminal says yes. Anything else, the end of input too, is no."""
    sys.stdout.write(f"{question} [y/N] ")
    sys.stdout.flush()
    answer = sys.stdin.readline()
    if not answer:
        say([""])
    return answer.strip().lower() in _YES
