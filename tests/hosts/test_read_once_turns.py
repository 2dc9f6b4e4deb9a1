"""read-once in single turns of the real `hermes chat`: compaction, resume, vetoes, and what stands beside it."""

import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hosts.hermes import ROOT, Hermes
from tests.hosts.home import Config, Home
from tests.hosts.homes import Homes
from tests.hosts.model import Reply, Request, ScriptedModel, calls, say
from tests.hosts.observed import OBSERVER, Observed
from tests.hosts.once_house import check_notes, is_content, is_note, read, reasons
from tests.hosts.turn import run_turn

TREE = ROOT / "integrations" / "hermes" / "read-once"
GATEKEEPER = Path(__file__).parent / "plugins" / "gatekeeper"

Step = Reply | Callable[[Request], Reply]


class Desk(NamedTuple):
    """Where turns are run: a home, a scripted model, the folder that is read-once's root, and the observer's log."""

    hermes: Hermes
    home: Home
    model: ScriptedModel
    folder: Path
    observed: Observed

    def write(self, name: str, text: str) -> Path:
        """A file of the folder."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def turn(self, *steps: Step, hits: bool = True, resume: str | None = None, gate: Path | None = None) -> str:
        """One turn in which the model does `steps`; its session. `gate` is the file that closes the gatekeeper."""
        self.model.replies(*steps, say("done"))
        environment = {
            **self.observed.environment(text=True),
            "READ_ONCE_ROOT": str(self.folder),
            "READ_ONCE_HITS": "1" if hits else "0",
            "GATEKEEPER_FILE": str(gate or ""),
        }
        turn = run_turn(
            self.hermes, self.home, "go on", cwd=self.folder, resume=resume, environment=environment, timeout=300
        )
        return turn.session_id

    def results(self) -> list[str]:
        """Every result that stood in the latest request."""
        return [text for _, text in self.model.requests[-1].tool_results()]


Open = Callable[..., Desk]


@pytest.fixture
def desk(hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path) -> Open:
    """Opens a desk: read-once is the installed package's, unless plugins say otherwise."""

    def opened(
        *, plugins: Iterable[Path] = (), enabled: Iterable[str] = ("read-once",), config: Config | None = None
    ) -> Desk:
        home = homes.make(hermes, model, plugins=[OBSERVER, *plugins], enabled=enabled, config=config or {})
        return Desk(hermes, home, model, folder, Observed(home.folder / "observed.jsonl"))

    return opened


@pytest.fixture(autouse=True)
def _every_note_is_true(model: ScriptedModel) -> Iterator[None]:
    yield
    check_notes(model.requests)


def test_what_a_compaction_took_away_is_read_again(desk: Open) -> None:
    """The context is small and fills; the host summarises in the middle of the turn."""
    at = desk(config={"model": {"context_length": 64_000}})
    target = at.write("target.txt", "".join(f"line {n} of the target\n" for n in range(60)))
    big = [at.write(f"big{n}.txt", f"big {n} lorem ipsum dolor sit amet\n" * 450) for n in range(10)]
    at.model.aux(default=say("Some files were read. Nothing else is to be done."))
    # Usage grows as the context does; 0.22 believes what the model reports.
    steps = [
        step.costing(6_000 * n, 10) for n, step in enumerate([read(target), *map(read, big), *[read(target)] * 3], 1)
    ]
    at.turn(*steps)
    turns = [request for request in at.model.requests if not request.aux]
    assert len(turns) < len(at.model.requests), "the host has asked for a summary"
    asked = [request for request in turns if len(request.messages) > 2]
    content = next(text for _, text in asked[0].tool_results() if "of the target" in text)
    first, second, third = at.results()[-3:]
    before = [text for _, text in turns[-4].tool_results()]
    assert content not in before, "the text was gone when the model read again"
    assert first.startswith(content), "so it got the text, which the host may have written a remark behind"
    assert is_note(second)
    assert third.startswith(content)
    counted = reasons(at.observed)
    assert counted["not_visible"] == 1
    assert counted["hit"] == 1
    assert "false_host_stub" not in counted


def test_a_resumed_session_gets_content_once_and_notes_from_then_on(desk: Open) -> None:
    at = desk()
    path = at.write("resumed.txt", "alpha\nbeta\n")
    session = at.turn(read(path))
    [first] = at.results()
    assert at.turn(read(path), read(path), resume=session) == session
    earlier, again, note = at.results()
    assert earlier == first, "the resumed request holds the result of the first process"
    assert again == first, "but this process has proved nothing"
    assert is_note(note)
    assert f"read_file call {at.model.requests[-1].tool_results()[1][0]} " in note


