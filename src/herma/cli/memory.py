"""`herma memory log|diff|undo|show`: what is remembered, since when and by whose doing, and one change taken back."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from time import localtime, strftime
from typing import NamedTuple

from herma import __version__
from herma.cli import consent
from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.core.memory.journal import BY, Change
from herma.core.memory.targets import TARGETS
from herma.core.memory.usage import usage
from herma.engine.memory import Memory, load_settings, local_person, open_memory
from herma.engine.versions import Version, plan, sources, take_back, version, versions
from herma.errors import HermaError
from herma.install.machine import Machine
from herma.stores.memory.store import Store

__all__ = ["COMMAND"]

_SHOWN = 20
_WIDTH = 100
_ENDS = {
    "planned": (0, "nothing was done: this is what would be done"),
    "done": (0, "done; sessions that run keep the text that they began with"),
    "unasked": (1, "nothing was done: there is no terminal to ask at; add --yes to do it"),
    "declined": (1, "nothing was done"),
}


class _Place(NamedTuple):
    """Whose memory a command looks at, and what was wrong with the settings on the way."""

    memory: Memory
    store: Store
    warnings: tuple[str, ...]

    def told(self) -> dict[str, object]:
        """The same as JSON has it."""
        return {"herma": __version__, "person": self.store.person, "folder": str(self.store.folder)}


def _configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Show what opencode-hermes remembers of a person, every change with its origin, and take one back. "
        "Exit code 0: done; 1: nothing was changed; 2: an error."
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, (text, _) in _VERBS.items():
        verb = verbs.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        verb.add_argument("--person", metavar="NAME", help="whose memory; yours unless you name another")
        verb.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        if name == "log":
            verb.add_argument("--limit", type=int, default=_SHOWN, metavar="N", help=f"how many changes ({_SHOWN})")
        else:
            verb.add_argument("number", nargs="?", type=int, metavar="N", help="the number of a change in the log")
        if name == "undo":
            consent.add_options(verb)


def _run(arguments: Namespace, machine: Machine) -> int:
    settings = load_settings(machine.environ, home=str(machine.home))
    memory = open_memory(settings, _clock)
    person = arguments.person if arguments.person is not None else local_person()
    if not person:
        raise HermaError("--person needs a name", hint="leave it out for your own memory")
    place = _Place(memory, memory.store(person), tuple(problem.message for problem in settings.problems))
    _, run = _VERBS[arguments.verb]
    return run(arguments, place)


def _log(arguments: Namespace, place: _Place) -> int:
    found = versions(place.store)[-max(1, arguments.limit) :][::-1]
    unknown = [name for name in TARGETS if not place.store.is_recorded(name)]
    demoted = {name: list(place.store.demoted(name)) for name in TARGETS}
    if arguments.json:
        data = {"changes": [_data(each) for each in found], "not_recorded_yet": unknown, "demoted": demoted}
        say_json("herma/memory/log/1", {**place.told(), **data}, place.warnings)
        return 0
    say([f"warning: {text}" for text in place.warnings])
    say(f"{TARGETS[name].file} was changed by hand; the next write records it" for name in unknown)
    say([line for each in found for line in _lines(each)] or ["nothing has been recorded yet"])
    for name, entries in demoted.items():
        if entries:
            say([f"demoted from {TARGETS[name].file}, kept in {TARGETS[name].demoted}:"])
            say(f"    {_cut(entry)}" for entry in entries)
    return 0


def _diff(arguments: Namespace, place: _Place) -> int:
    found = version(place.store, arguments.number)
    if arguments.json:
        say_json("herma/memory/diff/1", {**place.told(), **_data(found)}, place.warnings)
    else:
        say([_title(found), *_marked(found.gone, found.added)])
    return 0


def _show(arguments: Namespace, place: _Place) -> int:
    lists = _lists_at(place, arguments.number)
    if arguments.json:
        told = {
            name: [{"text": entry, "since": _origin_data(origins.get(entry))} for entry in entries]
            for name, (entries, origins) in lists.items()
        }
        say_json("herma/memory/show/1", {**place.told(), "lists": told}, place.warnings)
        return 0
    for name, (entries, origins) in lists.items():
        say([usage(name, entries, place.memory.limits[name])])
        for entry in entries:
            say([*(f"  {line}" for line in entry.split("\n")), f"      {_since(origins.get(entry))}"])
    return 0


def _undo(arguments: Namespace, place: _Place) -> int:
    wanted, left = plan(place.store, arguments.number)
    talk: Callable[[Iterable[str]], None] = _silent if arguments.json else say
    talk([f"take back {_title(wanted)}", *_marked(left.gone, left.back)])
    talk(f"  stays as it is: {_cut(entry)}" for entry in left.missing)
    state, made = _agreed(arguments), None
    if state == "done":
        made = take_back(place.store, wanted).change
    code, text = _ENDS[state]
    talk([text])
    if arguments.json:
        done = {"state": state, "change": wanted.change.number, "recorded_as": made.number if made else None}
        data = {"removes": list(left.gone), "restores": list(left.back), "already_gone": list(left.missing)}
        say_json("herma/memory/undo/1", {**place.told(), **done, **data}, place.warnings)
    return code


def _agreed(arguments: Namespace) -> str:
    """How it goes on."""
    if arguments.dry_run:
        return "planned"
    if arguments.yes:
        return "done"
    if not consent.may_ask(arguments):
        return "unasked"
    return "done" if consent.agreed("Do this?") else "declined"


def _lists_at(place: _Place, number: int | None) -> dict[str, tuple[Sequence[str], dict[str, Change]]]:
    """Both lists as they are, or one as a change left it; with the change that brought each entry."""
    if number is None:
        return {name: (place.store.entries(name), sources(place.store, name)) for name in TARGETS}
    found = version(place.store, number).change
    return {found.target: (found.entries, sources(place.store, found.target, up_to=number))}


def _lines(each: Version) -> list[str]:
    demoted = {step.matched for step in each.change.steps if step.action == "demote"}
    gone = [f"    - {_cut(entry)}{' (demoted)' if entry in demoted else ''}" for entry in each.gone]
    return [_title(each), *gone, *(f"    + {_cut(entry)}" for entry in each.added)]


def _title(each: Version) -> str:
    change = each.change
    state = "" if each.in_force else f" ({BY['void']})"
    return f"{change.number}  {_when(change)}  {change.target}  {_by(change)}{state}"


def _marked(gone: Iterable[str], added: Iterable[str]) -> list[str]:
    """Entries with a sign before each of their lines."""
    signs = [("-", entry) for entry in gone] + [("+", entry) for entry in added]
    return [f"    {sign} {line}" for sign, entry in signs for line in entry.split("\n")]


def _cut(entry: str) -> str:
    line = " ".join(entry.split())
    return line if len(line) <= _WIDTH else f"{line[:_WIDTH]}..."


def _since(change: Change | None) -> str:
    return "not recorded yet" if change is None else f"change {change.number}, {_when(change)}, {_by(change)}"


def _by(change: Change) -> str:
    origin = change.origin
    parts = [BY.get(origin.by, origin.by)]
    parts += [f"of change {origin.undoes}"] if origin.undoes else []
    parts += [f"in session {origin.session}"] if origin.session else []
    parts += [f"turn {origin.turn}"] if origin.turn else []
    return ", ".join(parts)


def _when(change: Change) -> str:
    return strftime("%Y-%m-%d %H:%M:%S", localtime(change.at / 1000))


def _data(each: Version) -> dict[str, object]:
    told = {"in_force": each.in_force, "removed": list(each.gone), "added": list(each.added)}
    return {"change": _origin_data(each.change), **told, "steps": [step._asdict() for step in each.change.steps]}


def _origin_data(change: Change | None) -> dict[str, object] | None:
    if change is None:
        return None
    told = {"number": change.number, "at": change.at, "target": change.target, "person": change.person}
    return {**told, **change.origin._asdict()}


def _silent(_lines: Iterable[str]) -> None:
    """Said to nobody: stdout is one JSON object."""


def _clock() -> float:
    import time  # noqa: PLC0415 - only where something is written

    return time.time()  # noqa: TID251 - here it is injected


_VERBS: dict[str, tuple[str, Callable[[Namespace, _Place], int]]] = {
    "log": ("list the changes, the latest first, and what was demoted", _log),
    "diff": ("show what one change did, the latest unless you name one", _diff),
    "undo": ("take one change back, the latest unless you name one; whatever came after it stays", _undo),
    "show": ("show what is remembered, each entry with its origin, or one list as a change left it", _show),
}

COMMAND = Command("memory", "show what is remembered and where it comes from, and undo changes", _configure, _run)
