"""Past conversations in a real gateway that people share: what each of them finds, as the model was shown it."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.hosts.command import run_command, run_python
from tests.hosts.gateway import Person
from tests.hosts.hermes import ROOT, Hermes
from tests.hosts.home import Config
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel, call, say
from tests.hosts.people_house import ANNA, BEN, GUS, OLGA, House, house, lane, written
from tests.hosts.turn import run_turn

TREES = tuple(ROOT / "integrations" / "hermes" / plugin for plugin in ("manyhands", "recall"))
CONFIG: Config = {"plugins": {"enabled": ["manyhands", "recall"]}}


@pytest.fixture(scope="module")
def set_up(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(hermes, homes, tmp_path_factory.mktemp("past"), config=CONFIG) as made:
        made.join(ANNA, "member")
        made.join(BEN, "member")
        made.join(GUS, "guest")
        yield made


@pytest.fixture
def past(set_up: House) -> House:
    """The same with a model that has said and heard nothing yet."""
    set_up.model.clear()
    return set_up


def talk(  # noqa: PLR0913 - who says what to whom
    past: House, person: Person, word: str, said: str, *, answer: str = "noted", chat: str | None = None
) -> None:
    """One turn in which a person says something, and the model something else."""
    past.model.lane(lane(word), say(f"{answer} ({word} is done)"))
    past.gateway.exchange(person, f"{word} {said}", f"{word} is done", chat=chat)


def anew(past: House, person: Person, chat: str | None = None) -> None:
    """Somebody begins another conversation in a chat."""
    past.gateway.exchange(person, "/new", "(?i)new|reset|fresh", chat=chat)


def search(past: House, person: Person, word: str, chat: str | None = None, **arguments: Any) -> str:
    """What the model is shown when it searches in the turn of a person."""
    [found] = past.results(person, word, call("recall_search", **arguments), chat=chat)
    return found


def test_a_member_finds_their_own_conversation_and_not_anothers_with_the_same_words(past: House) -> None:
    talk(past, ANNA, "kite-anna", "the red kite lies in the attic", answer="so it waits above")
    talk(past, BEN, "kite-ben", "the red kite lies in the cellar", answer="so it waits below")
    anew(past, ANNA)
    found = search(past, ANNA, "ask-anna", query="where is the red kite")
    assert json.loads(found)["count"] == 1
    assert "lies in the attic" in found
    assert "so it waits above" in found
    assert "cellar" not in found
    assert "[manyhands data:" in found
    [latest] = json.loads(search(past, BEN, "ask-ben", query="red kite attic"))["results"] or [{}]
    assert latest == {}  # it was spoken of in Ben's present conversation only, and Anna's is none of his


def test_another_persons_conversation_cannot_be_read_by_its_id(past: House) -> None:
    talk(past, BEN, "id-ben", "the tin of biscuits is under the stairs")
    session = past.trail(BEN, kind="turn")[-1]["session_id"]
    found = search(past, ANNA, "id-asks", session_id=session)
    assert json.loads(found) == {"success": False, "error": f"session not found: {session}"}


def test_in_a_room_only_what_was_said_there_while_the_person_was_there_is_found(past: House) -> None:
    room = "light-room"
    talk(past, BEN, "light-early", "the lighthouse has a zulu door", answer="zulu it is", chat=room)
    talk(past, ANNA, "light-one", "the lighthouse has an alpha door", answer="alpha it is", chat=room)
    talk(past, BEN, "light-two", "the lighthouse has a bravo door", answer="bravo it is", chat=room)
    talk(past, ANNA, "light-three", "the lighthouse has a charlie door", answer="charlie it is", chat=room)
    talk(past, BEN, "light-late", "the lighthouse has a yankee door", answer="yankee it is", chat=room)
    session = past.trail(ANNA, kind="turn")[-1]["session_id"]
    talk(past, ANNA, "light-alone", "the lighthouse has a delta door")
    anew(past, ANNA, room)
    anew(past, ANNA)

    found = search(past, ANNA, "light-asks", chat=room, query="lighthouse door")
    whole = search(past, ANNA, "light-reads", chat=room, session_id=session)
    for text in (found, whole):
        assert "alpha" in text
        assert not {"zulu", "yankee", "delta"} & set(words(text))
        assert "everybody in it can read" in text
    assert {"alpha", "bravo", "charlie"} <= set(words(whole))

    alone = search(past, ANNA, "light-dm", query="lighthouse door")
    assert "delta" in words(alone)
    assert {"alpha", "bravo", "charlie"} & set(words(alone))
    assert not {"zulu", "yankee"} & set(words(alone))
    assert {"zulu", "bravo", "yankee"} <= set(words(search(past, BEN, "light-ben", chat=room, session_id=session)))


def test_a_message_that_waited_for_somebody_elses_turn_is_found_without_that_turn(past: House) -> None:
    gate, room = Event(), "wait-room"
    past.model.lane(lane("wait-anna"), call("manyhands_whoami"), say("walnut kept (wait-anna is done)").held(gate))
    past.model.lane(lane("wait-ben"), say("pecan kept (wait-ben is done)"))
    past.gateway.say(ANNA, "wait-anna the nut is a walnut", chat=room)
    past.model.wait_for(lambda request: request.lane == lane("wait-anna") and request.tool_results())
    past.gateway.say(BEN, "wait-ben the nut is a pecan", chat=room, while_busy=True)
    gate.set()
    past.gateway.expect(room, "wait-ben is done")
    session = past.trail(BEN, kind="turn")[-1]["session_id"]
    anew(past, BEN, room)
    of_ben = search(past, BEN, "wait-reads", chat=room, session_id=session)
    assert "the nut is a pecan" in of_ben
    assert "pecan kept" in of_ben
    assert "walnut" not in of_ben
    of_anna = search(past, ANNA, "wait-looks", chat=room, session_id=session)
    assert "the nut is a walnut" in of_anna
    assert "walnut kept" in of_anna
    assert "pecan" not in of_anna


def test_what_a_search_found_reaches_nobody_who_came_later(past: House) -> None:
    room = "echo-room"
    talk(past, ANNA, "echo-one", "the heron nests by the bridge", chat=room)
    anew(past, ANNA, room)
    talk(past, BEN, "echo-two", "hello", chat=room)
    assert "nests" in search(past, ANNA, "echo-asks", chat=room, query="heron bridge")
    talk(past, BEN, "echo-three", "goodbye", chat=room)
    [request] = past.model.of(lane("echo-three"))
    assert "echo-asks" in written(request)
    assert "nests" not in written(request)
    anew(past, BEN, room)
    assert json.loads(search(past, BEN, "echo-again", chat=room, query="heron bridge nests"))["count"] == 0


def test_a_room_without_a_past_says_that_only_the_room_was_searched(past: House) -> None:
    talk(past, ANNA, "bare-dm", "the harp is tuned to bare strings")
    anew(past, ANNA)
    answer = json.loads(search(past, ANNA, "bare-asks", chat="bare-room", query="harp strings"))
    assert (answer["count"], answer["results"]) == (0, [])
    assert answer["searched"].startswith("this room alone")


def test_a_subagent_of_a_room_searches_for_its_person_and_in_the_room_alone(past: House) -> None:
    room = "child-room"
    talk(past, ANNA, "child-said", "the otter swims at dawn", chat=room)
    talk(past, ANNA, "child-dm", "the otter swims at midnight")
    talk(past, BEN, "child-ben", "the otter swims at noon")
    anew(past, ANNA, room)
    past.many(OLGA, "tools Anna add delegate_task", "delegate_task")
    past.model.lane("ASYNC DELEGATION", say("the delegation is over"))
    past.model.lane(lane("child-goal"), call("recall_search", query="otter swims"), say("the child is done"))
    past.turn(ANNA, "child-begins", call("delegate_task", goal="child-goal", context="none"), chat=room)
    past.gateway.expect(room, "the delegation is over")
    past.many(OLGA, "tools Anna remove delegate_task", "delegate_task")
    found = past.model.of(lane("child-goal"))[-1].last_tool_text
    assert "dawn" in found
    assert "midnight" not in found
    assert "noon" not in found


def test_a_guest_is_refused_and_the_hosts_own_search_stays_shut_for_members(past: House) -> None:
    talk(past, GUS, "gus-said", "the fern is by the window")
    anew(past, GUS)
    assert "guest" in json.loads(search(past, GUS, "gus-asks", query="fern"))["error"]
    [shut] = past.results(ANNA, "host-asks", call("session_search", query="fern"))
    assert '"error"' in shut
    assert "window" not in shut
    assert "is not among the tools you may use" in past.many(GUS, "why recall_search")
    past.many(OLGA, "tools Gus add recall_search", "recall_search")
    assert "by the window" in search(past, GUS, "gus-may", query="fern")
    past.many(OLGA, "tools Gus remove recall_search", "recall_search")
    assert "is among the tools you may use" in past.many(ANNA, "why recall_search")


def test_the_index_is_out_of_reach_of_file_tools(past: House) -> None:
    talk(past, BEN, "file-said", "the anchor is painted green")
    search(past, BEN, "file-asks", query="anchor")
    [index] = (past.home.user / ".local" / "share" / "herma" / "recall").glob("hermes-*.db")
    linked = past.folder / "linked.db"
    linked.symlink_to(index)
    names = (str(index), "~/.local/share/herma/recall/" + index.name, str(linked), str(index.parent))
    shown = past.results(OLGA, "file-reads", *(call("read_file", path=name) for name in names))
    assert all('"error"' in text for text in shown)
    assert "painted green" not in written(past.model.of(lane("file-reads"))[-1])


def test_without_manyhands_nobodys_past_is_opened(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    home = homes.make(hermes, model, enabled=("recall",))
    model.replies(call("recall_search", query="ready"), say("done"))
    run_turn(hermes, home, "what did we say?", cwd=folder)
    assert "recall_search" not in model.requests[0].tool_names
    assert "results" not in model.requests[-1].last_tool_text
    assert not (home.user / ".local" / "share" / "herma").exists()


# Loaded by the host's Python as it starts: no distribution says that herma is there, and where asked it is not.
UNLISTED = """
import importlib.metadata as metadata
import sys

