"""The calls that the demo's model makes, and the files it reads."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.hosts.huge import make
from tests.hosts.model import Answer, Reply, Request, call, say

__all__ = ["SCENES", "Scene", "prepare", "replies"]


class Scene(NamedTuple):
    """One call of the model, and why it is interesting."""

    title: str
    tool: str
    arguments: Mapping[str, object]


SCENES = (
    Scene("a log of 6,000 lines", "read_file", {"path": "server.log"}),
    Scene("the page its marker names", "read_file", {"path": "server.log", "offset": 201, "limit": 300}),
    Scene("300 lines of 1,500 characters", "read_file", {"path": "wide.txt"}),
    Scene("JSON in one line", "read_file", {"path": "one-line.json"}),
    Scene("the command its hint names", "terminal", {"command": "true"}),
    Scene("a small file", "read_file", {"path": "small.txt"}),
    Scene("a file that is not there", "read_file", {"path": "nothing.txt"}),
    Scene("notes, for the first time", "read_file", {"path": "{folder}/notes.md"}),
    Scene("the same notes again", "read_file", {"path": "{folder}/notes.md"}),
    Scene("and once more at once", "read_file", {"path": "{folder}/notes.md"}),
)


def prepare(folder: Path) -> None:
    """Write the files that the scenes read into `folder`."""
    make(folder)
    notes = "".join(f"- point {n}: what was agreed on, and by whom\n" for n in range(1, 201))
    (folder / "notes.md").write_text(notes, "utf-8")


def replies(folder: Path) -> list[Answer]:
    """The model's replies, one scene each, then its answer."""
    return [*(_reply(scene, folder) for scene in SCENES), say("I have read what I need.")]


def _reply(scene: Scene, folder: Path) -> Answer:
    if scene.tool == "terminal":
        return _named_command
    path = str(scene.arguments["path"]).replace("{folder}", str(folder))
    return call(scene.tool, **{**scene.arguments, "path": path})


def _named_command(request: Request) -> Reply:
    """The command that the last result's hint names, or a harmless one where there is none."""
    found = re.search(r"sed -n .*? \| head -c \d+", request.last_tool_text.replace('\\"', '"'))
    return call("terminal", command=found.group(0) if found else "true")
