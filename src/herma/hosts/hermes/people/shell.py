"""`hermes manyhands …`: the same command line as `herma people …`, which takes this process over.

It becomes that command instead of calling it, so that what it asks of a terminal and of the processes above it is asked
of one and the same program, whichever way it was started.
"""

import argparse
import os
import sys

__all__ = ["run", "set_up"]


def set_up(parser: argparse.ArgumentParser) -> None:
    """Every word goes on to the other command line as it was typed."""
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="…", help="as for `herma people`")


def run(arguments: argparse.Namespace) -> None:
    """Does not return."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", "herma", "people", *arguments.words])  # noqa: S606 - no shell
