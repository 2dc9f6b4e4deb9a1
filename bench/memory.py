"""What the curated memory costs: a write beside the bare file work, a snapshot beside reading the files."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.measure import Row, row
from herma.core.memory.entries import DELIMITER
from herma.engine.memory import Memory
from herma.stores.memory.lock import alone
from herma.stores.memory.store import Store

__all__ = ["rows"]

_PERSON = "ada"
_LIMITS = {"memory": 2_200, "user": 1_375}
_PROCESSES = 8
_PROSE = (
    "the service listens on port and is restarted after each deploy of tests run with make she prefers short answers "
    "in German logs are kept for a week build needs node database lives behind proxy reviews happen monday before noon"
)

# One of the processes of `add/8_processes`: says that it is ready, waits for a line, works, and is done.
_WORKER = (
    "from bench import memory; import sys; memory.work(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])"
)


def rows(*, quick: bool) -> list[Row]:
    """Every row. `quick` takes few samples: it shows that the bench runs, not what things cost."""
    times = 3 if quick else 300
    return [
        _add(times),
        _batch(times),
        *_snapshots(times),
        _new_session(times),
        _processes(2 if quick else 40),
    ]


def _entry(number: int) -> str:
    """An entry of 97 characters, so that 22 of them fill the list to its limit."""
    chance = Random(number)  # noqa: S311 - the same words each time
    return f"fact {number:04}: {' '.join(chance.choices(_PROSE.split(), k=20))}"[:96] + "."


def _fill(folder: Path, *, leave: int) -> Memory:
    """A memory whose files are full, but for `leave` entries."""
    folder.mkdir(parents=True)
    texts = {
        "MEMORY.md": DELIMITER.join(map(_entry, range(22 - leave))),
        "USER.md": DELIMITER.join(map(_entry, range(13))),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(0o600)
    return _memory(folder)


def _memory(folder: Path) -> Memory:
    return Memory(lambda person: Store(folder, person, time.time), _LIMITS)  # noqa: TID251 - here it is injected


def _call(memory: Memory, **arguments: object) -> None:
    answer = memory.tool(_PERSON, session="s", turn="t", arguments=arguments)
    assert answer.startswith('{"success": true'), answer


def _bare(folder: Path, data: bytes) -> None:
    """The least that a safe write is: under the lock, a new file to the disk, renamed, and the folder to the disk."""
    with alone(f"{folder}/.memory.lock"):
        place = f"{folder}/.draft"
        opened = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.write(opened, data)
        os.fsync(opened)
        os.close(opened)
        os.replace(place, f"{folder}/BARE.md")  # noqa: PTH105 - the bare call
        opened = os.open(folder, os.O_RDONLY)
        os.fsync(opened)
        os.close(opened)


def _beside(name: str, times: int, work: Sequence[Callable[[], object]], floor: Callable[[], object]) -> Row:
    """Microseconds of wall time, for a disk is waited for. Work and floor take turns; of `work` the first counts."""
    spent, least = [], []
    for _ in range(times):
        spent.append(_wall(work[0]))
        for rest in work[1:]:
            rest()
        least.append(_wall(floor))
    return row(name, spent, least, unit="us")


def _wall(work: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1000


def _add(times: int) -> Row:
    """One `add` that fills the list to its last characters; it is removed again outside of what is measured."""
    with TemporaryDirectory(prefix="herma-bench-") as root:
        memory, other = _fill(Path(root) / "m", leave=1), Path(root) / "bare"
        other.mkdir()
        new = _entry(5000)
        data = DELIMITER.join([*map(_entry, range(21)), new]).encode()
        work = [
            lambda: _call(memory, action="add", content=new),
            lambda: _call(memory, action="remove", old_text="fact 5000"),
        ]
        return _beside("add", times, work, lambda: _bare(other, data))


def _batch(times: int) -> Row:
    """Five operations in one call on a full list, there and back again."""
    with TemporaryDirectory(prefix="herma-bench-") as root:
        memory, other = _fill(Path(root) / "m", leave=0), Path(root) / "bare"
        other.mkdir()
        data = DELIMITER.join(map(_entry, range(22))).encode()
        there, back = _exchange(0, 6000), _exchange(6000, 0)
        work = [lambda: _call(memory, operations=there), lambda: _call(memory, operations=back)]
        return _beside("batch5", times, work, lambda: _bare(other, data))


def _exchange(old: int, new: int) -> list[dict[str, str]]:
    return [
        {"action": "replace", "old_text": f"fact {old:04}", "content": _entry(new)},
        *({"action": "remove", "old_text": f"fact {old + n:04}"} for n in (1, 2)),
        *({"action": "add", "content": _entry(new + n)} for n in (1, 2)),
    ]


def _snapshots(times: int) -> list[Row]:
    """The text for a session that begins: of files that have not changed, and of files that are new to the process.

    The floor is reading the two files.
    """
    with TemporaryDirectory(prefix="herma-bench-") as root:
        folder = Path(root) / "m"
        memory = _fill(folder, leave=0)
        paths = [f"{folder}/{name}" for name in ("MEMORY.md", "USER.md")]
        memory.snapshot(_PERSON)
        warm = _beside("snapshot", times * 10, [lambda: memory.snapshot(_PERSON)], lambda: list(map(_read, paths)))
        cold = _beside(
            "snapshot/cold", times, [lambda: _memory(folder).snapshot(_PERSON)], lambda: list(map(_read, paths))
        )
        return [warm, cold]


def _new_session(times: int) -> Row:
    """The same with the session's text put down for a resume; the floor is a draft and a rename of as many bytes."""
    with TemporaryDirectory(prefix="herma-bench-") as root:
        folder = Path(root) / "m"
        memory = _fill(folder, leave=0)
        data = memory.snapshot(_PERSON).encode()
        names = (f"session-{n}" for n in range(times))

        def floor() -> None:
            place = Path(root) / "draft"
            place.write_bytes(data)
            place.replace(Path(root) / "text")

        return _beside("snapshot/new_session", times, [lambda: memory.system(_PERSON, session=next(names))], floor)


