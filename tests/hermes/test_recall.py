"""The recall plugin beside manyhands in one process: whose call it is, what it may look into, and what is shown."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from tests.engine.people.bot import GAST, KITER, LAN, MINH, Bot, bot
from tests.stores.sessions.hosts import HERMES, Hermes

from herma.app import Runtime
from herma.engine.guard import Guard
from herma.engine.people.turns import Call
from herma.hosts.hermes import configuration, recall
from herma.hosts.hermes.people.calling import CALLING
from herma.hosts.hermes.people.household import Household

ROOM = "agent:main:telegram:group:-100"
OTHER = "agent:main:telegram:group:-200"


def direct(sender: str) -> str:
    """The host's key of somebody's direct chat."""
    return f"agent:main:telegram:dm:{sender}"


class Context:
    """The host's, which keeps the tool that it is given."""

    def __init__(self) -> None:
        self.tool: dict[str, Any] = {}

    def register_tool(self, **kwargs: object) -> None:
        """As the host's."""
        self.tool = dict(kwargs)


class Process:
    """A process of Hermes with both plugins: people speak, and in the turn of one of them the model searches."""

    def __init__(self, at: Bot, host: Hermes, shared: Runtime, bind: Callable[[str], None]) -> None:
        self.at, self.host, self.shared, self.bind = at, host, shared, bind
        self.context = Context()
        self.sessions: dict[str, int] = {}

    def session(self, chat: str) -> str:
        """The session that is open in a chat."""
        return f"{chat.replace(':', '.')}-{self.sessions.setdefault(chat, 0)}"

    def anew(self, chat: str) -> None:
        """What `/new` does."""
        self.sessions[chat] = self.sessions.get(chat, 0) + 1

    def says(self, sender: str, text: str, answer: str = "yes", *, chat: str = "", alone: bool = False) -> Call:
        """A turn of somebody's, stored as the host does it; a call in it."""
        place = chat or direct(sender)
        session = self.session(place)
        if not self.host.database.execute("SELECT 1 FROM sessions WHERE id = ?", [session]).fetchone():
            self.host.session(session, source="telegram", user_id=sender)
        self.host.say(session, "user", text)
        self.at.clock.at = self.host.now * 1_000
        more: dict[str, Any] = {"chat": place, "alone": alone or ":dm:" in place}
        turn = self.at.begin(sender, room=session, **more)
        self.host.say(session, "assistant", answer)
        self.bind(place)
        return self.at.call(turn)

    def asks(self, call: Call | None, **arguments: object) -> dict[str, Any]:
        """What the model is shown by the tool, called as the host calls it."""
        token = CALLING.set(call)
        try:
            found: dict[str, Any] = json.loads(self.context.tool["handler"](arguments, task_id="t"))
        finally:
            CALLING.reset(token)
        return found

    def finds(self, sender: str, query: str, *, chat: str = "", **arguments: object) -> str:
        """The results, as text, of a search in a turn of somebody's in a new conversation."""
        self.anew(chat or direct(sender))
        answer = self.asks(self.says(sender, "?", "!", chat=chat), query=query, limit=10, **arguments)
        assert answer["success"], answer
        return json.dumps(answer["results"], ensure_ascii=False)


