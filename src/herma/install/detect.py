"""Where Hermes is installed on this machine: by name, on PATH, beside Herma, and in the folders installers use.

Nothing is run here. A candidate is a place to ask; `herma.install.inspection` asks it.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from herma.errors import HostNotFound
from herma.install.launcher import interpreter_of, is_script
from herma.install.machine import Machine, exists, is_folder

__all__ = ["Candidate", "find"]


class Candidate(NamedTuple):
    """A place where Hermes seems to be installed. `python` is None when its launcher cannot be seen through."""

    environment: Path
    python: Path | None
    found_by: str


class _Place(NamedTuple):
    """Environments below a folder: one that a variable names, or one below the person's home or below `/`."""

    found_by: str
    pattern: str
    variable: str = ""
    home: str = ""
    root: str = ""


# Hermes' own installer clones into its home, root's into /usr/local/lib; its image keeps an environment in /opt.
_PLACES: tuple[_Place, ...] = (
    _Place("Hermes' installer", "hermes-agent/venv", variable="HERMES_HOME", home=".hermes"),
    _Place("Hermes' installer", "hermes-agent/.venv", variable="HERMES_HOME", home=".hermes"),
    _Place("Hermes' installer", "venv", variable="HERMES_INSTALL_DIR", root="usr/local/lib/hermes-agent"),
    _Place("Hermes' image", ".venv", root="opt/hermes"),
    _Place("pipx", "venvs/hermes-agent*", variable="PIPX_HOME", home=".local/share/pipx"),
    _Place("pipx", "venvs/hermes-agent*", home=".local/pipx"),
    _Place("uv tool", "hermes-agent*", variable="UV_TOOL_DIR", home=".local/share/uv/tools"),
    _Place("uv tool", "uv/tools/hermes-agent*", variable="XDG_DATA_HOME"),
)
_HINT = "name the hermes command, its environment's folder, or that environment's python with --hermes"


def find(machine: Machine, named: str | None = None) -> tuple[Candidate, ...]:
    """The machine's installations, the one that `hermes` would run first; only the one `named`, if one is.

    An environment is listed once, however many ways lead to it. Raises `HostNotFound` if `named` leads nowhere.
    """
    if named:
        return (_named(Path(named).expanduser().absolute(), machine),)
    found: dict[Path, Candidate] = {}
    for candidate in (*_on_path(machine), *_own(machine), *_usual(machine)):
        found.setdefault(candidate.environment, candidate)
    return tuple(found.values())


def _named(path: Path, machine: Machine) -> Candidate:
    if is_folder(path):
        for folder in (path, path / "venv", path / ".venv", path / "hermes-agent" / "venv"):
            if exists(folder / "bin" / "python"):
                return _from_python(folder / "bin" / "python", "--hermes")
        raise HostNotFound(f"{path} is not an environment: there is no bin/python in it", hint=_HINT)
    if not exists(path):
        raise HostNotFound(f"there is no {path}", hint=_HINT)
    if path.name.startswith("python"):
        return _from_python(path, "--hermes")
    return _from_launcher(path, machine, "--hermes")


def _on_path(machine: Machine) -> Iterator[Candidate]:
    for folder in machine.search_path():
        launcher = folder / "hermes"
        if os.access(launcher, os.X_OK) and is_script(launcher):
            yield _from_launcher(launcher, machine, "PATH")


def _own(machine: Machine) -> Iterator[Candidate]:
    if exists(machine.prefix / "bin" / "hermes"):
        yield _from_python(machine.prefix / "bin" / "python", "Herma's own environment")


def _usual(machine: Machine) -> Iterator[Candidate]:
    for place in _PLACES:
        for base in _bases(place, machine):
            for environment in sorted(base.glob(place.pattern)):
                if is_folder(environment):
                    yield _from_python(environment / "bin" / "python", place.found_by)


def _bases(place: _Place, machine: Machine) -> Iterable[Path]:
    named = machine.folder(place.variable) if place.variable else None
    if named is not None:
        yield named
    if place.home:
        yield machine.home / place.home
    if place.root:
        yield machine.root / place.root


def _from_launcher(launcher: Path, machine: Machine, found_by: str) -> Candidate:
    python = interpreter_of(launcher, machine.search_path())
    return Candidate(launcher, None, found_by) if python is None else _from_python(python, found_by)


def _from_python(python: Path, found_by: str) -> Candidate:
    # An environment's python is itself a link out of the environment, so only its folder may be resolved.
    environment = Path(os.path.realpath(python.parent)).parent
    if not exists(environment / "pyvenv.cfg"):
        environment = Path(os.path.realpath(python)).parent.parent
    return Candidate(environment, python, found_by)
