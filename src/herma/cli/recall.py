"""`herma recall "…"`: past conversations found from the shell, with the command that resumes each."""

from argparse import ArgumentParser, Namespace

from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.cli.recalled import RESUME, Place, place_of_the_past
from herma.engine.pasts import Found
from herma.engine.recall import moment, when
from herma.install.machine import Machine
from herma.stores.recall.finding import Limits
from herma.stores.recall.reading import Seen

__all__ = ["COMMAND"]

_SCHEMA = "herma/recall/1"
_NOTHING = 1


def _configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Find past conversations of a host in what was said in them, best first; without a question the latest. "
        "Exit code 0: something was found; 1: nothing; 2: an error."
    )
    parser.add_argument("query", nargs="*", metavar="WORD", help='the question, in words; "a phrase" comes first')
    parser.add_argument("--host", choices=tuple(RESUME), help="whose conversations (default: the host that has some)")
    parser.add_argument("--home", metavar="PATH", help="the Hermes home to look into (default: the one in force)")
    parser.add_argument("--person", metavar="NAME", help="only what was said while this person of a gateway was there")
    parser.add_argument("--database", metavar="PATH", help="the database of people (default: as the settings say)")
    parser.add_argument("--hermes", metavar="PATH", help="ask this Hermes for its settings (with --person)")
    parser.add_argument("--limit", metavar="N", type=int, default=5, help="how many sessions (default: %(default)d)")
    parser.add_argument("--since", metavar="DAY", default="", help="nothing older than this, such as 2026-03-01")
    parser.add_argument("--until", metavar="DAY", default="", help="nothing newer than this")
    parser.add_argument("--erase", metavar="SESSION", help="take a session out of the index for good, or `all`")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def _run(arguments: Namespace, machine: Machine) -> int:
    with place_of_the_past(arguments, machine) as place:
        return _erase(arguments, place) if arguments.erase else _find(arguments, place)


def _find(arguments: Namespace, place: Place) -> int:
    query, limit = " ".join(arguments.query).strip(), max(1, arguments.limit)
    if query:
        limits = Limits(when(arguments.since, "--since"), when(arguments.until, "--until", end=True))
        found = place.pasts.discover(place.person, query, limits, limit=limit)
    else:
        found = [Found(seen, 0.0, ()) for seen in place.pasts.sessions(place.person, limit=limit)]
    if arguments.json:
        told = {
            "host": place.kind,
            "person": place.person,
            "query": query,
            "results": [_data(each, place.kind) for each in found],
        }
        say_json(_SCHEMA, told, place.warnings)
    else:
        say([f"warning: {warning}" for warning in place.warnings])
        say([line for each in found for line in _lines(each, place.kind)] or ["nothing was found"])
    return 0 if found else _NOTHING


def _erase(arguments: Namespace, place: Place) -> int:
    session = "" if arguments.erase == "all" else arguments.erase
    erased = place.pasts.erase(place.person, session_id=session)
    if arguments.json:
        say_json(_SCHEMA, {"host": place.kind, "person": place.person, "erased": erased}, place.warnings)
    else:
        say([f"taken out of the index: {erased} session{'' if erased == 1 else 's'}; {place.kind} keeps its own"])
    return 0 if erased else _NOTHING


def _data(found: Found, kind: str) -> dict[str, object]:
    session = found.session
    return {
        **session._asdict(),
        "score": round(found.score, 2),
        "resume": RESUME[kind](session.session_id),
        "matches": [match._asdict() for match in found.matches],
    }


def _lines(found: Found, kind: str) -> list[str]:
    snippets = [f"    {moment(match.at)}  {match.role}: {match.snippet}" for match in found.matches]
    return [_title(found.session), *snippets, f"    {RESUME[kind](found.session.session_id)}"]


def _title(session: Seen) -> str:
    return "  ".join(filter(None, (moment(session.last_at), session.title or session.session_id, session.directory)))


COMMAND = Command("recall", "find past conversations, and the command that resumes one", _configure, _run)
