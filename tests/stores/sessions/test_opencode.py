"""The reader on databases laid out as those of OpenCode 1, of OpenCode 2, and of both at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.stores.sessions.hosts import OpenCode1, OpenCode2
from tests.stores.sessions.kept import Kept, words

from herma.stores.sessions.opencode import INTERNAL
from herma.stores.sessions.reader import SessionReader, open_sessions


@pytest.fixture
def opencode(tmp_path: Path) -> Iterator[OpenCode1]:
    with OpenCode1(tmp_path / "opencode.db") as host:
        yield host


@pytest.fixture
def both(tmp_path: Path) -> Iterator[OpenCode2]:
    with OpenCode2(tmp_path / "both.db") as host:
        yield host


@pytest.fixture
def reader(opencode: OpenCode1) -> SessionReader:
    return open_sessions(opencode.path)


def test_every_text_of_a_message_is_read_and_what_was_put_in_is_not(opencode: OpenCode1, reader: SessionReader) -> None:
    opencode.session("s")
    opencode.message("s", "m1", "user")
    parts: list[dict[str, Any]] = [
        {"type": "text", "text": "where is the kite?"},
        {"type": "text", "text": "a block of memory", "synthetic": True},
        {"type": "text", "text": "dropped by the host", "ignored": True},
        {"type": "file", "url": "data:…", "text": "no text"},
        {"type": "text", "text": "<provider-memory source='x'>tea</provider-memory>And the line?"},
        {"type": "text", "text": "<system-reminder>be kind</system-reminder>"},
    ]
    for number, part in enumerate(parts):
        opencode.part("s", "m1", f"p{number}", **part)

    assert words(reader.messages("s")) == ["where is the kite?\n\nAnd the line?"]


def test_half_a_character_that_a_cut_left_is_no_part_of_what_was_said(
    opencode: OpenCode1, reader: SessionReader
) -> None:
    opencode.session("s")
    opencode.say("s", "m1", "user", "a kite \ud83e")
    opencode.message("s", "m2", "assistant")
    state = {"status": "completed", "input": {"path": "\udd81.md"}, "output": "cut \ud83e"}
    opencode.part("s", "m2", "p1", type="tool", tool="read", state=state)

    told = list(reader.messages("s"))
    assert [each.text.encode("utf-8") for each in told] == [b"a kite ?", told[1].text.encode("utf-8")]
    assert "?.md" in told[1].text
    assert told[1].text.endswith("cut ?")


def test_what_tools_were_given_and_gave_is_a_passage_of_its_own(opencode: OpenCode1, reader: SessionReader) -> None:
    opencode.session("s")
    opencode.say("s", "m1", "user", "read it")
    opencode.message("s", "m2", "assistant", parentID="m1")
    opencode.part("s", "m2", "p1", type="text", text="I look.")
    opencode.part("s", "m2", "p2", type="reasoning", text="nobody's business")
    done = {"status": "completed", "input": {"filePath": "a.md"}, "output": "1: in the shed"}
    opencode.part("s", "m2", "p3", type="tool", tool="read", state=done)
    opencode.part("s", "m2", "p4", type="tool", tool="bash", state={"status": "error", "input": {}, "error": "no rg"})
    opencode.part("s", "m2", "p5", type="tool", tool="session_search", state={**done, "output": "somebody's kite"})

    found = list(reader.messages("s"))

    assert [(each.message_id, each.role, each.kind, each.text, each.turn) for each in found] == [
        ("m1", "user", "text", "read it", "m1"),
        ("m2", "assistant", "text", "I look.", "m1"),
        ("m2/tool", "tool", "tool", 'read {"filePath": "a.md"}\n1: in the shed\nbash\nno rg', "m1"),
    ]


def test_a_summary_is_marked_and_the_words_that_the_host_puts_after_it_are_nobodys_turn(
    opencode: OpenCode1, reader: SessionReader
) -> None:
    opencode.session("s")
    opencode.say("s", "m1", "user", "go")
    opencode.message("s", "m2", "assistant", summary=True, agent="compaction")
    opencode.part("s", "m2", "p2", type="text", text="## Objective: go")
    opencode.message("s", "m3", "user")
    opencode.part("s", "m3", "p3", type="text", text="Continue", synthetic=True)
    opencode.say("s", "m4", "assistant", "I went.")

    assert [(each.kind, each.text, each.turn) for each in reader.messages("s")] == [
        ("text", "go", "m1"),
        ("summary", "## Objective: go", "m1"),
        ("text", "I went.", "m1"),
    ]


@pytest.mark.parametrize("more", [{"parent_id": "s"}, {"title": f"{INTERNAL}review"}])
def test_sessions_of_subagents_and_of_our_own_are_hidden(
    opencode: OpenCode1, reader: SessionReader, more: dict[str, Any]
) -> None:
    opencode.session("s")
    opencode.session("inner", **more)
    opencode.say("inner", "m1", "user", "look around")
    kept = Kept()

    kept.catch_up(reader)

    assert [past.session_id for past in reader.sessions(limit=5)] == ["s"]
    assert kept.sessions["inner"].hidden
    assert not kept.passages


def test_an_answer_that_grows_is_followed_to_its_end(opencode: OpenCode1, reader: SessionReader) -> None:
    opencode.session("s")
    for n in range(20):
        opencode.say("s", f"m{n:02}", "user", f"point {n}")
    opencode.message("s", "m99", "assistant")
    kept = Kept()
    kept.catch_up(reader)
    opencode.part("s", "m99", "p", type="text", text="")
    kept.catch_up(reader)
    opencode.rewrite("s", "p", type="text", text="The kite is in the shed.")

    assert kept.catch_up(reader) <= 4
    assert words(kept.passages.values())[-1] == "The kite is in the shed."


def test_a_text_that_was_taken_out_of_a_message_is_gone(opencode: OpenCode1, reader: SessionReader) -> None:
    opencode.session("s")
    opencode.say("s", "m1", "user", "my password is hunter2")
    kept = Kept()
    kept.catch_up(reader)
    opencode.rewrite("s", "prt_m1", type="text", text="", ignored=True)

    kept.catch_up(reader)

    assert not kept.passages


@pytest.mark.parametrize("events", [True, False], ids=["counted", "not counted"])
@pytest.mark.parametrize("at", [0, 5, 11])
def test_a_message_that_was_removed_is_gone_wherever_it_stood(
    opencode: OpenCode1, reader: SessionReader, at: int, *, events: bool
) -> None:
    if not events:
        opencode.run("DROP TABLE event_sequence")
        opencode.counts = False
    opencode.session("s")
    for n in range(12):
        opencode.say("s", f"m{n:02}", "user", f"point {n}")
    kept = Kept()
    kept.catch_up(reader)
    opencode.remove("s", f"m{at:02}")

    kept.catch_up(reader)

    assert words(kept.passages.values()) == [f"point {n}" for n in range(12) if n != at]


def test_what_a_person_went_back_behind_is_gone_until_they_come_forward_again(
    opencode: OpenCode1, reader: SessionReader
) -> None:
    opencode.session("s")
    for n in range(4):
        opencode.say("s", f"m{n}", "user", f"point {n}")
    kept = Kept()
    kept.catch_up(reader)
    back = "UPDATE session SET revert = ?, time_updated = time_updated + 1 WHERE id = 's'"
    opencode.run(back, '{"messageID": "m2"}')
    kept.catch_up(reader)
    assert words(kept.passages.values()) == ["point 0", "point 1"]
    opencode.run(back, '{"messageID": "m2", "partID": "p"}')
    kept.catch_up(reader)
    assert words(kept.passages.values()) == ["point 0", "point 1", "point 2"]
    opencode.run(back, None)

    kept.catch_up(reader)

    assert words(kept.passages.values()) == ["point 0", "point 1", "point 2", "point 3"]


def test_a_deleted_session_is_gone(opencode: OpenCode1, reader: SessionReader) -> None:
    for session in ("s", "t"):
        opencode.session(session)
        opencode.say(session, f"m{session}", "user", f"in {session}")
    kept = Kept()
    kept.catch_up(reader)
    opencode.delete("t")

    kept.catch_up(reader)

    assert words(kept.passages.values()) == ["in s"]
    assert set(kept.sessions) == {"s"}


def test_rows_that_hold_no_json_and_values_of_other_kinds_stop_nothing(
    opencode: OpenCode1, reader: SessionReader
) -> None:
    opencode.session("s", title=b"\xff")
    opencode.say("s", "m1", "user", "hello")
    opencode.run("UPDATE message SET time_created = 'noon'")
    opencode.message("s", "m2", "user")
    opencode.run("UPDATE message SET data = '{' WHERE id = 'm2'")
    opencode.part("s", "m2", "p2", type="text", text=["a list"])
    opencode.part("s", "m2", "p3", type="tool", tool=3, state="done")
    opencode.run("INSERT INTO part VALUES ('p4', 'm2', 's', 1, 1, x'ff00')")

    assert words(reader.messages("s")) == ["hello"]
    assert [past.title for past in reader.sessions(limit=5)] == [""]


def test_the_rows_of_the_second_layout_are_read(both: OpenCode2) -> None:
    both.session_v2("s", title=None)
    both.row("s", "m1", "user", 2, text="where is the kite?")
    tool = {
        "type": "tool",
        "name": "read",
        "state": {"status": "completed", "input": {"path": "a.md"}, "content": [{"type": "text", "text": "the shed"}]},
    }
    early = {"type": "tool", "name": "read", "state": {"input": {}, "content": [], "structured": {"content": "alpha"}}}
    wrong = {"type": "tool", "name": "bash", "state": {"input": "ls", "error": {"message": "no such folder"}}}
    texts = [
        {"type": "text", "text": "I look."},
        {"type": "reasoning", "text": "…"},
        {"type": "text", "text": "There."},
    ]
    both.row("s", "m2", "assistant", 3, content=[*texts, tool, early, wrong])
    both.row("s", "m3", "synthetic", 4, text="a reminder")
    both.row("s", "m4", "system", 5, text="skills")
    both.row("s", "m5", "compaction", 6, status="completed", summary="a kite was sought", recent="…")
    both.row("s", "m6", "shell", 7, command="ls", output="kite")
    both.row("s", "m7", "model-switched", 8, model="x")

    found = list(open_sessions(both.path).messages("s"))

    assert [(each.message_id, each.role, each.kind, each.text) for each in found] == [
        ("m1", "user", "text", "where is the kite?"),
        ("m2", "assistant", "text", "I look.\n\nThere."),
        ("m2/tool", "tool", "tool", 'read {"path": "a.md"}\nthe shed\nread\nalpha\nbash ls\nno such folder'),
        ("m5", "assistant", "summary", "a kite was sought"),
        ("m6/tool", "tool", "tool", "shell ls\nkite"),
    ]
    assert {each.turn for each in found} == {"m1"}


def test_a_session_in_both_layouts_is_counted_once_and_none_of_its_messages_is_lost(both: OpenCode2) -> None:
    both.session("s", title="as it was")
    both.say("s", "m1", "user", "said before")
    both.say("s", "m2", "assistant", "answered before")
    both.session_v2("s", title="as it is")
    at = both.database.execute("SELECT time_created FROM message WHERE id = 'm1'").fetchone()[0]
    both.row("s", "n1", "user", 1, text="said before")  # taken over under another id
    both.run("UPDATE session_message SET time_created = ? WHERE id = 'n1'", at)
    both.row("s", "m2", "assistant", 2, content=[{"type": "text", "text": "answered before"}])
    both.row("s", "m3", "user", 3, text="said now")
    both.session("old", title="only there")
    both.say("old", "m9", "user", "never taken over")
    reader = open_sessions(both.path)
    kept = Kept()

    kept.catch_up(reader)

    assert {past.title for past in kept.sessions.values()} == {"as it is", "only there"}
    assert sorted(words(kept.passages.values())) == ["answered before", "never taken over", "said before", "said now"]
    assert {past.session_id for past in reader.sessions(limit=5)} == {"s", "old"}
    assert sorted(words(reader.messages("s"))) == ["answered before", "said before", "said now"]


def test_messages_that_were_not_taken_over_stand_before_those_of_the_second_layout(both: OpenCode2) -> None:
    both.session("s")
    both.say("s", "m1", "user", "said before")
    both.session_v2("s")
    both.row("s", "m2", "user", 1, text="said now")

    assert words(open_sessions(both.path).messages("s")) == ["said before", "said now"]


def test_a_fork_is_a_child_and_seen_and_a_subagent_is_hidden(both: OpenCode2) -> None:
    both.session_v2("s")
    both.session_v2("fork", fork_session_id="s")
    both.session_v2("inner", parent_id="s")

    found = open_sessions(both.path).sessions(limit=5)

    assert [(past.session_id, past.parent) for past in found] == [("fork", "s"), ("s", "")]


def test_a_session_that_opencode_2_takes_over_is_followed(both: OpenCode2) -> None:
    reader, kept = open_sessions(both.path), Kept()
    both.session("s", title="as it was")
    both.say("s", "m1", "user", "said before")
    kept.catch_up(reader)
    both.session_v2("s", title="as it is")
    both.row("s", "m2", "user", 1, text="said now")

    kept.catch_up(reader)

    assert kept.sessions["s"].title == "as it is"
    assert words(kept.passages.values()) == ["said before", "said now"]


def test_the_early_form_of_the_second_layout_beside_the_first_is_read(
    opencode: OpenCode1, reader: SessionReader
) -> None:
    opencode.session("s")
    values = {"id": "m1", "session_id": "s", "type": "user", "seq": 2, "data": '{"text": "alpha"}'}
    opencode.put("session_message", time_created=1, time_updated=1, **values)

    assert words(reader.messages("s")) == ["alpha"]


def test_a_long_session_is_told_in_parts_and_a_message_that_grew_alone(
    opencode: OpenCode1, reader: SessionReader
) -> None:
    for session in ("s", "t"):
        opencode.session(session)
        for n in range(40):
            opencode.say(session, f"{session}{n:02}", "user", f"{session} {n}")
    kept = Kept()
    assert kept.catch_up(reader, most=8) == 80
    # The newest brings almost as much as may be told at once, and the messages of the other do not fit in whole.
    for n in range(6):
        opencode.say("s", f"s9{n}", "user", f"s 9{n}")
    opencode.rewrite("t", "prt_t38", type="text", text="t 38, in full")

    assert kept.catch_up(reader, most=8) == 10
    assert sorted(words(kept.passages.values())) == sorted(words([*reader.messages("s"), *reader.messages("t")]))
    assert "t 38, in full" in words(kept.passages.values())
