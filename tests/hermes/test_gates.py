"""Which calls have passed the gate, and what stands behind a middleware."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from herma.hosts.hermes.gates import Gates, ids_of, innermost

CALL = ids_of({"session_id": "s", "turn_id": "t", "api_request_id": "r", "tool_call_id": "c"})
OTHER = ids_of({"session_id": "s", "turn_id": "t2", "api_request_id": "r2", "tool_call_id": "c"})


def test_a_call_has_passed_only_after_its_own_gate_ran() -> None:
    gates = Gates()
    assert gates.enter(CALL) is False
    gates.leave(CALL)
    gates.passed(CALL)
    assert gates.enter(OTHER) is False
    assert gates.enter(CALL) is True


def test_a_passed_gate_is_for_one_call() -> None:
    gates = Gates()
    gates.passed(CALL)
    assert gates.enter(CALL) is True
    gates.leave(CALL)
    assert gates.enter(CALL) is False


def test_a_gate_that_runs_inside_of_the_call_does_not_count_for_it_or_the_next() -> None:
    gates = Gates()
    assert gates.enter(CALL) is False
    gates.passed(CALL)
    gates.leave(CALL)
    assert gates.enter(CALL) is False


def test_a_frame_inside_of_the_same_call_is_told_apart() -> None:
    gates = Gates()
    gates.passed(CALL)
    assert gates.enter(CALL) is True
    assert gates.enter(CALL) is None
    assert gates.enter(OTHER) is False


def test_calls_that_never_come_do_not_pile_up() -> None:
    gates = Gates()
    for n in range(5_000):
        gates.passed(ids_of({"tool_call_id": str(n)}))
    assert len(gates._passed) == 1_024
    assert gates.enter(ids_of({"tool_call_id": "4999"})) is True
    assert gates.enter(ids_of({"tool_call_id": "0"})) is False


@pytest.mark.parametrize(
    "callbacks, expected",
    [(["ours"], True), (["other", "ours"], True), (["ours", "other"], False), ([], False), (None, False)],
)
def test_the_last_of_its_kind_is_innermost(
    monkeypatch: pytest.MonkeyPatch, callbacks: list[str] | None, *, expected: bool
) -> None:
    module = ModuleType("hermes_cli.plugins")
    manager = SimpleNamespace(_middleware={"tool_execution": callbacks})
    module.__dict__["get_plugin_manager"] = lambda: manager
    monkeypatch.setitem(sys.modules, "hermes_cli.plugins", module)
    assert innermost("tool_execution", "ours") is expected


def test_a_host_that_hides_the_order_is_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "hermes_cli.plugins", raising=False)
    assert innermost("tool_execution", "ours") is None
    monkeypatch.setitem(sys.modules, "hermes_cli.plugins", ModuleType("hermes_cli.plugins"))
    assert innermost("tool_execution", "ours") is None
