"""The JavaScript file, with Node in the place of OpenCode: both versions, and every way a sidecar can fail."""

import json
import os
import re
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from herma import __version__
from herma.core.memory.tool import schema
from herma.core.recall import tool as recall
from tests.hosts.hermes import ROOT
from tests.hosts.opencode.program import SHIM
from tests.hosts.opencode.sidecars import kill, wait_for_end
from tests.opencode.stage import Stage
from tests.opencode.test_sidecar_methods import BASE

TRANSFORM = "experimental.chat.system.transform"
GUIDANCE = "`memory` tool"


def _program(folder: Path, text: str) -> str:
    path = folder / "herma"
    path.write_text(f"#!{sys.executable}\nimport json, os, sys\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


HELLO = """
line = json.loads(sys.stdin.readline())
about = {"protocol": 1, "herma": "0", "tools": []}
print(json.dumps({"jsonrpc": "2.0", "id": line["id"], "result": about}), flush=True)
"""


def _system(stage: Stage, session: str = "one", **more: object) -> list[str]:
    given: dict[str, Any] = {"name": TRANSFORM, "input": {"sessionID": session}, "output": {"system": [BASE]}, **more}
    return list(stage.act("hook", **given)["system"])


def _add(content: str) -> dict[str, object]:
    context = {"sessionID": "one", "messageID": "msg_1"}
    return {"args": {"target": "user", "action": "add", "content": content}, "context": context}


def _search(query: str) -> dict[str, object]:
    context = {"sessionID": "one", "messageID": "msg_1"}
    return {"tool": recall.NAME, "args": {"query": query, "session_id": "", "limit": None}, "context": context}


def test_it_is_one_plain_file_without_imports_of_others() -> None:
    text = (SHIM / "index.js").read_text("utf-8")
    assert len(text.splitlines()) <= 200
    assert set(re.findall(r'from "([^"]+)"', text)) == {"node:child_process", "node:fs", "node:path"}
    assert not re.search(r"\bimport\(|\brequire\(", text)
    package = json.loads((SHIM / "package.json").read_text("utf-8"))
    assert package["version"] == __version__
    assert {package["main"], *package["exports"].values()} == {"./index.js"}


def test_the_default_export_serves_both_versions(tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        assert stage.act("keys") == {"keys": ["id", "server", "setup"], "id": "opencode-hermes"}


def test_version_one_gets_text_tools_and_schemas(tmp_path: Path) -> None:
    every: list[dict[str, Any]] = [schema(), recall.schema()]
    with Stage(tmp_path) as stage:
        server = stage.act("server")
        base, text = _system(stage)
        assert base == BASE
        assert GUIDANCE in text
        assert recall.GUIDANCE in text
        assert set(server["tools"]) == {wanted["name"] for wanted in every}
        for wanted in every:
            assert server["tools"][wanted["name"]]["args"] == wanted["parameters"]["properties"]
            given = {"name": "tool.definition", "input": {"toolID": wanted["name"]}, "output": {"description": "d"}}
            assert stage.act("hook", **given) == {"description": "d", "jsonSchema": wanted["parameters"]}
        given = {"name": "tool.definition", "input": {"toolID": "read"}, "output": {"description": "d"}}
        assert stage.act("hook", **given) == {"description": "d"}
        assert json.loads(stage.act("tool", **_add("Likes tea.")))["success"] is True
        assert (tmp_path / ".config/opencode/memories/USER.md").read_text("utf-8") == "Likes tea."


def test_a_subagent_is_looked_up_once_and_has_its_parents_text(tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        stage.act("server")
        before = _system(stage)
        stage.act("tool", **_add("Likes tea."))
        assert _system(stage, "child") == before
        assert _system(stage, "child") == before
        assert stage.act("seen")["looked"] == 2  # each session once
        assert "Likes tea." in _system(stage, "two")[1]


def test_version_two_gets_text_tool_and_events(tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        made = stage.act("setup")
        assert made["cleanup"] == "function"
        assert sorted(made["hooks"]) == ["context", "prompt"]
        assert made["tools"] == {each["name"]: each for each in map(_second, (schema(), recall.schema()))}
        event = {"sessionID": "one", "kind": "primary", "agent": "build", "system": [], "messages": [], "tools": {}}
        stage.act("second", name="prompt", event={"sessionID": "one", "messageID": "msg_1", "prompt": {"text": "hi"}})
        (part,) = stage.act("second", name="context", event=event)["system"]
        assert part["type"] == "text"
        assert GUIDANCE in part["text"]
        for kind in ("title", "compaction", "generate", "another"):
            assert stage.act("second", name="context", event={**event, "kind": kind})["system"] == []
        answer = json.loads(stage.act("use", **_add("Likes tea."))["content"])
        assert answer["success"] is True
        assert "there is none" in json.loads(stage.act("use", **_search("tea"))["content"])["error"]
        again = stage.act("second", name="context", event=event)["system"]
        assert again == [part]
        stage.act("event", event={"type": "session.deleted", "data": {"sessionID": "one"}})
        (fresh,) = stage.act("second", name="context", event=event)["system"]
        assert "Likes tea." in fresh["text"]
        pid = stage.act("sidecar")
        assert stage.act("cleanup") is True
        assert wait_for_end(pid)


def _second(tool: dict[str, Any]) -> dict[str, Any]:
    """A tool as OpenCode 2 takes it."""
    about = {"name": tool["name"], "description": tool["description"], "input": tool["parameters"]}
    return {**about, "options": {"codemode": False}}


def test_version_two_goes_on_without_a_sidecar_and_says_so_once(tmp_path: Path) -> None:
    with Stage(tmp_path, command="/nowhere/python3") as stage:
        assert stage.act("setup")["tools"] == {}
        event = {"sessionID": "one", "kind": "primary", "system": []}
        assert stage.act("second", name="context", event=event)["system"] == []
        (line,) = stage.lines()
        assert "cannot be started" in line


def test_the_disclosure_names_every_hook_and_tool_that_is_registered(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "guides" / "opencode.md").read_text("utf-8").partition("## Disclosure")[2]
    items = {name: text for name, _, text in (item.partition(":**") for item in page.split("\n- **"))}
    with Stage(tmp_path) as stage:
        one, two = stage.act("server"), stage.act("setup")
    named = {title: set(re.findall(r"`([\w.]+)`", text)) for title, text in items.items()}
    assert named["Hooks, OpenCode 1"] == {*one["hooks"]} - {"tool"}
    assert named["Hooks, OpenCode 2"] == set(two["hooks"])
    assert named["Tools"] == set(one["tools"]) == set(two["tools"])


def test_version_one_calling_setup_starts_nothing(tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        assert stage.act("setup", empty=True) == {"cleanup": "undefined", "hooks": [], "tools": {}}
        assert stage.act("sidecar") is None


def test_all_instances_share_one_sidecar_and_the_last_one_lets_it_go(tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        stage.act("server")
        pid = stage.act("sidecar")
        stage.act("server")
        stage.act("setup")
        assert stage.act("sidecar") == pid
        stage.act("hook", name="dispose", instance=0)
        stage.act("cleanup")
        assert GUIDANCE in _system(stage, instance=1)[1]
        assert stage.act("sidecar") == pid
        stage.act("hook", name="dispose", instance=1)
        assert wait_for_end(pid)
        stage.act("server")
        assert GUIDANCE in _system(stage, instance=2)[1]


def test_a_killed_one_is_replaced_at_the_next_call_and_nobody_is_told(tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        stage.act("server")
        before = _system(stage)
        kill(stage.act("sidecar"))
        assert _system(stage) == before
        assert stage.lines() == []


def test_one_that_stands_still_costs_its_deadline_once_then_nothing_until_the_back_off_is_over(tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        stage.act("server")
        pid = stage.act("sidecar")
        os.kill(pid, signal.SIGSTOP)
        given = {"name": TRANSFORM, "input": {"sessionID": "one"}, "output": {"system": [BASE]}}
        first = stage.timed("hook", given)
        assert first.result == {"system": [BASE]}
        assert first.ms < 3_000
        assert wait_for_end(pid)
        assert stage.timed("hook", given).ms < 100
        for name, call in (("memory", _add("x")), (recall.NAME, _search("x"))):
            answer = json.loads(stage.act("tool", **call))
            assert answer["success"] is False
            assert answer["error"].startswith(f"{name} is out of reach")
        (line,) = stage.lines()
        assert "no answer within 2 s" in line
        assert [toast["message"] for toast in stage.act("seen")["toasts"]] == [line]


def test_one_that_ends_at_every_start_is_not_started_again_and_again(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    command = _program(tmp_path, f"open({str(starts)!r}, 'a').write('x')\nsys.exit(3)")
    with Stage(tmp_path, command=command) as stage:
        stage.act("server")
        for _ in range(20):
            assert _system(stage) == [BASE]
        assert starts.read_text("utf-8") == "x"
        (line,) = stage.lines()
        assert "ended (3)" in line


def test_a_pipe_that_nobody_reads_is_filled_up_to_a_limit_and_no_further(tmp_path: Path) -> None:
    with Stage(tmp_path, command=_program(tmp_path, HELLO + "import signal\nsignal.pause()")) as stage:
        stage.act("server")
        pid = stage.act("sidecar")
        big = {"name": "chat.message", "input": {"sessionID": "s" * 1_000_000}}
        spent = [
            stage.timed("hook", {**big, "output": {"message": {"id": "m"}, "parts": [{"type": "text"}]}}).ms
            for _ in range(12)
        ]
        assert max(spent) < 1_000
        assert _system(stage) == [BASE]
        assert wait_for_end(pid)
        assert len(stage.lines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        'print("junk", flush=True); print("[]", flush=True); sys.stdin.read()',
        'print(json.dumps({"jsonrpc": "2.0", "id": 2, "result": {"texts": 7}}), flush=True); sys.stdin.read()',
        'print(json.dumps({"jsonrpc": "2.0", "id": 2, "result": None}), flush=True); sys.stdin.read()',
        'print(json.dumps({"jsonrpc": "2.0", "id": 2, "error": {"message": "no"}}), flush=True); sys.stdin.read()',
        'os.write(1, b"\\xff" * 5000 + b"\\n"); sys.stdin.read()',
    ],
)
def test_answers_that_are_none_leave_the_request_as_it_was(tmp_path: Path, text: str) -> None:
    with Stage(tmp_path, command=_program(tmp_path, f"{HELLO}sys.stdin.readline()\n{text}")) as stage:
        stage.act("server")
        assert _system(stage) == [BASE]


@pytest.mark.parametrize("name", [TRANSFORM, "chat.message", "tool.definition", "event"])
def test_no_hook_throws_whatever_the_host_hands_over(tmp_path: Path, name: str) -> None:
    with Stage(tmp_path) as stage:
        stage.act("server")
        for given in ({}, {"input": None, "output": None}, {"input": {"sessionID": "s"}, "output": {}}):
            stage.act("hook", name=name, **given)


def test_a_message_that_only_a_program_made_is_no_turn(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    listen = f"for line in sys.stdin: open({str(heard)!r}, 'a').write(json.loads(line)['method'] + ' ')"
    with Stage(tmp_path, command=_program(tmp_path, HELLO + listen)) as stage:
        stage.act("server")
        for parts in ([{"type": "text", "synthetic": True}], [], [{"type": "text", "text": "hi"}]):
            output = {"message": {"id": "m"}, "parts": parts}
            stage.act("hook", name="chat.message", input={"sessionID": "s"}, output=output)
        _system(stage)  # is behind them in the pipe
        assert heard.read_text("utf-8").split() == ["turn", "system"]


@pytest.mark.parametrize("command", ["herma", "./herma", "python3", "bin/herma"])
def test_a_name_that_is_no_absolute_path_is_never_run(tmp_path: Path, command: str) -> None:
    _program(tmp_path, f"open({str(tmp_path / 'sprung')!r}, 'w')")
    with Stage(tmp_path, command=command) as stage:
        stage.act("server")
        assert _system(stage) == [BASE]
        assert "not an absolute path" in stage.lines()[0]
        assert not (tmp_path / "sprung").exists()


def test_what_setup_wrote_beside_the_file_is_used_where_no_variable_says_otherwise(tmp_path: Path) -> None:
    placed = tmp_path / "plugin"
    shutil.copytree(SHIM, placed)
    (placed / "command.json").write_text(json.dumps({"python": sys.executable}), encoding="utf-8")
    with Stage(tmp_path, command="", plugin=placed / "index.js") as stage:
        stage.act("server")
        assert GUIDANCE in _system(stage)[1]
