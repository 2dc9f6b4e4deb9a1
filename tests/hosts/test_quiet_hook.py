"""While it works, read-summarizer itself opens no file, writes nothing, starts nothing and calls nobody."""

import json
import subprocess

from tests.hosts.hermes import Hermes
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


def test_the_hook_opens_writes_starts_and_sends_nothing(hermes: Hermes, homes: Homes, model: ScriptedModel) -> None:
    home = homes.make(hermes, model, config={"read_summarizer": {"enabled": True}})
    done = subprocess.run(
        [str(hermes.python), "-c", WATCHED],
        env=home.environment(),
        cwd=home.user,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {"events": [], "marked": True}
