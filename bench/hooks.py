"""What the hooks cost: registering in a running Hermes, a call that is no read, and shortening a big result."""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.hosts.hermes import VERSIONS, Hermes, find
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel, say
from tests.hosts.turn import run_turn

from bench import people
from bench.measure import Row, compared, row
from herma.core.reading.events import Decision, NeedLines, Pass, ToolFacts, ToolResult
from herma.core.reading.summarizer import SummarySettings, decide
from herma.engine.counters import Counters
from herma.engine.reading import Pipeline, Shaper

__all__ = ["registered", "rows"]

_CLOCK = Path(__file__).parent / "plugins" / "clock"
_FACTS = ToolFacts(500, 2000, None)
_SETTINGS = SummarySettings(enabled=True)


def rows(*, quick: bool) -> list[Row]:
    """Every row. `quick` takes few samples: it shows that the bench runs, not what things cost."""
    times = 5 if quick else 400
    return [*registered(samples=1 if quick else 7), _idle_hook(times), _summarize(times), *people.rows(quick=quick)]


def registered(*, samples: int) -> list[Row]:
    """What importing and registering all of Herma's plugins costs inside each running Hermes that is installed."""
    return [_register(hermes, samples) for hermes in map(find, VERSIONS) if hermes.available()]


class _NoHost:
    """The host's part is not measured here: it answers at once, with the end of the file where it is asked."""

    def __init__(self, tail: str) -> None:
        self._tail = tail

    def facts(self, tool: str) -> ToolFacts:
        del tool
        return _FACTS

    def read_lines(self, path: object, wanted: NeedLines) -> str | None:
        del path, wanted
        return self._tail

    def shown_in_part(self, path: object) -> None:
        del path


def _pipeline() -> Pipeline:
    def decision(
        event: ToolResult, facts: ToolFacts, *, asked: NeedLines | None, answers: Sequence[str | None]
    ) -> Decision:
        return decide(event, _SETTINGS, facts, asked=asked, answers=answers)

    pipeline = Pipeline(Counters())
    pipeline.join(Shaper("read-summarizer", 50, decision))
    return pipeline


def _idle_hook(times: int) -> Row:
    """A tool call that is no read, through the whole pipeline. No floor: the host alone would do nothing here."""
    pipeline, host = _pipeline(), _NoHost("")
    event = ToolResult("terminal", {"command": "ls"}, '{"output": "", "exit_code": 0}', "call_1")
    return compared("idle_hook", lambda: pipeline.shape(event, host), None, times=times * 10)


def _summarize(times: int) -> Row:
    """A result of 200 KB; the floor is parsing and writing the same result as JSON."""
    pipeline, result = _pipeline(), _page(1, 3100, 6000)
    host = _NoHost(_page(5935, 66, 6000))
    event = ToolResult("read_file", {"path": "server.log"}, result, "call_1")
    assert not isinstance(decide(event, _SETTINGS, _FACTS), Pass)
    floor = lambda: json.dumps(json.loads(result), ensure_ascii=False)  # noqa: E731 - a name for the floor
    return compared("summarize/200KB", lambda: pipeline.shape(event, host), floor, times=times)


def _page(first: int, count: int, total: int) -> str:
    lines = (
        f"{n}|2026-11-30 12:00:00 INFO worker-{n % 7} finished job {n} and went on" for n in range(first, first + count)
    )
    record = {
        "content": "\n".join(lines),
        "total_lines": total,
        "file_size": 390_000,
        "truncated": first + count <= total,
    }
    return json.dumps(record, ensure_ascii=False)


def _register(hermes: Hermes, samples: int) -> Row:
    """CPU of importing and registering the plugins inside a running Hermes, one process a sample.

    The floor is an empty plugin that registers one of each kind before them.
    """
    spent, least = [], []
    with TemporaryDirectory(prefix="herma-bench-") as root:
        folder = Path(root) / "work"
        folder.mkdir()
        homes = Homes(Path(root))
        for n in range(samples):
            report = Path(root) / f"clock-{n}.json"
            with ScriptedModel() as model:
                model.replies(say("done"))
                home = homes.make(hermes, model, plugins=[_CLOCK])
                run_turn(hermes, home, "hello", cwd=folder, environment={"HERMA_CLOCK": str(report)})
            measured = json.loads(report.read_text("utf-8"))
            spent.append(measured["plugins"])
            least.append(measured["floor"])
    name = "register/cpu" if hermes.version == VERSIONS[0] else f"register/cpu/{hermes.version}"
    return row(name, spent, least, unit="ms")
