"""Carrying out a plan, step by step, each written into the receipt before it is begun and again when it is done."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from herma.errors import HostError, OddFile, StepFailed
from herma.install.edits import applied
from herma.install.files import back_up, digest, discard, draft_of, kept, put, unmake
from herma.install.inspection import Question, inspect
from herma.install.machine import Machine
from herma.install.package import install
from herma.install.plan import Plan
from herma.install.receipt import Entry, Receipt, Receipts
from herma.install.steps import Aside, File, Package, Step, Tree
from herma.install.trees import files_of, files_there, place, stage_of

__all__ = ["Work", "apply", "carry_out"]


def apply(plan: Plan, receipts: Receipts, machine: Machine, told: Callable[[Step], None]) -> None:
    """Carry out the steps of a plan without stops; `told` hears of each that is done. Raises a `SetupError`.

    What was done before an error stands and is in the receipt; so is the step that failed, as begun.
    """
    prefix = plan.facts.prefix
    found = receipts.of(prefix) or Receipt(os.path.realpath(prefix), str(plan.candidate.python))

    def done(step: Step) -> None:
        if isinstance(step, Package):
            _check(plan, machine)

    carry_out(Work(plan.steps, found, done), receipts, machine, told)


class Work(NamedTuple):
    """Steps for the place of a receipt. `check` raises a `SetupError` where what has to hold after a step does not."""

    steps: Sequence[Step]
    receipt: Receipt
    check: Callable[[Step], None] = lambda _step: None


def carry_out(work: Work, receipts: Receipts, machine: Machine, told: Callable[[Step], None]) -> None:
    """The same for steps of any host."""
    found = work.receipt
    receipt = _settled(found, is_whole=not any(isinstance(step, Package) for step in work.steps))
    if receipt != found:
        receipts.write(receipt)
    for planned in work.steps:
        receipt, step = _begun(receipt, planned)
        receipts.write(receipt)
        _CARRY_OUT[type(step)](step, machine)
        work.check(step)
        receipt = receipt.done()
        receipts.write(receipt)
        told(step)


def _begun(receipt: Receipt, step: Step) -> tuple[Receipt, Step]:
    """The receipt with the step as begun. A package that is put over one of ours takes its place, as one step."""
    earlier = [entry for entry in receipt.entries if isinstance(entry.step, Package)]
    for entry in earlier:
        if isinstance(step, Package) and isinstance(entry.step, Package):
            step = step._replace(found=entry.step.found, over=step.over if entry.done else "repair")
            receipt = receipt.without([entry.step])
    return receipt.begun(step), step


def _check(plan: Plan, machine: Machine) -> None:
    """That the environment now has this Herma, as its own Python sees it."""
    try:
        version = inspect(plan.candidate, Question(plan.facts.home, ()), machine).herma_version
    except HostError as error:
        raise StepFailed(f"after the installation, {error}", hint=error.hint) from None
    wanted = next(step.version for step in plan.steps if isinstance(step, Package))
    if version != wanted:
        hint = "see which environment its pip installs into"
        raise StepFailed(f"after the installation, {plan.facts.prefix} has herma {version or 'not at all'}", hint=hint)


def _package(step: Package, machine: Machine) -> None:
    install(step, machine)


def _aside(step: Aside, _machine: Machine) -> None:
    try:
        Path(step.to).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.path.lexists(step.to):
            raise StepFailed(f"{step.to} is there already", hint="run the command again")
        Path(step.path).rename(step.to)
    except OSError as error:
        hint = "see who may write there"
        raise StepFailed(f"{step.path} cannot be moved: {error.strerror}", hint=hint) from None


def _tree(step: Tree, _machine: Machine) -> None:
    _make(Path(step.path).parent)
    place(Path(step.path), files_of(step.plugin))


def _file(step: File, _machine: Machine) -> None:
    path = Path(step.path)
    was = kept(path)
    if digest(was.data) != step.before:
        raise StepFailed(f"{path} was changed meanwhile", hint="run the command again")
    _make(path.parent)
    if step.backup is not None:
        back_up(was, Path(step.backup))
    put(was, applied(was.text, step.edits).encode())


_CARRY_OUT: Mapping[type[Step], Callable[[Any, Machine], None]] = {
    Package: _package,
    Aside: _aside,
    Tree: _tree,
    File: _file,
}


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StepFailed(f"{folder} cannot be made: {error.strerror}", hint="see who may write there") from None


def _settled(receipt: Receipt, *, is_whole: bool) -> Receipt:
    """The receipt in which each step that was begun when a run was cut off is either done or was never made.

    A package that was begun stays so until it `is_whole`: it is installed once more, over what there is of it.
    """
    entries = []
    for entry in receipt.entries:
        if entry.done or isinstance(entry.step, Package):
            entries.append(entry._replace(done=entry.done or is_whole))
        elif _HAPPENED[type(entry.step)](entry.step):
            entries.append(Entry(entry.step, done=True))
        else:
            unmake(entry.step.made)
    return receipt._replace(entries=tuple(entries))


def _was_moved(step: Aside) -> bool:
    return os.path.lexists(step.to) and not os.path.lexists(step.path)


def _was_placed(step: Tree) -> bool:
    shutil.rmtree(stage_of(Path(step.path)), ignore_errors=True)
    return {name: digest(data) for name, data in files_there(Path(step.path)).items()} == step.files


def _was_changed(step: File) -> bool:
    draft_of(Path(step.path)).unlink(missing_ok=True)
    try:
        now = digest(kept(Path(step.path)).data)
    except OddFile:
        return True
    if now == step.before and step.backup is not None:
        discard(Path(step.backup), step.before)
    return now != step.before


_HAPPENED: Mapping[type[Step], Callable[[Any], bool]] = {Aside: _was_moved, Tree: _was_placed, File: _was_changed}
