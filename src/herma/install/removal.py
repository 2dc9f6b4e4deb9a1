"""What taking out again would do, as a value: each thing that the receipt names, and what is there of it now."""

import os
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple, TypeAlias

from herma.errors import HostError, OddFile
from herma.install import probe
from herma.install.asking import Program, ask
from herma.install.edits import reverted
from herma.install.files import Kept, beside, digest, kept
from herma.install.judging import asking, language, rewritten
from herma.install.machine import Machine
from herma.install.receipt import Entry, Receipt
from herma.install.steps import Aside, File, Package, Step, Tree

__all__ = ["Action", "Leave", "MoveBack", "PutBack", "Removal", "TakeOut", "Uninstall", "removal"]


class PutBack(NamedTuple):
    """A file of settings without our changes. `exact` means: byte for byte what it was before them.

    `data` is None where the file goes. A `copy` of a file that others changed too is kept beside.
    """

    steps: tuple[File, ...]
    was: Kept
    data: bytes | None
    exact: bool
    copy: Path | None


class TakeOut(NamedTuple):
    """A plugin's folder of ours, gone."""

    steps: tuple[Tree, ...]


class MoveBack(NamedTuple):
    """A folder that was moved aside, back in its place."""

    steps: tuple[Aside, ...]


class Uninstall(NamedTuple):
    """Herma, gone from the environment. With `repair` a part of it is made whole first, so that nothing stays."""

    steps: tuple[Package, ...]
    repair: bool


class Leave(NamedTuple):
    """Something that is not touched, and why. The `lines` are ours and still there; none: nothing is left to do."""

    steps: tuple[Step, ...]
    reason: str
    lines: tuple[str, ...] = ()


Action: TypeAlias = PutBack | TakeOut | MoveBack | Uninstall | Leave


class Removal(NamedTuple):
    """All that a receipt names, the newest first and the package last."""

    receipt: Receipt
    actions: tuple[Action, ...]


def removal(receipt: Receipt, machine: Machine) -> Removal:
    """What taking out everything that the receipt names would do now. Reads; changes nothing."""
    actions: list[Action] = []
    # The package last, whenever it came: what is enabled and not there is a fault in every start of the host.
    newest_first = list(reversed(receipt.entries))
    newest_first.sort(key=lambda entry: isinstance(entry.step, Package))
    seen: set[str] = set()
    for entry in newest_first:
        step = entry.step
        if isinstance(step, File):
            if step.path not in seen:
                seen.add(step.path)
                of_path = [each.step for each in newest_first if isinstance(each.step, File)]
                actions += _file([each for each in of_path if each.path == step.path], receipt, machine)
        elif isinstance(step, Tree):
            actions.append(TakeOut((step,)))
        elif isinstance(step, Aside):
            actions += _aside(step, {each.step.path for each in newest_first if isinstance(each.step, Tree)})
        else:
            actions.append(_package(entry, step, machine))
    return Removal(receipt, tuple(actions))


def _file(steps: Sequence[File], receipt: Receipt, machine: Machine) -> Iterator[Action]:
    """One file back through all its changes, the newest first; what cannot be taken back for certain is left."""
    path = Path(steps[0].path)
    try:
        was = kept(path)
    except OddFile as odd:
        yield Leave(tuple(steps), f"{path} is not changed: {odd}", _lines(steps))
        return
    if was.data is None:
        yield Leave(tuple(steps), f"{path} is not there any more")
        return
    data: bytes | None = was.data
    undone = []
    for step in steps:
        try:
            data = _before(step, was._replace(data=data), receipt, machine)
        except (OddFile, HostError) as error:
            yield Leave((step,), f"{path} is not changed: {error}", _lines([step]))
        else:
            undone.append(step)
    exact = len(undone) == len(steps) and digest(data) == steps[-1].before
    if not exact and data is not None and not data.strip() and steps[-1].before is None:
        data = None
    changed_by_others = data != was.data and not exact
    if undone:
        yield PutBack(tuple(undone), was, data, exact, beside(path) if changed_by_others else None)


def _before(step: File, now: Kept, receipt: Receipt, machine: Machine) -> bytes | None:
    """The bytes without one change: those before it, or, of a file that was changed since, without what it added."""
    if now.data is None or digest(now.data) == step.before:
        return now.data
    if digest(now.data) == step.after:
        return None if step.before is None else reverted(now.text, step.edits).encode()
    put = asking(Path(receipt.python), machine, Path(step.path).parent)
    return rewritten(now.text, step.undo, language(step.language, put)).text.encode()


def _lines(steps: Sequence[File]) -> tuple[str, ...]:
    return tuple(line for step in steps for edit in step.edits for line in edit.new.splitlines() if line.strip())


def _aside(step: Aside, ours: AbstractSet[str]) -> Iterator[Action]:
    if not os.path.lexists(step.to):
        yield Leave((step,), f"{step.to} is not there any more")
    elif os.path.lexists(step.path) and step.path not in ours:
        yield Leave((step,), f"{step.path} is taken, so {step.to} is not moved back to it", (step.to,))
    else:
        yield MoveBack((step,))


def _package(entry: Entry, step: Package, machine: Machine) -> Action:
    """Herma goes if setup brought it, and nobody put another version in its place since."""
    python = Path(step.python)
    if not os.access(python, os.X_OK):
        return Leave((step,), f"{python} is not there any more")
    try:
        found = ask(python, Program(probe.__file__, probe.MARK), machine, machine.home)
    except HostError as error:
        return Leave((step,), f"it cannot be told whether herma is in there: {error}", (f"herma {step.version}",))
    answer = found if isinstance(found, dict) else {}
    version = answer.get("herma")
    for holds, why in (
        (not entry.done and not (version or answer.get("herma_files")), "nothing of herma came to be installed there"),
        (entry.done and version is None, "herma is not installed there any more"),
        (entry.done and version != step.version, f"herma {version} stays there: it is not what setup installed"),
        (step.found is not None, f"herma {version} stays there: it took the place of {step.found}, which is gone"),
    ):
        if holds:
            return Leave((step,), why)
    return Uninstall((step,), repair=not entry.done)
