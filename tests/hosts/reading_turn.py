"""One turn in which a scripted model reads everything, and what it got for each of its calls."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.huge import Huge
from tests.hosts.model import Answer, Reply, Request, ScriptedModel, call, calls, say
from tests.hosts.observed import OBSERVER, OTHERTOOLS, Observed
from tests.hosts.turn import run_turn

__all__ = ["TREE", "Results", "page_after", "read_everything"]

TREE = Path(__file__).resolve().parents[2] / "integrations" / "hermes" / "read-summarizer"


@dataclass(frozen=True)
class Results:
    """The text that the model got for each call, under the label of the call."""

    by_label: Mapping[str, str]
    observed: Observed
    log: str

    def __getitem__(self, label: str) -> str:
        return self.by_label[label]

    def page(self, label: str) -> dict[str, Any]:
        """A result as the JSON object that it must be."""
        record = json.loads(self.by_label[label])
        assert isinstance(record, dict)
        return record

    def labels(self, prefix: str) -> list[str]:
        """The labels that begin with `prefix`, in the order of the calls."""
        return [label for label in self.by_label if label.startswith(prefix)]

    def reasons(self, system: str = "read-summarizer") -> dict[str, int]:
        """The reasons counted in the host's process at the end of the turn."""
        counted = self.observed.events("on_session_end")[-1]["counters"]
        assert len(counted) == 1, "one home, one runtime"
        reasons = counted[0]["reasons"][system]
        assert isinstance(reasons, dict)
        return reasons


def page_after(text: str) -> int | None:
    """The offset that a page names for the next one, as a model would find it, or None at the end."""
    record = json.loads(text)
    if isinstance(record.get("next_offset"), int):
        return int(record["next_offset"])
    named = re.search(r"offset=(\d+)", str(record.get("hint", ""))) if record.get("truncated") else None
    return int(named.group(1)) if named else None


class _Script:
    """Turns labelled calls into the model's replies and files the results under their labels."""

    def __init__(self, files: Mapping[str, Huge], folder: Path, default_limit: int) -> None:
        self._files = files
        self._folder = folder
        self._default_limit = default_limit
        self._waiting: list[str] = []
        self.results: dict[str, str] = {}

    def replies(self) -> list[Answer]:
        """Every reply takes the results of the one before, so each is a function of the request."""
        steps = self._steps()

        def step(request: Request) -> Reply:
            self._collect(request)
            return next(steps, say("done"))

        return [step] * 80

    def _collect(self, request: Request) -> None:
        texts = [text for _, text in request.tool_results()][-len(self._waiting) :] if self._waiting else []
        self.results.update(zip(self._waiting, texts, strict=True))
        self._waiting = []

    def _ask(self, **labelled: Reply) -> Reply:
        self._waiting = list(labelled)
        return calls(labelled.values())

    def _steps(self) -> Iterator[Reply]:
        log = str(self._files["server.log"].path)
        yield self._ask(log=call("read_file", path=log))
        yield from self._pages("log_page_", log)
        yield self._ask(plain_again=call("read_file", path="sent-whole.txt", offset=1, limit=self._default_limit))
        yield self._ask(whole=call("read_file", path=log, offset=0, limit=10000))
        yield self._ask(tail_window=call("read_file", path=log, offset=5951, limit=50))
        for name in ("open-ended.log", "wide.txt", "one-line.json", "small.txt", "crlf.txt", "漢字.txt"):
            yield self._ask(**{name: call("read_file", path=name)})
        hint = json.loads(self.results["one-line.json"]).get("hint", "")
        command = re.search(r"sed -n .*? \| head -c \d+", hint)
        yield self._ask(way=call("terminal", command=command.group(0) if command else "true"))
        yield self._ask(missing=call("read_file", path="nothing.txt"), picture=call("read_file", path="picture.png"))
        yield self._ask(
            batch_a=call("read_file", path="batch-a.log", limit=str(self._default_limit), offset="1"),
            batch_small=call("read_file", path="./batch-small.txt"),
            batch_b=call("read_file", path=str(self._folder / "batch-b.log")),
        )
        yield self._ask(vetoed=call("read_file", path="forbidden.log"))
        yield self._ask(other=call("search_files", pattern="job 59", path=log, limit=60))
        yield self._ask(text_tool=call("Read", path="memo.txt"))
        yield self._ask(window_00=call("read_path", path="row.json"))
        named = re.search(r"byte_offset=(\d+), byte_limit=(\d+), .* byte (\d+)", self.results["window_00"])
        start, count, end = map(int, named.groups()) if named else (0, 1, 0)
        for n, offset in enumerate(range(start, end, count), 1):
            wanted = call("read_path", path="row.json", byte_offset=offset, byte_limit=min(count, end - offset))
            yield self._ask(**{f"window_{n:02d}": wanted})

    def _pages(self, label: str, path: str) -> Iterator[Reply]:
        """Follows the marker's promise: from what the shortened result names, page by page, to the end."""
        following = page_after(self.results["log"])
        for n in range(40):
            if following is None:
                return
            yield self._ask(**{f"{label}{n:02d}": call("read_file", path=path, offset=following, limit=1500)})
            following = page_after(self.results[f"{label}{n:02d}"])


# The page that each host reads when nothing is asked: a model that always sends every argument sends this.
DEFAULT_LIMIT = {"0.19.0": 500, "0.22.2": 2000}


def read_everything(  # noqa: PLR0913 - what a turn runs on
    hermes: Hermes, homes: Homes, files: Mapping[str, Huge], folder: Path, *, plugin: bool, config: Mapping[str, Any]
) -> Results:
    """Runs the turn with or without the plugin, and returns what the model got."""
    script = _Script(files, folder, DEFAULT_LIMIT[hermes.version])
    with ScriptedModel() as model:
        model.replies(*script.replies())
        trees = [OTHERTOOLS, OBSERVER]
        installed = ["read-summarizer"] if plugin and hermes.version == "0.19.0" else []
        trees += [TREE] if plugin and not installed else []
        home = homes.make(hermes, model, plugins=trees, enabled=installed, config=config)
        observed = Observed(home.folder / "observed.jsonl")
        surroundings = observed.environment(veto="forbidden.log")
        run_turn(hermes, home, "read everything", cwd=folder, environment=surroundings, timeout=300)
    return Results(script.results, observed, home.log.read_text("utf-8"))
