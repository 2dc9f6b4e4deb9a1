"""The approval transport: what the host finds dangerous is put to an owner, and everything but their yes is a no."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from tests.engine.people.bot import BAD, GAST, KITER, MINH, Bot, bot

from herma.engine.people.service import People
from herma.engine.people.starts import Started
from herma.hosts.hermes.people.transport import Theirs, Transport

PURGE = "rm -rf /srv/old"


@dataclass
class Request:
    """A request as Hermes 0.22 makes it."""

    request_id: str = "r1"
    command: str = PURGE
    description: str = "removes a folder"
    timeout_seconds: float = 60.0

    def respond(self, choice: str) -> str:
        """The host's answer object."""
        return choice


class House:
    """What a transport needs of a household."""

    def __init__(self, people: People) -> None:
        self._people = people
        self.broken = False

    def people(self) -> People:
        """The service, where it can be opened."""
        if self.broken:
            raise RuntimeError("cannot be opened")
        return self._people


class Desk(NamedTuple):
    """A bot and its transport."""

    at: Bot
    house: House
    transport: Transport

    def announce(self, turn: Started, request_id: str = "r1") -> None:
        """The host says for whose turn it is about to ask."""
        live = turn.live
        self.transport.announced(
            {"request_id": request_id, "turn_id": live.turn_id, "session_id": live.session_id, "tool_call_id": "c1"}
        )

    def answered(self, act: Callable[[], object], request: Request | None = None) -> object:
        """What the host is told, when `act` happens after an owner was asked."""
        answers: list[object] = []
        asked = len(self.at.post.sent)
        waiting = Thread(target=lambda: answers.append(self.transport.present(request or Request())), daemon=True)
        post, arrived = self.at.post, self.at.people.asks.decided

        def told(account: str, chat: str, text: str) -> str:
            problem = type(post).send(post, account, chat, text)
            with arrived:
                arrived.notify_all()
            return problem

        post.send = told  # type: ignore[method-assign]
        with arrived:
            waiting.start()
            assert arrived.wait_for(lambda: len(post.sent) > asked, timeout=30)
        act()
        with arrived:
            arrived.notify_all()
        waiting.join(30)
        [answer] = answers
        return answer


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    with bot(tmp_path) as at:
        house = House(at.people)
        yield Desk(at, house, Transport(house))  # type: ignore[arg-type]


def test_an_owners_yes_lets_that_command_run_once_with_its_row(desk: Desk) -> None:
    desk.announce(desk.at.begin(MINH))
    assert desk.answered(lambda: desk.at.types(KITER, f"approve {desk.at.code()}")) == "once"
    assert PURGE in desk.at.prompts()[0]
    row = desk.at.rows("tool")[-1]
    assert (row.person_id, row.allowed, row.approved) == ("telegram:222", 1, 1)
    assert [ask.status for ask in desk.at.asks(MINH)] == ["spent"]


def test_an_owners_no_is_a_no(desk: Desk) -> None:
    desk.announce(desk.at.begin(MINH))
    assert desk.answered(lambda: desk.at.types(KITER, f"deny {desk.at.code()}")) == "deny"


def test_silence_is_a_no(desk: Desk) -> None:
    desk.announce(desk.at.begin(MINH))
    assert desk.answered(lambda: desk.at.clock.pass_by(seconds=121)) == "deny"


@pytest.mark.parametrize("line", ["role Minh blocked", "remove Minh", "pause"])
def test_a_change_while_it_waits_is_a_no(desk: Desk, line: str) -> None:
    desk.announce(desk.at.begin(MINH))
    assert desk.answered(lambda: desk.at.types(KITER, line)) == "deny"


def test_a_request_that_nobody_announced_is_a_no_even_while_others_wait(desk: Desk) -> None:
    desk.announce(desk.at.begin(MINH), "another")
    assert desk.transport.present(Request("r1")) == "deny"
    assert desk.at.post.sent == []


def test_a_request_is_good_for_one_answer(desk: Desk) -> None:
    desk.announce(desk.at.begin(MINH))
    desk.answered(lambda: desk.at.types(KITER, f"approve {desk.at.code()}"))
    assert desk.transport.present(Request()) == "deny"


def test_the_asker_is_the_one_of_the_announced_turn_and_not_who_spoke_last(desk: Desk) -> None:
    turn = desk.at.begin(MINH, room="room")
    desk.at.begin(KITER, room="room")
    desk.announce(turn)
    assert desk.answered(lambda: desk.at.types(KITER, f"deny {desk.at.code()}")) == "deny"
    assert "Minh" in desk.at.prompts()[0]


def test_an_owners_own_command_is_left_to_the_host(desk: Desk) -> None:
    for turn in (
        desk.at.begin(KITER),
        desk.at.begin("", platform="cli", session_id="cli", chat=""),
    ):
        desk.announce(turn)
        with pytest.raises(Theirs):
            desk.transport.present(Request())
    assert desk.at.post.sent == []


def test_an_owner_with_somebody_elses_words_in_the_turn_gets_a_no(desk: Desk) -> None:
    turn = desk.at.begin(KITER, room="room")
    desk.at.people.steered(turn.live.turn_id, (f"telegram:{GAST}",))
    desk.announce(turn)
    assert desk.transport.present(Request()) == "deny"


def test_turns_of_nobody_and_of_a_job_are_a_no(desk: Desk) -> None:
    with desk.at.store.firm() as unit:
        unit.put_job("j1", f"telegram:{KITER}", desk.at.clock())
    for turn in (
        desk.at.begin("", session_id="cron_j1", platform="cron", job="j1", chat=""),
        desk.at.begin("", session_id="never-seen", chat=""),
        desk.at.begin(BAD),
    ):
        desk.announce(turn)
        assert desk.transport.present(Request()) == "deny"
    assert desk.at.post.sent == []


def test_an_ask_that_reaches_nobody_is_a_no(desk: Desk) -> None:
    desk.at.post.dead[f"telegram:{KITER}"] = "down"
    desk.announce(desk.at.begin(MINH))
    assert desk.transport.present(Request()) == "deny"


def test_a_failure_is_a_no_and_never_an_exception_that_lets_the_host_ask_the_asker(desk: Desk) -> None:
    desk.announce(desk.at.begin(MINH))
    desk.house.broken = True
    assert desk.transport.present(Request()) == "deny"
    desk.house.broken = False
    desk.announce(desk.at.begin(MINH))
    assert desk.transport.present(Request(command=float("nan"))) == "deny"  # type: ignore[arg-type]


def test_an_approval_of_one_request_opens_no_other(desk: Desk) -> None:
    desk.announce(desk.at.begin(MINH), "r1")
    desk.answered(lambda: desk.at.types(KITER, f"approve {desk.at.code()} uses=5"), Request("r1"))
    turn = desk.at.begin(MINH)
    assert not desk.at.judge(turn, "terminal", command=PURGE).allowed
    desk.announce(turn, "r2")
    assert desk.answered(lambda: desk.at.types(KITER, f"deny {desk.at.code()}"), Request("r2")) == "deny"
