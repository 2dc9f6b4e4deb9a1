"""What is looked at in OpenCode, each with the next thing to do where it is amiss."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from herma import __version__
from herma.cli.report import Check, Status
from herma.engine.memory import load_settings
from herma.errors import HermaError, HostError, OddFile, SidecarError
from herma.hosts.opencode.requests import TESTED
from herma.hosts.opencode.sidecar import PROTOCOL, UNKNOWN_REQUEST
from herma.install.machine import Machine
from herma.install.opencode import shim
from herma.install.opencode.places import found_program, places, program_version
from herma.install.opencode.plan import listed
from herma.install.opencode.waiting import is_settled
from herma.rpc.client import Process

__all__ = ["checks"]

_SETUP = "run `herma setup --host opencode`"
_START_SECONDS = 10.0


def checks(machine: Machine, named: str | None) -> Iterator[Check]:
    """Everything, in the order in which one thing needs the other."""
    yield from _program(machine, named)
    yield _ripgrep(machine)
    yield _entry(machine)
    yield _files(machine)
    yield _waiting(machine)
    yield from _sidecar(machine)
    yield from _settings(machine)
    yield _requests(machine)


def _program(machine: Machine, named: str | None) -> Iterator[Check]:
    try:
        program = found_program(machine, named)
        version = program_version(program, machine)
    except HostError as error:
        yield Check("program", Status.FAIL, str(error), error.hint)
        return
    if version == TESTED:
        yield Check("program", Status.PASS, f"OpenCode {version} in {program}")
    else:
        hint = f"what it sends in another form than OpenCode {TESTED} gets no memory; the check `requests` says so"
        yield Check("program", Status.WARN, f"OpenCode {version} in {program} is not the version tested", hint)


def _ripgrep(machine: Machine) -> Check:
    if any(os.access(folder / "rg", os.X_OK) for folder in machine.search_path()):
        return Check("rg", Status.PASS, "ripgrep is on PATH")
    hint = "install ripgrep: without it OpenCode's grep, glob and skill tools fail where it cannot be downloaded"
    return Check("rg", Status.WARN, "there is no rg on PATH", hint)


def _entry(machine: Machine) -> Check:
    at = places(machine)
    try:
        found = [str(path) for path, spec in listed(at.config) if "opencode-hermes" in spec or "herma" in spec]
    except OddFile as odd:
        return Check("configuration", Status.FAIL, f"{at.config}: {odd}", odd.hint)
    if not found:
        return Check("configuration", Status.FAIL, f"no file in {at.config} names the plugin", _SETUP)
    if len(found) > 1:
        hint = "take all but one out of the lists"
        return Check("configuration", Status.WARN, f"the plugin is named more than once: {', '.join(found)}", hint)
    return Check("configuration", Status.PASS, f"{found[0]} names the plugin")


def _files(machine: Machine) -> Check:
    folder = places(machine).plugin
    try:
        stale = [name for name, text in shim.files().items() if _read(folder / name) != text]
    except HermaError as error:
        return Check("plugin", Status.FAIL, str(error), error.hint)
    if not stale:
        return Check("plugin", Status.PASS, f"{folder} is of this Herma")
    if not folder.exists():
        return Check("plugin", Status.WARN, f"there is no {folder}", _SETUP)
    return Check("plugin", Status.WARN, f"of another Herma or changed: {', '.join(stale)}", _SETUP)


def _waiting(machine: Machine) -> Check:
    config = places(machine).config
    if is_settled(config):
        return Check("start", Status.PASS, "OpenCode has no packages to wait for when it starts")
    hint = "start it once with a network, or run `herma setup --host opencode` where its folder is still empty"
    return Check("start", Status.WARN, "without a network OpenCode's next start waits for more than a minute", hint)


def _sidecar(machine: Machine) -> Iterator[Check]:
    """That the process which the plugin starts answers, started in the same way."""
    command = _command(machine)
    if isinstance(command, Check):
        yield command
        return
    environ = {name: value for name, value in machine.environ.items() if not name.startswith("PYTHON")}
    environ.setdefault("HOME", str(machine.home))
    try:
        with Process([*command, "rpc"], environ=environ) as process:
            said = process.call("hello", {"protocol": PROTOCOL, "look": True}, seconds=_START_SECONDS)
    except SidecarError as error:
        yield Check("sidecar", Status.FAIL, f"{command[0]}: {error}", _SETUP)
        return
    about = said if isinstance(said, Mapping) else {}
    if about.get("protocol") != PROTOCOL or about.get("herma") != __version__:
        yield Check("sidecar", Status.WARN, f"{command[0]} has herma {about.get('herma')}, not {__version__}", _SETUP)
        return
    yield Check("sidecar", Status.PASS, f"{command[0]} answers")


def _command(machine: Machine) -> list[str] | Check:
    path = machine.environ.get("HERMA_COMMAND", "")
    if not path:
        try:
            path = str(json.loads(_read(places(machine).plugin / shim.COMMAND) or "{}").get("python", ""))
        except (ValueError, AttributeError):
            path = ""
    if not os.path.isabs(path):  # noqa: PTH117 - "" is none
        return Check("sidecar", Status.FAIL, "neither HERMA_COMMAND nor setup says where Herma is", _SETUP)
    return [path, "-I", "-m", "herma"] if Path(path).name.startswith("python") else [path]


def _settings(machine: Machine) -> Iterator[Check]:
    found = load_settings(machine.environ, home=str(machine.home))
    for problem in found.problems:
        yield Check("settings", Status.WARN, problem.message, problem.hint)
    if not found.problems:
        yield Check("settings", Status.PASS, f"memory lies in {found.values['memoryRoot']}")


def _requests(machine: Machine) -> Check:
    log = Path(str(load_settings(machine.environ, home=str(machine.home)).values["log"]))
    seen = [line for line in (_read(log) or "").splitlines() if UNKNOWN_REQUEST in line]
    if not seen:
        return Check("requests", Status.PASS, "no request of an unknown kind is in the log")
    hint = f"see {log}; a Herma that knows this OpenCode tells its requests apart again"
    return Check("requests", Status.WARN, f"last at {seen[-1].partition(' ')[0]}, {UNKNOWN_REQUEST}", hint)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
