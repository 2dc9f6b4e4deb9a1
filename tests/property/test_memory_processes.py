"""Many real processes write to one memory, and some of them are killed: some serial order gives what is there."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.property import memory_worker

from herma.core.memory.journal import Change, Origin
from herma.core.memory.operations import Applied, Operation, apply
from herma.stores.memory.store import Store

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = 8
OPERATIONS = 10_000
KILLS = 4  # of each process, which then has a successor

# Runs one worker, and kills it before the n-th time that it would open, make, link or rename something.
DIES = """
import os, signal, sys
left = int(sys.argv.pop(1))
from tests.property import memory_worker
def watch(event, arguments):
    global left
    if event in ("open", "os.rename", "os.link", "os.remove"):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
memory_worker.main()
"""


class Told(NamedTuple):
    """What one process was told: operations that were confirmed, and the one that it was at when it ended."""

    done: list[Operation]
    open: Operation | None


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: locks and kills are the subject, not the disk."""
    shared = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(dir=shared if os.access(shared, os.W_OK) else None))
    yield made
    shutil.rmtree(made)


def _start(folder: Path, name: str, calls: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.property.memory_worker", str(folder), name, str(calls)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _told(worker: subprocess.Popen[str], kill_after: int) -> Told:
    """Read what a process says until it ends; after so many confirmations it is killed."""
    done: list[Operation] = []
    begun: Operation | None = None
    with worker:
        assert worker.stdout is not None
        for line in worker.stdout:
            confirmed, operation = _said(line)
            begun = None if confirmed else operation
            done += [operation] * confirmed
            if len(done) == kill_after:
                worker.kill()
        assert worker.wait(60) in (0, -signal.SIGKILL)
    return Told(done, begun)


def _said(line: str) -> tuple[bool, Operation]:
    state, action, old_text, content = line.rstrip("\n").split("|")
    return state == "done", Operation(action, content, old_text)


def _line_of_processes(folder: Path, number: int) -> list[Told]:
    """One process after the other, each but the last killed in the middle of its work."""
    chance = random.Random(number)
    left, told = OPERATIONS // PROCESSES, []
    for kill in range(KILLS + 1):
        worker = _start(folder, f"{number}{'abcde'[kill]}", left)
        told.append(_told(worker, chance.randrange(50, left // 2) if kill < KILLS else -1))
        left -= len(told[-1].done)
    return told


def _replayed(history: tuple[Change, ...]) -> tuple[str, ...]:
    """The list that the recorded operations give, one after the other; each version must be what they give there."""
    entries: tuple[str, ...] = ()
    for change in history:
        operations = [Operation(step.action, step.content, step.matched) for step in change.steps]
        found = apply(entries, operations, limit=memory_worker.LIMIT)
        assert isinstance(found, Applied)
        assert found.entries == change.entries
        entries = found.entries
    return entries


def _expected(told: Told) -> set[str]:
    """The facts that a process must have left behind, going by what was confirmed to it."""
    facts: set[str] = set()
    for operation in told.done:
        facts.discard(operation.old_text)
        facts |= {operation.content} if operation.content else set()
    return facts


def _holds(told: Told, there: set[str]) -> None:
    """Nothing that was confirmed is lost or back; only what it was at when it was killed may be either way."""
    either = {told.open.old_text, told.open.content} - {""} if told.open else set()
    assert _expected(told) - either == there - either


def test_ten_thousand_operations_of_processes_that_are_killed_give_what_some_serial_order_gives(folder: Path) -> None:
    with ThreadPoolExecutor(PROCESSES) as pool:
        lines = list(pool.map(lambda number: _line_of_processes(folder, number), range(PROCESSES)))
    store = Store(folder, "reader", lambda: 1.0)
    store.notice("memory")
    history = store.history.changes()
    there = store.entries("memory")
    told = [each for line in lines for each in line]
    assert sum(len(each.done) for each in told) == OPERATIONS
    assert {change.origin.by for change in history} == {"tool"}
    assert _replayed(history) == there
    names = [change.number for change in store.history.lines()]
    assert names == sorted(set(names))
    confirmed = [(operation.action, operation.old_text, operation.content) for each in told for operation in each.done]
    recorded = [tuple(step) for change in history for step in change.steps]
    assert set(confirmed) <= set(recorded)
    assert len(recorded) == len(set(recorded)) <= OPERATIONS + PROCESSES * KILLS
    for number, line in enumerate(lines):
        for kill, each in enumerate(line):
            name = f"fact {number}{'abcde'[kill]}-"
            _holds(each, {entry for entry in there if entry.startswith(name)})


@pytest.mark.parametrize("there_before", [False, True])
def test_killed_at_any_point_a_write_has_happened_or_not_and_the_next_one_works(
    folder: Path,
    there_before: bool,  # noqa: FBT001 - parametrized
) -> None:
    point, code = 0, -signal.SIGKILL
    while code == -signal.SIGKILL:
        home = folder / str(point)
        store = Store(home, "reader", lambda: 1.0)
        if there_before:
            home.mkdir()
            (home / "MEMORY.md").write_text("mine", encoding="utf-8")
        command = [sys.executable, "-c", DIES, str(point), str(home), "w", "2"]
        died = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
        code = died.returncode
        said = [_said(line) for line in died.stdout.splitlines()]
        confirmed, begun = ([operation for state, operation in said if state is wanted] for wanted in (True, False))
        before = ("mine",) if there_before else ()
        possible = [apply(before, done, limit=999) for done in (confirmed, begun)]
        assert store.entries("memory") in [each.entries for each in possible if isinstance(each, Applied)], point
        now = store.entries("memory")
        done = store.change("memory", lambda found: apply(found, [Operation("add", "next")], limit=999), Origin("tool"))
        assert isinstance(done.outcome, Applied)
        assert store.entries("memory") == (*now, "next")
        history = store.history.changes()
        assert history[-1].entries == (*now, "next")
        assert [change.origin.by for change in history] == ["hand"] * there_before + ["tool"] * (
            len(history) - there_before
        )
        assert not list(home.glob(".*.herma-tmp"))
        point += 1
    assert code == 0
    assert point > 10
