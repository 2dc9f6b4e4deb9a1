"""`herma memory` on a person's files."""

import json
from pathlib import Path

import pytest

from herma.cli.main import main
from herma.engine.memory import Memory, load_settings, local_person, open_memory
from herma.install.machine import Machine
from tests.cli.conftest import Herma
from tests.cli.folders import tree


def _memory(home: Path) -> Memory:
    return open_memory(load_settings({}, home=str(home)), lambda: 1_796_040_000.0)


def _call(memory: Memory, **arguments: object) -> None:
    answer = json.loads(memory.tool(local_person(), session="ses_1", turn="turn_9", arguments=arguments))
    assert answer["success"], answer


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a memory in which three things happened."""
    memory = _memory(tmp_path)
    _call(memory, action="add", content="The project uses uv.")
    _call(memory, action="add", content="Her name is Ada.\nShe lives in Bonn.", target="user")
    _call(memory, operations=[{"action": "demote", "old_text": "uv"}, {"action": "add", "content": "It uses make."}])
    return tmp_path / ".config" / "opencode" / "memories"


@pytest.mark.usefixtures("root")
def test_the_log_shows_each_change_with_its_origin_and_what_was_demoted(herma: Herma) -> None:
    outcome = herma("memory", "log")
    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert lines[0].startswith("3  2026-11-30 ")
    assert lines[0].endswith("  memory  by the memory tool, in session ses_1, turn turn_9")
    assert lines[1:3] == ["    - The project uses uv. (demoted)", "    + It uses make."]
    assert lines[-2:] == ["demoted from MEMORY.md, kept in MEMORY.demoted.md:", "    The project uses uv."]


@pytest.mark.usefixtures("root")
def test_the_log_as_json_says_the_same(herma: Herma) -> None:
    data = herma("memory", "log", "--json", "--limit", "2").data
    assert [each["change"]["number"] for each in data["changes"]] == [3, 2]
    first = data["changes"][0]
    assert first["change"]["session"] == "ses_1"
    assert (first["removed"], first["added"]) == (["The project uses uv."], ["It uses make."])
    assert data["demoted"] == {"memory": ["The project uses uv."], "user": []}
    assert data["person"] == local_person()


def test_a_change_by_hand_is_said_and_the_log_writes_nothing(herma: Herma, root: Path) -> None:
    (root / "MEMORY.md").write_text("by hand", encoding="utf-8")
    before = tree(root)
    lines = herma("memory", "log").out.splitlines()
    assert lines[0] == "MEMORY.md was changed by hand; the next write records it"
    assert herma("memory", "log", "--json").data["not_recorded_yet"] == ["memory"]
    assert tree(root) == before


@pytest.mark.usefixtures("root")
def test_show_tells_of_each_entry_where_it_comes_from(herma: Herma) -> None:
    lines = herma("memory", "show").out.splitlines()
    assert lines[0] == "memory: 0% — 13/2,200 chars (1 entries)"
    assert lines[1] == "  It uses make."
    assert lines[2].startswith("      change 3, 2026-11-30 ")
    assert lines[2].endswith(", by the memory tool, in session ses_1, turn turn_9")
    assert lines[4:6] == ["  Her name is Ada.", "  She lives in Bonn."]


def test_show_says_what_is_not_recorded_yet(herma: Herma, root: Path) -> None:
    (root / "MEMORY.md").write_text("by hand", encoding="utf-8")
    assert herma("memory", "show").out.splitlines()[1:3] == ["  by hand", "      not recorded yet"]
    assert herma("memory", "show", "--json").data["lists"]["memory"] == [{"text": "by hand", "since": None}]


@pytest.mark.usefixtures("root")
def test_show_with_a_number_is_the_list_as_it_was(herma: Herma) -> None:
    lists = herma("memory", "show", "1", "--json").data["lists"]
    assert [entry["text"] for entry in lists["memory"]] == ["The project uses uv."]
    assert list(lists) == ["memory"]


@pytest.mark.usefixtures("root")
def test_diff_shows_one_change_whole(herma: Herma) -> None:
    lines = herma("memory", "diff", "2").out.splitlines()
    assert lines[1:] == ["    + Her name is Ada.", "    + She lives in Bonn."]
    assert herma("memory", "diff").out.splitlines()[1:] == ["    - The project uses uv.", "    + It uses make."]
    assert herma("memory", "diff", "2", "--json").data["added"] == ["Her name is Ada.\nShe lives in Bonn."]


def test_undo_shows_what_it_would_do_and_does_nothing_without_a_yes(herma: Herma, root: Path) -> None:
    before = tree(root)
    planned, unasked = herma("memory", "undo", "--dry-run"), herma("memory", "undo")
    assert planned.code == 0
    assert planned.out.splitlines()[1:] == [
        "    - It uses make.",
        "    + The project uses uv.",
        "nothing was done: this is what would be done",
    ]
    assert unasked.code == 1
    assert unasked.out.splitlines()[-1] == "nothing was done: there is no terminal to ask at; add --yes to do it"
    assert tree(root) == before


def test_undo_takes_the_change_back_and_is_in_the_log(herma: Herma, root: Path) -> None:
    outcome = herma("memory", "undo", "--yes", "--json")
    assert outcome.code == 0
    assert (outcome.data["state"], outcome.data["change"], outcome.data["recorded_as"]) == ("done", 3, 4)
    assert (root / "MEMORY.md").read_text("utf-8") == "The project uses uv."
    assert "by herma memory undo, of change 3" in herma("memory", "log").out.splitlines()[0]


@pytest.mark.usefixtures("root")
def test_a_person_at_a_terminal_is_asked_before_memory_is_changed(
    herma: Herma, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin.readline", lambda: "n\n", raising=False)
    assert herma("memory", "undo").code == 1
    monkeypatch.setattr("sys.stdin.readline", lambda: "y\n", raising=False)
    assert herma("memory", "undo").code == 0


@pytest.mark.usefixtures("root")
def test_a_change_that_is_not_there_is_an_error_with_a_hint(herma: Herma) -> None:
    outcome = herma("memory", "undo", "99", "--yes")
    assert outcome.code == 2
    assert outcome.err == "error: there is no change 99\nhint: `herma memory log` lists the changes\n"


def test_a_file_that_is_no_text_is_an_error_and_stays(herma: Herma, root: Path) -> None:
    (root / "MEMORY.md").write_bytes(b"\xff")
    outcome = herma("memory", "show")
    assert outcome.code == 2
    assert "not text in UTF-8" in outcome.err
    assert (root / "MEMORY.md").read_bytes() == b"\xff"


@pytest.mark.usefixtures("root")
def test_another_persons_memory_is_another(herma: Herma) -> None:
    assert herma("memory", "log", "--person", "bob").out == "nothing has been recorded yet\n"
    assert herma("memory", "log", "--person", "").code == 2


def test_an_empty_memory_says_so_and_makes_nothing(herma: Herma, tmp_path: Path) -> None:
    assert herma("memory", "log").out == "nothing has been recorded yet\n"
    assert herma("memory", "show").out.splitlines()[0] == "memory: 0% — 0/2,200 chars (0 entries)"
    assert herma("memory", "undo").code == 2
    assert list(tmp_path.iterdir()) == []


def test_hostile_entries_do_not_steer_the_terminal(herma: Herma, root: Path) -> None:
    (root / "MEMORY.md").write_text("\x1b[2Jevil\u202e", encoding="utf-8")
    outcome = herma("memory", "show")
    assert "\\x1b[2Jevil\\u202e" in outcome.out
    assert "\x1b" not in outcome.out


def test_a_broken_settings_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    path.write_text("{", encoding="utf-8")
    machine = Machine({"HERMES_OPENCODE_CONFIG": str(path)}, home=tmp_path, prefix=tmp_path)
    assert main(["memory", "log"], machine=machine) == 0
    assert capsys.readouterr().out.startswith(f"warning: {path} is not JSON with comments")
