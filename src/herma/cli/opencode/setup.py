"""`herma setup --host opencode`: the plan shown, agreed to, and carried out."""

from argparse import Namespace
from collections.abc import Callable, Iterable

from herma import __version__
from herma.cli import consent
from herma.cli.output import say, say_json
from herma.cli.steps import plan_data, plan_lines, step_line
from herma.hosts.opencode.requests import TESTED
from herma.install.apply import Work, carry_out
from herma.install.machine import Machine
from herma.install.opencode.places import Places, found_program, places, program_version
from herma.install.opencode.plan import Plan, planned, python
from herma.install.receipt import Receipt, Receipts

__all__ = ["HOST", "run"]

HOST = "opencode"
SCHEMA = "herma/setup/1"

_CODES = {"nothing": 0, "planned": 0, "done": 0, "unasked": 1, "declined": 1, "stopped": 1}
_ENDS = {
    "nothing": "nothing to do: all of it is so already",
    "planned": "nothing was done: this is what herma setup would do",
    "done": "done; start OpenCode anew, then `herma doctor --host opencode` checks it and "
    "`herma remove --host opencode` undoes it",
    "unasked": "nothing was done: there is no terminal to ask at; add --yes to do it",
    "declined": "nothing was done",
    "stopped": "nothing was done: the stop comes first",
}


def run(arguments: Namespace, machine: Machine) -> int:
    """Set up for the person whose home this is; the exit code."""
    talk = _silent if arguments.json else say
    program = found_program(machine, arguments.opencode)
    version, at = program_version(program, machine), places(machine)
    plan = planned(at, version)
    talk([f"OpenCode {version} in {program}", f"configuration {at.config}", *plan_lines(plan)])
    if version != TESTED:
        talk([f"  note: tested with OpenCode {TESTED}; what this version sends in another form gets no memory"])
    state = _carried_out(plan, at, arguments, machine)
    talk([f"  {_ENDS[state]}"])
    if arguments.json:
        host = {"opencode_version": version, "program": str(program), "state": state, **plan_data(plan)}
        say_json(SCHEMA, {"herma": __version__, "hosts": [host]})
    return _CODES[state]


def _carried_out(plan: Plan, at: Places, arguments: Namespace, machine: Machine) -> str:
    talk: Callable[[Iterable[str]], None] = _silent if arguments.json else say
    why = consent.withheld(plan, arguments)
    if why:
        return why
    receipts = Receipts(machine, HOST)
    with receipts.alone():
        receipt = receipts.of(at.config) or Receipt(str(at.config.resolve()), python())
        carry_out(Work(plan.steps, receipt), receipts, machine, lambda step: talk([f"  done: {step_line(step)}"]))
    return "done"


def _silent(_lines: Iterable[str]) -> None:
    """Said to nobody: stdout is one JSON object."""
