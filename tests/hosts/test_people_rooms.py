"""Two people in one room whose session is one for all, in a real gateway: interleaved, and while a turn runs."""

import json
from collections.abc import Mapping
from itertools import pairwise
from threading import Event
from typing import Any

from tests.hosts.hermes import Hermes
from tests.hosts.model import call, say
from tests.hosts.people_house import ANNA, BEN, GUS, MEMORY_NOTE, OLGA, House, lane


def test_people_who_take_turns_in_a_room_keep_their_own_rights(household: House) -> None:
    note = household.folder / "turns.txt"
    note.write_text("turns text\n", encoding="utf-8")
    read = call("read_file", path=str(note))
    for n in range(3):
        [of_olga] = household.results(OLGA, f"turns-olga-{n}", read, chat="turns-room")
        [of_gus] = household.results(GUS, f"turns-gus-{n}", read, chat="turns-room")
        assert "may not" not in of_olga
        assert "guest" in json.loads(of_gus)["error"]


def test_a_room_shows_the_operators_notes_to_nobody_and_keeps_one_prefix(household: House) -> None:
    prompts = [
        household.turn(person, f"prefix-{person.name.lower()}", chat="prefix-room")[0].system_text
        for person in (OLGA, ANNA, GUS, OLGA)
    ]
    assert all(MEMORY_NOTE not in prompt for prompt in prompts)
    assert len(set(prompts)) == 1


def test_what_was_sent_in_a_room_is_never_rewritten(household: House) -> None:
    for word, person in (("sent-one", ANNA), ("sent-two", BEN), ("sent-three", ANNA), ("sent-four", OLGA)):
        household.turn(person, word, chat="sent-room")
    bodies = [request.messages[1:] for request in household.model.requests]
    for earlier, later in pairwise(bodies):
        assert [_without_card(each) for each in later[: len(earlier)]] == [_without_card(each) for each in earlier]


def test_a_follow_up_in_a_busy_room_is_the_turn_of_whoever_wrote_it(household: House) -> None:
    gate = Event()
    mark = household.folder / "followed.txt"
    household.model.lane(lane("follow-olga"), say("follow-olga is done").held(gate))
    household.model.lane(lane("follow-gus"), call("terminal", command=f"touch {mark}"), say("follow-gus is done"))
    household.gateway.say(OLGA, "follow-olga", chat="follow-room")
    household.model.wait_for(lambda request: request.lane == lane("follow-olga"))
    household.gateway.say(GUS, "follow-gus", chat="follow-room", while_busy=True)
    gate.set()
    household.gateway.expect("follow-room", "follow-gus is done")
    [_, answered] = household.model.of(lane("follow-gus"))
    assert "guest" in answered.last_tool_text
    assert not mark.exists()
    assert household.trail(GUS, kind="turn")[-1]["session_id"] == household.trail(OLGA, kind="turn")[-1]["session_id"]


def test_words_of_a_guest_do_not_run_in_the_turn_of_the_owner_who_wrote_next(household: House) -> None:
    """By itself 0.19 merges what was not answered yet with what comes next, into one message of the owner's turn."""
    gate = Event()
    of_gus, of_olga = household.folder / "merged-gus.txt", household.folder / "merged-olga.txt"
    touch_gus, touch_olga = (call("terminal", command=f"touch {path}") for path in (of_gus, of_olga))
    household.model.lane(lane("merge-olga"), touch_olga, say("merge-olga is done"))
    household.model.lane(lane("merge-gus"), touch_gus.held(gate), say("merge-gus is done"))
    household.gateway.say(GUS, "merge-gus", chat="merge-room")
    household.model.wait_for(lambda request: request.lane == lane("merge-gus"))
    household.gateway.say(OLGA, "merge-olga", chat="merge-room", while_busy=True)
    gate.set()
    household.gateway.expect("merge-room", "merge-olga is done")
    assert all("merge-gus" not in request.user_text for request in household.model.of(lane("merge-olga")))
    assert of_olga.exists()
    assert not of_gus.exists()


def test_a_delegation_that_ends_in_a_room_gives_nobody_the_owners_rights(household: House) -> None:
    """Both hosts report it as a turn of whoever spoke first in the room."""
    mark = household.folder / "delegated.txt"
    household.turn(OLGA, "deleg-first", chat="deleg-room")
    household.many(OLGA, "tools Ben add delegate_task", "delegate_task")
    household.model.lane("ASYNC DELEGATION", call("terminal", command=f"touch {mark}"), say("the delegation is over"))
    household.model.lane(lane("deleg-goal"), say("the child is done"))
    household.turn(BEN, "deleg-ben", call("delegate_task", goal="deleg-goal", context="none"), chat="deleg-room")
    household.gateway.expect("deleg-room", "the delegation is over")
    household.many(OLGA, "tools Ben remove delegate_task", "delegate_task")
    assert '"error"' in household.model.of("ASYNC DELEGATION")[-1].last_tool_text
    assert not mark.exists()


def test_a_person_of_a_room_cannot_use_what_was_approved_for_another(household: House, hermes: Hermes) -> None:
    path = household.folder / f"room-{hermes.version}.txt"
    write = call("write_file", path=str(path), content="x")
    household.results(ANNA, "lend-anna", write, chat="lend-room")
    household.approve(path.name, told="lend-room")
    [ben] = household.results(BEN, "lend-ben", write, chat="lend-room")
    assert '"error"' in ben
    assert not path.exists()
    [elsewhere] = household.results(ANNA, "lend-elsewhere", write)
    assert '"error"' in elsewhere
    [anna] = household.results(ANNA, "lend-runs", write, chat="lend-room")
    assert '"error"' not in anna


def _without_card(message: Mapping[str, Any]) -> tuple[str, str]:
    """The card stands in the newest message of a room only: what is left is what is replayed."""
    text = str(message.get("content"))
    return str(message["role"]), text.partition("\n\n[manyhands] This turn's speaker is ")[0]
