import sqlite3
import stat
from pathlib import Path

import pytest
from tests.stores.recall.told import ME, Told, index_of, texts

from herma.core.recall.whose import Span, Whose
from herma.errors import StoreError
from herma.stores.recall.finding import Limits
from herma.stores.recall.index import Index


@pytest.fixture
def told() -> Told:
    host = Told()
    host.session(
        "s1", "Ada: We went hiking with the dog.", "That sounds lovely!", "The puppy is called Rex.", at=1_000_000
    )
    host.session("s2", "How do I rotate the log files?", "Use logrotate with copytruncate.", at=2_000_000)
    return host


def test_a_question_finds_by_any_of_its_words_and_by_other_forms_and_related_words(tmp_path: Path, told: Told) -> None:
    index = index_of(tmp_path, told)
    assert texts(index, "What did I say about rotating logs?")[0] == "How do I rotate the log files?"
    assert texts(index, "where did we go")[0] == "Ada: We went hiking with the dog."
    assert "The puppy is called Rex." in texts(index, "Which pets are there?")[:2]


def test_an_answer_is_found_by_the_question_before_it(tmp_path: Path, told: Told) -> None:
    assert texts(index_of(tmp_path, told), "rotate files")[:2] == [
        "How do I rotate the log files?",
        "Use logrotate with copytruncate.",
    ]


def test_what_was_written_exactly_so_comes_first(tmp_path: Path) -> None:
    told = Told()
    told.session("s1", "the blue door, and a door that is blue, blue, blue door paint for the blue door of the house")
    told.session("s2", "it was the front door blue of all things")
    index = index_of(tmp_path, told)
    assert texts(index, '"front door blue" house paint')[0] == "it was the front door blue of all things"
    assert index.find(ME, '"front door blue" house', Limits())[0].exact


def test_the_one_who_is_asked_about_counts_for_more_than_one_who_is_spoken_to(tmp_path: Path) -> None:
    told = Told()
    told.session("s1", "Ben: Ada, I painted the fence.", at=1)
    told.session("s2", "Ada: I painted the fence.", at=1)
    assert texts(index_of(tmp_path, told), "What has Ada painted?")[0] == "Ada: I painted the fence."


def test_what_a_tool_gave_is_found_below_what_people_said(tmp_path: Path) -> None:
    told = Told()
    told.session("s1")
    told.say("s1", "t", "frobnicate failed with code 7", place=0, at=0, kind="tool", role="tool")
    told.session("s2", "the word frobnicate was mentioned in a much longer sentence about nothing in particular")
    found = index_of(tmp_path, told).find(ME, "frobnicate", Limits())
    assert [hit.kind for hit in found] == ["text", "tool"]


def test_summaries_are_read_and_not_found(tmp_path: Path) -> None:
    told = Told()
    told.session("s1", "hello")
    told.say("s1", "sum", "Summary: they spoke of zebras", place=1, at=1, kind="summary")
    index = index_of(tmp_path, told)
    assert texts(index, "zebras") == []
    found = index.session(ME, "s1")
    assert found is not None
    assert [said.kind for said in found[1]] == ["text", "summary"]


def test_hidden_sessions_are_not_kept(tmp_path: Path) -> None:
    told = Told()
    told.session("s1", "zebra crossing", hidden=True)
    index = index_of(tmp_path, told)
    assert (texts(index, "zebra"), index.sessions(ME, limit=5)) == ([], [])


def test_times_narrow_what_is_found(tmp_path: Path, told: Told) -> None:
    index = index_of(tmp_path, told)
    assert texts(index, "dog files", limits=Limits(since=2_000_000))[0] == "How do I rotate the log files?"
    assert all("log" not in text for text in texts(index, "dog files", limits=Limits(until=1_999_999)))


def test_a_second_look_tells_only_what_is_new_and_an_edited_message_is_found_by_its_new_words(
    tmp_path: Path, told: Told
) -> None:
    index = index_of(tmp_path, told)
    told.say("s2", "s2-1", "Use newsyslog instead.", place=1, at=2_001_000)
    told.say("s2", "s2-2", "Thanks!", place=2, at=2_002_000)
    assert index.catch_up(told, patience=60)
    assert texts(index, "logrotate copytruncate") == []
    assert texts(index, "newsyslog")[0] == "Use newsyslog instead."
    assert index.size() == 6


def test_what_is_gone_in_the_host_is_gone_here(tmp_path: Path, told: Told) -> None:
    index = index_of(tmp_path, told)
    told.forget(sessions=["s2"], messages=["s1-2"])
    assert index.catch_up(told, patience=60)
    assert texts(index, "rotate log files Rex logrotate") == texts(index, "nothing") == []
    assert index.size() == 2


def test_a_session_that_is_told_anew_is_there_once(tmp_path: Path, told: Told) -> None:
    index = index_of(tmp_path, told)
    told.forget(sessions=["s1"])
    told.session("s1", "Only this is left.", at=1_000_000)
    assert index.catch_up(told, patience=60)
    found = index.session(ME, "s1")
    assert found is not None
    assert [said.text for said in found[1]] == ["Only this is left."]


def test_secrets_are_not_in_the_file(tmp_path: Path) -> None:
    told = Told()
    told.session("s1", "the key is sk-" + "abcdefghij0123456789ABCD", title="ghp_" + "a1B2" * 10)
    index = index_of(tmp_path, told)
    index.close()
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"abcdefghij0123456789" not in data.lower()
    assert b"a1b2a1b2" not in data.lower()


