"""The two signals of a backend that is not local."""

from contextvars import ContextVar, copy_context
from typing import Any

import pytest

from herma.hosts.hermes import backend


class TerminalPolicyRefusal(dict[str, str]):
    """Named like the host's: an empty policy that refuses."""


SCOPE: ContextVar[Any] = ContextVar("hermes_terminal_scope")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "_found", [])
    monkeypatch.delenv("TERMINAL_ENV", raising=False)


def _within(scope: object) -> str | None:
    def run() -> str | None:
        SCOPE.set(scope)
        return backend.elsewhere()

    return copy_context().run(run)


@pytest.mark.parametrize("value, reason", [(None, None), ("local", None)])
def test_without_a_policy_the_variable_of_the_process_decides(
    monkeypatch: pytest.MonkeyPatch, value: str | None, reason: str | None
) -> None:
    if value is not None:
        monkeypatch.setenv("TERMINAL_ENV", value)
    assert backend.elsewhere() == reason


@pytest.mark.parametrize("value", ["docker", "ssh", "modal", "", "Local", " local"])
def test_anything_but_local_is_elsewhere(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("TERMINAL_ENV", value)
    assert backend.elsewhere() == "non_local_backend"


def test_a_policy_decides_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMINAL_ENV", "docker")
    assert _within({"TERMINAL_ENV": "local"}) is None
    assert _within({}) is None
    monkeypatch.setenv("TERMINAL_ENV", "local")
    assert _within({"TERMINAL_ENV": "ssh"}) == "non_local_backend"


def test_a_policy_that_refuses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMINAL_ENV", "local")
    assert _within(TerminalPolicyRefusal()) == "terminal_policy_refused"
    assert _within(type("Sub", (TerminalPolicyRefusal,), {})()) == "terminal_policy_refused"


@pytest.mark.parametrize("scope", ["local", 7, ["local"], object()])
def test_a_policy_of_an_unknown_shape_is_elsewhere(scope: object) -> None:
    assert _within(scope) == "non_local_backend"


def test_no_policy_bound_is_no_policy() -> None:
    assert _within(None) is None


def test_a_policy_is_found_in_the_context_of_the_call_and_not_in_another() -> None:
    assert _within({"TERMINAL_ENV": "ssh"}) == "non_local_backend"
    assert backend.shown()
    assert backend.elsewhere() is None
    assert _within({"TERMINAL_ENV": "ssh"}) == "non_local_backend"


def test_until_one_is_bound_none_is_shown() -> None:
    assert backend.elsewhere() is None
    assert not backend.shown()
