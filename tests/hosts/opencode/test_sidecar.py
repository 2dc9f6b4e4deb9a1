"""Whatever becomes of the sidecar, the turn goes on: in the real OpenCode."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hosts.model import Request, ScriptedModel, call, say
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.once import begin, finish, run
from tests.hosts.opencode.serving import Serving
from tests.hosts.opencode.sidecars import kill, sidecars_of, wait_for_end

GUIDANCE = "`memory` tool"


def _has_memory(request: Request) -> bool:
    return any(GUIDANCE in text for text in request.texts("system")[1:])


def _last(model: ScriptedModel) -> Request:
    return [request for request in model.requests if not request.aux][-1]


def _program(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("herma: ")]


def test_a_killed_sidecar_is_started_again_for_the_next_turn_with_the_same_text(
    household: Household, model: ScriptedModel
) -> None:
    with Serving(household) as server:
        session = server.session()
        server.say(session, "one")
        before = _last(model)
        (pid,) = sidecars_of(server.process.pid)
        kill(pid)
        server.say(session, "two")
        assert _has_memory(before)
        assert _last(model).texts("system") == before.texts("system")
        (again,) = sidecars_of(server.process.pid)
        assert again != pid


def test_a_stopped_sidecar_costs_a_moment_and_one_line_and_no_turn(household: Household, model: ScriptedModel) -> None:
    model.lane("three", call("memory", target="user", action="add", content="x"), say("went on"))
    with Serving(household) as server:
        session = server.session()
        server.say(session, "one")
        (pid,) = sidecars_of(server.process.pid)
        os.kill(pid, signal.SIGSTOP)
        server.say(session, "two")
        assert not _has_memory(_last(model))
        assert wait_for_end(pid)
        assert server.say(session, "three") == "went on"
        assert len(_lines(server.errors.read_text("utf-8"))) == 1


@pytest.mark.parametrize(
    "command,said",
    [
        ("/nowhere/bin/python3", "cannot be started"),
        ("python3", "not an absolute path"),
        ("", "HERMA_COMMAND is not set"),
        ("/bin/false", "ended"),
    ],
)
def test_without_a_sidecar_there_is_one_line_and_the_turn_is_as_without_the_plugin(
    household: Household, model: ScriptedModel, command: str, said: str
) -> None:
    model.replies(call("bash", command="true", description="d"), say("fine"))
    ran = run(household, "hello", environment={"HERMA_COMMAND": command})
    assert "fine" in ran.stdout
    (line,) = _lines(ran.stderr)
    assert said in line
    request = _last(model)
    assert len(request.texts("system")) == 1
    assert "memory" not in [tool["function"]["name"] for tool in request.body["tools"]]


def test_a_sidecar_of_another_version_is_not_used_and_said_so_once(
    household: Household, model: ScriptedModel, tmp_path: Path
) -> None:
    answer = '{"jsonrpc":"2.0","id":1,"result":{"protocol":0,"herma":"0.0.1","tools":[]}}'
    outdated = _program(tmp_path, "herma", f"input()\nprint('{answer}', flush=True)\ninput()")
    ran = run(household, "hello", environment={"HERMA_COMMAND": outdated})
    (line,) = _lines(ran.stderr)
    assert "another version" in line
    assert not _has_memory(_last(model))


def test_a_name_in_the_project_is_never_taken_for_the_sidecar(household: Household, model: ScriptedModel) -> None:
    trap = household.folder / "sprung"
    for name in ("herma", "python3", "python"):
        _program(household.project, name, f"open({str(trap)!r}, 'w')")
    (household.project / "herma.py").write_text(f"open({str(trap)!r}, 'w')", encoding="utf-8")
    (household.project / ".env").write_text(f"HERMA_COMMAND={household.project}/herma\n", encoding="utf-8")
    settings = household.project / "opencode-hermes.json"
    settings.write_text(f'{{"memoryRoot": "{household.project}"}}', encoding="utf-8")
    path = f"{household.project}:/usr/bin:/bin"
    for command in ("", household.python):
        run(household, "hello", environment={"HERMA_COMMAND": command, "PATH": path, "PYTHONPATH": "."})
    assert _has_memory(_last(model))
    assert not trap.exists()
    assert not list(household.project.glob("*.md"))


def test_the_sidecar_leaves_when_the_host_is_killed(household: Household) -> None:
    with Serving(household) as server:
        session = server.session()
        server.say(session, "one")
        (pid,) = sidecars_of(server.process.pid)
        server.process.kill()
        assert wait_for_end(pid)


def test_several_projects_of_one_process_share_one_sidecar_and_it_outlives_each(
    household: Household, model: ScriptedModel
) -> None:
    other = household.folder / "other"
    other.mkdir()
    with Serving(household) as server:
        here, there = server.session(), server.session(directory=other)
        server.say(here, "one")
        server.say(there, "two", directory=other)
        (pid,) = sidecars_of(server.process.pid)
        server.ask("POST", "/instance/dispose", {}, directory=other)
        server.say(here, "three")
        assert sidecars_of(server.process.pid) == [pid]
        assert _has_memory(_last(model))


def test_two_hosts_at_once_lose_nothing(people: Callable[..., Household], model: ScriptedModel) -> None:
    one = people()
    run(one, "hello")  # two first starts at once are too much for OpenCode's own database
    facts = [f"fact number {n} of the person" for n in range(6)]
    for n in (0, 1):
        added = [call("memory", target="user", action="add", content=fact) for fact in facts[n::2]]
        model.lane(f"HOST{n}", *added, say("done"))
    hosts = [begin(one, f"HOST{n}") for n in (0, 1)]
    assert all("done" in ran.stdout for ran in map(finish, hosts))
    kept = (one.memories / "USER.md").read_text("utf-8").split("\n§\n")
    assert sorted(kept) == facts


def test_an_agent_of_a_persons_own_has_memory_too(household: Household, model: ScriptedModel) -> None:
    household.configure({"agent": {"mine": {"prompt": "You are a parrot.", "mode": "primary"}}})
    run(household, "--agent", "mine", "hello")
    request = _last(model)
    assert request.system_text.startswith("You are a parrot.")
    assert _has_memory(request)


def test_settings_that_cannot_be_read_are_one_line_in_the_log_and_defaults_hold(
    household: Household, model: ScriptedModel
) -> None:
    (household.config_folder / "opencode-hermes.json").write_text('{"memoryCharLimit": 5000,,}', encoding="utf-8")
    run(household, "hello")
    assert _has_memory(_last(model))
    told = [line for line in household.log.read_text("utf-8").splitlines() if "warning:" in line]
    assert len(told) == 1
    assert "opencode-hermes.json is not JSON" in told[0]
    assert "limits 2200/1375" in household.log.read_text("utf-8")


def test_a_session_is_continued_by_another_process_with_the_same_bytes(
    household: Household, model: ScriptedModel
) -> None:
    model.replies(call("memory", target="user", action="add", content="Writes in German."), say("kept"))
    run(household, "first")
    first = _last(model)
    run(household, "--continue", "second")
    second = _last(model)
    assert len(second.messages) > len(first.messages)
    assert first.texts("system") == second.texts("system")
