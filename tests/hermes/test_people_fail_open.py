"""Every function on the way of a turn, a request and a call made to fail: nothing runs and nothing goes out by it."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from tests.hermes.people.faulty import (
    APPROVED,
    BLOCKED,
    GUEST,
    OWNER,
    Function,
    Gateway,
    breaches,
    failing,
    forbidden,
    plugged,
    reached,
    works,
)

from herma.engine.people.turns import Call
from herma.engine.people.verdict import Verdict
from herma.errors import StoreFull
from herma.hosts.hermes import manyhands
from herma.hosts.hermes.people.household import Household
from herma.stores.people.unit import SqliteUnit

_MEMORY = Path("/dev/shm")

Fault = Callable[[Callable[..., object]], Callable[..., object]]


class Broken(Exception):  # noqa: N818 - reads as the sentence it is
    """What a function that fails raises here."""


def _raises(_function: Callable[..., object]) -> Callable[..., object]:
    def raising(*_args: object, **_more: object) -> object:
        raise Broken

    return raising


def _returns(garbage: object) -> Fault:
    def fault(_function: Callable[..., object]) -> Callable[..., object]:
        return lambda *_args, **_more: garbage

    return fault


FAULTS: dict[str, Fault] = {
    "raises": _raises,
    "an object": _returns(object()),
    "nothing": _returns(None),
    "a text": _returns("?"),
    "a number": _returns(-1),
}


# What these give back is what they give in ordinary life too, and no failure that anybody could tell.
ORDINARY = {
    "herma.core.people.request.notes.find_notes": ("nothing",),
    "herma.core.people.request.notes._back": ("a number",),
    "herma.core.people.budget.day_of": ("nothing", "a text", "a number"),
    "herma.hosts.hermes.people.opening.now": ("a number",),
    "herma.stores.people.part.Part.value": ("nothing", "a number"),
    "herma.stores.people.facts.Tokens.tokens": ("a number",),
    "herma.hosts.hermes.people.own_state._texts": ("a text",),
    "herma.hosts.hermes.people.own_state._meanings": ("a text",),
}


# These are called out of tables of functions, where no other can be put in their place by a name.
TABLED = {"herma.hosts.hermes.people.synthetic._completion"}


class Swept:
    """A host that is made anew where a fault has left it unusable."""

    def __init__(self, version: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._made = iter(range(10_000))
        self._where = version, folder, monkeypatch
        self.gateway = self._anew()

    def _anew(self) -> Gateway:
        version, folder, monkeypatch = self._where
        return plugged(version, folder / f"home-{next(self._made)}", monkeypatch)

    def ready(self) -> Gateway:
        """A host that does what it should."""
        try:
            fine = works(self.gateway)
        except Exception:  # noqa: BLE001 - a host that is broken may raise anything
            fine = False
        if not fine:
            self.gateway = self._anew()
            assert works(self.gateway)
        return self.gateway


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory, where there is one: thousands of commits that wait for a disk prove nothing more."""
    made = Path(tempfile.mkdtemp(dir=_MEMORY if _MEMORY.is_dir() else None))
    yield made
    shutil.rmtree(made)


