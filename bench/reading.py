"""What read-once costs: a hit beside the bare file work, the look into a request, and what the host itself adds."""

import hashlib
import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.engine.conversation import Conversation, Key
from tests.engine.conversation import Hermes as Host
from tests.engine.conversation import bench as service
from tests.hermes.stand_in import Host as Wired
from tests.hermes.stand_in import Plugged, plug
from tests.hosts.hermes import find

from bench import replay
from bench.hooks import registered
from bench.measure import Row, compared, row
from herma.core.reading.events import ToolFacts
from herma.core.reading.visibility import index_of, mark_of, seen_in
from herma.engine.reads import Call

__all__ = ["rows"]

# Hermes returns at most 100,000 characters of a file unless `file_read_max_chars` is raised, so a host with its
# default settings reaches the first two of these and not the third.
_SIZES = {"1KB": 1_024, "64KB": 64 * 1_024, "1MB": 1_024 * 1_024}
_LINE = "2026-11-30 12:00:00 INFO worker finished a job and went on\n"
# As deep as files of a project lie.
_BELOW = ("project", "notes", "today.log")
_MESSAGES = 2_000
_ENTRIES = 128
_NEWEST = "0.22.2"


def rows(*, quick: bool) -> list[Row]:
    """Every row. `quick` takes few samples: it shows that the bench runs, not what things cost."""
    times = 20 if quick else 1_000
    measured = [_hit(name, size, times) for name, size in _SIZES.items()]
    measured += [_plugin_hit(name, _SIZES[name], min(times, 800)) for name in ("1KB", "64KB")]
    measured += [
        _visibility("visibility/2MB", times // 5),
        _visibility("visibility/2MB/gone", times // 5, held=False),
        _visibility("visibility/2MB/equal", times // 5, even=True),
    ]
    hosts = [] if quick else registered(samples=7)
    return [*measured, *_host_reads(times // 10), *hosts, *replay.rows()]


def _hit(name: str, size: int, times: int) -> Row:
    """A hit that needs no call of the host; the floor is the same walk, stat, read, SHA-256 and stat in bare code."""
    with TemporaryDirectory(prefix="herma-bench-") as folder:
        root = Path(folder).resolve()
        path = _file(root, size)
        host = _Wide("0.19.0")
        talk = service(root).talk(host)
        talk.read(path)
        talk.ask()
        calls = iter([_later(talk, path) for _ in range(2 * times + 100)])

        def hit() -> None:
            assert isinstance(talk.once.before(next(calls), talk.settings, host), str), "no hit was measured"

        return compared(f"hit/{name}", hit, lambda: _bare(str(root), _BELOW), times=times)


def _plugin_hit(name: str, size: int, times: int) -> Row:
    """The same through the plugin's middleware, with all that a host hands it; the host's own chain is not in it."""
    with TemporaryDirectory(prefix="herma-bench-") as folder, pytest.MonkeyPatch.context() as patch:
        root = Path(folder).resolve()
        path = _file(root, size)
        patch.setenv("READ_ONCE_ROOT", str(root))
        patch.setenv("READ_ONCE_HITS", "1")
        host = Wired("0.19.0")
        plugged = plug(host, patch)
        arguments = {"path": str(path), "limit": 2_000}
        first = {**plugged.ids(), "tool_call_id": "first"}
        plugged.messages.append(host.tool(arguments, **first))
        plugged.ask()
        request = plugged.ids()["api_request_id"]
        payloads = [_payload(plugged, n, request, arguments) for n in range(times + 100)]
        for payload in payloads:
            host.hook("pre_tool_call", **payload)
        waiting = iter(payloads)
        middleware = host._middleware["tool_execution"][-1]  # noqa: SLF001 - the stand-in's own list

        def hit() -> None:
            assert "You have this already" in str(middleware(**next(waiting))), "no hit was measured"

        return compared(f"hit/{name}/plugin", hit, lambda: _bare(str(root), _BELOW), times=times)


def _payload(plugged: Plugged, n: int, request: str, arguments: Mapping[str, object]) -> dict[str, object]:
    ids = plugged.ids(turn_id=f"session:task:later-{n}", api_request_id=request, tool_call_id=f"later-{n}")
    return {**ids, "tool_name": "read_file", "args": arguments, "next_call": None}


def _file(root: Path, size: int) -> Path:
    path = root.joinpath(*_BELOW)
    path.parent.mkdir(parents=True)
    path.write_text((_LINE * (size // len(_LINE) + 1))[: size - 1] + "\n", "utf-8")
    return path


def _later(talk: Conversation, path: Path) -> Call:
    """The same read in a later turn: within one turn a note is followed by content."""
    talk.next_turn()
    return talk.call(path)


_WIDE = ToolFacts(100_000, 100_000)


class _Wide(Host):
    """A host whose limits are raised far enough for a hit on a whole megabyte."""

    def facts(self) -> ToolFacts:
        """With a page for the largest file there is."""
        return _WIDE

    def _content(self, key: Key, path: str) -> str:
        del key
        text = Path(path).read_text("utf-8")
        lines = text.removesuffix("\n").split("\n")
        content = "\n".join(f"{n}|{line}" for n, line in enumerate(lines, 1))
        record = {"content": content, "total_lines": len(lines), "file_size": len(text), "truncated": False}
        return json.dumps(record, ensure_ascii=False)


def _bare(root: str, parts: tuple[str, ...]) -> bytes:
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for part in parts[:-1]:
        below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
        os.close(folder)
        folder = below
    file = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder)
    os.close(folder)
    size = os.fstat(file).st_size
    digest = hashlib.sha256(os.read(file, size)).digest()
    os.fstat(file)
    os.close(file)
    return digest


def _visibility(name: str, times: int, *, even: bool = False, held: bool = True) -> Row:
    """The look into a request of 2 MB for 128 remembered results; the floor is writing that request as JSON.

    `held` says whether the request holds those results; `even` gives all results one length, the worst case.
    """
    texts = [_result(n, 1_024 if even else 24 + n) for n in range(_MESSAGES)]
    messages = [{"role": "tool", "tool_call_id": f"call_{n}", "content": text} for n, text in enumerate(texts)]
    chosen = texts[:: _MESSAGES // _ENTRIES][:_ENTRIES]
    index = index_of(mark_of(text if held else text + " ") for text in chosen)
    request = {"model": "any", "messages": messages}
    assert len(seen_in(request, index)) == (_ENTRIES if held else 0)
    return compared(name, lambda: seen_in(request, index), lambda: json.dumps(request), times=times)


def _result(n: int, length: int) -> str:
    """A result as Hermes writes it, JSON of numbered lines, of exactly that length."""
    lines = "".join(f"{line}|{_LINE}" for line in range(n, n + length // len(_LINE) + 2))
    return json.dumps({"content": lines})[: length - 2] + '"}'


# Asked inside the host: what its own read of a file costs, in microseconds of CPU, with its record of reads cleared.
_READ = """
import json, sys, time
from tools.file_tools import read_file_tool
import tools.file_tools_read_tracking as tracking

def once(path):
    tracking.reset_file_dedup("bench")
    tracking.notify_other_tool_call("bench")
    start = time.thread_time_ns()
    read_file_tool(path, task_id="bench")
    return (time.thread_time_ns() - start) / 1000

path, times = sys.argv[1], int(sys.argv[2])
for _ in range(3):
    once(path)
print(json.dumps([once(path) for _ in range(times)]))
"""


def _host_reads(times: int) -> list[Row]:
    """What Hermes 0.22 adds to a hit: it runs its gate inside the read, so the note comes after the host's own read."""
    hermes = find(_NEWEST)
    if not hermes.available():
        return []
    found = []
    with TemporaryDirectory(prefix="herma-bench-") as folder:
        for name in ("1KB", "64KB"):
            path = Path(folder) / name
            path.write_text(_LINE * (_SIZES[name] // len(_LINE)), "utf-8")
            environment = {"HERMES_HOME": folder, "HOME": folder, "PATH": os.environ.get("PATH", "")}
            command = [str(hermes.python), "-c", _READ, str(path), str(max(times, 3))]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300)
            found.append(row(f"host_read/{name}/{_NEWEST}", json.loads(done.stdout.splitlines()[-1]), unit="us"))
    return found