def test_the_file_is_its_owners_alone(tmp_path: Path, told: Told) -> None:
    (tmp_path / "index.db").touch(0o644)
    index_of(tmp_path, told)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("damage", [b"no database at all" * 300, b"", None])
def test_a_damaged_index_is_made_anew(tmp_path: Path, told: Told, damage: bytes | None) -> None:
    index_of(tmp_path, told).close()
    path = tmp_path / "index.db"
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192) if damage is None else damage)
    index = index_of(tmp_path, told)
    assert index.size() == 5
    assert texts(index, "logrotate")[0] == "Use logrotate with copytruncate."


def test_an_index_of_another_version_or_host_is_made_anew(tmp_path: Path, told: Told) -> None:
    index_of(tmp_path, told).close()
    with sqlite3.connect(tmp_path / "index.db") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    assert index_of(tmp_path, told).size() == 5
    told.kind = "another"
    assert index_of(tmp_path, told).size() == 5


def test_a_database_of_something_else_is_left_alone(tmp_path: Path, told: Told) -> None:
    with sqlite3.connect(tmp_path / "index.db") as database:
        database.execute("CREATE TABLE mine (text)")
    database.close()
    before = (tmp_path / "index.db").read_bytes()
    with pytest.raises(StoreError, match="something else"):
        index_of(tmp_path, told)
    assert (tmp_path / "index.db").read_bytes() == before


def test_a_link_is_not_followed(tmp_path: Path, told: Told) -> None:
    (tmp_path / "index.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="no file"):
        index_of(tmp_path, told)
    assert not (tmp_path / "elsewhere").exists()


def test_a_person_sees_their_span_of_a_shared_session_and_no_title_that_others_gave(tmp_path: Path) -> None:
    told = Told()
    told.session("room", "zebra one", "zebra two", "zebra three", "zebra four", title="zebra secrets")
    index = index_of(tmp_path, told)
    ben = Whose("ben", (Span("room", 1000, 2000),))
    assert sorted(texts(index, "zebra", ben)) == ["zebra three", "zebra two"]
    found = index.session(ben, "room")
    assert found is not None
    assert [said.text for said in found[1]] == ["zebra two", "zebra three"]
    assert found[0] == ("room", "", "", 1000, 2000)
    assert index.session(Whose("cyd", ()), "room") is None
    assert index.sessions(Whose("cyd", (Span("room", 9000, 9999),)), limit=3) == []


def test_a_span_that_grows_shows_more_at_once(tmp_path: Path) -> None:
    told = Told()
    told.session("room", "zebra one", "zebra two")
    index = index_of(tmp_path, told)
    assert texts(index, "zebra", Whose("ben", (Span("room", 0, 0),))) == ["zebra one"]
    assert len(texts(index, "zebra", Whose("ben", (Span("room", 0, 1000),)))) == 2
    told.say("room", "room-2", "zebra three", place=2, at=500)
    index.catch_up(told, patience=60)
    assert len(texts(index, "zebra", Whose("ben", (Span("room", 0, 1000),)))) == 3


def test_what_is_erased_is_in_no_page_of_the_file_and_does_not_come_back(tmp_path: Path, told: Told) -> None:
    index = index_of(tmp_path, told)
    index.erase([Span("s2", 0, 1 << 60)])
    told.say("s2", "s2-9", "logrotate again", place=9, at=2_009_000)
    assert index.catch_up(told, patience=60)
    index.close()
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()
    assert b"logrot" not in data
    assert b"hiking" in data
    (tmp_path / "index.db").write_bytes(b"lost")
    again = index_of(tmp_path, told)
    assert texts(again, "logrotate") == []
    assert texts(again, "hiking") != []


def test_another_process_that_writes_is_waited_for_and_then_left_alone(tmp_path: Path, told: Told) -> None:
    index = index_of(tmp_path, told)
    other = sqlite3.connect(tmp_path / "index.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    told.say("s2", "s2-9", "late", place=9, at=2_009_000)
    assert not index.catch_up(told, patience=0)
    assert texts(index, "logrotate") != []
    other.execute("ROLLBACK")
    other.close()
    assert index.catch_up(told, patience=60)


def test_an_index_is_bounded_by_what_was_said(tmp_path: Path) -> None:
    told = Told()
    said = [
        f"message {n} about {n % 97} and {n % 13} with some words that people use when they speak" for n in range(3000)
    ]
    told.session("s1", *said)
    told.say("s1", "tool", "x1 " * 200_000, place=9999, at=0, kind="tool")
    index = index_of(tmp_path, told)
    index.close()
    assert (tmp_path / "index.db").stat().st_size < 4 * sum(map(len, said))


def test_two_indexes_of_one_file_see_each_others_changes(tmp_path: Path, told: Told) -> None:
    index, other = index_of(tmp_path, told), Index(tmp_path / "index.db", told.kind)
    ben = Whose("ben", (Span("s2", 2_000_000, 2_009_000),))
    assert texts(other, "newsyslog", ben) == []
    told.say("s2", "s2-2", "newsyslog", place=2, at=2_002_000)
    index.catch_up(told, patience=60)
    assert texts(other, "newsyslog", ben)[0] == "newsyslog"
