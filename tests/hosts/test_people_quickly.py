"""A real gateway that is set up otherwise: short deadlines, an open door, steering, reviews, and tools behind a search.

The other household has the settings of a new installation; this one has those that change what a test can see.
"""

from collections.abc import Callable, Iterator
from threading import Event

import pytest

from tests.hosts.gateway import Person
from tests.hosts.hermes import Hermes
from tests.hosts.home import Config
from tests.hosts.homes import Homes
from tests.hosts.model import Reply, Request, call, say
from tests.hosts.people_house import ANNA, BEN, GUS, OLGA, USER_NOTE, House, code_in, house, lane, written

SETTINGS = {"approval_timeout_s": 5, "unknown_sender_policy": "open"}
CONFIG: Config = {
    "approvals": {"mode": "manual"},
    "auxiliary": {"background_review": {"enabled": True}},
    "display": {"busy_input_mode": "steer", "tool_progress": "off"},
    "memory": {"nudge_interval": 1},
}
SEARCH: Config = {"tools": {"tool_search": {"enabled": "auto"}}}
REVIEW = "Review the conversation"
OTTO = Person("u-otto", "Otto")


@pytest.fixture(scope="module")
def set_up(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    config = {**CONFIG, **(SEARCH if hermes.version == "0.22.2" else {})}
    with house(hermes, homes, tmp_path_factory.mktemp("quickly"), settings=SETTINGS, config=config) as made:
        made.model.lane(REVIEW, default=say("Nothing to save."))
        made.join(ANNA, "member")
        made.join(BEN, "member")
        yield made


@pytest.fixture
def quick(set_up: House) -> House:
    """The same with a model that has said and heard nothing yet."""
    set_up.model.clear()
    set_up.model.lane(REVIEW, default=say("Nothing to save."))
    return set_up


def write(quick: House, name: str) -> Reply:
    """A reply that writes a file of that name."""
    return call("write_file", path=str(quick.folder / name), content="x")


def test_silence_is_no_consent_and_an_approval_does_not_keep(quick: House) -> None:
    quick.results(ANNA, "silent-asks", write(quick, "silent.txt"))
    quick.results(BEN, "late-asks", write(quick, "late.txt"))
    silent = code_in(quick.prompt("silent.txt"))
    quick.approve("late.txt", told=BEN.dm)
    quick.gateway.expect(ANNA.dm, "Nobody answered in time")
    quick.many(OLGA, f"approve {silent}", "Nothing waits under that code")
    [again] = quick.results(ANNA, "silent-tries", write(quick, "silent.txt"))
    assert "Silence is not consent" in again
    quick.gateway.expect(ANNA.dm, "Nobody answered in time")  # five seconds later the approval of the other is over too
    [late] = quick.results(BEN, "late-tries", write(quick, "late.txt"))
    assert '"error"' in late
    assert not (quick.folder / "silent.txt").exists()
    assert not (quick.folder / "late.txt").exists()
    assert [ask["status"] for ask in quick.asks(ANNA, "write_file")] == ["expired", "expired"]
    quick.deny("late.txt", told=BEN.dm)


def test_an_open_door_makes_a_stranger_a_guest(quick: House) -> None:
    sam = Person("u-open", "Sam")
    [refused] = quick.results(sam, "open-tries", call("terminal", command=f"touch {quick.folder / 'open.txt'}"))
    assert "not available" in refused or "guest" in refused
    assert not (quick.folder / "open.txt").exists()
    assert USER_NOTE not in written(quick.model.of(lane("open-tries"))[0])


def test_what_somebody_writes_into_a_turn_of_theirs_leaves_it_theirs(quick: House) -> None:
    gate, mark = Event(), quick.folder / "steered.txt"
    steps = (call("terminal", command="true"), call("terminal", command=f"touch {mark}").held(gate))
    quick.model.lane(lane("steer-olga"), *steps, say("steer-olga is done"), default=say("steer-olga is done"))
    quick.gateway.say(OLGA, "steer-olga")
    quick.model.wait_for(lambda request: request.lane == lane("steer-olga") and request.tool_results())
    quick.gateway.say(OLGA, "steer-olga adds this", while_busy=True)
    gate.set()
    quick.gateway.expect(OLGA.dm, "steer-olga is done")
    assert mark.exists()
    assert quick.sent("steer-olga adds this")


def test_nobody_steers_somebody_elses_turn(quick: House) -> None:
    gate = Event()
    of_olga, of_ben = quick.folder / "steer-olga.txt", quick.folder / "steer-ben.txt"
    touch_olga, touch_ben = (call("terminal", command=f"touch {path}") for path in (of_olga, of_ben))
    quick.model.lane(
        lane("room-olga"), call("terminal", command="true"), touch_olga.held(gate), say("room-olga is done")
    )
    quick.model.lane(lane("room-ben"), touch_ben, say("room-ben is done"))
    quick.gateway.say(OLGA, "room-olga", chat="steer-room")
    quick.model.wait_for(lambda request: request.lane == lane("room-olga") and request.tool_results())
    quick.gateway.say(BEN, "room-ben", chat="steer-room", while_busy=True)
    gate.set()
    quick.gateway.expect("steer-room", "room-ben is done")
    assert all("room-ben" not in written(request) for request in quick.model.of(lane("room-olga")))
    assert of_olga.exists()
    assert not of_ben.exists()


def test_a_second_owner_is_asked_at_half_the_time_and_either_may_answer(quick: House) -> None:
    quick.join(OTTO, "owner")
    quick.results(OTTO, "otto-speaks", call("terminal", command="true"))
    quick.results(ANNA, "second-asks", write(quick, "second.txt"))
    first = quick.prompt("second.txt")
    second = quick.prompt("second.txt", owner=OTTO)
    assert code_in(second) == code_in(first)
    quick.many(OTTO, f"approve {code_in(second)}", "(?i)approved")
    quick.gateway.expect(ANNA.dm, "(?i)approved")
    quick.many(OLGA, f"approve {code_in(first)}", "Nothing waits under that code")
    [ran] = quick.results(ANNA, "second-runs", write(quick, "second.txt"))
    assert '"error"' not in ran
    quick.many(OLGA, "remove Otto", "off the roster")


def test_nobody_answers_the_hosts_question_to_somebody_else(quick: House) -> None:
    doomed = quick.folder / "doomed"
    doomed.mkdir()
    quick.model.lane(lane("asks-olga"), call("terminal", command=f"rm -rf {doomed}"), say("asks-olga is done"))
    quick.gateway.say(OLGA, "asks-olga", chat="question-room")
    quick.gateway.expect("question-room", "rm -rf|approv")
    for text in ("/approve", "/approve always", "yes"):
        quick.gateway.say(BEN, text, chat="question-room", while_busy=True)
    quick.many(BEN, "whoami", "(?i)member", chat="question-room", busy=True)
    assert doomed.exists()
    quick.gateway.say(OLGA, "/approve", chat="question-room", while_busy=True)
    quick.gateway.expect("question-room", "asks-olga is done")
    assert not doomed.exists()


def remembering(word: str, target: str, fact: str) -> Callable[[Request], Reply]:
    """What a review of the conversation with `word` in it does; every other review has nothing to save."""

    def reply(request: Request) -> Reply:
        new = word in written(request) and request.messages[-1]["role"] == "user"
        return call("memory", target=target, action="add", content=fact) if new else say("Nothing to save.")

    return reply


def result_of(quick: House, fact: str) -> str:
    """What the review got for its wish to keep `fact`."""
    request = quick.model.wait_for(lambda each: fact in written(each) and each.messages[-1]["role"] == "tool")
    return request.last_tool_text


def test_a_review_of_somebodys_chat_writes_nothing_of_the_operators(quick: House) -> None:
    quick.model.lane(lane("reviewed-anna"), say("reviewed-anna is done"))
    quick.model.lane(REVIEW, default=remembering("reviewed-anna", "user", "anna likes tea"))
    quick.gateway.exchange(ANNA, "reviewed-anna", "reviewed-anna is done")
    assert '"error"' in result_of(quick, "anna likes tea")
    assert (quick.home.path / "memories" / "USER.md").read_text("utf-8") == USER_NOTE


def test_a_review_of_the_owners_own_chat_goes_on(quick: House) -> None:
    quick.model.lane(lane("reviewed-olga"), say("reviewed-olga is done"))
    quick.model.lane(REVIEW, default=remembering("reviewed-olga", "memory", "olga likes tea"))
    quick.gateway.exchange(OLGA, "reviewed-olga", "reviewed-olga is done")
    assert '"error"' not in result_of(quick, "olga likes tea")
    assert "olga likes tea" in (quick.home.path / "memories" / "MEMORY.md").read_text("utf-8")


def test_people_find_their_tools_where_the_host_hides_them(quick: House, hermes: Hermes) -> None:
    if hermes.version == "0.19.0":  # it offers every tool at once
        assert "manyhands_whoami" in quick.turn(ANNA, "hidden-anna")[-1].tool_names
        return
    steps = (
        call("tool_search", queries=["manyhands_whoami", "schedule a job"]),
        call("tool_describe", names=["manyhands_whoami", "cronjob_manage"]),
        call("tool_call", calls=[{"name": "manyhands_whoami", "arguments": {}}]),
        call("tool_call", calls=[{"name": "cronjob_manage", "arguments": {"action": "list"}}]),
    )
    searched, described, whoami, cron = quick.results(ANNA, "hidden-anna", *steps)
    offered = str(quick.model.of(lane("hidden-anna"))[0].body["tools"])
    assert "manyhands_whoami" in offered
    assert "cronjob_manage" not in offered
    assert "manyhands_whoami" in searched
    assert "cronjob_manage" not in searched
    assert "manyhands_whoami" in described
    assert "action='create'" not in described
    assert ANNA.name in whoami
    assert "not available" in cron
    assert GUS.name not in whoami
