"""Conversations of the real OpenCode, read from its database while it runs and after it was ended."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from herma.core.recall.records import Change, Past
from herma.stores.sessions.detect import locate
from herma.stores.sessions.reader import SessionReader, open_sessions
from tests.hosts.looking import Restless, untouched
from tests.hosts.model import ScriptedModel, call, say
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.program import OpenCode
from tests.hosts.opencode.serving import Serving


class Running(NamedTuple):
    """A server, its household and its model."""

    server: Serving
    household: Household
    model: ScriptedModel

    @property
    def database(self) -> Path:
        """Where the host keeps its sessions."""
        return locate("opencode", self.household.environment(), self.household.folder / "home")


@pytest.fixture(scope="module")
def running(
    opencode: OpenCode, shared_model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """One server without plugins for the tests of this file."""
    household = Household(tmp_path_factory.mktemp("sessions"), opencode, model_url=shared_model.url, plugins=[])
    with Serving(household) as server:
        yield Running(server, household, shared_model)


def _to_the_end(reader: SessionReader) -> str:
    cursor = ""
    while (change := reader.changes(cursor, most=500)).cursor != cursor:
        cursor = change.cursor
    return cursor


def _said(reader: SessionReader, session: str) -> list[tuple[str, str, str]]:
    return [(each.role, each.kind, each.text) for each in reader.messages(session)]


def _words(change: Change) -> list[str]:
    return [each.text for each in change.passages if each.kind == "text"]


def test_a_conversation_is_read_while_the_host_runs_and_no_file_beside_it_changes(running: Running) -> None:
    (running.household.project / "notes.txt").write_text("the blue kite is in shed 7\n", "utf-8")
    read = call("read", filePath=str(running.household.project / "notes.txt"))
    running.model.lane("KITE", read, say("In shed 7."))
    session = running.server.session()
    running.server.say(session, "KITE where is it?")
    path = running.database

    past, said = untouched(path, lambda: (_past(path, session), _said(open_sessions(path), session)))

    assert past.directory == str(running.household.project)
    assert (past.owner, past.hidden, past.parent) == ("", False, "")
    assert [words for words in said if words[1] == "text"] == [
        ("user", "text", "KITE where is it?"),
        ("assistant", "text", "In shed 7."),
    ]
    assert any(kind == "tool" and "the blue kite is in shed 7" in text for _, kind, text in said)


def _past(path: Path, session: str) -> Past:
    return next(past for past in open_sessions(path).sessions(limit=50) if past.session_id == session)


def test_a_summary_is_marked_and_a_subagents_session_is_hidden(running: Running) -> None:
    running.model.lane("LOOK", call("task", description="look", prompt="SUBQ", subagent_type="general"), say("looked"))
    running.model.lane("SUBQ", say("one file"))
    session = running.server.session()
    running.server.say(session, "LOOK around")
    running.server.summarize(session)
    reader = open_sessions(running.database)

    kinds = [kind for _, kind, _ in _said(reader, session)]
    change = reader.changes("", most=10_000)

    assert kinds.count("summary") == 1
    assert {past.parent for past in change.sessions if past.hidden} == {session}
    assert "one file" not in _words(change)
    assert not [past for past in reader.sessions(limit=50) if past.hidden]


def test_only_what_is_new_is_told_and_every_way_of_changing_the_past_is_seen(running: Running) -> None:
    running.model.lane("ONE", say("first answer"))
    running.model.lane("TWO", say("second answer"))
    session, other = running.server.session(), running.server.session()
    running.server.say(session, "ONE")
    running.server.say(other, "ONE")
    reader = open_sessions(running.database)
    cursor = _to_the_end(reader)
    running.server.say(session, "TWO")

    news = reader.changes(cursor, most=500)
    assert _words(news) == ["TWO", "second answer"]
    assert not news.gone_sessions

    asked, answered = (each for each in reader.messages(session) if each.text in {"TWO", "second answer"})
    parts = running.server.ask("GET", f"/session/{session}/message/{asked.message_id}")["parts"]
    path = f"/session/{session}/message/{asked.message_id}/part/{parts[0]['id']}"
    running.server.ask("PATCH", path, {**parts[0], "text": "TWO, put better"})
    edited = reader.changes(news.cursor, most=500)
    assert "TWO, put better" in _words(edited)

    running.server.ask("DELETE", f"/session/{session}/message/{answered.message_id}")
    removed = reader.changes(edited.cursor, most=500)
    assert removed.gone_sessions == [session]
    assert "second answer" not in _words(removed)

    running.server.ask("POST", f"/session/{session}/revert", {"messageID": asked.message_id})
    back = reader.changes(removed.cursor, most=500)
    assert _words(back) == ["ONE", "first answer"]

    running.server.ask("DELETE", f"/session/{other}")
    assert reader.changes(back.cursor, most=500).gone_sessions == [other]


def test_a_host_whose_database_is_read_without_pause_goes_on_as_before(running: Running) -> None:
    running.model.lane("HURRY", default=say("done"))
    session = running.server.session()
    with Restless(running.database) as restless:
        for n in range(3):
            running.server.say(session, f"HURRY {n}")

    assert restless.looks > 3
    assert "database is locked" not in running.server.errors.read_text("utf-8")
    assert [text for role, _, text in _said(open_sessions(running.database), session) if role == "user"] == [
        f"HURRY {n}" for n in range(3)
    ]


def test_a_database_whose_host_was_killed_is_read_and_left_as_it_is(
    opencode: OpenCode, model: ScriptedModel, tmp_path: Path
) -> None:
    household = Household(tmp_path / "person", opencode, model_url=model.url, plugins=[])
    model.lane("LAST", say("words"))
    with Serving(household) as server:
        session = server.session()
        server.say(session, "LAST")
    path = locate("opencode", household.environment(), household.folder / "home")

    said = untouched(path, lambda: _said(open_sessions(path), session))

    assert said == [("user", "text", "LAST"), ("assistant", "text", "words")]
