"""The reader on databases laid out as those of both versions of Hermes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.stores.sessions.hosts import HERMES, START, Hermes
from tests.stores.sessions.kept import Kept, words

from herma.stores.sessions.reader import SessionReader, open_sessions


@pytest.fixture(params=HERMES)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def hermes(tmp_path: Path, version: str) -> Iterator[Hermes]:
    with Hermes(tmp_path / "state.db", version) as host:
        yield host


@pytest.fixture
def reader(hermes: Hermes) -> SessionReader:
    return open_sessions(hermes.path)


def _calls(name: str, **arguments: object) -> str:
    return json.dumps([{"id": "c", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}])


def test_a_turn_is_what_a_person_said_and_everything_up_to_the_next(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("s", title="kites")
    first = hermes.say("s", "user", "where is the kite?")
    hermes.say("s", "assistant", "I look.", tool_calls=_calls("read_file", path="notes.md"))
    hermes.say("s", "tool", "1|in the shed", tool_call_id="c", tool_name="read_file")
    hermes.say("s", "assistant", "In the shed.")
    second = hermes.say("s", "user", "thanks")

    found = list(reader.messages("s"))

    assert [(each.role, each.kind, each.text, each.turn) for each in found] == [
        ("user", "text", "where is the kite?", str(first)),
        ("assistant", "text", "I look.", str(first)),
        ("tool", "tool", 'read_file {"path": "notes.md"}', str(first)),
        ("tool", "tool", "read_file\n1|in the shed", str(first)),
        ("assistant", "text", "In the shed.", str(first)),
        ("user", "text", "thanks", str(second)),
    ]
    assert [each.place for each in found] == sorted({each.place for each in found})
    assert len({each.message_id for each in found}) == len(found)
    assert [each.at for each in found[:2]] == [(START + 2) * 1000, (START + 3) * 1000]


def test_the_words_are_those_that_were_said_and_not_what_was_sent_with_them(
    hermes: Hermes, reader: SessionReader
) -> None:
    hermes.session("s")
    hermes.say("s", "session_meta", '{"tools": []}')
    hermes.say("s", "system", "you are an agent")
    hermes.say("s", "user", "hello", api_content="hello\n\n[manyhands] This turn's speaker is Anna")
    hermes.say("s", "user", '\0json:[{"type": "text", "text": "a picture"}, {"type": "image_url"}]')
    hermes.say("s", "assistant", None)

    assert words(reader.messages("s")) == ["hello", "a picture"]


def test_who_began_a_session_is_an_account_and_nobody_where_the_host_knows_none(
    hermes: Hermes, reader: SessionReader
) -> None:
    hermes.session("dm", source="telegram", user_id="77", cwd="/srv", title="plans")
    hermes.session("home")

    home, dm = reader.sessions(limit=5)

    assert (dm.owner, dm.directory, dm.title, dm.started_at) == ("telegram:77", "/srv", "plans", (START + 1) * 1000)
    assert home.owner == ""


@pytest.mark.parametrize(
    "more",
    [{"source": "subagent"}, {"source": "tool"}, {"source": "kanban"}, {"model_config": '{"_delegate_from": "s"}'}],
)
def test_sessions_in_which_no_person_speaks_are_hidden(
    hermes: Hermes, reader: SessionReader, more: dict[str, object]
) -> None:
    hermes.session("s")
    hermes.session("inner", parent_session_id="s", **more)
    hermes.say("inner", "user", "look around")
    kept = Kept()

    kept.catch_up(reader)

    assert [past.session_id for past in reader.sessions(limit=5)] == ["s"]
    assert kept.sessions["inner"].hidden
    assert kept.sessions["inner"].parent == "s"
    assert not kept.passages


def test_a_session_that_follows_another_is_its_child_and_seen(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("old", end_reason="compression")
    hermes.session("new", parent_session_id="old", model_config="{}")

    assert [(past.session_id, past.parent) for past in reader.sessions(limit=5)] == [("new", "old"), ("old", "")]


def test_the_session_that_was_spoken_in_last_is_the_first(hermes: Hermes, reader: SessionReader) -> None:
    for session in ("a", "b", "c"):
        hermes.session(session)
    hermes.say("a", "user", "once more")

    assert [past.session_id for past in reader.sessions(limit=2)] == ["a", "c"]


def test_what_a_summary_replaced_is_there_once_and_the_summary_is_marked(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("s")
    for n in range(6):
        hermes.say("s", "user" if n % 2 == 0 else "assistant", f"point {n}")
    hermes.compact("s", "six points")
    hermes.say("s", "user", "go on")

    found = list(reader.messages("s"))

    assert words(found[:6]) == [f"point {n}" for n in range(6)]
    assert [(each.kind, each.role) for each in found[6:]] == [("summary", "assistant"), ("text", "user")]
    assert "six points" in found[6].text


def test_a_compaction_tells_nothing_anew_but_its_summary(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("s")
    for n in range(8):
        hermes.say("s", "user", f"point {n}")
    kept = Kept()
    kept.catch_up(reader)
    hermes.compact("s", "eight points", keep=3)

    assert kept.catch_up(reader) == 1


def test_what_a_person_took_back_is_gone(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("s")
    hermes.say("s", "user", "keep this")
    back = hermes.say("s", "user", "my password is hunter2")
    hermes.say("s", "assistant", "noted")
    kept = Kept()
    kept.catch_up(reader)
    hermes.take_back("s", back)

    kept.catch_up(reader)

    assert words(kept.passages.values()) == ["keep this"]
    assert words(reader.messages("s")) == ["keep this"]


def test_a_deleted_session_is_gone(hermes: Hermes, reader: SessionReader) -> None:
    for session in ("s", "t"):
        hermes.session(session)
        hermes.say(session, "user", f"in {session}")
    kept = Kept()
    kept.catch_up(reader)
    hermes.delete("s")

    kept.catch_up(reader)

    assert set(kept.sessions) == {"t"}
    assert words(kept.passages.values()) == ["in t"]


def test_a_message_that_the_host_wrote_anew_is_told_anew(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("s")
    number = hermes.say("s", "user", "@file:notes.md")
    kept = Kept()
    kept.catch_up(reader)
    hermes.run("UPDATE messages SET content = ? WHERE id = ?", "the notes, in full", number)

    assert kept.catch_up(reader) == 1
    assert words(kept.passages.values()) == ["the notes, in full"]


def test_a_title_that_comes_after_the_words_is_told(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("s")
    hermes.say("s", "user", "hello")
    kept = Kept()
    kept.catch_up(reader)
    hermes.run("UPDATE sessions SET title = 'greetings' WHERE id = 's'")

    assert kept.catch_up(reader) == 0
    assert kept.sessions["s"].title == "greetings"


def test_an_earlier_copy_of_the_database_is_followed(hermes: Hermes, reader: SessionReader) -> None:
    hermes.session("s")
    hermes.say("s", "user", "first")
    hermes.say("s", "user", "second")
    kept = Kept()
    kept.catch_up(reader)
    hermes.run("DELETE FROM messages WHERE content = 'second'")
    hermes.run("DELETE FROM sqlite_sequence")
    hermes.say("s", "user", "another second")

    kept.catch_up(reader)

    assert words(kept.passages.values()) == ["first", "another second"]


def test_a_repeat_that_was_answered_with_a_note_and_a_search_of_the_past_are_not_found_again(
    hermes: Hermes, reader: SessionReader
) -> None:
    note = "You have this already: your earlier read_file call c in this conversation returned all that …"
    hermes.session("s")
    hermes.say("s", "assistant", "", tool_calls=_calls("session_search", query="kite"))
    hermes.say("s", "tool", "somebody's kite", tool_call_id="c", tool_name="session_search")
    hermes.say("s", "tool", json.dumps({"content": note}), tool_call_id="d", tool_name="read_file")

    assert words(reader.messages("s")) == ["read_file"]


@pytest.mark.parametrize("tool", ["recall_search", "manyhands_recall", "manyhands_remember", "memory", "mem0_search"])
def test_what_a_person_was_told_of_themselves_or_of_their_past_is_not_found_again(
    hermes: Hermes, reader: SessionReader, tool: str
) -> None:
    hermes.session("s")
    hermes.say("s", "assistant", "", tool_calls=_calls(tool, query="kite"))
    hermes.say("s", "tool", "somebody's kite", tool_call_id="c", tool_name=tool)
    hermes.say("s", "assistant", "", tool_calls=_calls("tool_call", calls=[{"name": tool, "arguments": {"q": "kite"}}]))
    hermes.say("s", "tool", "somebody's kite", tool_call_id="d", tool_name=tool)
    hermes.say("s", "user", "done")

    assert words(reader.messages("s")) == ["done"]


def test_a_row_that_only_the_model_was_to_see_is_not_found(tmp_path: Path) -> None:
    with Hermes(tmp_path / "later.db", "0.22.2") as host:
        host.session("s", hidden=0)
        host.say("s", "user", "a notice of the host", display_kind="hidden")
        host.say("s", "assistant", "what was before", _compressed_summary=1)
        host.session("inner", hidden=1)
        reader = open_sessions(host.path)

        assert [(each.kind, each.text) for each in reader.messages("s")] == [("summary", "what was before")]
        assert [past.session_id for past in reader.sessions(limit=5)] == ["s"]


def test_a_long_history_is_told_in_parts_and_one_new_message_alone(hermes: Hermes, reader: SessionReader) -> None:
    for session in ("s", "t", "u"):
        hermes.session(session)
        for n in range(50):
            hermes.say(session, "user", f"{session}{n}")
    kept = Kept()

    assert kept.catch_up(reader, most=20) == 150
    assert len(kept.passages) == 150
    hermes.say("t", "user", "one more")
    assert kept.catch_up(reader) == 1


def test_nothing_new_is_the_same_cursor(hermes: Hermes, reader: SessionReader) -> None:
    empty = reader.changes("", most=10)
    assert reader.changes(empty.cursor, most=10) == empty
    hermes.session("s")
    hermes.say("s", "user", "hello")
    cursor = reader.changes(empty.cursor, most=10).cursor
    assert cursor != empty.cursor

    assert reader.changes(cursor, most=10).cursor == cursor


@pytest.mark.parametrize("cursor", ["nonsense", "[]", "{}", '[1,"opencode","",0,{},{}]', '[99,"hermes","",0,{},{}]'])
def test_a_cursor_of_another_kind_is_the_beginning(hermes: Hermes, reader: SessionReader, cursor: str) -> None:
    hermes.session("s")
    hermes.say("s", "user", "hello")

    assert words(reader.changes(cursor, most=10).passages) == ["hello"]


def test_a_change_in_a_session_that_rests_is_seen_when_its_turn_comes(hermes: Hermes, reader: SessionReader) -> None:
    for n in range(40):
        hermes.session(f"s{n:02}")
        for m in range(20):
            hermes.say(f"s{n:02}", "user", f"{n} {m}")
    kept = Kept()
    kept.catch_up(reader)
    hermes.run("UPDATE messages SET active = 0 WHERE content = '20 7'")

    for n in range(40):
        hermes.say("s39", "user", f"news {n}")
        kept.catch_up(reader)

    assert "20 7" not in words(kept.passages.values())
    assert len(kept.passages) == 40 * 20 - 1 + 40
