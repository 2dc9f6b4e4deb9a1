import json
from pathlib import Path

import pytest

from herma import __version__
from tests.cli.conftest import Herma
from tests.install.environment import environment, launcher


@pytest.fixture
def env(tmp_path: Path) -> Path:
    """A home with one switch on and the other off, and an environment to look at it from."""
    (tmp_path / ".hermes").mkdir()
    config = {
        "plugins": {"enabled": ["read-summarizer", *(f"p{n}\x1b" for n in range(20))]},
        "read_summarizer": {"tail_lines": 20},
    }
    (tmp_path / ".hermes" / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
    return environment(tmp_path / "env")


def test_one_installation_fits_on_twenty_lines(env: Path, tmp_path: Path, herma: Herma) -> None:
    outcome = herma("status", "--hermes", str(env))

    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert len(lines) <= 20
    assert lines[:2] == [f"herma {__version__}", f"Hermes 0.19.0 (hermes-agent) in {env}"]
    assert f"  home      {tmp_path}/.hermes" in lines
    assert "  enabled   read-summarizer, p0\\x1b, p1\\x1b, p2\\x1b, p3\\x1b, p4\\x1b and 15 more" in lines
    assert "  disabled  nothing" in lines


def test_it_says_which_switch_is_off_and_where_each_setting_comes_from(env: Path, herma: Herma) -> None:
    lines = herma("status", "--hermes", str(env)).out.splitlines()

    first = lines.index("  read-summarizer: off")
    assert lines[first + 1] == "    switch 2 of 2 is off: read_summarizer.enabled is not set to true anywhere"
    assert "    head_lines      200  (default)" in lines
    assert "    tail_lines      20  (read_summarizer)" in lines


def test_the_json_says_the_same(env: Path, herma: Herma) -> None:
    outcome = herma("status", "--json", "--hermes", str(env))

    (found,) = outcome.data["hosts"]
    system, once = found["systems"]
    assert json.loads(outcome.out)["schema"] == "herma/status/1"
    assert found["enabled"][1] == "p0\x1b"
    assert found["herma"] == __version__
    assert system["on"] is False
    assert "switch 2 of 2" in system["off_because"][0]
    assert {"name": "tail_lines", "value": 20, "place": "read_summarizer"} in system["settings"]
    assert once["variables"] == {"READ_ONCE_ROOT": None, "READ_ONCE_HITS": None, "READ_ONCE_NOTICE": None}


def test_an_installation_in_trouble_is_shown_with_its_hint(tmp_path: Path, herma: Herma) -> None:
    python = launcher(tmp_path / "env" / "bin" / "python", "#!/bin/sh\nexit 1\n")

    outcome = herma("status", "--hermes", str(python))

    assert outcome.code == 2
    assert "  error     " in outcome.out
    assert "  hint      " in outcome.out


def test_a_machine_without_hermes_is_an_error_and_still_one_json_object(herma: Herma) -> None:
    outcome = herma("status", "--json")

    assert outcome.code == 2
    assert outcome.data == {"herma": __version__, "hosts": []}
    assert outcome.err.startswith("error: no Hermes Agent was found")