def _read(path: str) -> bytes:
    opened = os.open(path, os.O_RDONLY)
    try:
        return os.read(opened, os.fstat(opened).st_size + 1)
    finally:
        os.close(opened)


def _processes(times: int) -> Row:
    """Eight processes write to one memory at once: milliseconds a write, all processes together.

    The floor is that of `add`, in as many processes with the same lock.
    """
    with TemporaryDirectory(prefix="herma-bench-") as root:
        folder, bare = Path(root) / "m", Path(root) / "bare"
        _fill(folder, leave=_PROCESSES)
        bare.mkdir()
        rounds = range(1 if times < _PROCESSES else 5)
        turns = [(_together(folder, times, "add"), _together(bare, times, "bare")) for _ in rounds]
        spent, least = zip(*turns, strict=True)
        return row("add/8_processes", spent, least, unit="ms")


def _together(folder: Path, times: int, kind: str) -> float:
    command = [sys.executable, "-c", _WORKER, str(folder)]
    workers = [
        subprocess.Popen([*command, str(n), str(times), kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for n in range(_PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout is not None
        worker.stdout.readline()
    start = time.perf_counter()
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        worker.communicate(timeout=120)
        assert worker.returncode == 0
    return (time.perf_counter() - start) * 1000 / (_PROCESSES * times * 2)


def work(folder: str, number: int, times: int, kind: str) -> None:
    """One of the processes: as many pairs of writes, each of a fact of its own."""
    memory, data = _memory(Path(folder)), DELIMITER.join(map(_entry, range(22))).encode()
    print("ready", flush=True)
    sys.stdin.readline()
    for n in range(times):
        if kind == "bare":
            _bare(Path(folder), data)
            _bare(Path(folder), data)
        else:
            new = _entry(1000 * (number + 1) + n)
            _call(memory, action="add", content=new)
            _call(memory, action="remove", old_text=new)
