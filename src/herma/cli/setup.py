"""`herma setup`: this Herma into each Hermes, after its plan has been shown and agreed to."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path

from herma import __version__
from herma.cli import consent, hosts
from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.cli.steps import plan_data, plan_lines, step_line
from herma.cli.survey import Seen, add_options, nobody, one_by_one
from herma.errors import HermaError, HostError, SetupError
from herma.install.apply import apply
from herma.install.judging import asking
from herma.install.machine import Machine, is_folder
from herma.install.plan import Plan, Wanted, planned
from herma.install.receipt import Receipts
from herma.install.systems import HITS, ROOT, SYSTEMS
from herma.install.wheel import checked

__all__ = ["COMMAND"]

SCHEMA = "herma/setup/1"

# How it can end for one installation: the exit code, and what is said.
_CODES = {"nothing": 0, "planned": 0, "done": 0, "unasked": 1, "declined": 1, "stopped": 1, "failed": 2}
_ENDS = {
    "nothing": "nothing to do: all of it is so already",
    "planned": "nothing was done: this is what herma setup would do",
    "done": "done; start Hermes anew, then `herma doctor` checks it and `herma remove` undoes it",
    "unasked": "nothing was done: there is no terminal to ask at; add --yes to do it",
    "declined": "nothing was done",
    "stopped": "nothing was done: the stop comes first",
}


def _configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Install this Herma into each Hermes and switch its plugins on, or its plugin into OpenCode. The plan is shown "
        "first. "
        "Exit code 0: done, or nothing to do; 1: something is left for you to do; 2: an error."
    )
    add_options(parser)
    hosts.add_option(parser)
    names = [system.name for system in SYSTEMS]
    parser.add_argument(
        "--plugin", metavar="NAME", action="append", choices=names, help=f"only this one, of {', '.join(names)}; repeat"
    )
    parser.add_argument("--from", metavar="WHEEL", type=Path, dest="wheel", help="install this wheel of this version")
    parser.add_argument("--read-once-root", metavar="FOLDER", type=Path, help=f"write {ROOT}=FOLDER into .env")
    parser.add_argument("--hits", action="store_true", help=f"write {HITS}=1 there: read-once may answer with notes")
    consent.add_options(parser)


def _run(arguments: Namespace, machine: Machine) -> int:
    if arguments.host == hosts.OPENCODE:
        from herma.cli.opencode.setup import run  # noqa: PLC0415 - only where it is asked for

        return run(arguments, machine)
    wanted = _wanted(arguments)
    # One after another, each looked at when the one before is done: two of them may share a home.
    done = [_host(seen, wanted, arguments, machine) for seen in one_by_one(arguments, machine)]
    if arguments.json:
        say_json(SCHEMA, {"herma": __version__, "hosts": done})
    if not done:
        raise nobody()
    return max(_CODES[str(host["state"])] for host in done)


def _wanted(arguments: Namespace) -> Wanted:
    named = arguments.plugin or []
    systems = tuple(system for system in SYSTEMS if not named or system.name in named)
    variables = []
    if arguments.read_once_root is not None:
        root = arguments.read_once_root.expanduser().absolute()
        if not is_folder(root):
            raise SetupError(f"{root} is not a folder", hint="name one that is there with --read-once-root")
        variables.append((ROOT, str(root)))
    if arguments.hits:
        variables.append((HITS, "1"))
    if variables and not any(HITS in system.variables for system in systems):
        raise HermaError("--read-once-root and --hits are read-once's", hint="name it with --plugin read-once as well")
    wheel = None if arguments.wheel is None else checked(arguments.wheel.expanduser())
    return Wanted(systems, bool(named), wheel, tuple(variables), now=time.time_ns() // 1_000_000)


def _host(seen: Seen, wanted: Wanted, arguments: Namespace, machine: Machine) -> dict[str, object]:
    """Set up one installation as far as it goes, and return what became of it."""
    talk = _silent if arguments.json else say
    talk([seen.title])
    try:
        plan = _planned(seen, wanted, arguments.time_limit, machine)
        talk([f"home {plan.facts.home}", *plan_lines(plan)])
        state = _carried_out(plan, arguments, machine, talk)
    except HermaError as error:
        talk([f"  error: {error}", f"  hint: {error.hint}", ""])
        return {**seen.identity(), "state": "failed", "problem": {"message": str(error), "hint": error.hint}}
    talk([f"  {_ENDS[state]}", ""])
    return {**seen.identity(), "state": state, "problem": None, **plan_data(plan)}


def _planned(seen: Seen, wanted: Wanted, time_limit: float, machine: Machine) -> Plan:
    facts, python = seen.answer, seen.candidate.python
    if isinstance(facts, HostError):
        raise facts
    if python is None:  # such a one has no facts
        raise nobody()
    ask = asking(python, machine, facts.home, time_limit=time_limit)
    return planned(seen.candidate, facts, wanted, machine, ask)


def _carried_out(plan: Plan, arguments: Namespace, machine: Machine, talk: Callable[[Iterable[str]], None]) -> str:
    why = consent.withheld(plan, arguments)
    if why:
        return why
    receipts = Receipts(machine)
    with receipts.alone():
        apply(plan, receipts, machine, lambda step: talk([f"  done: {step_line(step)}"]))
    return "done"


def _silent(_lines: Iterable[str]) -> None:
    """Said to nobody: stdout is one JSON object."""


COMMAND = Command("setup", "install Herma into each Hermes and switch its plugins on", _configure, _run)
