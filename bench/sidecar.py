"""What the sidecar of OpenCode costs: its start, a round trip beside a plain echo server, and the text of a session."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import Row, row
from herma.rpc.client import Process
from herma.rpc.wire import Call, line_of

__all__ = ["rows"]

_RPC = [sys.executable, "-I", "-m", "herma", "rpc"]
_ECHO = """
import json, sys
for line in sys.stdin.buffer:
    call = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": call["id"], "result": call["params"]}
    sys.stdout.buffer.write(json.dumps(reply).encode() + b"\\n")
    sys.stdout.buffer.flush()
"""
_ENVIRONMENT = "\nHere is some useful information about the environment you are running in:\n<env>\n"
_TITLE = "You are a title generator."
_BLOCK = 20
_HELLO = {"protocol": 1, "look": True}


def rows(*, quick: bool) -> list[Row]:
    """Start in milliseconds of CPU, the others in microseconds of wall clock, for they wait for another process."""
    times = 60 if quick else 2_000
    with TemporaryDirectory(prefix="herma-bench-") as root, _on_one_core():
        _fill(Path(root))
        environ = {"HOME": root, "PATH": os.defpath}
        starts = [_start(_RPC, environ) for _ in range(3 if quick else 15)]
        least = [_start([sys.executable, "-I", "-c", "import sys; sys.stdin.read()"], environ) for _ in starts]
        with (
            Process(_RPC, environ=environ) as ours,
            Process([sys.executable, "-I", "-c", _ECHO], environ=environ) as echo,
        ):
            ours.call("hello", _HELLO)
            small = {"session": "s", "turn": "msg"}
            large = {"session": "s", "base": _TITLE + "x" * 4_000}
            whole = {"session": "s", "base": "x" * 10_000 + _ENVIRONMENT}
            return [
                row("sidecar/start_cpu", starts, least, unit="ms"),
                _compared("sidecar/rtt_50B", ours, echo, ("turn", small), times),
                _compared("sidecar/rtt_4KB", ours, echo, ("system", large), times),
                _compared("inject", ours, echo, ("system", whole), times),
            ]


@contextmanager
def _on_one_core() -> Iterator[None]:
    """All processes on one core: to wake one on another takes as long again as the whole call, or not, by chance."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _fill(home: Path) -> None:
    """Two memory files that are nearly full."""
    folder = home / ".config" / "opencode" / "memories"
    folder.mkdir(parents=True)
    for name, size in (("MEMORY.md", 20), ("USER.md", 12)):
        entries = [
            f"entry {n}: a fact that was worth keeping, in the words of a whole line of text" for n in range(size)
        ]
        (folder / name).write_text("\n§\n".join(entries), encoding="utf-8")


def _start(command: list[str], environ: Mapping[str, str]) -> float:
    """Milliseconds of CPU from the start to the first answer and the end."""
    process = subprocess.Popen(
        command, env=dict(environ), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    process.stdin.write(line_of(Call("hello", _HELLO, 1)))
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return (usage.ru_utime + usage.ru_stime) * 1000


def _compared(name: str, ours: Process, echo: Process, call: tuple[str, Mapping[str, object]], times: int) -> Row:
    spent: list[float] = []
    least: list[float] = []
    for _ in range(times // _BLOCK):
        spent += _block(ours, *call)
        least += _block(echo, *call)
    return row(name, spent, least, unit="us")


def _block(process: Process, method: str, parameters: Mapping[str, object]) -> list[float]:
    process.call(method, parameters)
    found = []
    for _ in range(_BLOCK):
        began = time.perf_counter_ns()
        process.call(method, parameters)
        found.append((time.perf_counter_ns() - began) / 1000)
    return found