@pytest.fixture(params=HERMES)
def process(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    bound: dict[str, str] = {}
    env = ModuleType("gateway.session_context")
    env.get_session_env = lambda name, default="": bound.get(name, default)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gateway.session_context", env)
    shared = Runtime(str(tmp_path), "default")
    monkeypatch.setattr(recall, "runtime", lambda *_: shared)
    monkeypatch.setattr(configuration, "home", lambda: str(tmp_path))
    with bot(tmp_path) as at, Hermes(tmp_path / "state.db", request.param) as host:
        household = shared.part("manyhands", lambda: Household(str(tmp_path), "default", Guard(shared.counters)))
        household._people = at.people
        household.turns = at.turns
        made = Process(at, host, shared, lambda chat: bound.update(HERMES_SESSION_KEY=chat))
        recall.register(made.context)
        yield made
        made.context.tool["handler"].__self__.close()


def test_the_tool_has_its_own_name_and_says_when_to_search(process: Process) -> None:
    tool = process.context.tool
    assert tool["name"] == tool["schema"]["name"] == "recall_search"
    assert "session_search" not in json.dumps(tool["schema"])
    assert "search first" in tool["schema"]["description"]
    assert tool["check_fn"]() is True


def test_a_person_finds_their_own_past_in_a_direct_chat_wherever_they_spoke(process: Process) -> None:
    process.says(MINH, "the kite is in the attic")
    process.says(LAN, "the kite is in the cellar")
    process.says(LAN, "the kite was in the yard", chat=ROOM)
    process.says(MINH, "the kite is in the tree", chat=ROOM)
    process.says(LAN, "the kite is in the lake", chat=ROOM)
    found = process.finds(MINH, "where is the kite")
    assert "attic" in found
    assert "tree" in found
    assert not any(word in found for word in ("cellar", "yard", "lake"))


def test_in_a_room_only_the_rooms_own_past_is_found_and_the_answer_says_so(process: Process) -> None:
    process.says(MINH, "the kite is in the attic")
    process.says(MINH, "the kite is in the tree", chat=ROOM)
    assert "attic" not in process.finds(MINH, "kite", chat=ROOM)
    assert "tree" in process.finds(MINH, "kite", chat=ROOM)
    empty = process.asks(process.says(MINH, "?", chat=OTHER), query="kite")
    assert empty["count"] == 0
    assert "this room alone" in empty["searched"]
    assert empty["data_begin"].startswith("[manyhands data:")


def test_a_group_in_which_everybody_has_a_session_of_their_own_is_a_room_too(process: Process) -> None:
    process.says(MINH, "the kite is in the attic")
    call = process.says(MINH, "?", chat=f"{ROOM}:{MINH}", alone=True)
    assert process.asks(call, query="kite attic")["results"] == []


def test_a_room_that_is_not_known_is_not_searched(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    call = process.says(MINH, "the kite is in the tree", chat=ROOM)
    monkeypatch.delitem(sys.modules, "gateway.session_context")
    session = process.session(ROOM)
    with process.at.store.routine() as unit:
        kept = unit.session(session)
        assert kept is not None
        unit.put_session(kept._replace(chat=""), 0)
    assert "which room" in process.asks(call, query="kite")["error"]


def test_the_present_conversation_is_left_out(process: Process) -> None:
    call = process.says(MINH, "the kite is in the attic")
    assert process.asks(call, query="kite attic")["results"] == []


@pytest.mark.parametrize(
    "kind", ["no call", "unknown turn", "only the session", "only the task", "stranger", "cron", "machine"]
)
def test_a_call_that_nobody_present_stands_behind_is_refused(kind: str, process: Process) -> None:
    call = process.says(MINH, "the kite is in the attic")
    session, live = call.session_id, process.at.turns.turn(call.turn_id)
    assert live is not None
    calls: Mapping[str, Call | None] = {
        "no call": None,
        "unknown turn": Call("gone", session, session, "c"),
        "only the session": Call("", session, session, "c"),
        "only the task": Call("", "", session, "c"),
        "stranger": process.says("999", "let me in"),
        "cron": call,
        "machine": call,
    }
    if calls[kind] is call:
        live.standing = live.standing._replace(kind=kind)
    answer = process.asks(calls[kind], query="kite")
    assert answer["success"] is False
    assert "person" in answer["error"]


def test_a_call_of_nobody_is_refused_where_such_calls_have_the_operators_rights_too(process: Process) -> None:
    call = process.says(MINH, "the kite is in the attic")
    house = process.at.people.house
    house.settings = house.settings._replace(unknown_session_policy="operator")
    answer = process.asks(Call("gone", "", "", "c"), query="kite")
    assert "no person" in answer["error"]
    assert process.asks(call, query="kite")["success"] is True


def test_a_turn_with_the_words_of_two_people_opens_neithers_past(process: Process) -> None:
    call = process.says(KITER, "the kite is in the attic")
    process.at.people.steered(call.turn_id, (f"telegram:{GAST}",))
    assert "more than one person" in process.asks(call, query="kite")["error"]


def test_somebody_who_was_removed_while_their_turn_ran_finds_nothing(process: Process) -> None:
    call = process.says(MINH, "the kite is in the attic")
    process.at.types(KITER, "remove Minh")
    assert process.asks(call, query="kite")["success"] is False


def test_a_subagent_searches_for_its_person_in_the_room_of_its_parent(process: Process) -> None:
    process.says(MINH, "the kite is in the attic")
    process.says(MINH, "the kite is in the tree", chat=ROOM)
    process.anew(ROOM)
    parent = process.says(MINH, "look it up", chat=ROOM)
    process.at.turns.child("child", parent.turn_id)
    process.bind("")
    turn = process.at.begin("", room="child", platform="subagent", alone=False)
    call = process.at.call(turn)
    answer = json.dumps(process.asks(call, query="kite"))
    assert "tree" in answer
    assert "attic" not in answer
    assert process.asks(call, query="look it up")["results"] == []  # its parent's present conversation


def test_a_terminal_below_a_gateway_is_not_taken_for_the_room_that_the_gateway_is_in(process: Process) -> None:
    process.host.session("shell-1")
    process.host.say("shell-1", "user", "the kite is in the shed")
    process.at.begin("", room="shell-1", platform="cli", chat="", alone=True)
    process.bind(ROOM)
    turn = process.at.begin("", room="shell-2", platform="cli", chat="", alone=True)
    answer = process.asks(process.at.call(turn), query="kite")
    assert "shed" in json.dumps(answer["results"])
    assert "searched" not in answer


def test_without_manyhands_nothing_is_opened(process: Process, tmp_path: Path) -> None:
    call = process.says(MINH, "the kite is in the attic")
    process.shared._parts.pop("manyhands")
    assert process.context.tool["check_fn"]() is False
    answer = process.asks(call, query="kite")
    assert "manyhands" in answer["error"]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "args, good",
    [
        (None, True),
        ([], True),
        ("kite", True),
        ({"limit": []}, True),
        ({"query": 7}, False),
        ({"around_message_id": "1"}, False),
    ],
)
def test_odd_arguments_are_answered_and_nothing_is_raised(args: object, good: bool, process: Process) -> None:  # noqa: FBT001 - a case
    call = process.says(MINH, "the kite is in the attic")
    token = CALLING.set(call)
    answer = json.loads(process.context.tool["handler"](args))
    CALLING.reset(token)
    assert answer["success"] is good


def test_a_store_that_cannot_be_read_is_said_and_shows_nothing(process: Process) -> None:
    process.says(MINH, "the kite is in the tree", chat=ROOM)
    assert "tree" in process.finds(MINH, "kite")
    process.host.end()
    call = process.at.call(process.at.begin(MINH, chat=direct(MINH), alone=True))
    process.host.path.write_bytes(b"SECRET" * 999)
    answer = process.asks(call, query="kite")
    assert answer["success"] is False
    assert "tree" not in json.dumps(answer)


def test_a_person_finds_nothing_that_was_said_where_they_were_not(process: Process) -> None:
    """Everybody uses the same words in direct chats and in one room; each message has a word of its own."""
    random, people = Random(11), (KITER, MINH, LAN)
    room: dict[str, set[str]] = {person: set() for person in people}
    alone: dict[str, set[str]] = {person: set() for person in people}
    for round_ in range(6):
        speakers = [random.choice(people) for _ in range(9)]
        for number, person in enumerate(speakers):
            mark = f"mark{round_}x{number}z"
            process.says(person, f"the garden {mark}", f"a kite {mark}", chat=ROOM)
            for other in people:
                turns = [place for place, each in enumerate(speakers) if each == other]
                if turns and turns[0] <= number <= turns[-1]:
                    room[other].add(mark)
        for person in people:
            mark = f"mark{round_}y{person}z"
            process.says(person, f"the garden {mark}", f"a kite {mark}")
            alone[person].add(mark)
            process.anew(direct(person))
        process.anew(ROOM)
    for person in people:
        for chat, allowed in (("", room[person] | alone[person]), (ROOM, room[person])):
            found: set[str] = set()
            for query in ("garden", "kite", "the garden kite"):
                found |= marks(process.finds(person, query, chat=chat))
            for session in [row[0] for row in process.host.database.execute("SELECT id FROM sessions").fetchall()]:
                call = process.says(person, "?", "!", chat=chat)
                found |= marks(json.dumps(process.asks(call, session_id=session)))
            assert found == allowed


def marks(text: str) -> set[str]:
    """The words that stand in one message only."""
    return set(re.findall(r"mark\w+", text))
