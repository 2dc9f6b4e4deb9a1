"""Steps of setting up and of removing, told to a person line by line and to a program as data."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from herma.install.edits import Edit
from herma.install.plan import Stop
from herma.install.removal import Action, Leave, MoveBack, PutBack, TakeOut, Uninstall
from herma.install.steps import Aside, File, Package, Step, Tree, as_record

__all__ = ["Planned", "action_data", "action_lines", "plan_data", "plan_lines", "step_line"]

_MOST_SHOWN = 24  # lines of one edit; what is longer is a whole file of ours


class Planned(Protocol):
    """What every host's plan has."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """What would be done, in order."""
        ...

    @property
    def stops(self) -> tuple[Stop, ...]:
        """What only the person can do first."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to know."""
        ...


def plan_lines(plan: Planned) -> list[str]:
    """What a plan would do, what stops it, and what else there is to know."""
    lines = []
    for number, step in enumerate(plan.steps, 1):
        lines += [f"  {number}  {step_line(step)}", *(f"       {line}" for line in _details(step))]
    lines += [f"  note: {note}" for note in plan.notes]
    for stop in plan.stops:
        lines += [f"  stop: {stop.reason}", f"        {stop.hint}", *(f"          {line}" for line in stop.lines)]
    return lines


def plan_data(plan: Planned) -> dict[str, object]:
    """The same for a program."""
    return {
        "steps": [{"summary": step_line(step), **as_record(step)} for step in plan.steps],
        "stops": [stop._asdict() for stop in plan.stops],
        "notes": list(plan.notes),
    }


def step_line(step: Step) -> str:
    """A step in one line."""
    return _STEPS[type(step)](step)


def action_lines(action: Action) -> list[str]:
    """A part of a removal, with what it leaves beside."""
    lines = action.lines if isinstance(action, Leave) else _copies(action)
    return [f"  -  {_ACTIONS[type(action)](action)}", *(f"       {line}" for line in lines)]


def action_data(action: Action, left: Iterable[str] | None = None) -> dict[str, object]:
    """The same for a program; `left` is None as long as it is not done."""
    data: dict[str, object] = {
        "summary": _ACTIONS[type(action)](action),
        "kind": type(action).__name__,
        "steps": [as_record(step) for step in action.steps],
    }
    if isinstance(action, Leave):
        data["lines"] = list(action.lines)
    return data if left is None else {**data, "left": list(left)}


def _package(step: Package) -> str:
    what = {"": "install", "reinstall": "install again", "repair": "finish installing"}[step.over]
    by = f"with {step.program}" if step.program else "with its own pip"
    source = f" from {step.wheel}" if step.wheel else ""
    return f"{what} herma {step.version}{source} into {Path(step.python).parents[1]}, {by}, offline"


def _file(step: File) -> str:
    return f"change {step.path}" if step.before else f"write {step.path}"


_STEPS: Mapping[type[Step], Callable[[Any], str]] = {
    Package: _package,
    Aside: lambda step: f"move {step.path} to {step.to}",
    Tree: lambda step: f"put the folder of {step.plugin} into {step.path}",
    File: _file,
}


def _details(step: Step) -> list[str]:
    if not isinstance(step, File):
        return []
    copy = [f"(a copy stays beside it: {step.backup})"] if step.backup else []
    return [line for edit in step.edits for line in _edit_lines(edit)] + copy


def _edit_lines(edit: Edit) -> list[str]:
    # Only what becomes different: a line's other parts may be a secret.
    lines = [
        f"{sign} {line}" for sign, text in (("-", edit.old), ("+", edit.new)) for line in text.splitlines() if line
    ]
    return lines if len(lines) <= _MOST_SHOWN else [f"({len(lines)} lines)"]


def _put_back(action: PutBack) -> str:
    path = action.was.path
    if action.data is None:
        return f"delete {path}, which setup wrote"
    if action.data == action.was.data:
        return f"leave {path}: nothing of ours is in it any more"
    how = "byte for byte" if action.exact else "only our lines, as others changed it since"
    return f"put {path} back, {how}"


_ACTIONS: Mapping[type[Action], Callable[[Any], str]] = {
    PutBack: _put_back,
    TakeOut: lambda action: f"delete {', '.join(step.path for step in action.steps)}",
    MoveBack: lambda action: ", ".join(f"move {step.to} back to {step.path}" for step in action.steps),
    Uninstall: lambda action: ", ".join(f"uninstall herma from {Path(s.python).parents[1]}" for s in action.steps),
    Leave: lambda action: f"leave: {action.reason}",
}


def _copies(action: Action) -> list[str]:
    """Copies that stay beside a file because it is not what it was before."""
    if not isinstance(action, PutBack) or action.exact:
        return []
    copies = [f"{step.backup} is what it was before setup" for step in action.steps if step.backup]
    return copies + ([f"{action.copy} is what it is now"] if action.copy else [])
