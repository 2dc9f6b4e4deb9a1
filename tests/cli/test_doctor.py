import json
from pathlib import Path

import pytest

from herma import __version__
from tests.cli.conftest import ON, Herma, Outcome, configure

ALL = {
    "installation",
    "version",
    "herma",
    "safe-mode",
    "plugin",
    "config",
    "switch-1",
    "switch-2",
    "settings",
    "hook",
    "still-full",
    "no-marker",
    "head-empty",
    "tail-empty",
    "wrong-count",
    "not-saved",
}


def _statuses(outcome: Outcome) -> dict[str, str]:
    checks = outcome.data["hosts"][0]["checks"]
    return {check["id"]: check["status"] for check in checks if check["system"] in ("", "read-summarizer")}


@pytest.mark.usefixtures("env")
def test_an_installation_with_both_switches_on_passes_every_check(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, ON)

    outcome = herma("doctor", "--json")

    statuses = _statuses(outcome)
    assert set(statuses) == ALL
    assert {name for name, status in statuses.items() if status != "pass"} == {"wrong-count", "not-saved"}
    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out)["schema"] == "herma/doctor/1"


def test_the_json_says_which_installation_in_which_home(env: Path, tmp_path: Path, herma: Herma) -> None:
    (found,) = herma("doctor", "--json").data["hosts"]

    assert found["environment"] == str(env)
    assert found["found_by"] == "pipx"
    assert found["home"] == str(tmp_path / ".hermes")
    assert (found["hermes_version"], found["distribution"]) == ("0.19.0", "hermes-agent")


@pytest.mark.usefixtures("env")
def test_the_text_has_a_line_a_check_and_a_hint_below_what_is_amiss(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, ON | {"read_summarizer": {"enabled": True, "tail_line": 3}})

    outcome = herma("doctor")

    assert outcome.out.startswith(f"herma {__version__}\n\nHermes 0.19.0 (hermes-agent) in {tmp_path}")
    assert "  pass  switch-1      plugins.enabled lists read-summarizer\n" in outcome.out
    assert "read_summarizer.tail_line is not a setting\n" + " " * 22 + "hint: did you mean tail_lines?\n" in outcome.out
    assert outcome.out.endswith("\n1 warn, 13 pass, 5 skip\n")
    assert outcome.code == 1


@pytest.mark.usefixtures("env")
def test_a_system_that_nobody_enabled_is_no_failure_beside_one_that_is_on(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, {"plugins": {"enabled": ["read-once"]}})

    outcome = herma("doctor", "--json")

    assert outcome.check("switch-1")["status"] == "skip"
    assert outcome.check("switch-1")["hint"] == "herma setup --plugin read-summarizer switches it on"
    assert outcome.check("switch-1", "read-once")["status"] == "pass"
    assert outcome.code == 0


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize(
    "variables, status, summary",
    [
        ({}, "pass", "it watches and counts, and answers nothing: READ_ONCE_HITS is not 1"),
        ({"READ_ONCE_HITS": "1"}, "warn", "READ_ONCE_HITS is 1 and READ_ONCE_ROOT is not set"),
        ({"READ_ONCE_HITS": "1", "READ_ONCE_ROOT": "/nowhere/at/all"}, "warn", "which is no folder"),
        ({"READ_ONCE_HITS": "1", "READ_ONCE_ROOT": "/"}, "pass", "repeated reads below / may be answered"),
    ],
)
def test_it_says_whether_read_once_may_answer(
    variables: dict[str, str], status: str, summary: str, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, {"plugins": {"enabled": ["read-once"]}})

    found = herma("doctor", "--json", **variables).check("hits", "read-once")

    assert found["status"] == status
    assert summary in found["summary"]


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize(
    "plugins, status",
    [
        ({"enabled": ["recall", "manyhands"]}, "pass"),
        ({"enabled": ["recall"]}, "fail"),
        ({"enabled": ["recall", "manyhands"], "disabled": ["manyhands"]}, "fail"),
    ],
)
def test_a_plugin_without_the_one_that_it_needs_fails(
    plugins: dict[str, list[str]], status: str, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, {"plugins": plugins})

    outcome = herma("doctor", "--json")

    check = outcome.check("needs", "recall")
    assert check["status"] == status
    assert "manyhands" in check["summary"]
    assert status == "pass" or "herma setup --plugin manyhands" in check["hint"]


@pytest.mark.usefixtures("env")
def test_the_way_to_switch_on_a_plugin_names_the_one_that_it_needs(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, ON)
    assert herma("doctor", "--json").check("switch-1", "recall")["hint"] == (
        "herma setup --plugin recall --plugin manyhands switches it on"
    )
