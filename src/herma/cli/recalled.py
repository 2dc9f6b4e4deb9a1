"""Where `herma recall` looks: at the sessions of one host, as far as they are the past of one person."""

import shlex
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from herma.cli import people_store
from herma.engine.memory import local_person
from herma.engine.pasts import Pasts, Spans
from herma.engine.people.names import Mistaken, find
from herma.engine.people.past import past
from herma.engine.recall import Host, open_recall
from herma.errors import HermaError
from herma.install.home import home_in_force
from herma.install.machine import Machine
from herma.stores.recall.place import place_of
from herma.stores.sessions.detect import HERMES, OPENCODE, locate
from herma.stores.sessions.openings import Openings
from herma.stores.sessions.reader import open_sessions

__all__ = ["RESUME", "Place", "place_of_the_past"]

_ROSTER = "`herma people roster` lists everybody"

# How a session of each host is taken up again.
RESUME: dict[str, Callable[[str], str]] = {
    OPENCODE: lambda session: f"opencode --session {shlex.quote(session)}",
    HERMES: lambda session: f"hermes chat --resume {shlex.quote(session)}",
}


class Place(NamedTuple):
    """The past of one person on one host, and what was amiss on the way to it."""

    kind: str
    pasts: Pasts
    person: str
    warnings: list[str]


@contextmanager
def place_of_the_past(arguments: Namespace, machine: Machine) -> Iterator[Place]:
    """The host that is named, else the first whose database is there, with its index up to date."""
    home = home_in_force(machine, arguments.home)
    databases = {
        OPENCODE: locate(OPENCODE, machine.environ, machine.home),
        HERMES: locate(HERMES, machine.environ, home),
    }
    named = arguments.host or (HERMES if arguments.home or arguments.person else "")
    kind = named or next((each for each, path in databases.items() if path.exists()), OPENCODE)
    index = place_of(databases[kind], kind, environ=machine.environ, home=machine.home)
    with ExitStack() as opened:
        person, spans, warnings = local_person(), None, list[str]()
        if arguments.person:
            person, spans, warnings = _somebody(arguments, machine, home, databases[kind], opened)
        pasts = open_recall(lambda: open_sessions(databases[kind]), index, Host(kind), spans=spans).pasts
        opened.callback(pasts.close)
        late = _caught_up(pasts, index)
        yield Place(kind, pasts, person, [*warnings, late] if late else warnings)


def _somebody(
    arguments: Namespace, machine: Machine, home: Path, sessions: Path, opened: ExitStack
) -> tuple[str, Spans, list[str]]:
    """One person of a gateway: their id, what is theirs, warnings."""
    if arguments.host not in (None, HERMES):
        raise HermaError(f"{arguments.host} has one person only", hint="leave --person out")
    settings, warnings = people_store.settings(machine, home, arguments.hermes)
    path = people_store.database(machine, home, settings, arguments.database)
    if not path.exists():
        raise HermaError(f"there is no database of people at {path}", hint="name it with --database")
    store = opened.enter_context(closing(people_store.opened(path, home)))
    try:
        person = find(store.roster(), arguments.person)
    except Mistaken as mistaken:
        raise HermaError(str(mistaken).rstrip("."), hint=_ROSTER) from None
    record = opened.enter_context(closing(Openings(sessions)))
    return person.person_id, lambda who: past(store, lambda: record, who), warnings


def _caught_up(pasts: Pasts, index: Path) -> str:
    """Why the index is not up to date, or "". Without any index, and without the host's database, that is an error."""
    there = index.exists()
    try:
        return "" if pasts.catch_up(patience=600) else "the index could not be brought up to date: it is being written"
    except HermaError as error:
        if not there:
            raise
        return f"{error}; this is as of the last time it could be read"
