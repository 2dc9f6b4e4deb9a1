"""`herma people`: the verbs of `/many` from the shell, for the person at this machine."""

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path

from herma import __version__
from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.core.settings import resolve
from herma.engine.people.asks import Asks
from herma.engine.people.house import House, Settings, Surroundings
from herma.engine.people.keys import Keys
from herma.engine.people.shell import add_verbs, line, perform
from herma.engine.people.verbs import Reply
from herma.errors import SettingError
from herma.hosts.hermes import configuration
from herma.install.asking import TIME_LIMIT
from herma.install.detect import find
from herma.install.home import home_in_force
from herma.install.inspection import Question, inspect
from herma.install.machine import Machine
from herma.stores.people.place import default
from herma.stores.people.store import open_store

__all__ = ["COMMAND"]

SCHEMA = "herma/people/1"

_PLUGIN = "manyhands"
_VARIABLE = "MANYHANDS_DB"


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
    settings, warnings = _settings(arguments, machine, home)
    store = open_store(
        _database(arguments, machine, settings, home),
        clock=_now,
        randomness=os.urandom,
        surface="shell",
        host=f"herma {__version__}",
        home=str(home),
        profile=configuration.profile(str(home)),
    )
    with closing(store):
        house = House(store, settings, Surroundings(_now, os.urandom, _NoMail()))
        reply = perform(house, Asks(house), typed, Keys(sys.stdin, sys.stdout, os.urandom, machine.root / "proc"))
    _tell(reply, warnings, json=typed.json)
    return 0 if reply.done else 1


def _settings(arguments: Namespace, machine: Machine, home: Path) -> tuple[Settings, list[str]]:
    """The settings in force in this home, as its host reads them; without a host the defaults, with a warning."""
    question = Question(home, ((_PLUGIN, _PLUGIN),), (_VARIABLE,), time_limit=TIME_LIMIT)
    candidate = next(iter(find(machine, arguments.hermes)), None)
    if candidate is None:
        return Settings(), ["no Hermes was found, so the settings are taken to be the defaults"]
    values = inspect(candidate, question, machine).config.values
    found = resolve(_PLUGIN, configuration.layers(values, _PLUGIN, _PLUGIN))
    bad = next((problem for problem in found.problems if problem.fatal), None)
    if bad is not None:
        raise SettingError(bad.message, hint=bad.hint)
    return Settings.of(found.values), []


def _database(arguments: Namespace, machine: Machine, settings: Settings, home: Path) -> Path:
    """Named on the line, else as the plugin finds it: the setting, the variable, the host's folder for data."""
    named = arguments.database or settings.db_path or machine.environ.get(_VARIABLE, "").strip()
    return Path(named).expanduser() if named else default(home)


def _tell(reply: Reply, warnings: list[str], *, json: bool) -> None:
    if json:
        say_json(SCHEMA, {"done": reply.done, "reply": reply.text}, warnings)
        return
    say([f"warning: {warning}" for warning in warnings], sys.stderr)
    say(reply.text.split("\n"))


def _now() -> int:
    return time.time_ns() // 1_000_000


COMMAND = Command("people", "the verbs of /many, for the person at this machine", _configure, _run)
