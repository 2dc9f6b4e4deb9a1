"""Conversations of the real Hermes, read from its database while it runs and after it has ended."""

from pathlib import Path

from herma.core.recall.records import Past
from herma.stores.sessions.detect import locate
from herma.stores.sessions.reader import SessionReader, open_sessions
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.looking import Restless, untouched
from tests.hosts.model import ScriptedModel, call, say
from tests.hosts.people_house import ANNA, BEN, OLGA, House, card_of
from tests.hosts.turn import run_turn


def _database(household: House) -> Path:
    return locate("hermes", {}, household.home.path)


def _with(reader: SessionReader, words: str) -> tuple[Past, list[tuple[str, str, str]]]:
    """The session in which somebody said `words`, and what was said there: role, kind and text."""
    for past in reader.sessions(limit=100):
        found = _all(reader, past.session_id)
        if any(words in text for _, _, text in found):
            return past, found
    raise AssertionError(f"nobody said {words!r}")


def _all(reader: SessionReader, session: str) -> list[tuple[str, str, str]]:
    return [(each.role, each.kind, each.text) for each in reader.messages(session)]


def test_a_conversation_is_read_while_the_host_runs_and_no_file_beside_it_changes(household: House) -> None:
    household.turn(ANNA, "anna-kites", call("manyhands_remember", text="anna flies kites", topic="sport"))
    path = _database(household)

    past, said = untouched(path, lambda: _with(open_sessions(path), "anna-kites"))

    assert past.owner == f"loopchat:{ANNA.id}"
    assert ("user", "text", "anna-kites") in said
    assert ("assistant", "text", "anna-kites is done") in said
    assert not any("anna flies kites" in text for _, _, text in said), "facts are kept for one person alone"
    # The card went to the model with the message, and stands in the database beside its words.
    assert card_of(ANNA, "member") in household.model.of(r"(?<![\w-])anna\-kites(?![\w-])")[-1].user_text
    assert not [text for _, _, text in said if "[manyhands] This turn's speaker" in text]
    assert past.updated_at > past.started_at > 1_000_000_000_000


def test_a_host_whose_database_is_read_without_pause_goes_on_as_before(household: House) -> None:
    before = household.home.log.read_text("utf-8").count("database is locked")
    with Restless(_database(household)) as restless:
        for n in range(3):
            household.turn(BEN, f"ben-hurries-{n}", call("manyhands_recall", query="kites"))

    assert restless.looks > 3
    assert household.home.log.read_text("utf-8").count("database is locked") == before
    _, said = _with(open_sessions(_database(household)), "ben-hurries-2")
    assert [text for role, kind, text in said if role == "user" and "ben-hurries" in text] == [
        f"ben-hurries-{n}" for n in range(3)
    ]


def test_only_what_is_new_is_told_and_what_is_taken_back_is_gone(household: House) -> None:
    household.turn(OLGA, "olga-first")
    path = _database(household)
    reader, cursor = open_sessions(path), ""
    while (change := reader.changes(cursor, most=500)).cursor != cursor:
        cursor = change.cursor
    household.turn(OLGA, "olga-second")

    news = reader.changes(cursor, most=500)
    assert [each.text for each in news.passages if each.kind == "text"] == ["olga-second", "olga-second is done"]
    assert not news.gone_sessions
    assert {each.turn for each in news.passages} == {news.passages[0].message_id}

    household.gateway.exchange(OLGA, "/undo", ".")
    # Hermes keeps no time of a change: what was taken back is seen with the session's next message, at the latest.
    household.turn(OLGA, "olga-third")
    after = reader.changes(news.cursor, most=500)
    assert after.gone_sessions == [news.passages[0].session_id]
    assert "olga-first" in [each.text for each in after.passages]
    assert "olga-third" in [each.text for each in after.passages]
    assert "olga-second" not in [each.text for each in after.passages]


def test_what_a_summary_took_the_place_of_is_still_found_and_found_once(household: House) -> None:
    household.model.aux(default=say("## Summary: all about a kite"))
    household.gateway.exchange(OLGA, "/new", ".")
    said = [f"olga-tells-{n} " + "the kite flew over the shed " * 200 for n in range(8)]
    for n, words in enumerate(said):
        household.model.lane(rf"olga-tells-{n} ", say(f"heard {n}"))
        household.gateway.exchange(OLGA, words.strip(), f"heard {n}")
    reader = open_sessions(_database(household))
    past, before = _with(reader, "olga-tells-7")

    household.gateway.exchange(OLGA, "/compress", "(?i)compress")

    after = [(role, kind, text) for role, kind, text in _all(reader, past.session_id) if kind != "summary"]
    assert after == before
    assert [kind for _, kind, _ in _all(reader, past.session_id)].count("summary") == 1


def test_a_database_that_its_host_has_closed_is_read_and_left_as_it_is(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    home = homes.make(hermes, model)
    notes = folder / "notes.md"
    notes.write_text("the blue kite is in shed 7\n", "utf-8")
    model.replies(call("read_file", path=str(notes)), say("In shed 7."), say("In shed 9."))
    turn = run_turn(hermes, home, "Where is the blue kite?", cwd=folder, timeout=300)
    run_turn(hermes, home, "And the red one?", cwd=folder, resume=turn.session_id, timeout=300)
    path = locate("hermes", {}, home.path)

    past, said = untouched(path, lambda: _with(open_sessions(path), "blue kite"))

    assert past.session_id == turn.session_id
    assert past.owner == ""
    words = [(role, text) for role, kind, text in said if kind == "text"]
    assert words == [
        ("user", "Where is the blue kite?"),
        ("assistant", "In shed 7."),
        ("user", "And the red one?"),
        ("assistant", "In shed 9."),
    ]
    assert any(kind == "tool" and "the blue kite is in shed 7" in text for _, kind, text in said)