found = metadata.MetadataPathFinder.find_distributions


def without(*arguments, **named):
    return (each for each in found(*arguments, **named) if each.metadata["Name"] != "herma")


metadata.MetadataPathFinder.find_distributions = without
"""
ABSENT = UNLISTED + "sys.modules['herma'] = None\n"


def started_with(folder: Path, text: str) -> dict[str, str]:
    """The variables of a host whose Python begins with this."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


def test_as_folders_of_a_home_they_serve_the_terminal_from_the_first_kept_turn_on(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path, tmp_path: Path
) -> None:
    home, trees = homes.make(hermes, model, plugins=TREES), started_with(tmp_path / "trees", UNLISTED)
    model.replies(say("it is in the shed"))
    run_turn(hermes, home, "where is the harpoon?", cwd=folder, environment=trees)
    model.replies(call("recall_search", query="the harpoon"), call("recall_search", query="ready"), say("done"))
    run_turn(hermes, home, "and now?", cwd=folder, environment=trees)
    [harpoon, ready] = [json.loads(text) for _, text in model.requests[-1].tool_results()]
    assert "in the shed" in json.dumps(harpoon["results"])
    assert "searched" not in harpoon
    assert ready["results"] == []  # what the template's turn said, before anybody's turns were kept


def test_a_folder_without_its_package_registers_nothing_and_says_so(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path, tmp_path: Path
) -> None:
    home, absent = homes.make(hermes, model, plugins=TREES[1:]), started_with(tmp_path / "absent", ABSENT)
    model.replies(say("it works as before"))
    run_turn(hermes, home, "does it?", cwd=folder, environment=absent)
    assert "recall_search" not in model.requests[0].tool_names
    said = [line for line in home.log.read_text("utf-8").splitlines() if "recall" in line and "herma" in line]
    assert len(said) == 1, said


def test_the_command_that_recall_prints_resumes_the_conversation(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    home = homes.make(hermes, model)
    model.replies(say("in the tall cupboard"), say("a third one"), default=say("it goes on"))
    run_turn(hermes, home, "where is the violin?", cwd=folder)
    run_turn(hermes, home, "and the drum?", cwd=folder)
    command = ("-m", "herma", "recall", "--host", "hermes", "--json", "violin cupboard")
    printed = json.loads(run_python(hermes, home, command).stdout)
    program, *arguments = shlex.split(printed["data"]["results"][0]["resume"])
    assert program == "hermes"
    assert run_command(hermes, home, [*arguments, "-Q", "-q", "go on"], cwd=folder).code == 0
    assert "in the tall cupboard" in written(model.requests[-1])
    assert "a third one" not in written(model.requests[-1])


def words(text: str) -> list[str]:
    """The words of a text in small letters."""
    return [word.strip('.,:;()"\\') for word in text.lower().split()]
