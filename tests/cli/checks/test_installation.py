import os
from pathlib import Path

import pytest

from herma import __version__
from tests.cli.conftest import ON, Herma, configure
from tests.install.environment import environment, launcher


def test_a_machine_without_hermes_is_a_failure_with_a_hint(herma: Herma) -> None:
    outcome = herma("doctor", "--json")

    assert outcome.code == 2
    assert outcome.check("installation")["status"] == "fail"
    assert "--hermes" in outcome.check("installation")["hint"]
    assert outcome.data["hosts"] == []


def test_a_hermes_that_is_named_and_not_there_is_an_error(herma: Herma) -> None:
    outcome = herma("doctor", "--hermes", "/nowhere/hermes\x1b[2J")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: there is no /nowhere/hermes\\x1b[2J\nhint: ")


@pytest.mark.parametrize("version, status", [("0.22.9", "pass"), ("0.23.1", "warn"), ("nightly", "warn")])
def test_a_version_of_another_series_is_called_not_tested(
    version: str, status: str, tmp_path: Path, herma: Herma
) -> None:
    made = environment(tmp_path / "env", version=version)

    found = herma("doctor", "--json", "--hermes", str(made)).check("version")

    assert found["status"] == status
    assert version in found["summary"]


def test_an_installation_without_herma_fails_and_is_told_how_to_get_it(tmp_path: Path, herma: Herma) -> None:
    made = environment(tmp_path / "env of mine", herma=None)

    outcome = herma("doctor", "--json", "--hermes", str(made))

    assert outcome.check("herma")["hint"] == f"`herma setup --hermes '{made}'` installs this one there"
    assert outcome.check("herma")["status"] == "fail"
    assert outcome.check("plugin")["status"] == "fail"


def test_an_installation_with_another_herma_is_warned_about(tmp_path: Path, herma: Herma) -> None:
    made = environment(tmp_path / "env", herma="0.0.1")

    found = herma("doctor", "--json", "--hermes", str(made)).check("herma")

    assert found["status"] == "warn"
    assert f"Herma 0.0.1 is installed there, and this is {__version__}" in found["summary"]


@pytest.mark.parametrize(
    "hooks, status", [('{"pre_tool_call"}', "fail"), ("set()", "warn"), ('["transform_tool_result"]', "pass")]
)
def test_a_host_must_have_the_hook(hooks: str, status: str, tmp_path: Path, herma: Herma) -> None:
    made = environment(tmp_path / "env", hooks=hooks)

    assert herma("doctor", "--json", "--hermes", str(made)).check("hook")["status"] == status


@pytest.mark.usefixtures("env")
def test_safe_mode_is_a_failure_for_it_loads_no_plugin(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, ON)

    outcome = herma("doctor", "--json", HERMES_SAFE_MODE="Yes")

    assert outcome.check("safe-mode")["status"] == "fail"
    assert outcome.check("still-full")["summary"].endswith("see safe-mode above")


@pytest.mark.parametrize(
    "says, summary",
    [
        ("echo no such thing\n", "said “no such thing” instead of an answer"),
        ("exit 1\n", "ended without a word"),
        ("echo 'herma-probe-1 {\"hermes\": {'\n", "gave an answer that is cut or garbled"),
        ("echo 'herma-probe-1 []'\n", "the answer has a list where a dict belongs"),
        (
            'echo \'herma-probe-1 {"hermes": {"present": 1}, "home": ""}\'\n',
            "the answer has a int where a bool belongs",
        ),
        ('echo \'herma-probe-1 {"hermes": {"present": false}, "home": ""}\'\n', "there is no Hermes Agent in"),
        ("printf '\\033[2J\\n'\n", "said “\\x1b[2J” instead of an answer"),
    ],
)
def test_a_python_that_does_not_answer_is_a_failure_with_a_hint(
    says: str, summary: str, tmp_path: Path, herma: Herma
) -> None:
    python = launcher(tmp_path / "env" / "bin" / "python", f"#!/bin/sh\n{says}")

    outcome = herma("doctor", "--hermes", str(python))

    assert outcome.code == 2
    assert outcome.err == ""
    assert summary in outcome.out
    assert "hint: " in outcome.out


def test_a_python_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path, herma: Herma) -> None:
    os.mkfifo(tmp_path / "never")
    # Both the shell and its child hold the pipe; opening a fifo that nobody writes to waits for ever.
    waits = f"#!/bin/sh\necho a moment\ncat {tmp_path}/never &\ncat {tmp_path}/never\n"
    python = launcher(tmp_path / "env" / "bin" / "python", waits)

    found = herma("doctor", "--json", "--hermes", str(python), "--time-limit", "0.3").check("installation")

    assert found["status"] == "fail"
    assert "did not answer within 0.3 seconds" in found["summary"]
    assert "--time-limit" in found["hint"]


def test_a_python_that_talks_without_end_is_ended(tmp_path: Path, herma: Herma) -> None:
    python = launcher(tmp_path / "env" / "bin" / "python", "#!/bin/sh\nexec yes\n")

    assert "said “y”" in herma("doctor", "--json", "--hermes", str(python)).check("installation")["summary"]


def test_an_environment_whose_python_is_gone_is_a_failure(env: Path, herma: Herma) -> None:
    (env / "bin" / "python").unlink()

    outcome = herma("doctor", "--json")

    assert outcome.code == 2
    assert f"{env}/bin/python is not there" in outcome.check("installation")["summary"]


def test_a_launcher_that_cannot_be_seen_through_is_a_failure(tmp_path: Path, herma: Herma) -> None:
    launcher(tmp_path / "bin" / "hermes", '#!/bin/sh\nexec "$SOMETHING"\n')

    found = herma("doctor", "--json", PATH=str(tmp_path / "bin")).check("installation")

    assert found["status"] == "fail"
    assert "does not say which Python it starts" in found["summary"]


def test_every_installation_is_checked_and_the_worst_decides(env: Path, tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, ON)
    other = environment(tmp_path / ".local" / "share" / "uv" / "tools" / "hermes-agent", herma=None)

    outcome = herma("doctor", "--json")

    assert {(host["environment"], host["status"]) for host in outcome.data["hosts"]} == {
        (str(env), "pass"),
        (str(other), "fail"),
    }
    assert outcome.code == 2
