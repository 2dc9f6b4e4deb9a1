"""Every function that a call or a request passes on its way through Herma, made to fail in a real gateway.

Which functions these are is traced in the running host. A tool does not run, and nothing of the operator's goes out,
whichever of them raises or answers with garbage.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hosts.gateway import Person
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import Reply, Request, call, say
from tests.hosts.people_house import ANNA, GUS, MEMORY_NOTE, OLGA, USER_NOTE, House, house, lane, written

SABOTEUR = Path(__file__).parent / "plugins" / "saboteur"
DAN = Person("u-dan", "Dan")
CALLS = 60  # a turn; both hosts end one after 90
ANSWERING = ("herma.hosts.", "herma.engine.")  # what they answer is acted on; below them are values and rows
HOWS = ("raise", "garbage")
GUARD = "herma.engine.guard Guard.run"  # what catches everything else; its own tests show that it does not raise


class Sabotaged(NamedTuple):
    """A household with the saboteur in it, and the file that tells it what to do."""

    household: House
    order: Path

    def mark(self, name: object) -> Path:
        """The file that a call would make if it ran."""
        return self.household.folder / f"mark-{name}.txt"

    def step(self, order: str, name: object) -> Callable[[Request], Reply]:
        """A reply that gives an order and makes a call which should not run."""

        def reply(_: Request) -> Reply:
            self.order.write_text(order, encoding="utf-8")
            return call("write_file", path=str(self.mark(name)), content=order)

        return reply

    def results(self, person: Person, word: str, *steps: Callable[[Request], Reply]) -> list[str]:
        """The results of a turn with these steps; nothing fails any more when it has ended."""

        def last(_: Request) -> Reply:
            self.order.write_text("", encoding="utf-8")
            return say(f"{word} is done")

        self.household.model.lane(lane(word), *steps, last)
        self.household.gateway.exchange(person, word, f"{word} is done")
        return [text for _, text in self.household.model.of(lane(word))[-1].tool_results()][-len(steps) :]

    def passed(self, when: str, person: Person, word: str) -> list[str]:
        """The functions that a call, or a turn, of a person passes, as `module name`."""
        trace = self.order.with_name(f"{word}.trace")
        self.order.write_text(f"{when} trace {trace}", encoding="utf-8")
        self.results(person, word, self.step(f"{when} trace {trace}", word))
        return [each for each in dict.fromkeys(trace.read_text("utf-8").splitlines()) if each != GUARD]


@pytest.fixture(scope="module")
def set_up(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sabotaged]:
    root = tmp_path_factory.mktemp("sabotage")
    order = root / "order"
    order.touch()
    config = {"plugins": {"hook_callback_timeout": 2}}
    environment = {"SABOTAGE": str(order)}
    with house(hermes, homes, root / "work", config=config, plugins=(SABOTEUR,), environment=environment) as made:
        made.join(ANNA, "member")
        made.join(GUS, "guest")
        yield Sabotaged(made, order)


@pytest.fixture
def sabotaged(set_up: Sabotaged) -> Iterator[Sabotaged]:
    """The same, with nothing failing before and after."""
    set_up.household.model.clear()
    yield set_up
    set_up.order.write_text("", encoding="utf-8")
    set_up.household.turn(OLGA, "heals")


def test_a_call_does_not_run_whichever_function_fails(sabotaged: Sabotaged) -> None:
    refused = sabotaged.passed("call", GUS, "traced-gus")
    asked = [each for each in sabotaged.passed("call", ANNA, "traced-anna") if each not in refused]
    assert "herma.engine.people.gate Gate.judge" in refused
    assert "herma.engine.people.asks Asks.park" in asked
    for person, passed in ((GUS, refused), (ANNA, asked)):
        orders = [f"call raise {each}" for each in passed]
        orders += [f"call garbage {each}" for each in passed if each.startswith(ANSWERING)]
        for start in range(0, len(orders), CALLS):
            part = orders[start : start + CALLS]
            names = [f"sweep-{person.id}-{start}-{n}" for n in range(len(part))]
            steps = [sabotaged.step(order, name) for order, name in zip(part, names, strict=True)]
            results = sabotaged.results(person, f"sweep-{person.id}-{start}", *steps)
            assert [order for order, name in zip(part, names, strict=True) if sabotaged.mark(name).exists()] == []
            assert all('"error"' in text for text in results)


@pytest.mark.parametrize("how", HOWS)
def test_nothing_of_the_operators_goes_out_whichever_function_fails(sabotaged: Sabotaged, how: str) -> None:
    household = sabotaged.household
    passed = sabotaged.passed("turn", ANNA, f"turn-{how}")
    assert any("withhold" in each for each in passed), passed
    for n, each in enumerate(passed):
        word = f"leak-{how}-{n}"
        household.model.lane(lane(word), default=say(f"{word} is done"))
        sabotaged.order.write_text(f"turn {how} {each}", encoding="utf-8")
        household.gateway.exchange(ANNA, word, ".")
    sabotaged.order.write_text("", encoding="utf-8")
    leaked = [each for n, each in enumerate(passed) if _leaks(household.model.of(lane(f"leak-{how}-{n}")))]
    assert leaked == []
    household.turn(ANNA, f"healed-{how}")
    assert MEMORY_NOTE in household.turn(OLGA, f"olga-{how}")[-1].system_text


def test_no_file_comes_in_by_a_message_whichever_function_of_the_door_fails(sabotaged: Sabotaged) -> None:
    household, order = sabotaged.household, sabotaged.order
    secret = household.folder / "secret.txt"
    secret.write_text("what the file says", encoding="utf-8")
    trace = order.with_name("door.trace")
    household.join(DAN, "member")
    household.model.replies(default=say("heard"))
    order.write_text(f"door trace {trace}", encoding="utf-8")
    household.gateway.exchange(DAN, "traced @file:secret.txt", "heard")
    order.write_text("", encoding="utf-8")
    household.turn(OLGA, "door-traced")
    passed = [each for each in dict.fromkeys(trace.read_text("utf-8").splitlines()) if each != GUARD]
    assert "herma.engine.people.doors Doors.arrive" in passed
    for each in (each for each in passed if each.startswith(ANSWERING)):
        order.write_text(f"door raise {each}", encoding="utf-8")
        household.gateway.say(DAN, "failing @file:secret.txt")
    order.write_text("", encoding="utf-8")
    household.gateway.say(OLGA, "heals")  # 0.22 asks Herma's door first, so the last failure meets this one
    household.turn(DAN, "door-after")
    assert household.sent("what the file says") == []


def test_a_call_does_not_run_while_the_gate_hangs(sabotaged: Sabotaged, hermes: Hermes) -> None:
    """0.19 waits for it for as long as it takes, 0.22 for as long as it is told to."""
    pipe = sabotaged.order.with_suffix(".pipe")
    os.mkfifo(pipe)
    household = sabotaged.household
    step = sabotaged.step("call hang herma.engine.people.gate Gate.judge", "hang")
    household.model.lane(lane("hangs"), step, say("hangs is done"))
    household.gateway.say(GUS, "hangs")
    household.model.wait_for(lambda request: request.lane == lane("hangs"))
    if hermes.version == "0.19.0":
        pipe.write_text("go on", encoding="utf-8")  # blocks until the gate hangs
    household.gateway.expect(GUS.dm, "hangs is done")
    if hermes.version != "0.19.0":
        pipe.write_text("go on", encoding="utf-8")
    assert '"error"' in household.model.of(lane("hangs"))[-1].last_tool_text
    assert not sabotaged.mark("hang").exists()


def _leaks(requests: list[Request]) -> bool:
    return any(note in written(request) for request in requests for note in (MEMORY_NOTE, USER_NOTE))