@pytest.fixture(params=["0.19.0", "0.22.2"])
def swept(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Swept:
    return Swept(request.param, folder, monkeypatch)


def _on_the_way(gateway: Gateway) -> list[Function]:
    """What every turn and call goes through, and not what only the first one does."""

    def all_of_it() -> None:
        assert breaches(gateway) == []
        assert works(gateway)

    all_of_it()
    return reached(all_of_it)


def test_without_a_fault_what_may_happen_does_and_nothing_else(swept: Swept) -> None:
    assert works(swept.gateway)
    assert breaches(swept.gateway) == []
    assert len(_on_the_way(swept.gateway)) > 100


# The ways of failing are dealt out to the versions, which differ in the order in which they ask.
@pytest.mark.parametrize(
    "swept, fault",
    [
        ("0.19.0", "raises"),
        ("0.19.0", "nothing"),
        ("0.19.0", "an object"),
        ("0.22.2", "raises"),
        ("0.22.2", "a text"),
        ("0.22.2", "a number"),
    ],
    indirect=["swept"],
)
def test_whichever_function_fails_nothing_runs_and_nothing_goes_out(swept: Swept, fault: str) -> None:
    functions = _on_the_way(swept.gateway)
    assert ORDINARY.keys() <= {function.name for function in functions}
    found = []
    for function in functions:
        gateway = swept.ready()
        with failing(function, FAULTS[fault], gateway):
            happened = breaches(gateway)
        if fault not in ORDINARY.get(function.name, ()):
            found += [f"{function.name}: {each}" for each in happened]
    assert "\n".join(found) == ""


def test_while_a_function_hangs_nothing_runs_and_nothing_goes_out(swept: Swept) -> None:
    missed = set()
    for function in _on_the_way(swept.gateway):
        hanging = Hanging(swept.ready(), function)
        if not hanging.reached:
            missed.add(function.name)
        assert hanging.meanwhile == [], function.name
        assert hanging.afterwards == [], function.name
    assert missed <= TABLED


class Hanging:
    """The first call of a function hangs for longer than any host waits; then it goes on as if nothing had been."""

    def __init__(self, gateway: Gateway, function: Function) -> None:
        self._entered, self._release = Event(), Event()
        self._allowed = self._ended = False
        self.afterwards: list[str] = ["it never came to an end"]
        sent, ran = len(gateway.requests), len(gateway.ran)
        with failing(function, self._fault, gateway):
            working = Thread(target=self._work, args=(gateway,), daemon=True)
            working.start()
            self.reached = self._entered.wait(30) and not self._ended
            self.meanwhile = [str(each) for each in gateway.requests[sent:] if forbidden(str(each))]
            self.meanwhile += [*([] if self._allowed else gateway.ran[ran:]), *_without_waiting(gateway)]
            self._release.set()
            working.join(30)

    def _fault(self, original: Callable[..., object]) -> Callable[..., object]:
        def hangs_once(*args: object, **more: object) -> object:
            if not self._entered.is_set():
                self._entered.set()
                assert self._release.wait(30)
            return original(*args, **more)

        return hangs_once

    def _work(self, gateway: Gateway) -> None:
        happened = breaches(gateway)
        self._allowed = True
        self.afterwards = happened if works(gateway) else ["what may happen does not", *happened]
        self._ended = True
        self._entered.set()


def _without_waiting(gateway: Gateway) -> list[str]:
    """A host that gave up on `pre_llm_call` goes on with the turn: what of it goes out or runs."""
    turn = gateway.beginning
    if turn is None:
        return []
    sent, ran = len(gateway.requests), len(gateway.ran)
    gateway.requests_after(turn)
    gateway.runs(turn, "web_search", query="x")
    return [str(each) for each in (*gateway.requests[sent:], *gateway.ran[ran:])]


def test_a_turn_that_could_neither_begin_nor_be_refused_does_nothing(swept: Swept) -> None:
    gateway = swept.gateway
    for name in ("start", "refuse_turn"):
        assert hasattr(Household, name)
    with (
        failing(Function("start", ((Household, "start"),)), _raises, gateway),
        failing(Function("refuse_turn", ((Household, "refuse_turn"),)), _returns(None), gateway),
    ):
        turn = gateway.begins(OWNER)
    assert gateway.requests_after(turn) == []
    assert not gateway.runs(turn, "web_search", query="x")
    assert works(gateway), "the next turn is as any other"


# when the plugin is loaded


def test_it_is_not_ready_before_it_refused_a_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    judge, hook = Household.judge, Gateway.register_hook

    def judged(self: Household, call: Call, tool: str, args: object) -> Any:
        verdict = judge(self, call, tool, args)
        order.append("refused" if not verdict.allowed else "allowed")
        return verdict

    def registered(self: Gateway, hook_name: str, callback: Any) -> None:
        order.append(hook_name)
        hook(self, hook_name, callback)

    monkeypatch.setattr(Household, "judge", judged)
    monkeypatch.setattr(Gateway, "register_hook", registered)
    plugged("0.22.2", tmp_path / "home", monkeypatch)
    assert order[0] == "refused"
    assert "pre_tool_call" in order


@pytest.mark.parametrize("wrong", [Verdict(allowed=True), None, True])
def test_where_it_does_not_refuse_that_call_it_refuses_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: object
) -> None:
    if not isinstance(wrong, Verdict):
        monkeypatch.setattr(manyhands.Manyhands, "pre_tool_call", lambda _self, **_payload: wrong)
    monkeypatch.setattr(Household, "judge", lambda *_about: wrong)
    gateway = plugged("0.22.2", tmp_path / "home", monkeypatch)
    turn = gateway.begins(OWNER)
    assert not gateway.runs(turn, "terminal", command="id")
    assert gateway.requests_after(turn) == []
    assert gateway.odd == []


