"""`herma people`: the verbs of `/many` from the shell, for the person at this machine."""

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing

from herma.cli import people_store
from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.engine.people.asks import Asks
from herma.engine.people.house import House, Surroundings
from herma.engine.people.keys import Keys
from herma.engine.people.shell import add_verbs, line, perform
from herma.engine.people.verbs import Reply
from herma.install.home import home_in_force
from herma.install.machine import Machine

__all__ = ["COMMAND"]

SCHEMA = "herma/people/1"


class _NoMail:
    """A command line reaches nobody: the gateway does, when it next looks."""

    def send(self, _account: str, _chat: str, _text: str) -> str:
        return "it was said on a command line, which reaches no chat"

    def tell(self, _chat: str, _text: str) -> str:
        return "it was said on a command line, which reaches no chat"


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--database", metavar="PATH", help="the database (default: as the host's settings say)")
    parser.add_argument("--home", metavar="PATH", help="the Hermes home to look into (default: the one in force)")
    parser.add_argument("--hermes", metavar="PATH", help="ask this one: a hermes, an environment, or its python")
    add_verbs(parser)


def _run(arguments: Namespace, machine: Machine) -> int:
    typed, home = line(arguments), home_in_force(machine, arguments.home)
    settings, warnings = people_store.settings(machine, home, arguments.hermes)
    path = people_store.database(machine, home, settings, arguments.database)
    with closing(people_store.opened(path, home)) as store:
        house = House(store, settings, Surroundings(people_store.now, os.urandom, _NoMail()))
        reply = perform(house, Asks(house), typed, Keys(sys.stdin, sys.stdout, os.urandom, machine.root / "proc"))
    _tell(reply, warnings, json=typed.json)
    return 0 if reply.done else 1


def _tell(reply: Reply, warnings: list[str], *, json: bool) -> None:
    if json:
        say_json(SCHEMA, {"done": reply.done, "reply": reply.text}, warnings)
        return
    say([f"warning: {warning}" for warning in warnings], sys.stderr)
    say(reply.text.split("\n"))


COMMAND = Command("people", "the verbs of /many, for the person at this machine", _configure, _run)
