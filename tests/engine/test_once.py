"""read-once as a service, in conversations with a stand-in for the host."""

import json
import os
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from tests.engine.conversation import UNCHANGED, Bench, Conversation, Hermes, bench, is_content, is_note

from herma.core.reading.events import ToolFacts
from herma.core.reading.visibility import mark_of
from herma.engine.once import SYSTEM
from herma.engine.reads import Call
from herma.engine.scopes import MOST_ENTRIES, MOST_REQUESTS, MOST_SCOPES

VERSIONS = ("0.19.0", "0.22.2")
TEXT = "".join(f"line {n} of the notes\n" for n in range(1, 41))


@pytest.fixture
def on(tmp_path: Path) -> Bench:
    return bench(tmp_path)


@pytest.fixture(params=VERSIONS)
def hermes(request: pytest.FixtureRequest) -> Hermes:
    return Hermes(request.param)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def talk(on: Bench, hermes: Hermes) -> Conversation:
    return on.talk(hermes)


# --- hits


def test_the_same_read_in_a_later_turn_gets_the_note(talk: Conversation, notes: Path, on: Bench) -> None:
    first = talk.read(notes)
    talk.next_turn()
    note = talk.read(notes)
    assert is_content(first)
    assert is_note(note)
    assert str(notes) in note
    assert on.reasons() == {"first_read": 1, "seeded": 1, "hit": 1}


def test_the_note_names_the_call_whose_result_is_meant(talk: Conversation, notes: Path) -> None:
    talk.ask()
    call = talk.call(notes)
    talk.messages.append(talk.run(call))
    talk.next_turn()
    assert f"read_file call {call.call_id} " in talk.read(notes)


def test_the_note_names_the_call_that_stands_in_the_request_and_not_one_of_another_fork(
    on: Bench, hermes: Hermes, notes: Path
) -> None:
    talk, fork = on.talk(hermes), on.talk(hermes, fork="-fork")
    fork.task = "fork-task"
    talk.ask()
    first = talk.call(notes)
    talk.messages.append(talk.run(first))
    fork.ask()
    assert is_content(fork.run(fork.call(notes)))  # the entry is the fork's now
    talk.next_turn()
    assert f"read_file call {first.call_id} " in talk.read(notes)


