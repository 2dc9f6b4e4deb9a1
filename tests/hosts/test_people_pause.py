"""Pausing, changing a role and removing somebody in a real gateway: what was opened under the old rules is void."""

from collections.abc import Iterator
from threading import Event

import pytest

from tests.hosts.model import call, say
from tests.hosts.people_house import ANNA, BEN, GUS, MEMORY_NOTE, OLGA, House, card_of, code_in, lane, written


@pytest.fixture
def paused(household: House) -> Iterator[House]:
    """The household with enforcement switched off for the time of a test."""
    household.many(OLGA, "pause", "(?i)paused|off")
    yield household
    household.many(OLGA, "resume", "(?i)resumed|on again|enforc")


def test_a_pause_lets_tools_run_and_keeps_people_apart(paused: House) -> None:
    note = paused.folder / "paused.txt"
    note.write_text("paused text\n", encoding="utf-8")
    paused.results(ANNA, "pause-keeps", call("manyhands_remember", text="anna fears moths"))
    [read] = paused.results(GUS, "pause-reads", call("read_file", path=str(note)))
    assert "paused text" in read
    [request] = paused.turn(GUS, "pause-card")
    assert card_of(GUS, "guest") in written(request)
    assert MEMORY_NOTE not in written(request)
    assert "moths" not in written(request)
    assert "moths" not in paused.results(GUS, "pause-recalls", call("manyhands_recall", query="moths"))[0]
    assert "PAUSED" in paused.trail(OLGA, kind="policy", tool="/many pause")[-1]["note"]


def test_only_an_owner_pauses(household: House) -> None:
    household.many(ANNA, "pause", "only the owner")
    [refused] = household.results(GUS, "unpaused", call("read_file", path="/etc/hostname"))
    assert '"error"' in refused


def test_a_pause_voids_what_was_asked_and_granted(household: House) -> None:
    path, other = household.folder / "void.txt", household.folder / "void-ben.txt"
    write = call("write_file", path=str(path), content="x")
    household.results(ANNA, "void-asks", write)
    household.approve("void.txt", told=ANNA.dm)
    household.results(BEN, "void-ben", call("write_file", path=str(other), content="x"))
    code = code_in(household.prompt("void-ben.txt"))
    household.many(OLGA, "pause", "(?i)paused|off")
    household.many(OLGA, "resume", "(?i)resumed|on again|enforc")
    household.many(OLGA, f"approve {code}", "(?i)no|not|revoked|withdrawn")
    [anna] = household.results(ANNA, "void-tries", write)
    assert '"error"' in anna
    assert not path.exists()
    household.deny("void.txt", told=ANNA.dm)
    assert household.asks(ANNA, "write_file")[-2]["status"] == "revoked"
    assert household.asks(BEN, "write_file")[-1]["status"] == "revoked"


def test_a_new_role_voids_what_was_granted_under_the_old_one(household: House) -> None:
    path = household.folder / "role-void.txt"
    write = call("write_file", path=str(path), content="y")
    household.results(BEN, "role-asks", write)
    household.approve("role-void.txt", told=BEN.dm)
    household.many(OLGA, "role Ben guest", "(?i)guest")
    [guest] = household.results(BEN, "role-tries", write)
    household.many(OLGA, "role Ben member", "(?i)member")
    [member] = household.results(BEN, "role-again", write)
    assert '"error"' in guest
    assert '"error"' in member
    assert not path.exists()
    household.deny("role-void.txt", told=BEN.dm)


def test_a_new_conversation_ends_what_was_granted_in_the_old_one(household: House) -> None:
    path = household.folder / "new-void.txt"
    write = call("write_file", path=str(path), content="z")
    household.results(ANNA, "new-asks", write)
    household.approve("new-void.txt", told=ANNA.dm)
    household.gateway.exchange(ANNA, "/new", ".")
    [refused] = household.results(ANNA, "new-tries", write)
    assert '"error"' in refused
    assert not path.exists()
    household.deny("new-void.txt", told=ANNA.dm)


def test_an_approval_that_arrives_while_the_turn_runs_serves_that_turn(household: House) -> None:
    """The model was told to wait; when the owner is faster than it, its next try in the same turn runs."""
    path = household.folder / "same-turn.txt"
    write, approved = call("write_file", path=str(path), content="fast"), Event()
    household.model.lane(lane("same-turn"), write, write.held(approved), say("same-turn is done"))
    household.gateway.say(BEN, "same-turn")
    household.many(OLGA, f"approve {code_in(household.prompt('same-turn.txt'))}", "(?i)approved")
    approved.set()
    household.gateway.expect(BEN.dm, "same-turn is done")
    first, second = [text for _, text in household.model.of(lane("same-turn"))[-1].tool_results()][-2:]
    assert '"error"' in first
    assert '"error"' not in second
    assert path.read_text("utf-8") == "fast"