@pytest.mark.parametrize(
    "settings", [{"paused": True}, {"unknown_session_policy": "operator"}, {"local_seat_policy": "roster"}]
)
def test_no_setting_keeps_it_from_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object]
) -> None:
    gateway = plugged("0.22.2", tmp_path / "home", monkeypatch, settings)
    assert gateway.runs(gateway.begins(OWNER), "terminal", command="id")
    assert not gateway.runs(gateway.begins(BLOCKED), "terminal", command="id")


@pytest.mark.parametrize(
    "wrong",
    [
        {"unknown_sender_policy": "maybe"},
        {"invite_role": "mebmer"},
        {"roles": {"member": {"alow": ["terminal"]}}},
        {"approval_timeout_s": "soon"},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_settings_that_cannot_be_used_shut_everybody_out_but_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, object]
) -> None:
    gateway = plugged("0.22.2", tmp_path / "home", monkeypatch, wrong)
    for sender in (OWNER, GUEST):
        turn = gateway.begins(sender)
        assert not gateway.runs(turn, "web_search", query="x")
        assert gateway.requests_after(turn) == []
    seat = gateway.begins("", platform="cli")
    assert gateway.runs(seat, "terminal", command="id")
    assert gateway.requests_after(seat)


@pytest.mark.parametrize("version", ["0.19.0", "0.22.2"])
def test_a_database_that_fails_in_the_middle_leaves_the_terminal_alone_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    gateway = plugged(version, tmp_path / "home", monkeypatch)
    owner, seat = gateway.begins(OWNER), gateway.begins("", platform="cli")

    def full(_unit: SqliteUnit) -> SqliteUnit:
        raise StoreFull("the database of people has no room left", hint="make room on the disk")

    monkeypatch.setattr(SqliteUnit, "__enter__", full)
    assert gateway.runs(seat, "terminal", command="id")
    later = gateway.begins("", platform="cli")
    assert gateway.runs(later, "terminal", command="id")
    assert gateway.requests_after(later)
    path = tmp_path / "home" / "plugin-data" / "manyhands" / "manyhands.db"
    assert not gateway.runs(seat, "read_file", path=str(path))
    assert not gateway.runs(owner, "terminal", command="id")
    refused = gateway.begins(OWNER)
    assert gateway.requests_after(refused) == []
    assert not gateway.runs(refused, "web_search", query="x")


@pytest.mark.parametrize("version", ["0.19.0", "0.22.2"])
@pytest.mark.parametrize("first", [True, False])
def test_a_plugin_that_was_loaded_before_or_after_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, first: bool
) -> None:
    gateway = plugged(version, tmp_path / "home", monkeypatch)
    others = gateway.hooks["pre_tool_call"]
    # Hermes 0.19 takes the first answer: an approval of another plugin then stands before our block.
    others.insert(0 if first else len(others), lambda **_payload: dict(APPROVED))
    gateway.first_answer_counts = version == "0.19.0"
    assert not gateway.runs(gateway.begins(GUEST), "terminal", command="id")
    assert gateway.runs(gateway.begins(GUEST), "web_search", query="x")
