"""Whether a call names the files in which people are kept, whichever way the path is written."""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from herma.hosts.hermes.people.own_state import OwnState


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a database in its usual place, and a working folder beside it."""
    folder = tmp_path / "plugin-data" / "manyhands"
    folder.mkdir(parents=True)
    for name in ("manyhands.db", "manyhands.db-wal", "manyhands.db-shm"):
        (folder / name).write_bytes(b"x")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "notes.txt").write_bytes(b"x")
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HOUSE", str(folder))
    for name in ("TERMINAL_CWD", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def state(home: Path) -> OwnState:
    return OwnState.at(str(home / "plugin-data" / "manyhands" / "manyhands.db"))


def names(state: OwnState, **args: Any) -> bool:
    return state.named_in(args, "task")


@pytest.mark.parametrize(
    "path",
    [
        "{home}/plugin-data/manyhands/manyhands.db",
        "{home}/plugin-data/manyhands/manyhands.db-wal",
        "{home}/plugin-data/manyhands/another-file",
        "{home}/plugin-data/manyhands",
        "{home}/plugin-data/manyhands/",
        "{home}/notes/../plugin-data/./manyhands//manyhands.db",
        "../plugin-data/manyhands/manyhands.db",
        "~/plugin-data/manyhands/manyhands.db",
        "$HOUSE/manyhands.db",
        "${{HOUSE}}/manyhands.db",
        "file://{home}/plugin-data/manyhands/manyhands.db",
        "FILE://localhost{home}/plugin-data/manyhands/manyhands.db",
        "file://{home}/plugin-data/manyhands/m%61nyhands.db",
        " {home}/plugin-data/manyhands/manyhands.db ",
        "{home}/plugin-data/manyhands/manyhands.db\n",
        "'{home}/plugin-data/manyhands/manyhands.db'",
        '"{home}/plugin-data/manyhands/manyhands.db"',
    ],
)
def test_a_path_to_our_files_is_known_however_it_is_written(home: Path, state: OwnState, path: str) -> None:
    assert names(state, path=path.format(home=home))


def test_a_link_and_a_hard_link_and_a_linked_folder_are_the_same_files(home: Path, state: OwnState) -> None:
    database, work = home / "plugin-data" / "manyhands" / "manyhands.db", home / "work"
    (work / "link").symlink_to(database)
    os.link(database, work / "hard")
    (work / "folder").symlink_to(database.parent)
    (work / "chain").symlink_to(work / "link")
    for path in ("link", "hard", "folder/manyhands.db", "folder/not-there-yet", "chain", str(work / "hard")):
        assert names(state, path=path), path


@pytest.mark.parametrize(
    "patch",
    [
        "*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch",
        "*** Begin Patch\n***Update File: {path}\n@@\n-a\n+b",
        "***   Delete   File:   {path}  \n",
        "*** Begin Patch\r\n*** Add File: {path}\r\n+x\r\n",
        "*** Move File: notes.txt -> {path}\n*** End Patch",
        "*** Move File: {path} -> notes.txt\n*** End Patch",
        "*** Update File: {path}",
    ],
)
def test_a_patch_that_names_our_files_is_known(home: Path, state: OwnState, patch: str) -> None:
    assert names(state, patch=patch.format(path=home / "plugin-data" / "manyhands" / "manyhands.db"))
    assert not names(state, patch=patch.format(path=home / "work" / "notes.txt"))


def test_a_path_is_found_however_deep_it_stands(home: Path, state: OwnState) -> None:
    deep: object = str(home / "plugin-data" / "manyhands" / "manyhands.db")
    for level in range(20):
        deep = {"inner": deep} if level % 2 else [deep]
    assert names(state, value=deep)
    assert names(state, files=[{"path": "notes.txt"}, {"path": "../plugin-data/manyhands/manyhands.db"}])


def test_a_path_is_not_hidden_among_many(home: Path, state: OwnState) -> None:
    path = str(home / "plugin-data" / "manyhands" / "manyhands.db")
    assert names(state, paths=[*(f"file-{number}" for number in range(1_000)), path])
    assert names(state, paths=[f"file-{number}" for number in range(100_000)]), "nobody can look at all of them"


def test_arguments_that_hold_themselves_come_to_an_end(state: OwnState) -> None:
    endless: list[object] = []
    endless.append(endless)
    assert names(state, value=endless)


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"path": "notes.txt"},
        {"path": "../plugin-data"},
        {"path": "../plugin-data/manyhands-notes/manyhands.db"},
        {"path": ""},
        {"path": None, "limit": 5},
        {"content": "the file is plugin-data/manyhands/manyhands.db, they say\nand more"},
        {"path": "x\0y"},
        {"path": "x" * 10_000},
    ],
)
def test_everything_else_is_none_of_ours(state: OwnState, args: dict[str, object]) -> None:
    assert not state.named_in(args, "task")


def test_a_database_in_a_folder_of_other_things_shuts_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.db").write_bytes(b"x")
    (tmp_path / "notes.txt").write_bytes(b"x")
    state = OwnState.at(str(tmp_path / "people.db"))
    for path in ("people.db", "people.db-wal", "people.db-journal", str(tmp_path / "people.db")):
        assert names(state, path=path), path
    for path in ("notes.txt", ".", str(tmp_path)):
        assert not names(state, path=path), path


def test_what_the_host_takes_a_relative_path_for_counts_too(
    home: Path, state: OwnState, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def resolve(path: str, task: str) -> Path:
        asked.append((path, task))
        return home / "plugin-data" / "manyhands" / path

    module = ModuleType("tools.file_tools")
    module.__dict__["_resolve_path_for_task"] = resolve
    monkeypatch.setitem(sys.modules, "tools.file_tools", module)
    assert names(state, path="manyhands.db")
    assert asked == [("manyhands.db", "task")]


def test_where_the_terminal_stands_counts_too(home: Path, state: OwnState, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not names(state, path="manyhands.db")
    monkeypatch.setenv("TERMINAL_CWD", str(home / "plugin-data" / "manyhands"))
    assert names(state, path="manyhands.db")


def test_the_index_of_what_everybody_said_is_ours_however_it_is_written(
    home: Path, state: OwnState, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, work = home / ".local" / "share" / "herma" / "recall", home / "work"
    folder.mkdir(parents=True)
    index = folder / "hermes-0123456789ab.db"
    index.write_bytes(b"x")
    (work / "link").symlink_to(index)
    (work / "folder").symlink_to(folder)
    os.link(index, work / "hard")
    monkeypatch.setenv("SHARE", str(folder.parent))
    paths = (str(index), f"{index}-wal", "~/.local/share/herma/recall", "$SHARE/recall/any", "link", "hard")
    for path in (*paths, "../.local/share/herma/recall/any", "folder/any", f"file://{index}"):
        assert names(state, path=path), path
    for path in ("~/.local/share/herma", "~/.local/share/herma/recalled", "notes.txt"):
        assert not names(state, path=path), path


def test_the_index_is_found_where_the_folder_for_data_is_another_or_a_link(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "elsewhere").mkdir()
    (home / "data").symlink_to(home / "elsewhere")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    state = OwnState.at(str(home / "plugin-data" / "manyhands" / "manyhands.db"))
    for path in ("../data/herma/recall/x.db", str(home / "elsewhere" / "herma" / "recall" / "x.db")):
        assert names(state, path=path), path
    assert not names(state, path="~/.local/share/herma/recall/x.db")
