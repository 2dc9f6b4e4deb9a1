"""read-once in the real Hermes: what the model gets when it reads again."""

import json
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.hosts.gateway import Person
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import call, calls, say
from tests.hosts.once_house import House, check_notes, house, is_content, is_note, read

_people = count(1)


@pytest.fixture(scope="module")
def shared(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(hermes, homes, tmp_path_factory.mktemp("root")) as made:
        yield made


@pytest.fixture
def there(shared: House) -> Iterator[House]:
    shared.model.clear()
    yield shared
    check_notes(shared.model.requests)


@pytest.fixture
def person() -> Person:
    """Somebody new, and so a conversation without a past."""
    number = next(_people)
    return Person(f"u-{number}", f"Person{number}")


def test_the_same_read_in_a_later_turn_gets_the_note(there: House, person: Person) -> None:
    path = there.write("later.txt")
    [first] = there.results(person, "one", read(path))
    [second] = there.results(person, "two", read(path))
    assert is_content(first)
    assert is_note(second)
    assert first in there.seen("two"), "what the note speaks of stands in the same request"
    [third] = there.results(person, "three", read(path))
    assert is_note(third)


def test_eight_identical_reads_in_a_row_never_end_in_an_error(there: House, person: Person) -> None:
    path = there.write("eight.txt")
    answers = there.results(person, "eight", *[read(path) for _ in range(8)])
    pages = [text.partition("\n\n[")[0] for text in answers]
    assert [is_note(text) for text in pages] == [False, True] * 4
    assert len(set(pages[::2])) == 1
    assert is_content(pages[0])
    assert not any("BLOCKED" in text or '"error"' in text for text in answers)


def test_parallel_calls_get_content_and_later_notes(there: House, person: Person) -> None:
    paths = [there.write(f"parallel-{n}.txt") for n in range(3)]
    batch = calls([read(path) for path in paths])
    first = there.results(person, "batch", batch)
    again = there.results(person, "again", batch)
    assert all(is_content(text) for text in first)
    assert len(set(first)) == 3
    assert all(is_note(text) for text in again)
    assert [str(path) in text for path, text in zip(paths, again, strict=True)] == [True] * 3


def test_two_spellings_of_one_read_in_one_message_are_one_read(there: House, person: Person, hermes: Hermes) -> None:
    path = there.write("spelled.txt")
    limit = {"0.19.0": 500, "0.22.2": 2000}[hermes.version]
    there.results(person, "spell", read(path))
    answers = there.results(
        person, "spells", calls([read(path, offset="1"), read(path, offset=1, limit=str(limit)), read(path)])
    )
    assert [is_note(text) for text in answers] == [True, True, True]


def test_after_new_the_model_gets_content(there: House, person: Person) -> None:
    path = there.write("new.txt")
    there.results(person, "before", read(path))
    there.gateway.exchange(person, "/new", ".")
    [text] = there.results(person, "after", read(path))
    assert is_content(text)
    assert there.seen("after") == [text]


def test_two_people_in_one_room_share_what_stands_in_their_request(there: House) -> None:
    alice, bob = Person("u-alice", "Alice"), Person("u-bob", "Bob")
    path = there.write("room.txt")
    [first] = there.results(alice, "alice-reads", read(path), chat="room")
    [second] = there.results(bob, "bob-reads", read(path), chat="room")
    assert is_content(first)
    assert is_note(second)
    assert first in there.seen("bob-reads")
    [alone] = there.results(bob, "bob-alone", read(path))
    assert is_content(alone)


def test_a_subagent_gets_the_content_of_what_its_parent_read(there: House, person: Person) -> None:
    path = there.write("child.txt")
    there.results(person, "parent", read(path))
    goal = "goal-of-the-child"
    there.model.lane("ASYNC DELEGATION", say("the delegation is over"))  # its text repeats the goal
    there.model.lane(goal, read(path), read(path), say("the child has read"))
    there.turn(person, "delegates", call("delegate_task", goal=goal, context="none"))
    there.gateway.expect(person.dm, "the delegation is over", timeout=60)
    seen = [text for _, text in there.model.of(goal)[-1].tool_results()]
    assert is_content(seen[0])
    assert len(seen) == 2
    assert not any(is_note(text) for text in seen)
    [noted] = there.results(person, "parent-again", read(path))
    assert is_note(noted)


def test_a_script_gets_every_byte_and_the_model_its_content(there: House, person: Person) -> None:
    path = there.write("script.txt")
    code = (
        "from hermes_tools import read_file\n"
        f"for n in range(3):\n    print('inner', n, len(read_file({str(path)!r})['content']))\n"
    )
    [printed] = there.results(person, "codes", call("execute_code", code=code))
    lengths = {line.split()[-1] for line in json.loads(printed)["output"].splitlines() if line.startswith("inner")}
    assert len(lengths) == 1
    assert int(lengths.pop()) > 20
    [text] = there.results(person, "reads", read(path))
    assert is_content(text)
    [noted] = there.results(person, "rereads", read(path))
    assert is_note(noted)


def test_a_file_can_be_written_after_a_note(there: House, person: Person) -> None:
    """Both hosts want to have read what they overwrite; a note is no reason to refuse."""
    path = there.write("written.txt")
    there.results(person, "look", read(path))
    note, written = there.results(
        person, "write", read(path), call("write_file", path=str(path), content="new\nwords\n")
    )
    assert is_note(note)
    assert "error" not in json.loads(written)
    assert path.read_text() == "new\nwords\n"
    [fresh] = there.results(person, "relook", read(path))
    assert "new" in fresh


@pytest.mark.parametrize("keep_time", [True, False])
def test_a_changed_file_is_read_again(there: House, person: Person, *, keep_time: bool) -> None:
    path = there.write(f"changed-{keep_time}.txt")
    before = path.stat()
    there.results(person, f"old-{keep_time}", read(path))
    path.write_text(path.read_text().upper())
    if keep_time:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    [text] = there.results(person, f"now-{keep_time}", read(path))
    assert "SECOND" in text


def test_forms_of_files_each_have_their_outcome(there: House, person: Person, hermes: Hermes) -> None:
    """Read in one turn and again in the next: noted, or given as the host gives it, and never an error."""
    old = hermes.version == "0.19.0"
    files: dict[str, tuple[bytes, bool]] = {
        "open.txt": (b"alpha\nbeta", True),
        "crlf.txt": (b"alpha\r\nbeta\r\n", True),
        "scripts.txt": ("漢字かな\n🙂\n".encode(), True),
        "empty.txt": (b"", old),
        "bom.txt": (b"\xef\xbb\xbfalpha\nbeta\n", False),
        "long-line.txt": (b"y" * 2_500 + b"\nbeta\n", False),
        "secret.txt": (b"token = ghp_" + b"a1B2" * 9 + b"\nbeta\n", False),
        "conflict.txt": (b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", old),
    }
    for name, (data, noted) in files.items():
        path = there.folder / name
        path.write_bytes(data)
        [first] = there.results(person, f"{name} first", read(path))
        [second] = there.results(person, f"{name} second", read(path))
        assert is_note(second) is noted, (name, first, second)
        assert "BLOCKED" not in second


def test_other_paths_pass_as_the_host_answers_them(there: House, person: Person, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("outside\n")
    there.write("relative.txt")
    (there.folder / "link.txt").symlink_to(there.folder / "relative.txt")
    before = there.reasons()
    asked = {
        "relative_path": "relative.txt",
        "outside_root": str(outside),
        "symlink": str(there.folder / "link.txt"),
        "stat_failed": str(there.folder / "nothing.txt"),
        "credential_path": str(there.write(".env.local", "A=1\n")),
    }
    for reason, path in asked.items():
        for n in range(2):
            [text] = there.results(person, f"{reason} {n}", read(path))
            assert not is_note(text)
    after = there.reasons()
    for reason in asked:
        assert after[reason] - before.get(reason, 0) == 2, reason
    [home] = there.results(person, "tilde", read("~/nothing.txt"))
    assert not is_note(home)
    assert there.reasons()["relative_path"] == after["relative_path"] + 1


def test_a_hint_that_the_host_appends_does_not_end_in_a_loop(there: House, person: Person) -> None:
    """The first read in a folder with AGENTS.md carries its text behind the page; the page is there all the same."""
    (there.folder / "hinted").mkdir(exist_ok=True)
    (there.folder / "hinted" / "AGENTS.md").write_text("Be brief.\n")
    path = there.write("hinted/notes.txt")
    answers = there.results(person, "hinted", *[read(path) for _ in range(4)])
    assert "AGENTS.md" in answers[0]
    assert [is_note(text) for text in answers] == [False, True, False, True]


def test_the_command_reports_and_refreshes(there: House, person: Person) -> None:
    path = there.write("command.txt")
    there.results(person, "c-one", read(path))
    there.results(person, "c-two", read(path))
    for verb in ("status", "stats"):
        report = there.gateway.exchange(person, f"/read-once {verb}", "approx tokens not resent").text
        assert "read-once: answering repeats" in report
    answer = f"read-once: next read of `{path}` will be fresh (invalidated 1 entries)."
    said = there.gateway.exchange(person, f"/read-once refresh {path}", "will be fresh").text
    assert said == answer
    [fresh] = there.results(person, "c-three", read(path))
    assert is_content(fresh)
    [noted] = there.results(person, "c-four", read(path))
    assert is_note(noted)


def test_what_the_host_shows_of_itself_is_as_written_down(there: House, person: Person, hermes: Hermes) -> None:
    there.results(person, "shows", read(there.write("shows.txt")))
    old = hermes.version == "0.19.0"
    assert there.capabilities() == {
        "gate runs before middleware": old,
        "order of middleware is shown": True,
        "reads can be forgotten": True,
        "terminal policy is shown": False,  # 0.22 binds it where it serves several profiles
        "default limit": 500 if old else 2000,
    }


def test_no_request_was_changed_and_nothing_failed(there: House, person: Person) -> None:
    there.results(person, "last", read(there.write("last.txt")))
    assert "failed" not in there.reasons()
    assert "false_host_stub" not in there.reasons()


REVIEWING = {
    "auxiliary": {"title_generation": {"enabled": False}, "background_review": {"enabled": True}},
    "memory": {"nudge_interval": 1},
    "skills": {"creation_nudge_interval": 1},
}


def test_a_background_review_is_judged_by_its_own_requests_and_leaves_the_conversation_alone(
    hermes: Hermes, homes: Homes, tmp_path: Path, person: Person
) -> None:
    """The host forks the session after a turn, under the same id, and lets the fork read."""
    with house(hermes, homes, tmp_path / "root", config=REVIEWING) as there:
        path = there.write("reviewed.txt")
        review = "Review the conversation above"
        there.model.lane(review, read(path), read(path), default=say("nothing to keep"))
        there.results(person, "before", read(path))
        there.model.wait_for(lambda request: request.lane == review and len(request.tool_results()) == 3)
        [noted] = there.results(person, "later", read(path))
        assert is_note(noted)
        check_notes(there.model.requests)
        if hermes.version == "0.22.2":  # 0.19 lets a review read no files
            seen = [text for _, text in there.model.of(review)[2].tool_results()]
            assert [is_note(text) for text in seen] == [False, True, False]
