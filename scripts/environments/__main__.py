"""`python3 -m scripts.environments ensure|path|check NAME...`, from the root of the clone."""

from __future__ import annotations

import argparse
import sys

from scripts.environments import commands, node
from scripts.environments.catalog import ENVIRONMENTS
from scripts.environments.progress import say
from scripts.environments.trouble import Trouble

INTERRUPTED = 130
NAMES = (*ENVIRONMENTS, *node.PROGRAMS)


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m scripts.environments", description=__doc__)
    under = parser.add_subparsers(dest="command", required=True)
    for name, least in (("ensure", "+"), ("path", "+"), ("check", "*")):
        command = under.add_parser(name, help=getattr(commands, name).__doc__)
        command.add_argument("names", nargs=least, metavar="NAME", help=f"one of {', '.join(NAMES)}")
    return parser


def main() -> int:
    """Run one command; what a person can mend is one line on stderr and exit code 1."""
    parser = arguments()
    asked = parser.parse_args()
    unknown = set(asked.names) - set(NAMES)
    if unknown:
        parser.error(f"no such environment: {', '.join(sorted(unknown))} (there are {', '.join(NAMES)})")
    try:
        code: int = getattr(commands, asked.command)(asked.names)
    except (Trouble, OSError) as trouble:
        say(str(trouble))
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


if __name__ == "__main__":
    sys.exit(main())
