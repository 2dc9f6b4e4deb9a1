"""`herma remove`: what `herma setup` recorded, taken back, after it has been shown and agreed to."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from herma import __version__
from herma.cli import consent, hosts
from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.cli.steps import action_data, action_lines
from herma.errors import HermaError, HostNotFound
from herma.install.detect import find
from herma.install.machine import Machine
from herma.install.receipt import Receipt, Receipts
from herma.install.removal import Action, Removal, removal
from herma.install.undo import undo

__all__ = ["COMMAND"]

SCHEMA = "herma/remove/1"

# How it can end for one installation: the exit code, and what is said.
_CODES = {"planned": 0, "done": 0, "unasked": 1, "declined": 1, "left": 1, "failed": 2}
_ENDS = {
    "planned": "nothing was done: this is what herma remove would do",
    "done": "done: nothing that setup did is left",
    "unasked": "nothing was done: there is no terminal to ask at; add --yes to do it",
    "declined": "nothing was done",
    "left": "done as far as it is certain; what stays is named above",
}


def _configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Undo what herma setup did, by its receipt: files that nobody else changed are put back byte for byte. "
        "Exit code 0: done, or nothing to do; 1: something is left for you to do; 2: an error."
    )
    parser.add_argument("--hermes", metavar="PATH", help="only in this one: a hermes, an environment, or its python")
    hosts.add_option(parser, program=False)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    consent.add_options(parser)


def _run(arguments: Namespace, machine: Machine) -> int:
    talk = _silent if arguments.json else say
    receipts = Receipts(machine, arguments.host)
    found = _chosen(receipts, arguments.hermes, machine)
    if not found:
        talk([f"nothing to undo: there is no receipt of a setup in {receipts.folder}"])
        if receipts.folder.exists() and not arguments.dry_run:
            with receipts.alone():  # which clears up after a run that was cut off before its first receipt
                pass
    done = [_host(receipt, receipts, arguments, machine) for receipt in found]
    if arguments.json:
        say_json(SCHEMA, {"herma": __version__, "receipts": str(receipts.folder), "hosts": done})
    return max((_CODES[str(host["state"])] for host in done), default=0)


def _chosen(receipts: Receipts, named: str | None, machine: Machine) -> list[Receipt]:
    """All receipts, or those of the installation that is named, which may be gone by now."""
    if named is None:
        return receipts.all()
    places = {Path(named).expanduser()}
    with suppress(HostNotFound):
        places |= {candidate.environment for candidate in find(machine, named)}
    return [receipt for receipt in receipts.all() if receipt.environment in set(map(os.path.realpath, places))]


def _host(receipt: Receipt, receipts: Receipts, arguments: Namespace, machine: Machine) -> dict[str, object]:
    """Take one installation's setup back as far as it goes, and return what became of it."""
    talk = _silent if arguments.json else say
    told: dict[str, object] = {"environment": receipt.environment, "receipt": str(receipts.path(receipt.environment))}
    talk([f"{hosts.TITLES[arguments.host]} in {receipt.environment}"])
    try:
        plan = removal(receipt, machine)
        talk(line for action in plan.actions for line in action_lines(action))
        state, actions = _carried_out(plan, receipts, arguments, machine)
    except HermaError as error:
        talk([f"  error: {error}", f"  hint: {error.hint}", ""])
        return {**told, "state": "failed", "problem": {"message": str(error), "hint": error.hint}}
    talk([*(f"  stays: {line}" for _, left in actions for line in left or ()), f"  {_ENDS[state]}", ""])
    return {**told, "state": state, "problem": None, "actions": [action_data(*action) for action in actions]}


_Actions = list[tuple[Action, list[str] | None]]


def _carried_out(plan: Removal, receipts: Receipts, arguments: Namespace, machine: Machine) -> tuple[str, _Actions]:
    """How it ended, and each part with what stays of it, None while it is not done."""
    pending: _Actions = [(action, None) for action in plan.actions]
    if arguments.dry_run:
        return "planned", pending
    if not arguments.yes and not consent.may_ask(arguments):
        return "unasked", pending
    if not arguments.yes and not consent.agreed("  Do this?"):
        return "declined", pending
    done: _Actions = []
    with receipts.alone():
        clean = undo(plan, receipts, machine, lambda action, left: done.append((action, left)))
    return "done" if clean else "left", done


def _silent(_lines: Iterable[str]) -> None:
    """Said to nobody: stdout is one JSON object."""


COMMAND = Command("remove", "undo what herma setup did", _configure, _run)
