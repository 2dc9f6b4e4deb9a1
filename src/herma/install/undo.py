"""Carrying out a removal, each part struck from the receipt when it is gone. It can be run again at any point."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from herma.errors import StepFailed
from herma.install.files import back_up, discard, draft_of, put, unmake
from herma.install.machine import Machine
from herma.install.package import install, uninstall
from herma.install.receipt import Receipts
from herma.install.removal import Action, Leave, MoveBack, PutBack, Removal, TakeOut, Uninstall
from herma.install.steps import File, Package
from herma.install.trees import stage_of, take_away

__all__ = ["undo"]


def undo(of: Removal, receipts: Receipts, machine: Machine, told: Callable[[Action, list[str]], None]) -> bool:
    """Carry out a removal; `told` hears of each part with what stays there. Whether nothing is left for the person.

    Raises a `SetupError` where a part fails; what came before it is gone and struck from the receipt.
    """
    receipt, clean = of.receipt, True
    for action in of.actions:
        left = _CARRY_OUT[type(action)](action, machine)
        if not (isinstance(action, Leave) and action.lines):
            receipt = receipt.without(action.steps)
        receipts.write(receipt)
        clean = clean and not left
        told(action, left)
    return clean


def _put_back(action: PutBack, _machine: Machine) -> list[str]:
    draft_of(action.was.path).unlink(missing_ok=True)
    if action.data != action.was.data:
        if action.copy is not None:
            back_up(action.was, action.copy)
        put(action.was, action.data)
    if action.exact:
        for step in action.steps:
            if step.backup is not None:
                discard(Path(step.backup), step.before)
    for step in action.steps:
        unmake(step.made)
    return []


def _take_out(action: TakeOut, _machine: Machine) -> list[str]:
    left = []
    for step in action.steps:
        shutil.rmtree(stage_of(Path(step.path)), ignore_errors=True)
        left += [f"{step.path}/{name}" for name in take_away(Path(step.path), step.files)]
        unmake(step.made)
    return left


def _move_back(action: MoveBack, _machine: Machine) -> list[str]:
    for step in action.steps:
        if os.path.lexists(step.path):
            raise StepFailed(f"{step.path} is taken", hint=f"move it away, then {step.to} can be moved back")
        try:
            Path(step.to).rename(step.path)
        except OSError as error:
            raise StepFailed(f"{step.to} cannot be moved: {error.strerror}", hint="see who may write there") from None
        unmake(step.made)
    return []


def _uninstall(action: Uninstall, machine: Machine) -> list[str]:
    for step in action.steps:
        if action.repair:
            install(step._replace(over="repair"), machine)
        uninstall(step, machine)
    return []


def _leave(action: Leave, _machine: Machine) -> list[str]:
    for step in action.steps:
        if isinstance(step, File):
            draft_of(Path(step.path)).unlink(missing_ok=True)  # of a run that was cut off before the file was there
        if not action.lines and not isinstance(step, Package):
            unmake(step.made)
    return list(action.lines)


_CARRY_OUT: Mapping[type[Action], Callable[[Any, Machine], list[str]]] = {
    PutBack: _put_back,
    TakeOut: _take_out,
    MoveBack: _move_back,
    Uninstall: _uninstall,
    Leave: _leave,
}
