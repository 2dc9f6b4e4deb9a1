"""The host's other doors in a real gateway: its slash commands, references to files, attachments, its own state."""

import os
from threading import Event

import pytest

from tests.hosts.model import call, say
from tests.hosts.people_house import ANNA, BEN, GUS, OLGA, House, lane

SHUT = ("/yolo", "/approve", "/deny", "/model other", "/memory", "/resume", "/sessions", "/restart", "/compress")


@pytest.mark.parametrize("command", SHUT)
def test_a_command_of_the_host_is_shut_for_a_member(household: House, command: str) -> None:
    household.gateway.exchange(ANNA, command, "(?i)not available")
    assert household.model.requests == []


def test_yolo_of_a_member_changes_nothing_for_anybody(household: House) -> None:
    household.gateway.exchange(ANNA, "/yolo", "(?i)not available")
    [refused] = household.results(ANNA, "yolo-tries", call("read_file", path="/etc/hostname"))
    assert '"error"' in refused


def test_a_reference_to_a_file_brings_nothing_of_it(household: House) -> None:
    secret = household.folder / "reference.txt"
    secret.write_text("what the file says", encoding="utf-8")
    household.model.lane(lane("refers"), say("refers is done"), say("refers is done"))
    for text in (f"refers @file:{secret}", "refers @folder:. @file:reference.txt"):
        household.gateway.exchange(ANNA, text, "refers is done")
    assert household.sent("what the file says") == []
    household.model.lane(lane("owner-refers"), say("owner-refers is done"))
    household.gateway.exchange(OLGA, "owner-refers @file:reference.txt", "owner-refers is done")
    assert len(household.sent("what the file says")) == 1


def test_a_reply_does_not_deliver_a_file_that_it_names(household: House) -> None:
    secret = household.folder / "attached.txt"
    secret.write_text("attached", encoding="utf-8")
    household.model.lane(lane("attach"), say(f"attach is done: {secret}"))
    told = household.gateway.exchange(ANNA, "attach", "attach is done")
    after = household.gateway.exchange(ANNA, "/many whoami", "(?i)member")
    said = [each.text for each in household.gateway.messages if told.n <= each.n <= after.n and each.chat == ANNA.dm]
    assert len(said) == 2, said


def test_many_in_a_busy_session_is_answered_and_not_modelled(household: House) -> None:
    gate = Event()
    household.model.lane(lane("busy-anna"), say("busy-anna is done").held(gate))
    household.gateway.say(ANNA, "busy-anna", chat="busy-room")
    household.model.wait_for(lambda request: request.lane == lane("busy-anna"))
    household.gateway.exchange(BEN, "/many whoami", "(?i)member", chat="busy-room", while_busy=True)
    household.gateway.exchange(BEN, "/many approve AAAA", "only the owner", chat="busy-room", while_busy=True)
    gate.set()
    household.gateway.expect("busy-room", "busy-anna is done")
    household.turn(BEN, "busy-ben", chat="busy-room")
    assert household.sent("/many whoami") == []
    assert household.sent("approve AAAA") == []


def test_a_members_stop_ends_no_turn_of_somebody_else(household: House) -> None:
    gate = Event()
    household.model.lane(lane("stop-anna"), say("stop-anna is done").held(gate))
    household.gateway.say(ANNA, "stop-anna", chat="stop-room")
    household.model.wait_for(lambda request: request.lane == lane("stop-anna"))
    household.gateway.exchange(BEN, "/stop", "(?i)of your own", chat="stop-room", while_busy=True)
    gate.set()
    household.gateway.expect("stop-room", "stop-anna is done")


def test_no_file_tool_reaches_the_state_by_any_spelling(household: House) -> None:
    state = household.database
    link, hard = household.folder / "link.db", household.folder / "hard.db"
    link.symlink_to(state)
    os.link(state, hard)
    home = household.home.user
    (home / "inside").symlink_to(state.parent)
    before = household.rows("SELECT count(*) AS n FROM audit")[0]["n"]
    spellings = (
        str(state),
        f"{state.parent}/../manyhands/{state.name}",
        str(link),
        str(hard),
        "link.db",
        f"~/inside/{state.name}",
        f"{state}-wal",
    )
    steps = [call("read_file", path=each) for each in spellings]
    steps += [
        call("write_file", path=str(hard), content="gone"),
        call("search_files", pattern="owner", path=str(state)),
    ]
    results = household.results(OLGA, "state-reads", *steps)
    assert all("may not touch" in text for text in results), results
    refused = household.trail(OLGA, kind="refusal")[-len(steps) :]
    assert {row["note"] for row in refused} == {"names Herma's own files"}
    rows = household.rows("SELECT writer, seq FROM audit ORDER BY id")
    assert len(rows) >= before + len(steps)
    for writer in {row["writer"] for row in rows}:
        own = [row["seq"] for row in rows if row["writer"] == writer]
        assert own == list(range(own[0], own[0] + len(own))), "a row is missing"
    household.turn(GUS, "state-after")
