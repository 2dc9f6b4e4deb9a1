"""`herma recall "…"`: past conversations found from the shell, with the command that resumes each."""

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.core.recall.records import Reader
from herma.engine.memory import local_person
from herma.engine.pasts import Found, Pasts
from herma.engine.recall import Host, moment, open_recall, when
from herma.errors import HermaError
from herma.install.home import home_in_force
from herma.install.machine import Machine
from herma.stores.recall.finding import Limits
from herma.stores.recall.place import place_of
from herma.stores.recall.reading import Seen
from herma.stores.sessions.detect import HERMES, OPENCODE, locate
from herma.stores.sessions.reader import open_sessions

__all__ = ["COMMAND"]

_SCHEMA = "herma/recall/1"
_NOTHING = 1
_RESUME: dict[str, Callable[[str], str]] = {
    OPENCODE: lambda session: f"opencode --session {shlex.quote(session)}",
    HERMES: lambda session: f"hermes chat --resume {shlex.quote(session)}",
}


class _Place(NamedTuple):
    """The past of one host, and how it is resumed."""

    kind: str
    pasts: Pasts
    late: str


def _configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Find past conversations of a host in what was said in them, best first; without a question the latest. "
        "Exit code 0: something was found; 1: nothing; 2: an error."
    )
    parser.add_argument("query", nargs="*", metavar="WORD", help='the question, in words; "a phrase" comes first')
    parser.add_argument("--host", choices=tuple(_RESUME), help="whose conversations (default: the host that has some)")
    parser.add_argument("--home", metavar="PATH", help="the Hermes home to look into (default: the one in force)")
    parser.add_argument("--limit", metavar="N", type=int, default=5, help="how many sessions (default: %(default)d)")
    parser.add_argument("--since", metavar="DAY", default="", help="nothing older than this, such as 2026-03-01")
    parser.add_argument("--until", metavar="DAY", default="", help="nothing newer than this")
    parser.add_argument("--erase", metavar="SESSION", help="take a session out of the index for good, or `all`")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def _run(arguments: Namespace, machine: Machine) -> int:
    place = _place(arguments, machine)
    try:
        if arguments.erase:
            return _erase(arguments, place)
        return _find(arguments, place)
    finally:
        place.pasts.close()


def _find(arguments: Namespace, place: _Place) -> int:
    person, query, limit = local_person(), " ".join(arguments.query).strip(), max(1, arguments.limit)
    if query:
        limits = Limits(when(arguments.since, "--since"), when(arguments.until, "--until", end=True))
        found = place.pasts.discover(person, query, limits, limit=limit)
    else:
        found = [Found(seen, 0.0, ()) for seen in place.pasts.sessions(person, limit=limit)]
    if arguments.json:
        warnings = [place.late] if place.late else []
        told = {"host": place.kind, "query": query, "results": [_data(each, place.kind) for each in found]}
        say_json(_SCHEMA, told, warnings)
    else:
        say([f"warning: {place.late}"] if place.late else [])
        say([line for each in found for line in _lines(each, place.kind)] or ["nothing was found"])
    return 0 if found else _NOTHING


def _erase(arguments: Namespace, place: _Place) -> int:
    session = "" if arguments.erase == "all" else arguments.erase
    erased = place.pasts.erase(local_person(), session_id=session)
    if arguments.json:
        say_json(_SCHEMA, {"host": place.kind, "erased": erased})
    else:
        say([f"taken out of the index: {erased} session{'' if erased == 1 else 's'}; {place.kind} keeps its own"])
    return 0 if erased else _NOTHING


def _place(arguments: Namespace, machine: Machine) -> _Place:
    """The host that is named, else the first whose database is there, with its index up to date."""
    databases = {
        OPENCODE: locate(OPENCODE, machine.environ, machine.home),
        HERMES: locate(HERMES, machine.environ, home_in_force(machine, arguments.home)),
    }
    named = arguments.host or (HERMES if arguments.home else "")
    kind = named or next((each for each, path in databases.items() if path.exists()), OPENCODE)
    index = place_of(databases[kind], kind, environ=machine.environ, home=machine.home)
    pasts = open_recall(_opener(databases[kind]), index, Host(kind), spans=None).pasts
    return _Place(kind, pasts, _caught_up(pasts, index))


def _opener(database: Path) -> Callable[[], Reader]:
    return lambda: open_sessions(database)


def _caught_up(pasts: Pasts, index: Path) -> str:
    """Why the index is not up to date, or "". Without any index, and without the host's database, that is an error."""
    there = index.exists()
    try:
        return "" if pasts.catch_up(patience=600) else "the index could not be brought up to date: it is being written"
    except HermaError as error:
        if not there:
            raise
        return f"{error}; this is as of the last time it could be read"


def _data(found: Found, kind: str) -> dict[str, object]:
    session = found.session
    return {
        **session._asdict(),
        "score": round(found.score, 2),
        "resume": _RESUME[kind](session.session_id),
        "matches": [match._asdict() for match in found.matches],
    }


def _lines(found: Found, kind: str) -> list[str]:
    snippets = [f"    {moment(match.at)}  {match.role}: {match.snippet}" for match in found.matches]
    return [_title(found.session), *snippets, f"    {_RESUME[kind](found.session.session_id)}"]


def _title(session: Seen) -> str:
    return "  ".join(filter(None, (moment(session.last_at), session.title or session.session_id, session.directory)))


COMMAND = Command("recall", "find past conversations, and the command that resumes one", _configure, _run)
