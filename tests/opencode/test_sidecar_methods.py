"""The methods behind the plugin, through the wire and without a process."""

import json
from itertools import count
from pathlib import Path

import pytest

from herma.engine.memory import load_settings
from herma.errors import SidecarError
from herma.hosts.opencode.log import Log
from herma.hosts.opencode.requests import Purpose, purpose_of
from herma.hosts.opencode.start import methods
from herma.rpc.client import Twin

ENVIRONMENT = "\nHere is some useful information about the environment you are running in:\n<env>\n  Platform: linux\n"
BASE = f"You are opencode.\n{ENVIRONMENT}"


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        """The time that was set."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def twin(tmp_path: Path, clock: Clock) -> Twin:
    return Twin(methods({}, tmp_path, clock))


def _texts(twin: Twin, session: str, base: str = BASE, **more: object) -> list[str]:
    found = twin.call("system", {"session": session, "base": base, **more})
    assert isinstance(found, dict)
    return [str(text) for text in found["texts"]]


def _use(twin: Twin, session: str, **arguments: object) -> dict[str, object]:
    found = twin.call("tool", {"name": "memory", "session": session, "turn": "m", "arguments": arguments})
    assert isinstance(found, dict)
    answer = json.loads(found["text"])
    assert isinstance(answer, dict)
    return answer


def test_what_a_host_fills_in_for_an_argument_that_is_left_out_counts_as_left_out(twin: Twin) -> None:
    filled = {"old_text": "", "operations": [], "content": "Likes tea."}
    assert _use(twin, "s", target="user", action="add", **filled)["success"] is True
    assert _use(twin, "s", target=None, action="add", content="Notes.", old_text=None)["success"] is True


def test_a_session_is_frozen_and_the_next_one_sees_what_was_written(twin: Twin) -> None:
    before = _texts(twin, "one")
    _use(twin, "one", target="user", action="add", content="Likes tea.")
    assert _texts(twin, "one") == before
    assert "Likes tea." in _texts(twin, "two")[0]
    assert _texts(twin, "child", parent="one") == before


def test_requests_that_are_none_of_the_conversation_get_nothing(twin: Twin, tmp_path: Path, clock: Clock) -> None:
    for base in ("You are a title generator. You output", "You are a context summarization agent. You"):
        assert _texts(twin, "s", base) == []
    assert not (tmp_path / ".local").exists()
    for _ in range(5):
        assert _texts(twin, "s", "My secret words and nothing known") == []
    clock.now += 61
    assert _texts(twin, "s", "another") == []
    log = (tmp_path / ".local/share/opencode/log/opencode-hermes.log").read_text("utf-8")
    assert log.count("unknown kind") == 2
    assert "secret" not in log


@pytest.mark.parametrize(
    "kind,purpose",
    [
        ("primary", Purpose.CONVERSATION),
        ("compaction", Purpose.INTERNAL),
        ("title", Purpose.INTERNAL),
        ("generate", Purpose.INTERNAL),
        ("", Purpose.UNKNOWN),
        ("something new", Purpose.UNKNOWN),
    ],
)
def test_the_second_version_says_what_a_request_is_for(kind: str, purpose: Purpose) -> None:
    assert purpose_of("", kind) is purpose


def test_words_of_a_person_that_quote_a_hidden_agent_do_not_hide_their_memory() -> None:
    assert purpose_of(f"My agent.\n{ENVIRONMENT}You are a title generator.") is Purpose.CONVERSATION


@pytest.mark.parametrize(
    "method,parameters",
    [
        ("system", {}),
        ("system", {"session": ""}),
        ("system", {"session": 1, "base": BASE}),
        ("turn", {"session": None}),
        ("tool", {"session": "s", "name": "other", "arguments": {}}),
        ("deleted", {}),
    ],
)
def test_parameters_that_are_not_what_a_method_takes_are_refused(
    twin: Twin, method: str, parameters: dict[str, object]
) -> None:
    with pytest.raises(SidecarError):
        twin.call(method, parameters)


def test_turns_of_many_sessions_are_not_kept_for_ever(tmp_path: Path, clock: Clock) -> None:
    turn = methods({}, tmp_path, clock)["turn"]
    for n in range(2_000):
        turn({"session": f"s{n}", "turn": f"m{n}"})
    kept = turn.__self__._turns  # type: ignore[attr-defined] # a bound method
    assert list(kept) == [f"s{n}" for n in range(2_000 - 1_024, 2_000)]


def test_the_log_is_rotated_twice_and_looked_at_twice_a_minute(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "log" / "a.log"
    log = Log(path, clock)
    for n, _ in zip(count(), range(4), strict=False):
        log.say(f"{n} " + "x" * 1_100_000)
        clock.now += 31
    log.say("last\nline")
    names = sorted(each.name for each in path.parent.iterdir())
    assert names == ["a.log", "a.log.1", "a.log.2"]
    assert {oct(each.stat().st_mode & 0o777) for each in path.parent.iterdir()} == {"0o600"}
    assert path.read_text("utf-8").endswith("Z last line\n")
    assert path.read_text("utf-8").startswith("2023-11-14T22:15:24.000Z")


def test_a_log_that_cannot_be_written_costs_nothing(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    Log(tmp_path / "file" / "log", clock).say("unheard")
    Log(tmp_path, clock).say("unheard")


@pytest.mark.parametrize("data", [b"\xff\xfe{", b"[1]", b'{"memoryCharLimit": ', b"{" * 5_000])
def test_a_file_of_settings_that_is_none_is_one_warning_and_defaults_hold(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / ".config" / "opencode" / "opencode-hermes.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    found = load_settings({}, home=str(tmp_path))
    assert len(found.problems) == 1
    assert found.values["memoryCharLimit"] == 2200


def test_a_setting_that_is_unknown_or_of_a_later_part_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"dream": false, "memoryCharLimits": 5}', encoding="utf-8")
    found = load_settings({"HERMES_OPENCODE_CONFIG": str(path)}, home=str(tmp_path))
    told = " ".join(problem.message for problem in found.problems)
    assert "memoryCharLimits" in told
    assert "not active yet" in told