def _copied(folder: Path, name: str) -> Path:
    """The plugin's tree under another name: hosts load folders in the order of their names, installed plugins last."""
    made = shutil.copytree(TREE, folder / name)
    manifest = made / "plugin.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("name: read-once", f"name: {name}"), "utf-8")
    return made


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_veto_of_another_plugin_stands_wherever_that_is_loaded(desk: Open, tmp_path: Path, place: str) -> None:
    # The gatekeeper is a folder: it comes before the installed plugin and behind a folder named `a-read-once`.
    trees = [GATEKEEPER] if place == "before" else [_copied(tmp_path, "a-read-once"), GATEKEEPER]
    at = desk(plugins=trees, enabled=["read-once"] if place == "before" else [])
    path = at.write("guarded.txt", "alpha\nbeta\n")
    gate = tmp_path / "closed"

    def closing(_: Request) -> Reply:
        gate.touch()
        return read(path)

    def opening(_: Request) -> Reply:
        gate.unlink()
        return read(path)

    at.turn(read(path), closing, opening, gate=gate)
    content, vetoed, noted = at.results()
    assert is_content(content)
    assert vetoed == f'{{"error": "The gatekeeper vetoes {path}."}}'
    assert is_note(noted)
    seen = [event["vetoed"] for event in at.observed.events("pre_tool_call", tool="read_file")]
    assert len(seen) == 3, "every plugin's gate ran for every call"


def test_observing_changes_no_result(desk: Open) -> None:
    def everything(at: Desk) -> list[str]:
        at.model.clear()
        path = at.write("watched.txt", "alpha\nbeta\n")
        long = at.write("long.txt", "x\n" * 3_000)
        bad = [read("nothing.txt"), read("~/nothing.txt"), read(at.folder), read(path, offset="2", limit="x")]
        at.turn(*[read(path)] * 4, *[read(long)] * 2, calls([read(path), read(long, offset=9)]), *bad, hits=False)
        return [text.replace(str(at.home.user), "HOME") for text in at.results()]

    alone = everything(desk(enabled=[]))
    at = desk()
    assert everything(at) == alone
    counted = reasons(at.observed)
    assert "hit" not in counted
    assert counted["observing"] >= 1
    assert counted["host_stub"] >= 2


def test_what_read_summarizer_has_shortened_is_never_offered_as_if_it_were_whole(desk: Open) -> None:
    at = desk(enabled=["read-once", "read-summarizer"], config={"read_summarizer": {"enabled": True}})
    log = at.write(
        "server.log", "".join(f"{n:05d} worker finished a job and went on to the next\n" for n in range(1_900))
    )
    short = at.write("short.txt", "alpha\nbeta\n")
    at.turn(*[read(log)] * 4, read(short), read(short), read(log), read(log, offset=900, limit=20))
    *logs, first, second, last, window = at.results()
    assert "... [read-summarizer: " in logs[0]
    assert not any(is_note(text) for text in [*logs, last, window])
    assert not any("BLOCKED" in text for text in [*logs, last])
    assert "00900 worker" in window
    assert is_content(first)
    assert is_note(second)


def test_the_largest_result_that_a_host_sends_whole_can_be_noted_and_a_larger_one_never_is(desk: Open) -> None:
    """A host keeps 200,000 characters of a message's results; what is more it puts aside, and shows a preview."""
    at = desk(config={"file_read_max_chars": 2_000_000, "model": {"context_length": 2_000_000}})
    large = at.write("large.txt", ("y" * 999 + "\n") * 190)
    huge = at.write("huge.txt", ("y" * 1_023 + "\n") * 1_024)
    at.turn(read(large), read(large), read(huge, limit=2_000), read(huge, limit=2_000), read(huge, limit=2_000))
    whole, noted, *put_aside = at.results()
    assert len(whole) > 190_000
    assert is_note(noted)
    assert not any(is_note(text) for text in put_aside)
    assert put_aside[0].startswith("<persisted-output>")
    assert reasons(at.observed)["not_visible"] == 2


# Asked inside the host: what we make of its terminal policies.
POLICIES = """
from herma.hosts.hermes import backend
from tools import terminal_scope
for policy in (None, {"TERMINAL_ENV": "local"}, {"TERMINAL_ENV": "docker"}, terminal_scope.TerminalPolicyRefusal("x")):
    terminal_scope.set_terminal_scope(policy)
    print(backend.elsewhere())
print(backend.shown())
"""


def test_the_hosts_terminal_policy_is_found_where_there_is_one(desk: Open, hermes: Hermes) -> None:
    """This fails when a host that binds its policy to the turn does so under another name."""
    at = desk()
    done = subprocess.run(
        [str(hermes.python), "-c", POLICIES],
        env=at.home.environment(),
        cwd=at.folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if hermes.version == "0.19.0":
        assert "cannot import name 'terminal_scope'" in done.stderr, "it has none, and the process variable decides"
    else:
        assert done.stdout.split() == ["None", "None", "non_local_backend", "terminal_policy_refused", "True"]
