"""The verbs of `/many` on a command line: `herma people …` and `hermes manyhands …` are this."""

from argparse import REMAINDER, ArgumentParser, Namespace
from typing import NamedTuple

from herma.core.people.principal import OPERATOR
from herma.core.people.verbs import VERBS, Typed, parse, usage
from herma.core.visible import visible
from herma.engine.people.asks import Asks
from herma.engine.people.house import House
from herma.engine.people.keys import Keys
from herma.engine.people.verbs import Reply, Where, answer

__all__ = ["Line", "add_verbs", "line", "perform"]


class Line(NamedTuple):
    """What stands behind the program's name: the line as `/many` would have it, and what is wanted of the answer."""

    raw: str
    dry_run: bool
    json: bool


def add_verbs(parser: ArgumentParser) -> None:
    """Let a parser read the verbs. Options stand before the verb, for what stands behind it is the verb's own."""
    parser.description = (
        "The verbs of /many, as the person at this machine. Those that approve, raise, invite, pause, remove or erase "
        "need a terminal with a person at it, and are refused below a host."
    )
    parser.epilog = "Verbs: " + "; ".join(usage(verb).removeprefix("/many ") for verb in VERBS.values())
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument("verb", nargs="?", default="help", help="one of the verbs below")
    parser.add_argument("words", nargs=REMAINDER, metavar="...", help="what the verb needs")


def line(arguments: Namespace) -> Line:
    """The line that was typed."""
    words = [arguments.verb, *arguments.words]
    return Line(" ".join(_word(word) for word in words), arguments.dry_run, arguments.json)


def perform(house: House, asks: Asks, typed: Line, keys: Keys, *, session_id: str = "") -> Reply:
    """Do what was typed, as the person at this machine, where it can be seen that there is one. Never raises."""
    read = parse(typed.raw)
    where = Where(session_id, "shell", person_present=False)
    if not isinstance(read, Typed) or (not read.needs_person and not typed.dry_run):
        return answer(house, asks, OPERATOR, typed.raw, where=where)
    if typed.dry_run:
        return _planned(read)
    why = keys.unseen()
    if why:
        reply = answer(house, asks, OPERATOR, typed.raw, where=where)
        return reply._replace(text=f"{reply.text}\n({why})")
    if not keys.confirmed(f"{visible(typed.raw)}: {read.verb.help}."):
        return Reply("Nothing was done.", done=False)
    return answer(house, asks, OPERATOR, typed.raw, where=where._replace(person_present=True))


def _planned(read: Typed) -> Reply:
    needs = " A person at this terminal has to confirm it." if read.needs_person else " It only reads."
    return Reply(f"This would do: {usage(read.verb)}, which is: {read.verb.help}.{needs} Nothing was done.")


def _word(word: str) -> str:
    return f'"{word}"' if any(character.isspace() for character in word) and '"' not in word else word
