"""While they work, the plugins write nothing, start nothing and call nobody, and open no more than they say."""

import json
from pathlib import Path
from typing import Any

from tests.hosts.command import run_python
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel

# Asked inside the host's own environment, with the interpreter's audit events as the witness.
WATCHED = """
import json, sys
import hermes_cli.config, tools.file_tools
from herma.hosts.hermes.read_summarizer import register

class Context:
    profile_name = ""
    def register_hook(self, name, hook):
        self.hook = hook
    def dispatch_tool(self, name, args, **kwargs):
        first = args["offset"]
        lines = [f"{n}|line {n}" for n in range(first, 6001)]
        return json.dumps({"content": "\\n".join(lines), "total_lines": 6000, "file_size": 90000, "truncated": False})

page = {"content": "\\n".join(f"{n}|line {n}" for n in range(1, 501)), "total_lines": 6000, "file_size": 90000,
        "truncated": True}
context = Context()
register(context)
call = dict(tool_name="read_file", args={"path": "/nowhere/server.log"}, result=json.dumps(page), tool_call_id="c1",
            task_id="t1", status="ok")
context.hook(**call)  # the first call imports what it needs
seen = []
sys.addaudithook(lambda event, args: seen.append(event))
shortened = context.hook(**call)
events = [event for event in seen if event.split(".")[0] in {"open", "socket", "subprocess", "os", "shutil", "sqlite3"}]
print(json.dumps({"events": events, "marked": "[read-summarizer: 6000 lines" in (shortened or "")}))
"""


# The same for read-once: two reads of one file out of two requests, the second answered with the note.
WATCHED_ONCE = """
import json, os, sys
import hermes_cli.config, hermes_cli.plugins, tools.file_tools
from herma.hosts.hermes.read_once import register

class Context:
    def __init__(self):
        self.hooks, self.middleware = {}, {}
    def register_hook(self, name, hook):
        self.hooks[name] = hook
    def register_middleware(self, kind, callback):
        self.middleware[kind] = callback
        hermes_cli.plugins.get_plugin_manager()._middleware.setdefault(kind, []).append(callback)
    def register_command(self, *args, **kwargs):
        pass

path = os.environ["READ_ONCE_ROOT"] + "/notes.md"
context = Context()
register(context)
messages = []

def read(n):
    ids = dict(session_id="s", task_id="t", turn_id=f"turn-{n}", api_request_id=f"turn-{n}:api:1")
    context.middleware["llm_execution"](request={"messages": messages}, next_call=lambda *_: None, **ids)
    call = dict(tool_name="read_file", args={"path": path}, tool_call_id=f"call-{n}", **ids)
    context.hooks["pre_tool_call"](**call)
    serve = lambda *_: tools.file_tools.read_file_tool(path, task_id=f"t{n}")
    result = context.middleware["tool_execution"](next_call=serve, **call)
    messages.append({"role": "tool", "tool_call_id": f"call-{n}", "content": result})
    return result

read(1)
seen = []
sys.addaudithook(lambda event, args: seen.append((event, repr(args[:3]))))
noted = read(2)
wrong = [event for event, _ in seen if event.split(".")[0] in {"socket", "subprocess", "shutil", "sqlite3"}]
flags = [eval(args)[2] for event, args in seen if event == "open"]
wrong += ["written" for each in flags if each & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)]
print(json.dumps({"wrong": wrong, "opened": len(flags), "noted": noted.startswith("You have this already")}))
"""


def test_the_hook_opens_writes_starts_and_sends_nothing(hermes: Hermes, homes: Homes, model: ScriptedModel) -> None:
    home = homes.make(hermes, model, config={"read_summarizer": {"enabled": True}})
    assert _said(hermes, home, WATCHED) == {"events": [], "marked": True}


def test_read_once_writes_starts_and_sends_nothing(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    root = folder.resolve()
    (root / "notes.md").write_text("- a point\n" * 60, encoding="utf-8")
    home = homes.make(hermes, model)
    said = _said(hermes, home, WATCHED_ONCE, READ_ONCE_ROOT=str(root), READ_ONCE_HITS="1")
    assert (said["wrong"], said["noted"]) == ([], True)
    assert said["opened"] > 0


def _said(hermes: Hermes, home: Home, script: str, **more: str) -> dict[str, Any]:
    done = run_python(hermes, home, ["-c", script], environment=more)
    said = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(said, dict)
    return said
