"""Two turns of the same script in a real Hermes, without the plugin and with it, compared call by call."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel
from tests.hosts.observed import OBSERVER, Observed
from tests.hosts.turn import run_turn

from demo.scenes import SCENES, prepare, replies
from herma.core.reading.note import OPENING
from herma.core.tokens import METHOD, estimate

__all__ = ["Demo", "Row", "run"]

_ON: Mapping[str, Any] = {"read_summarizer": {"enabled": True}}


class Row(NamedTuple):
    """One call: what the model asked for, what became of the result, and its tokens before and after."""

    title: str
    call: str
    reason: str
    before: int
    after: int


class Demo(NamedTuple):
    """The whole demo: the host, how tokens were counted, and a row for each call."""

    hermes: str
    method: str
    rows: tuple[Row, ...]
    shortened: str


class _Turn(NamedTuple):
    results: list[str]
    reasons: Mapping[str, str]
    ids: list[str]

    def outcome(self, call_id: str, result: str) -> str:
        """The reason of what became of a call; a note is read-once's, and its outcome is always the same."""
        return "note" if result.startswith(OPENING) else self.reasons.get(call_id, "")


def run(hermes: Hermes) -> Demo:
    """Runs both turns in throwaway homes and compares what the model received."""
    with TemporaryDirectory(prefix="herma-demo-") as root:
        folder = Path(root) / "work"
        folder.mkdir()
        prepare(folder)
        homes = Homes(Path(root))
        bare = _turn(hermes, homes, folder, on=False)
        on = _turn(hermes, homes, folder, on=True)
    rows = tuple(
        Row(scene.title, _written(scene.tool, scene.arguments), on.outcome(id_, new), estimate(old), estimate(new))
        for scene, old, new, id_ in zip(SCENES, bare.results, on.results, on.ids, strict=True)
        if scene.tool == "read_file"
    )
    return Demo(hermes.version, METHOD, rows, on.results[0])


def _turn(hermes: Hermes, homes: Homes, folder: Path, *, on: bool) -> _Turn:
    with ScriptedModel() as model:
        model.replies(*replies(folder))
        enabled = ["read-summarizer", "read-once"] if on else []
        home = homes.make(hermes, model, plugins=[OBSERVER], enabled=enabled, config=_ON if on else {})
        observed = Observed(home.folder / "observed.jsonl")
        surroundings = {**observed.environment(), "READ_ONCE_ROOT": str(folder), "READ_ONCE_HITS": "1"}
        run_turn(hermes, home, "Please read these files.", cwd=folder, environment=surroundings)
        results = model.requests[-1].tool_results()
    runtimes = observed.events("on_session_end")[-1].get("counters", ())
    outcomes = [outcome for runtime in runtimes for outcome in runtime["outcomes"]]
    reasons = {outcome["call_id"]: outcome["reason"] for outcome in outcomes}
    return _Turn([text for _, text in results], reasons, [id_ for id_, _ in results])


def _written(tool: str, arguments: Mapping[str, object]) -> str:
    return f"{tool}({', '.join(f'{name}={value}' for name, value in arguments.items())})"
