"""What setting up in OpenCode would do, as a value: the plugin's files, and one entry in its configuration."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from herma.errors import OddFile
from herma.install.changes import Change
from herma.install.edits import Edit
from herma.install.files import digest, kept, made_folders
from herma.install.jsonc_edit import Jsonc, entries
from herma.install.judging import rewritten
from herma.install.opencode import shim
from herma.install.opencode.places import CONFIGS, Places
from herma.install.opencode.waiting import DEPENDENCY, is_settled, marks, needs_them
from herma.install.plan import Stop, edited
from herma.install.steps import File, Step

__all__ = ["KEY", "Plan", "config_file", "listed", "planned", "python"]

KEY = "plugin"

_NAME = "opencode-hermes"


class Plan(NamedTuple):
    """The steps for one person. With a stop, none of them is carried out."""

    steps: tuple[Step, ...]
    stops: tuple[Stop, ...]
    notes: tuple[str, ...]


def python() -> str:
    """The interpreter that runs this Herma, under the name by which it finds its environment."""
    return sys.executable


def planned(at: Places, version: str) -> Plan:
    """What would be done for this version of OpenCode. Reads; changes nothing."""
    parts = [*_plugin(at), *_waiting(at, version), *_entry(at)]
    return Plan(
        steps=tuple(part for part in parts if not isinstance(part, Stop | str)),
        stops=tuple(part for part in parts if isinstance(part, Stop)),
        notes=tuple(part for part in parts if isinstance(part, str)),
    )


def config_file(config: Path) -> Path:
    """The file that has a list of plugins, else the last one that is there, else the usual one."""
    there = [config / name for name in CONFIGS if (config / name).is_file()]
    listing = [path for path in there if KEY in path.read_text(encoding="utf-8", errors="replace")]
    return (listing or there or [config / "opencode.json"])[-1]


def listed(config: Path) -> list[tuple[Path, str]]:
    """Every plugin that the person's configuration names, with the file that does. Raises `OddFile`."""
    found = []
    for path in (config / name for name in CONFIGS):
        for entry in entries(kept(path).text, KEY):
            spec = entry[0] if isinstance(entry, list) and entry else entry
            found.append((path, str(spec)))
    return found


_Parts = Iterator[Step | Stop | str]


def _plugin(at: Places) -> _Parts:
    texts = {**shim.files(), shim.COMMAND: json.dumps({"python": python()}, indent=1) + "\n"}
    for name, text in texts.items():
        yield from _whole(at.plugin / name, text)


def _waiting(at: Places, version: str) -> _Parts:
    if is_settled(at.config):
        return
    if needs_them(at.config):
        yield (
            f"OpenCode fetches {DEPENDENCY} into {at.config} when it starts; without a network "
            "that start waits for more than a minute"
        )
        return
    for path, text in marks(at.config, version).items():
        yield from _whole(path, text)


def _whole(path: Path, text: str) -> _Parts:
    """A file of ours, all of it."""
    try:
        was = kept(path)
    except OddFile as odd:
        yield Stop(f"{path} is not written: {odd}", "see what stands there, then run herma setup again")
        return
    if was.data == text.encode():
        return
    yield File(
        path=str(path),
        language=Jsonc.name,
        before=digest(was.data),
        after=digest(text.encode()) or "",
        edits=(Edit(0, was.text, text),),
        undo=(),
        made=made_folders(path.parent),
    )


def _entry(at: Places) -> _Parts:
    path = config_file(at.config)
    change = Change("list", (KEY,), at.uri)
    try:
        for other, spec in listed(at.config):
            if _NAME in spec and spec != at.uri:
                yield Stop(
                    f"{other} names {spec}, which brings a memory of its own",
                    "take that entry out of the list; its memory files stay and are used by Herma",
                )
        if any(spec == at.uri for _, spec in listed(at.config)):
            return
        was = kept(path)
        new = rewritten(was.text, [change], Jsonc())
    except OddFile as odd:
        line = f'"{KEY}": ["{at.uri}"]'
        yield Stop(f"{path} is not changed: {odd}", "put this into it by hand, then run herma setup again", (line,))
        return
    yield edited(path, was, new, Jsonc.name)
