"""What a command is. Hermes hands plugins an argparse subparser too, so the same command serves in both places."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple

from herma.install.machine import Machine

__all__ = ["Command"]


class Command(NamedTuple):
    """`configure` adds the options to a parser; `run` does the work and returns the exit code."""

    name: str
    help: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Machine], int]
