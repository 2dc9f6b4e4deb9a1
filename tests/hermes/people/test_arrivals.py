"""The doors in a gateway: what a host's message becomes, who hears what, and which turns there are."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tests.engine.people.household import Household, household
from tests.hermes.people.standing_gateway import Event, Gateway, put_host

from herma.core.people.doors import Arrival
from herma.core.people.principal import OPERATOR
from herma.engine.counters import Counters
from herma.engine.guard import Guard
from herma.engine.people.change import Hand
from herma.engine.people.doors import Doors
from herma.engine.people.house import Settings
from herma.engine.people.invites import invite
from herma.hosts.hermes.people.arrivals import Arrivals
from herma.hosts.hermes.people.commands import SPEAKER, Command, Speaker, speaker
from herma.hosts.hermes.people.delivery import GatewayMail

Scene = Callable[["Scenario"], Coroutine[Any, Any, None]]
ROOM = {"chat": "room", "kind": "group"}


class Scenario:
    """A gateway with the doors in it. Kiter (111) owns the bot, Minh (222) and Lan (444) are members."""

    def __init__(self, home: Household) -> None:
        self.home = home
        self.gateway = Gateway()
        self.gateway.pairing_store.approved |= {"111", "222", "444"}
        self.mail = GatewayMail(seconds=5)
        self.guard = Guard(Counters())
        self._house_doors = Doors(home.house)
        self.broken: Callable[[], Doors] | None = None
        self.arrivals = Arrivals(self.doors, self.many, self.mail, self.guard)
        self.gateway.hook = self.arrivals.pre_gateway_dispatch

    def doors(self) -> Doors:
        """The doors, unless they are broken."""
        return self.broken() if self.broken is not None else self._house_doors

    def many(self, arrival: Arrival, raw: str) -> str:
        """What `/many` answers."""
        return self.home.types(arrival.sender_id, raw)

    async def says(self, sender: str | None, text: str, **more: Any) -> Event:
        """Somebody writes; returns when all that followed at once is done."""
        event = Event(sender, text, **more)
        await self.gateway.adapter.receive(event)
        await self.quiet()
        return event

    async def quiet(self) -> None:
        """Waits for answers that are on their way, not for turns."""
        while self.arrivals._sending:
            await asyncio.wait(set(self.arrivals._sending))
        await asyncio.sleep(0)

    def heard(self, chat: str) -> list[str]:
        """What a chat was told."""
        return [text for where, text in self.gateway.adapter.said if where == chat]

    def code(self) -> str:
        """An invite."""
        return invite(Hand(self.home.house, OPERATOR), "member")[0]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Household]:
    with household(tmp_path) as made:
        made.types("111", "add telegram 444 member")
        yield made


@pytest.fixture
def waiting() -> dict[str, str]:
    return {}


@pytest.fixture
def asked() -> set[str]:
    return set()


@pytest.fixture
def play(
    home: Household, waiting: dict[str, str], asked: set[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Scene], None]:
    """Plays a scene in a gateway of its own."""
    put_host(monkeypatch, waiting=waiting, asked=asked)
    monkeypatch.delenv("TELEGRAM_ALLOWED_USERS", raising=False)

    async def running(scene: Scene) -> None:
        scenario = Scenario(home)
        await scene(scenario)
        scenario.gateway.go.set()
        await asyncio.gather(*scenario.gateway.adapter._session_tasks.values(), return_exceptions=True)

    return lambda scene: asyncio.run(running(scene))


def test_a_stranger_is_answered_by_us_and_never_by_the_host(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("999", "hello")
        await on.says("999", "hello?")
        assert len(on.heard("chat-999")) == 1
        assert (on.gateway.turns, on.gateway.offered) == ([], [])

    play(scene)


def test_an_invite_pairs_its_sender_and_removal_unpairs(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("999", f"join {on.code()}", name="Sam")
        assert "999" in on.gateway.pairing_store.approved
        await on.says("999", "hello")
        assert on.gateway.turns == [("999", "hello")]
        await on.says("111", "/many remove Sam")
        assert "999" not in on.gateway.pairing_store.approved
        assert "off the roster" in on.heard("chat-111")[-1]

    play(scene)


def test_somebody_added_is_paired_and_somebody_blocked_is_not(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        paired = on.gateway.pairing_store.approved
        await on.says("111", "/many add telegram 555 guest")
        assert "555" in paired
        await on.says("111", "/many role Minh blocked")
        assert "222" not in paired
        await on.says("111", "/many role Minh member")
        assert "222" in paired

    play(scene)


def test_whom_the_operator_has_listed_is_neither_paired_nor_struck_off(
    play: Callable[[Scene], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(on: Scenario) -> None:
        monkeypatch.setenv("TELEGRAM_ALLOWED_USERS", "1, 999")
        await on.says("999", f"join {on.code()}")
        assert "999" not in on.gateway.pairing_store.approved

    play(scene)


def test_a_host_that_does_not_pair_is_said_so(play: Callable[[Scene], None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(on: Scenario) -> None:
        monkeypatch.delattr(type(on.gateway.pairing_store), "_approve_user")
        await on.says("999", f"join {on.code()}")
        assert "did not let you in" in on.heard("chat-999")[-1]

    play(scene)


def test_under_strict_admission_each_message_is_let_in_by_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_host(monkeypatch, waiting={}, asked=set())

    async def running(home: Household) -> None:
        on = Scenario(home)
        on.gateway.pairing_store.approved.clear()
        await on.says("222", "first", **ROOM)
        await on.says("222", "second", **ROOM)
        assert on.gateway.turns == [("222", "first")]
        assert [event.text for event in on.gateway.steered] == ["second"]
        on.gateway.go.set()

    with household(tmp_path, Settings(strict_admission=True)) as home:
        asyncio.run(running(home))


def test_many_is_answered_at_the_door_idle_and_busy(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("222", "/many whoami", **ROOM)
        await on.says("222", "a turn", **ROOM)
        await on.says("444", "/many whoami", **ROOM)
        await on.says("444", " /many approve ABCD", **ROOM)
        assert len(on.heard("room")) == 3
        assert on.gateway.turns == [("222", "a turn")]
        assert (on.gateway.steered, on.gateway.queued, on.gateway.commands) == ([], [], [])

    play(scene)


def test_words_of_another_wait_behind_a_turn_and_never_enter_it(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("222", "a turn", **ROOM)
        await on.says("222", "more of mine", **ROOM)
        await on.says("444", "me too @file:x", **ROOM)
        await on.says("222", "and I again", **ROOM)
        assert [event.text for event in on.gateway.steered] == ["more of mine"]
        assert [event.text for event in on.gateway.queued] == ["me too @ file:x", "and I again"]
        assert on.gateway.merged == []

    play(scene)


def test_a_stranger_gets_no_word_into_a_busy_room(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("222", "a turn", **ROOM)
        for text in ("let me in", "/stop", "/approve", "/many whoami"):
            await on.says("999", text, **ROOM)
        assert len(on.heard("room")) == 1
        assert (on.gateway.steered, on.gateway.queued, on.gateway.commands) == ([], [], [])
        [task] = on.gateway.adapter._session_tasks.values()
        assert not task.cancelled()
        assert not task.cancelling()

    play(scene)


def test_stop_ends_ones_own_turn_and_nobody_elses(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("222", "a turn", **ROOM)
        [task] = on.gateway.adapter._session_tasks.values()
        await on.says("444", "/stop", **ROOM)
        assert not task.cancelling()
        await on.says("222", "/stop", **ROOM)
        assert on.gateway.commands == [("222", "/stop")]
        await asyncio.wait({task})
        assert task.cancelled()

    play(scene)


def test_a_turn_that_nobody_was_seen_to_begin_is_not_ended_by_a_member(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("111", "hello")  # the gateway is known from here on
        key = "agent:main:telegram:group:room"
        on.gateway.adapter._session_tasks[key] = task = asyncio.create_task(asyncio.Event().wait())  # type: ignore[assignment]
        await on.says("222", "/stop", **ROOM)
        assert not task.cancelling()
        task.cancel()

    play(scene)


def test_a_turn_that_no_message_began_makes_the_gateway_known_too(
    play: Callable[[Scene], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(on: Scenario) -> None:
        live = ModuleType("gateway.run")
        live.__dict__["_gateway_runner_ref"] = lambda: on.gateway
        monkeypatch.setitem(sys.modules, "gateway.run", live)
        on.gateway._gateway_loop = asyncio.get_running_loop()
        await asyncio.to_thread(on.arrivals.attach)
        task = asyncio.create_task(asyncio.Event().wait())
        on.gateway.adapter._session_tasks["agent:main:telegram:group:room"] = task  # type: ignore[assignment]
        await on.says("999", "a stranger's words", **ROOM)
        await on.says("222", "a member's words", **ROOM)
        assert (on.gateway.steered, [event.text for event in on.gateway.queued]) == ([], ["a member's words"])
        task.cancel()

    play(scene)


@pytest.mark.parametrize("text", ["yes", "Approve", "/approve", "always", "👍"])
def test_nobody_but_an_owner_answers_a_prompt_of_the_host(
    play: Callable[[Scene], None], asked: set[str], text: str
) -> None:
    asked.add("agent:main:telegram:group:room")

    async def scene(on: Scenario) -> None:
        await on.says("222", "a turn", **ROOM)
        await on.says("222", text, **ROOM)
        assert (on.gateway.steered, on.gateway.commands) == ([], [])
        await on.says("111", text, **ROOM)
        assert len(on.gateway.queued) + len(on.gateway.commands) == 1

    play(scene)


def test_a_member_confirms_their_own_new_and_not_for_all_times(
    play: Callable[[Scene], None], waiting: dict[str, str]
) -> None:
    waiting["agent:main:telegram:dm:chat-222"] = "new"

    async def scene(on: Scenario) -> None:
        await on.says("222", "/approve")
        assert on.gateway.commands == [("222", "/approve")]
        await on.says("222", "always")
        assert on.gateway.turns == []

    play(scene)


def test_what_a_message_quotes_holds_no_reference_either(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        event = await on.says("222", "see this", reply_to_text="@file:secret", name="@file:name")
        assert (event.reply_to_text, event.source.user_name) == ("@ file:secret", "@ file:name")
        event = await on.says("111", "see @file:mine", reply_to_text="@file:secret")
        assert (event.text, event.reply_to_text) == ("see @file:mine", "@file:secret")

    play(scene)


@pytest.mark.parametrize("failing", ["raises", "returns nonsense"])
def test_a_door_that_fails_is_shut_for_everybody(play: Callable[[Scene], None], failing: str) -> None:
    async def scene(on: Scenario) -> None:
        def broken() -> Doors:
            if failing == "raises":
                raise RuntimeError("broken")
            return None  # type: ignore[return-value]

        await on.says("222", "a turn", **ROOM)
        on.broken = broken
        for sender in ("111", "222", "999"):
            for text in ("hello", "/many whoami", "/help", "join 2345-6789-ABCD"):
                await on.says(sender, text)
                await on.says(sender, text, **ROOM)
        assert on.gateway.turns == [("222", "a turn")]
        assert (on.gateway.steered, on.gateway.queued, on.gateway.commands) == ([], [], [])
        assert {len(on.heard(f"chat-{sender}")) for sender in ("111", "222", "999")} == {1}

    play(scene)


@pytest.mark.parametrize("payload", [{}, {"event": None, "gateway": None}, {"event": object(), "gateway": object()}])
def test_a_payload_that_is_not_understood_is_dropped(play: Callable[[Scene], None], payload: dict[str, object]) -> None:
    async def scene(on: Scenario) -> None:
        assert on.arrivals.pre_gateway_dispatch(**payload) == {"action": "skip", "reason": "herma"}

    play(scene)


def test_a_message_of_the_host_itself_is_not_judged(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("222", "a turn", **ROOM)
        await on.says(None, "a process has ended", internal=True, **ROOM)
        assert on.heard("room") == []

    play(scene)


def test_a_bot_and_a_message_without_a_sender_are_dropped_in_silence(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        await on.says("222", "I am Minh", is_bot=True)
        await on.says(None, "a post")
        assert (on.gateway.turns, on.gateway.adapter.said) == ([], [])

    play(scene)


def test_a_letter_reaches_the_direct_chat_of_exactly_its_account(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        assert "not been seen" in await asyncio.to_thread(on.mail.send, "telegram:111", "chat-111", "letter")
        await on.says("111", "hello")
        send = on.mail.send
        assert await asyncio.to_thread(send, "telegram:111", "chat-111", "letter") == ""
        assert on.heard("chat-111") == ["letter"]
        assert "own loop" in send("telegram:111", "chat-111", "letter")
        assert "others write" in await asyncio.to_thread(send, "telegram:222", "chat-111", "letter")
        assert "not connected" in await asyncio.to_thread(send, "slack:U1", "D1", "letter")
        on.gateway.adapter.chats["chat-222"] = "group"
        assert "direct" in await asyncio.to_thread(send, "telegram:222", "chat-222", "letter")
        assert on.heard("chat-111") == ["letter"]

    play(scene)


def test_an_adapter_that_does_not_answer_costs_no_more_than_its_time(play: Callable[[Scene], None]) -> None:
    async def scene(on: Scenario) -> None:
        mail = GatewayMail(seconds=0.01)
        mail.hold(on.gateway, asyncio.get_running_loop())

        async def never(*_: object, **__: object) -> object:
            return await asyncio.Event().wait()

        on.gateway.adapter.send = never  # type: ignore[method-assign]
        assert "within" in await asyncio.to_thread(mail.send, "telegram:111", "chat-111", "letter")

    play(scene)


def test_a_command_is_whose_message_it_came_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gateway.run", raising=False)
    source = SimpleNamespace(platform=SimpleNamespace(value="telegram"), user_id="222")
    assert speaker(source) == Speaker("sender", "telegram", "222")
    assert speaker(SimpleNamespace(platform=None, user_id=None)).kind == "nobody"
    assert speaker() == Speaker("seat")
    live = ModuleType("gateway.run")
    live.__dict__["_gateway_runner_ref"] = object
    monkeypatch.setitem(sys.modules, "gateway.run", live)
    assert speaker().kind == "nobody"
    token = SPEAKER.set(Speaker("sender", "telegram", "222"))
    assert speaker() == Speaker("sender", "telegram", "222")
    SPEAKER.reset(token)


def test_a_command_answers_off_the_loop_and_never_raises() -> None:
    def broken(_who: Speaker, _raw: str) -> str:
        raise RuntimeError("broken")

    def places(_who: Speaker, _raw: str) -> str:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return "answered"

    assert asyncio.run(Command(places, Guard(Counters()))("whoami")) == "answered"
    assert "did not work" in asyncio.run(Command(broken, Guard(Counters()))("whoami"))
