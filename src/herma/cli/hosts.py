"""Which host a command is about."""

from argparse import ArgumentParser

__all__ = ["HERMES", "OPENCODE", "TITLES", "add_option"]

HERMES, OPENCODE = "hermes", "opencode"
TITLES = {HERMES: "Hermes", OPENCODE: "OpenCode"}


def add_option(parser: ArgumentParser, *, program: bool = True) -> None:
    """`--host`, and the place of OpenCode's program where it is asked for."""
    parser.add_argument(
        "--host", choices=tuple(TITLES), default=HERMES, help="which host this is about (default: %(default)s)"
    )
    if program:
        parser.add_argument("--opencode", metavar="PATH", help="OpenCode's program (default: the one that is found)")
