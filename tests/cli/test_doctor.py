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
    return {check["id"]: check["status"] for check in outcome.data["hosts"][0]["checks"]}


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
    assert outcome.out.endswith("\n1 warn, 13 pass, 2 skip\n")
    assert outcome.code == 1