def test_the_same_read_in_the_same_turn_gets_the_note(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    assert is_note(talk.read(notes))


def test_after_a_note_the_next_read_in_that_turn_gets_content_and_then_it_is_a_repeat_again(
    talk: Conversation, notes: Path
) -> None:
    kinds = [is_note(talk.read(notes)) for _ in range(5)]
    assert kinds == [False, True, False, True, False]
    talk.next_turn()
    assert is_note(talk.read(notes))


def test_a_note_in_one_turn_and_the_read_in_the_next_gives_the_note_again(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    for _ in range(3):
        talk.next_turn()
        assert is_note(talk.read(notes))


def test_eight_identical_reads_in_a_row_never_end_in_an_error(talk: Conversation, notes: Path) -> None:
    answers = [talk.read(notes) for _ in range(8)]
    assert all(is_note(text) or is_content(text) for text in answers)
    assert [is_note(text) for text in answers] == [False, True] * 4
    assert len({text for text in answers if is_content(text)}) == 1


def test_ways_to_write_the_same_read_share_the_entry(talk: Conversation, notes: Path) -> None:
    limit = talk.hermes.facts().default_limit
    talk.read(notes)
    talk.next_turn()
    assert is_note(talk.read(notes, offset="1", limit=str(limit)))


def test_another_window_is_another_read(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.read(notes)
    talk.next_turn()
    assert is_content(talk.read(notes, offset=2))
    assert on.reasons()["first_read"] == 2


def test_a_new_task_in_every_turn_does_not_end_the_scope(on: Bench, hermes: Hermes, notes: Path) -> None:
    talk = on.talk(hermes, renews_task=True)
    talk.read(notes)
    talk.next_turn()
    assert is_note(talk.read(notes))
    # The host has served this task before the note, so its own record of what was read is whole.
    assert talk.hermes.reads == 2


def test_0_19_answers_without_asking_the_host_once_it_has_served_the_task(on: Bench, notes: Path) -> None:
    talk = on.talk(Hermes("0.19.0"))
    talk.read(notes)
    talk.next_turn()
    assert is_note(talk.read(notes))
    assert talk.hermes.reads == 1


def test_0_22_is_asked_before_every_note(on: Bench, notes: Path) -> None:
    talk = on.talk(Hermes("0.22.2"))
    talk.read(notes)
    talk.next_turn()
    assert is_note(talk.read(notes))
    assert talk.hermes.reads == 2


def test_both_hosts_show_the_last_line_of_a_file_in_their_own_way_and_both_count(
    talk: Conversation, tmp_path: Path
) -> None:
    for name, text in {"open.txt": "alpha\nbeta", "crlf.txt": "alpha\r\nbeta\r\n", "feed.txt": "\n"}.items():
        path = tmp_path / name
        path.write_bytes(text.encode())
        talk.next_turn()
        talk.read(path)
        assert is_note(talk.read(path)), name


# --- what is not proved is not noted


def test_a_text_that_is_no_longer_in_the_request_is_sent_again(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.read(notes)
    talk.messages.clear()
    talk.next_turn()
    assert is_content(talk.read(notes))
    assert on.reasons()["not_visible"] == 1


def test_a_conversation_that_was_compacted_gets_content_and_later_notes_again(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    talk.compact()
    assert is_content(talk.read(notes))
    assert is_note(talk.read(notes))


def test_only_the_request_that_led_to_the_call_counts(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    talk.ask()
    early = talk.call(notes)  # this call came out of a request that held the text
    talk.messages.clear()
    talk.ask()
    late = talk.call(notes)
    assert is_content(talk.run(late))
    assert is_note(talk.run(early))


def test_a_call_whose_request_was_never_seen_gets_content(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    talk.ask()
    assert is_content(talk.run(talk.call(notes)._replace(request="unknown")))
    assert is_content(talk.run(talk.call(notes)._replace(request="")))


def test_a_text_that_somebody_changed_on_its_way_is_not_offered(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    talk.messages[0] = talk.messages[0].replace("line 1 ", "line one ")
    talk.next_turn()
    assert is_content(talk.read(notes))


def test_a_shortened_text_is_never_offered_as_if_it_were_whole(on: Bench, hermes: Hermes, notes: Path) -> None:
    hermes.transform = lambda text: text.replace("line 2", "...") if "total_lines" in text else text
    talk = on.talk(hermes)
    for _ in range(6):
        assert not is_note(talk.read(notes))
    assert on.reasons()["content_mismatch"] >= 1
    assert "hit" not in on.reasons()


def test_a_subagent_never_gets_a_note_for_what_its_parent_read(on: Bench, hermes: Hermes, notes: Path) -> None:
    parent = on.talk(hermes)
    parent.read(notes)
    on.once.is_child("child")
    child = on.talk(hermes, session="child")
    child.messages = list(parent.messages)
    assert not is_note(child.read(notes))
    assert not is_note(child.read(notes))
    assert on.reasons()["parent_id"] == 2
    parent.next_turn()
    assert is_note(parent.read(notes))


def test_another_session_has_its_own_scope(on: Bench, hermes: Hermes, notes: Path) -> None:
    on.talk(hermes).read(notes)
    other = on.talk(hermes, session="other")
    assert is_content(other.read(notes))


def test_a_fork_with_the_same_session_is_judged_by_its_own_request(on: Bench, hermes: Hermes, notes: Path) -> None:
    talk, review = on.talk(hermes), on.talk(hermes, fork="-review")
    review.task = "review-task"
    talk.read(notes)
    assert is_content(review.read(notes))  # its request holds nothing
    review.messages = list(talk.messages)
    review.next_turn()
    assert is_note(review.read(notes))
    talk.next_turn()
    assert is_note(talk.read(notes))


def test_a_request_without_a_task_ends_what_was_visible(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.read(notes)
    talk.ask()
    call = talk.call(notes)
    on.once.saw(talk.session, "", "other", {})
    assert is_content(talk.run(call))


def test_a_request_of_a_session_that_is_a_subagents_ends_what_was_visible(
    talk: Conversation, notes: Path, on: Bench
) -> None:
    talk.read(notes)
    talk.ask()
    assert on.once.stats().visible == 1
    on.once.is_child(talk.session)
    talk.ask()
    assert on.once.stats().visible == 0


@pytest.mark.parametrize("changed", [{"session": ""}, {"task": ""}, {"call_id": ""}, {"child": True}, {"remote": True}])
def test_a_call_without_identity_passes(talk: Conversation, notes: Path, on: Bench, changed: dict[str, Any]) -> None:
    talk.read(notes)
    talk.ask()
    assert not is_note(talk.run(talk.call(notes)._replace(**changed)))
    reason = {"session": "missing_identity", "task": "missing_identity", "call_id": "missing_tool_call_id"}
    reason |= {"child": "parent_id", "remote": "non_local_backend"}
    assert on.reasons()[reason[next(iter(changed))]] == 1


# --- the file


@pytest.mark.parametrize("keep_time", [True, False])
def test_other_bytes_of_the_same_size_are_read_again(
    talk: Conversation, notes: Path, on: Bench, *, keep_time: bool
) -> None:
    talk.read(notes)
    before = notes.stat()
    notes.write_text(TEXT.replace("line 7", "LINE 7"), encoding="utf-8")
    if keep_time:
        os.utime(notes, ns=(before.st_atime_ns, before.st_mtime_ns))
    talk.next_turn()
    assert "LINE 7" in talk.read(notes)
    assert on.reasons()["changed"] == 1


def test_a_touched_file_is_read_again(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    os.utime(notes, ns=(1, 1))
    talk.next_turn()
    assert is_content(talk.read(notes))


def test_a_file_replaced_by_one_with_the_same_bytes_is_read_again(
    talk: Conversation, notes: Path, tmp_path: Path
) -> None:
    talk.read(notes)
    before = notes.stat()
    copy = tmp_path / "copy"
    copy.write_bytes(notes.read_bytes())
    os.utime(copy, ns=(before.st_atime_ns, before.st_mtime_ns))
    copy.rename(notes)
    talk.next_turn()
    assert is_content(talk.read(notes))


def test_a_file_that_changes_while_the_host_reads_is_not_remembered(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.hermes.during = lambda: os.utime(notes, ns=(7, 7))
    talk.read(notes)
    talk.hermes.during = lambda: None
    assert on.reasons()["changed_during_read"] == 1
    talk.next_turn()
    assert is_content(talk.read(notes))


def test_a_file_that_changes_between_the_check_and_the_hosts_answer_stands_as_answered(on: Bench, notes: Path) -> None:
    talk = on.talk(Hermes("0.22.2"))
    talk.read(notes)
    talk.next_turn()
    talk.hermes.during = lambda: notes.write_text("new\n", encoding="utf-8")
    assert "new" in talk.read(notes)
    assert on.reasons()["other_answer"] == 1


def test_the_same_text_of_a_changed_file_is_no_ground_for_a_note(on: Bench, notes: Path) -> None:
    talk = on.talk(Hermes("0.22.2"))
    talk.read(notes)
    talk.next_turn()

    def touched_after() -> None:
        os.utime(notes, ns=(9, 9))

    talk.hermes.during = touched_after
    assert is_content(talk.read(notes))
    assert on.reasons()["changed"] == 1


@pytest.mark.parametrize(
    "path, reason",
    [
        ("notes.txt", "relative_path"),
        ("~/notes.txt", "relative_path"),
        ("{outside}", "outside_root"),
        ("{root}/missing.txt", "stat_failed"),
        ("{root}/folder", "not_regular"),
        ("{root}/link.txt", "symlink"),
        ("{root}/.env", "credential_path"),
        ("{root}/big.txt", "too_large"),
    ],
)
def test_a_path_that_is_not_eligible_passes_with_its_reason(
    on: Bench, notes: Path, tmp_path_factory: pytest.TempPathFactory, path: str, reason: str
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.txt"
    outside.write_text("x\n")
    (on.root / "folder").mkdir()
    (on.root / "link.txt").symlink_to(notes)
    (on.root / ".env").write_text("A=1\n")
    (on.root / "big.txt").write_bytes(b"x" * (1024 * 1024 + 1))
    talk = on.talk()
    talk.ask()
    call = talk.call(path.format(root=on.root, outside=outside))
    assert on.once.before(call, talk.settings, talk.hermes) is None
    assert on.reasons() == {reason: 1}


def test_unknown_and_odd_arguments_pass_with_their_reason(on: Bench, notes: Path) -> None:
    talk = on.talk()
    for arguments in ({"mode": "x"}, {"offset": "two"}):
        assert on.once.before(talk.call(notes, **arguments), talk.settings, talk.hermes) is None
    assert on.reasons() == {"unknown_arg": 1, "bad_args": 1}


def test_without_a_root_nothing_is_looked_at(on: Bench, notes: Path) -> None:
    talk = on.talk()
    talk.settings = talk.settings._replace(root="")
    assert is_content(talk.read(notes))
    assert on.reasons() == {"root_unset": 1}


def test_a_root_that_is_no_folder_passes_everything(on: Bench, notes: Path) -> None:
    talk = on.talk()
    talk.settings = talk.settings._replace(root=str(notes))
    assert is_content(talk.read(notes))
    assert on.reasons() == {"root_invalid": 1}


@pytest.mark.parametrize("reason", ["non_local_backend", "terminal_policy_refused"])
def test_another_backend_passes_and_is_asked_again_before_anything_is_remembered(
    on: Bench, notes: Path, reason: str
) -> None:
    talk = on.talk()
    talk.hermes.backend = reason
    talk.read(notes)
    assert on.reasons() == {reason: 1}
    talk.hermes.backend = None

    def turns_out_elsewhere() -> None:
        talk.hermes.backend = "non_local_backend"

    talk.hermes.during = turns_out_elsewhere
    talk.read(notes)
    assert on.reasons()["backend_changed"] == 1
    talk.hermes.during = lambda: None
    talk.hermes.backend = None
    talk.next_turn()
    assert is_content(talk.read(notes))


def test_without_the_hosts_schema_the_read_passes(on: Bench, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = on.talk()
    monkeypatch.setattr(talk.hermes, "facts", ToolFacts)
    assert is_content(talk.read(notes))
    assert on.reasons() == {"no_schema": 1}


# --- gates


def test_a_veto_stands_byte_for_byte_on_both_hosts(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.read(notes)
    talk.next_turn()
    talk.hermes.veto = lambda path: f"vetoed: {path}"
    assert talk.read(notes) == json.dumps({"error": f"vetoed: {notes}"})
    talk.hermes.veto = lambda _path: None
    talk.next_turn()
    assert is_note(talk.read(notes))
    assert on.reasons()["hit"] == 1


@pytest.mark.parametrize(
    "answer", ["another plugin's text", json.dumps({"error": "BLOCKED by approval"}), "", json.dumps({"content": "?"})]
)
def test_another_answer_than_the_hosts_own_stands_byte_for_byte(on: Bench, notes: Path, answer: str) -> None:
    talk = on.talk(Hermes("0.22.2"))
    talk.read(notes)
    talk.next_turn()
    talk.hermes.transform = lambda _text: answer
    assert talk.read(notes) == answer
    assert on.reasons()["other_answer"] == 1


def test_a_result_that_is_no_text_is_handed_on_as_it_is(on: Bench, notes: Path) -> None:
    talk = on.talk()
    talk.ask()
    plan = on.once.before(talk.call(notes), talk.settings, talk.hermes)
    assert plan is not None
    assert not isinstance(plan, str)
    picture = {"type": "image"}
    assert on.once.after(plan, picture, talk.hermes) is picture
    assert on.reasons()["not_text"] == 1


# --- the host's own memory of reads


def test_the_host_alone_says_unchanged_and_then_refuses(on: Bench, hermes: Hermes, notes: Path) -> None:
    """What the next tests are about: this is the host without hits."""
    talk = on.talk(hermes, hits=False)
    answers = [talk.read(notes) for _ in range(3)]
    assert UNCHANGED in answers[1]
    assert "BLOCKED" in answers[2]


def test_where_the_host_would_say_unchanged_of_what_is_gone_the_model_gets_content(
    talk: Conversation, notes: Path
) -> None:
    talk.read(notes)
    for _ in range(4):
        talk.messages.clear()
        assert is_content(talk.read(notes))


def test_where_only_the_bytes_changed_the_host_does_not_say_unchanged(on: Bench, notes: Path) -> None:
    talk = on.talk(Hermes("0.19.0"))
    talk.read(notes)
    before = notes.stat()
    notes.write_text(TEXT.upper(), encoding="utf-8")
    os.utime(notes, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "LINE 1 OF" in talk.read(notes)


def test_a_result_that_is_not_exact_and_still_there_may_be_answered_by_the_hosts_unchanged_but_never_by_an_error(
    on: Bench, hermes: Hermes, tmp_path: Path
) -> None:
    path = tmp_path / "bom.txt"
    path.write_bytes(b"\xef\xbb\xbfalpha\nbeta\n")
    hermes.transform = lambda text: text.replace("\\ufeff", "").replace("\ufeff", "")
    talk = on.talk(hermes)
    answers = [talk.read(path) for _ in range(8)]
    assert [UNCHANGED in text for text in answers] == [False, True] * 4
    assert all(is_content(text) for text in answers[::2])
    assert not any("BLOCKED" in text for text in answers)


def test_the_host_is_kept_from_refusing_what_it_may_refer_to_turn_after_turn(
    on: Bench, hermes: Hermes, tmp_path: Path
) -> None:
    path = tmp_path / "long.txt"
    path.write_text("x\n" * 3_000)
    talk = on.talk(hermes)
    talk.read(path)
    for _ in range(4):
        talk.next_turn()
        assert UNCHANGED in talk.read(path)


def test_a_page_that_was_cut_is_never_noted_and_never_refused(on: Bench, hermes: Hermes, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("x\n" * 3_000)
    talk = on.talk(hermes)
    answers = [talk.read(path) for _ in range(8)]
    assert not any(is_note(text) or "BLOCKED" in text for text in answers)
    assert on.reasons()["truncated"] == 4


def test_an_evicted_entry_is_no_ground_for_the_hosts_unchanged(on: Bench, hermes: Hermes, tmp_path: Path) -> None:
    talk = on.talk(hermes)
    paths = [tmp_path / f"{n}.txt" for n in range(MOST_ENTRIES + 1)]
    for path in paths:
        path.write_text(f"{path.name}\n")
        talk.read(path)
    talk.next_turn()
    assert is_content(talk.read(paths[0]))
    assert is_note(talk.read(paths[-1]))


def test_a_forgotten_session_that_goes_on_gets_content(on: Bench, hermes: Hermes, notes: Path) -> None:
    talk = on.talk(hermes)
    talk.read(notes)
    on.once.end(None)
    talk.next_turn()
    assert is_content(talk.read(notes))


def test_what_only_a_script_has_read_is_no_ground_for_the_hosts_unchanged(
    on: Bench, hermes: Hermes, notes: Path
) -> None:
    talk = on.talk(hermes)
    talk.ask()
    nested = talk.call(notes)._replace(session="", call_id="", turn="", request="", may_answer=False)
    assert is_content(talk.run(nested))
    assert is_content(talk.run(nested)), "the script's own second read"
    assert is_content(talk.read(notes)), "the model's first"
    assert is_content(talk.run(nested)), "a script gets content even for what the model has"
    assert is_note(talk.read(notes))


def test_what_was_read_by_a_relative_path_is_no_ground_for_the_hosts_unchanged(
    on: Bench, hermes: Hermes, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes.parent)
    talk = on.talk(hermes)
    talk.read(notes.name)
    talk.messages.clear()
    assert is_content(talk.read(notes))


@pytest.mark.parametrize("other", ["short/notes.txt", "link.txt", "folder/../folder/notes.txt"])
def test_what_was_read_by_another_path_is_no_ground_for_the_hosts_unchanged(
    on: Bench, hermes: Hermes, other: str
) -> None:
    path = on.root / "folder" / "notes.txt"
    path.parent.mkdir()
    path.write_text(TEXT)
    (on.root / "short").symlink_to(path.parent)
    (on.root / "link.txt").symlink_to(path)
    talk = on.talk(hermes)
    assert is_content(talk.read(f"{on.root}/{other}"))
    talk.messages.clear()
    assert is_content(talk.read(path))
    assert is_note(talk.read(path))


def test_a_copy_with_the_same_bytes_is_another_file(talk: Conversation, notes: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(notes.read_bytes())
    talk.read(notes)
    assert is_content(talk.read(copy))
    note = talk.read(copy)
    assert is_note(note)
    assert str(copy) in note


def test_where_the_host_cannot_be_made_to_forget_its_answer_passes_and_is_counted(on: Bench, notes: Path) -> None:
    talk = on.talk(Hermes("0.22.2", forgetful=False))
    talk.read(notes)
    talk.messages.clear()
    assert UNCHANGED in talk.read(notes)
    assert on.reasons()["host_stub"] == 1
    assert on.reasons()["false_host_stub"] == 1


# --- observing


def test_observing_changes_nothing_and_counts(on: Bench, hermes: Hermes, notes: Path) -> None:
    alone = Hermes(hermes.version)
    watched = on.talk(hermes, hits=False)
    expected = [alone.read("session", {"path": str(notes)}) for _ in range(4)]
    assert [watched.read(notes) for _ in range(4)] == expected
    assert "hit" not in on.reasons()
    assert on.reasons()["observing"] >= 1


def test_observing_counts_the_hosts_unchanged_where_the_text_is_gone(on: Bench, hermes: Hermes, notes: Path) -> None:
    talk = on.talk(hermes, hits=False)
    talk.read(notes)
    talk.messages.clear()
    assert UNCHANGED in talk.read(notes)
    assert on.reasons()["false_host_stub"] == 1


def test_observing_asks_nothing_of_the_host(
    on: Bench, hermes: Hermes, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_task: str) -> bool:
        raise AssertionError("asked")

    monkeypatch.setattr(hermes, "forget", never)
    monkeypatch.setattr(hermes, "calm", never)
    talk = on.talk(hermes, hits=False)
    for _ in range(4):
        talk.read(notes)
        talk.messages.clear()


# --- ends


@pytest.mark.parametrize("sessions", [None, ["session"], ["other", "session"]])
def test_the_end_of_a_session_ends_its_entries(talk: Conversation, notes: Path, on: Bench, sessions: Any) -> None:
    talk.read(notes)
    on.once.end(sessions)
    talk.next_turn()
    assert is_content(talk.read(notes))
    assert is_note(talk.read(notes))


def test_the_end_of_another_session_ends_nothing(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.read(notes)
    on.once.end(["other"])
    talk.next_turn()
    assert is_note(talk.read(notes))


def test_the_end_of_all_is_counted_in_the_epoch(on: Bench, notes: Path) -> None:
    on.talk().read(notes)
    on.once.end(None)
    on.once.end(["session"])
    assert on.once.stats().epoch == 1
    assert on.once.stats().scopes == 0


def test_a_read_that_was_running_when_its_session_ended_is_not_remembered(
    talk: Conversation, notes: Path, on: Bench
) -> None:
    talk.hermes.during = lambda: on.once.end(["session"])
    talk.read(notes)
    assert on.reasons()["ended_meanwhile"] == 1
    talk.hermes.during = lambda: None
    assert is_content(talk.read(notes))


def test_a_note_is_not_given_when_the_session_ends_while_the_host_answers(on: Bench, notes: Path) -> None:
    talk = on.talk(Hermes("0.22.2"))
    talk.read(notes)
    talk.next_turn()
    talk.hermes.during = lambda: on.once.end(None)
    assert not is_note(talk.read(notes))


# --- refresh


def test_a_refresh_makes_the_next_read_fresh_and_only_that(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.read(notes)
    assert on.once.refresh(str(notes)) == 1
    talk.next_turn()
    assert is_content(talk.read(notes))
    assert on.reasons()["refresh"] == 1
    talk.next_turn()
    assert is_note(talk.read(notes))


def test_a_refresh_reaches_hard_links_linked_folders_and_every_scope(on: Bench, hermes: Hermes, notes: Path) -> None:
    folder = on.root / "folder"
    folder.mkdir()
    (on.root / "short").symlink_to(folder)
    hard = folder / "hard.txt"
    os.link(notes, hard)
    talks = [on.talk(hermes, session=name) for name in ("one", "two")]
    for talk in talks:
        talk.read(notes)
        talk.read(on.root / "short" / "hard.txt")
    assert on.once.refresh(str(hard)) == 4
    for talk in talks:
        talk.next_turn()
        assert is_content(talk.read(notes))


def test_a_refresh_of_a_file_that_was_never_read_waits_for_it(talk: Conversation, notes: Path, on: Bench) -> None:
    assert on.once.refresh(str(notes)) == 0
    talk.read(notes)
    assert on.reasons()["refresh"] == 1


def test_a_refresh_of_a_missing_file_is_answered(on: Bench) -> None:
    assert on.once.refresh(str(on.root / "missing")) == 0
    assert on.once.refresh("\0") == 0


# --- sums


def test_the_sum_is_a_quarter_of_the_characters_not_sent(talk: Conversation, notes: Path, on: Bench) -> None:
    length = len(talk.read(notes))
    for _ in range(3):
        talk.next_turn()
        talk.read(notes)
    talk.ask()
    saved = on.once.stats().saved
    assert (saved.hits, saved.approx) == (3, 3 * round(length / 4))
    assert 0 < saved.net < saved.approx * 2
    assert "approx" in saved.method


def test_a_fetch_right_after_a_note_is_taken_from_the_sum(talk: Conversation, notes: Path, on: Bench) -> None:
    for _ in range(3):
        talk.read(notes)
    talk.ask()
    saved = on.once.stats().saved
    assert (saved.hits, saved.refetches) == (1, 1)
    assert saved.net < 0, "the note cost something and saved nothing"


def test_entries_hold_no_text(talk: Conversation, notes: Path, on: Bench) -> None:
    text = talk.read(notes)
    talk.ask()
    held = repr([(scope.entries, scope.requests, scope.index, scope.short) for scope in on.once._scopes])
    assert "line 1 of the notes" not in held
    assert repr(mark_of(text).digest) in held


def test_the_report_counts_entries_and_what_is_visible(talk: Conversation, notes: Path, on: Bench) -> None:
    talk.read(notes)
    assert (on.once.stats().entries, on.once.stats().visible) == (1, 0)
    talk.ask()
    assert (on.once.stats().entries, on.once.stats().visible) == (1, 1)
    on.once.count("turns")
    assert on.once.stats().events == {"turns": 1}


# --- bounds


def test_the_oldest_scope_goes_first(on: Bench, notes: Path) -> None:
    hermes = Hermes()
    talks = [on.talk(hermes, session=f"s{n}") for n in range(MOST_SCOPES + 1)]
    for talk in talks:
        talk.read(notes)
    assert on.once.stats().scopes == MOST_SCOPES
    for talk in (talks[0], talks[-1]):
        talk.next_turn()
    assert is_content(talks[0].read(notes))
    assert is_note(talks[-1].read(notes))


def test_requests_are_remembered_up_to_a_number(talk: Conversation, notes: Path) -> None:
    talk.read(notes)
    talk.ask()
    old = talk.call(notes)
    for _ in range(MOST_REQUESTS):
        talk.ask()
    assert is_content(talk.run(old))


# --- threads


def test_all_calls_out_of_one_request_get_the_note_and_the_next_request_content(
    talk: Conversation, notes: Path, on: Bench
) -> None:
    talk.read(notes)
    talk.next_turn()
    talk.ask()
    calls = [talk.call(notes) for _ in range(8)]
    answers: list[str] = []
    start, meeting = Barrier(len(calls)), Barrier(len(calls))

    def one(call: Call) -> None:
        start.wait(10)
        answers.append(talk.run(call))

    talk.hermes.during = lambda: meeting.wait(10)  # where the host is asked, all of them are in it at once

    threads = [Thread(target=one, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [is_note(text) for text in answers] == [True] * len(calls)
    assert on.reasons()["hit"] == len(calls)
    talk.hermes.during = lambda: None
    assert is_content(talk.read(notes))


def test_every_reason_of_the_table_is_given_somewhere_here(request: pytest.FixtureRequest) -> None:
    """The list is closed: a reason that nothing gives is a mistake in the table."""
    source = Path(str(request.path)).read_text(encoding="utf-8")
    elsewhere = {
        "open_failed",
        "hash_failed",
        "changed_during_hash",
        "failed",
        "not_exact",
        "after_note",
        "error_result",
    }
    from herma.core.reasons import of_system  # noqa: PLC0415 - this test alone is about the table

    missing = [reason.id for reason in of_system(SYSTEM) if f'"{reason.id}"' not in source]
    assert set(missing) <= elsewhere, missing
