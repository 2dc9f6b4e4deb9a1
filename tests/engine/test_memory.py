"""The memory of several people and sessions, as a host uses it."""

import json
from pathlib import Path

import pytest

from herma.core.memory.arguments import Request
from herma.core.memory.blocks import GUIDANCE
from herma.core.memory.journal import Origin
from herma.core.memory.operations import Failure, Operation
from herma.engine.memory import Memory, load_settings, local_person, open_memory

NOW = 1_796_040_000.0


def _open(home: Path, **environ: str) -> Memory:
    return open_memory(load_settings(environ, home=str(home)), lambda: NOW, owner="ada")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A memory in an empty home, owned by ada."""
    return _open(tmp_path)


def _call(
    memory: Memory, person: str = "ada", session: str = "s", turn: str = "t", **arguments: object
) -> dict[str, object]:
    answer = json.loads(memory.tool(person, session=session, turn=turn, arguments=arguments))
    assert isinstance(answer, dict)
    return answer


def _add(memory: Memory, content: str, person: str = "ada", target: str = "memory") -> None:
    assert _call(memory, person, action="add", content=content, target=target)["success"] is True


def _root(home: Path) -> Path:
    return home / ".config" / "opencode" / "memories"


def test_what_was_written_stands_in_the_text_of_the_next_session_and_not_of_this(memory: Memory) -> None:
    first = memory.system("ada", session="one")
    _add(memory, "The project uses uv.")
    _add(memory, "Her name is Ada.", target="user")
    assert memory.system("ada", session="one") == first == GUIDANCE
    second = memory.system("ada", session="two")
    assert second.startswith(GUIDANCE)
    assert second.index("The project uses uv.") < second.index("Her name is Ada.")
    assert "[0% — 20/2,200 chars]" in second


def test_the_text_of_a_session_survives_a_restart(memory: Memory, tmp_path: Path) -> None:
    _add(memory, "old")
    frozen = memory.system("ada", session="one")
    _add(memory, "new")
    again = _open(tmp_path)
    assert again.system("ada", session="one") == frozen
    assert "new" in again.system("ada", session="two")


def test_the_same_files_give_the_same_bytes_at_any_time_in_any_process(memory: Memory, tmp_path: Path) -> None:
    _add(memory, "fact")
    later = open_memory(load_settings({}, home=str(tmp_path)), lambda: NOW + 1e6, owner="ada")
    assert later.system("ada", session="two") == memory.system("ada", session="one")


def test_a_child_session_has_its_parents_text_and_keeps_it(memory: Memory, tmp_path: Path) -> None:
    parent = memory.system("ada", session="parent")
    _add(memory, "new")
    memory.session_started("ada", session="child", parent="parent")
    assert memory.system("ada", session="child", parent="parent") == parent
    memory.session_deleted("ada", session="parent")
    assert _open(tmp_path).system("ada", session="child") == parent


def test_a_child_of_a_session_that_has_no_text_yet_freezes_both(memory: Memory) -> None:
    child = memory.system("ada", session="child", parent="parent")
    _add(memory, "new")
    assert memory.system("ada", session="parent") == child


def test_other_sessions_do_not_change_a_text(memory: Memory) -> None:
    _add(memory, "first")
    before = memory.system("ada", session="one")
    for n in range(5):
        _add(memory, f"fact {n}")
        memory.session_started("ada", session=f"other-{n}")
        memory.turn_started("ada", session="one")
    assert memory.system("ada", session="one") == before


def test_a_deleted_session_leaves_nothing(memory: Memory, tmp_path: Path) -> None:
    memory.session_started("ada", session="one")
    assert [path.name for path in (_root(tmp_path) / ".sessions").iterdir()] == ["one.txt"]
    memory.session_deleted("ada", session="one")
    memory.session_deleted("ada", session="never there")
    assert list((_root(tmp_path) / ".sessions").iterdir()) == []


def test_a_call_without_a_session_gets_what_there_is_now(memory: Memory) -> None:
    assert memory.system("ada", session="") == GUIDANCE
    _add(memory, "new")
    assert "new" in memory.system("ada", session="")


SECRETS = {"ada": "Ada keeps bees", "bob": "Bob plays chess", "../ada": "Eve paints", "": ""}


def test_no_word_of_a_person_reaches_another(memory: Memory, tmp_path: Path) -> None:
    people = [person for person in SECRETS if person]
    for person in people:
        _add(memory, SECRETS[person], person)
    for person in people:
        others = [SECRETS[other] for other in people if other != person]
        seen = [memory.system(person, session="shared"), memory.system(person, session="own", parent="shared")]
        seen += [memory.snapshot(person), *map(str, memory.store(person).history.changes())]
        seen.append(json.dumps(_call(memory, person, action="remove", old_text="nowhere")))
        seen.append(json.dumps(_call(memory, person, action="add", content="x" * 3_000)))
        assert all(SECRETS[person] in text for text in (seen[0], seen[2]))
        assert not [other for other in others for text in seen if other in text]
    again = _open(tmp_path)
    assert SECRETS["bob"] in again.system("bob", session="shared")
    assert SECRETS["bob"] not in again.system("ada", session="shared")


def test_nobody_has_no_memory(memory: Memory, tmp_path: Path) -> None:
    assert _call(memory, "", action="add", content="x")["success"] is False
    assert memory.system("", session="one") == ""
    assert not _root(tmp_path).exists()


def test_the_limits_of_the_settings_hold(tmp_path: Path) -> None:
    memory = _open(tmp_path, HERMES_OPENCODE_MEMORY_LIMIT="20", HERMES_OPENCODE_USER_LIMIT="5")
    assert _call(memory, action="add", content="x" * 21)["success"] is False
    assert _call(memory, action="add", content="x" * 20)["success"] is True
    assert _call(memory, action="add", content="x" * 6, target="user")["success"] is False


def test_the_root_of_the_settings_holds(tmp_path: Path) -> None:
    _add(_open(tmp_path, HERMES_OPENCODE_MEMORY_ROOT=str(tmp_path / "elsewhere")), "x")
    assert (tmp_path / "elsewhere" / "MEMORY.md").read_text("utf-8") == "x"


def test_a_change_knows_who_made_it_from_where_and_when(memory: Memory) -> None:
    _call(memory, session="ses_1", turn="turn_9", action="add", content="x")
    (change,) = memory.store("ada").history.changes()
    assert (change.person, change.at, change.origin) == ("ada", 1_796_040_000_000, Origin("tool", "ses_1", "turn_9"))


def test_no_provenance_goes_into_the_prompt(memory: Memory) -> None:
    _call(memory, session="ses_secret", turn="turn_secret", action="add", content="x")
    text = memory.system("ada", session="next")
    assert "ses_secret" not in text
    assert "turn_secret" not in text


def _fails(memory: Memory, **which: str) -> dict[str, object]:
    return _call(memory, action="add", content="x" * 3_000, **which)


def test_the_fourth_failure_in_a_turn_is_final(memory: Memory) -> None:
    answers = [_fails(memory) for _ in range(5)]
    assert ["done" in answer for answer in answers] == [False, False, False, True, True]
    assert "failed 4 times" in str(answers[3]["error"])


@pytest.mark.parametrize("which", [{"turn": "t2"}, {"session": "s2"}, {"person": "bob"}], ids=str)
def test_failures_of_another_turn_session_or_person_are_counted_apart(memory: Memory, which: dict[str, str]) -> None:
    for _ in range(3):
        _fails(memory)
    assert "done" not in _fails(memory, **which)


def test_a_new_message_or_a_success_begins_the_count_anew(memory: Memory) -> None:
    for _ in range(3):
        _fails(memory)
    memory.turn_started("ada", session="s")
    for _ in range(3):
        assert "done" not in _fails(memory)
    _add(memory, "fits")
    assert "done" not in _fails(memory)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"action": "zap"},
        {"operations": [[]]},
        {"action": "add", "content": ["x"]},
        {"action": "add", "content": "\ud800"},
    ],
)
def test_whatever_a_model_sends_the_answer_is_an_object_that_says_no(
    memory: Memory, arguments: dict[str, object]
) -> None:
    answer = json.loads(memory.tool("ada", session="s", turn="t", arguments=arguments))
    assert answer["success"] is False
    assert answer["error"]


@pytest.mark.parametrize("arguments", [None, 5, [], "add"])
def test_arguments_that_are_no_object_are_answered_too(memory: Memory, arguments: object) -> None:
    answer = json.loads(memory.tool("ada", session="s", turn="t", arguments=arguments))  # type: ignore[arg-type] # that is the point
    assert answer["success"] is False


def test_a_pass_in_the_background_may_not_lose_more_than_its_share(memory: Memory) -> None:
    for n in range(6):
        _add(memory, f"fact {n}")
    four = tuple(Operation("remove", old_text=f"fact {n}") for n in range(4))
    done = memory.change("ada", Request("memory", four, batch=True), Origin("background"))
    assert isinstance(done.outcome, Failure)
    assert done.outcome.kind == "losses"
    memory.change("ada", Request("memory", four[:3], batch=True), Origin("background"))
    assert len(memory.store("ada").entries("memory")) == 3


def test_an_unreadable_file_is_told_and_never_shown_as_empty_or_written(memory: Memory, tmp_path: Path) -> None:
    _add(memory, "a trait", target="user")
    path = _root(tmp_path) / "MEMORY.md"
    path.write_bytes(b"caf\xe9")
    text = memory.system("ada", session="one")
    assert "MEMORY.md is there and cannot be read" in text
    assert "a trait" in text
    answer = _call(memory, action="add", content="x")
    assert answer["success"] is False
    assert "not text in UTF-8" in str(answer["error"])
    assert path.read_bytes() == b"caf\xe9"


def test_a_warning_is_given_once_while_it_stays_true(memory: Memory, tmp_path: Path) -> None:
    _add(memory, "x", target="user")
    path = _root(tmp_path) / "MEMORY.md"
    assert memory.warnings() == ()
    for _ in range(2):
        path.write_bytes(b"\xff")
        memory.system("ada", session=f"bad {_}")
        memory.snapshot("ada")
        (line,) = memory.warnings()
        assert "MEMORY.md" in line
        assert "not text in UTF-8" in line
        assert memory.warnings() == ()
        path.write_bytes(b"fine again")
        memory.snapshot("ada")
    assert memory.warnings() == ()


def test_a_change_by_hand_is_in_the_next_session_and_recorded(memory: Memory, tmp_path: Path) -> None:
    _add(memory, "one")
    memory.snapshot("ada")
    (_root(tmp_path) / "MEMORY.md").write_text("one\n§\nby hand", encoding="utf-8")
    assert "by hand" in memory.system("ada", session="next")
    assert [change.origin.by for change in memory.store("ada").history.changes()] == ["tool", "hand"]


def test_a_folder_that_cannot_be_written_still_gives_the_text(memory: Memory, tmp_path: Path) -> None:
    _add(memory, "one")
    sessions = _root(tmp_path) / ".sessions"
    sessions.write_text("a file in its place", encoding="utf-8")
    assert "one" in memory.system("ada", session="s1")
    assert memory.system("ada", session="s1") == memory.system("ada", session="s1")
    assert any("could not be kept" in line for line in memory.warnings())


def test_settings_come_from_the_persons_file(tmp_path: Path) -> None:
    folder = tmp_path / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode-hermes.json").write_text('{"memoryCharLimit": 7, // small\n}', encoding="utf-8")
    found = load_settings({}, home=str(tmp_path))
    assert found.values["memoryCharLimit"] == 7
    assert found.places["memoryCharLimit"] == str(folder / "opencode-hermes.json")


def test_a_settings_file_that_is_no_text_is_one_problem_and_defaults(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xff\xfe")
    found = load_settings({"HERMES_OPENCODE_CONFIG": str(path)}, home=str(tmp_path))
    (problem,) = found.problems
    assert str(path) in problem.message
    assert not problem.fatal
    assert found.values["memoryCharLimit"] == 2_200


def test_the_local_person_has_a_name() -> None:
    assert local_person()


def test_the_schema_is_that_of_the_tool(memory: Memory) -> None:
    assert memory.tool_schema()["name"] == "memory"
