"""The settings of opencode-hermes: environment over the person's JSON or JSONC file over defaults."""

import json
from collections.abc import Mapping
from math import isfinite
from posixpath import isabs, join

from herma.core.memory.jsonc import loads
from herma.core.memory.settings import LATER, SYSTEM, VARIABLE_OF
from herma.core.setting import Setting
from herma.core.settings import Layer, Problem, Resolved, of_system, resolve

__all__ = ["file_path", "read"]

_FILE = "opencode-hermes.json"
_HOLDS = "the defaults hold until it is put right"
_WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
_IGNORED = ("$schema",)


def file_path(environ: Mapping[str, str], *, home: str) -> str:
    """Where the person's file lies: HERMES_OPENCODE_CONFIG, else `opencode/opencode-hermes.json` in XDG_CONFIG_HOME."""
    named = environ.get("HERMES_OPENCODE_CONFIG", "").strip()
    return _absolute(named, home) if named else join(_config(environ, home), _FILE)


def read(text: str | None, environ: Mapping[str, str], *, home: str, place: str = _FILE) -> Resolved:
    """The settings in force: every key of the table, with paths absolute and defaults by XDG_* and OPENCODE_DB.

    `text` is that of the file, None where there is none. A file that cannot be understood is one problem, and
    defaults hold; settings of parts that are not there yet are problems that say so. No problem is fatal.
    """
    problems: list[Problem] = []
    layers = [*_environment(environ, problems), Layer(place, _file(text, place, problems))]
    found = resolve(SYSTEM, layers)
    problems += [problem._replace(fatal=False) for problem in found.problems]
    later = sorted(name for name, source in found.places.items() if source != "default" and name in LATER)
    if later:
        message = f"not active yet in this version: {', '.join(later)}"
        problems.append(
            Problem(place, message, "they were read and checked, and nothing uses them so far", fatal=False)
        )
    values = dict(found.values)
    for name, default in _paths(environ, home).items():
        values[name] = _absolute(str(values[name]).strip() or default, home)
    values["providerPath"] = _absolute(
        str(values["providerPath"]) or join(str(values["memoryRoot"]), "provider.sqlite"), home
    )
    return Resolved(values, found.places, tuple(problems))


def _file(text: str | None, place: str, problems: list[Problem]) -> Mapping[str, object] | None:
    if text is None or not text.strip():
        return None
    try:
        found = loads(text)
    except json.JSONDecodeError as error:
        why = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        why = "it is nested too deeply"
    else:
        if isinstance(found, Mapping):
            return {str(name): _loose(str(name), value) for name, value in found.items() if name not in _IGNORED}
        why = f"it is a {type(found).__name__} and not an object"
    problems.append(Problem(place, f"{place} is not JSON with comments: {why}", _HOLDS, fatal=False))
    return None


def _environment(environ: Mapping[str, str], problems: list[Problem]) -> list[Layer]:
    """A layer for each variable that is set, so that a value's place is the variable's name."""
    settings = {setting.name: setting for setting in of_system(SYSTEM)}
    layers = []
    for name, variable in VARIABLE_OF.items():
        text = environ.get(variable, "").strip()
        value = _loose(name, text)
        if not text:
            continue
        if resolve(SYSTEM, [Layer(variable, {name: value})]).problems:
            problems.append(_unusable(variable, settings[name]))
            continue
        layers.append(Layer(variable, {name: value}))
    return layers


def _unusable(variable: str, setting: Setting) -> Problem:
    wanted = {bool: "true or false", int: f"a whole number of at least {setting.minimum}"}.get(setting.kind, "a text")
    return Problem(variable, f"{variable} must be {wanted}", f"{setting.name} is as without it", fatal=False)


def _loose(name: str, value: object) -> object:
    """A value as the table wants it, where it plainly means one: `"10"`, `10.7`, `"yes"`."""
    kind = next((setting.kind for setting in of_system(SYSTEM) if setting.name == name), None)
    if kind is bool and isinstance(value, str):
        return _WORDS.get(value.strip().lower(), value)
    if kind is int and isinstance(value, (str, float)):
        try:
            number = float(value)
        except ValueError:
            return value
        return int(number) if isfinite(number) else value
    return value


def _paths(environ: Mapping[str, str], home: str) -> dict[str, str]:
    data = _data(environ, home)
    return {
        "memoryRoot": join(_config(environ, home), "memories"),
        "skillsRoot": join(home, ".agents", "skills"),
        "log": join(data, "log", "opencode-hermes.log"),
        "sessionsDb": join(data, environ.get("OPENCODE_DB", "").strip() or "opencode.db"),
    }


def _config(environ: Mapping[str, str], home: str) -> str:
    return join(_folder(environ, "XDG_CONFIG_HOME", join(home, ".config")), "opencode")


def _data(environ: Mapping[str, str], home: str) -> str:
    return join(_folder(environ, "XDG_DATA_HOME", join(home, ".local", "share")), "opencode")


def _folder(environ: Mapping[str, str], variable: str, otherwise: str) -> str:
    """What the variable names; a relative path there counts as none, as the standard of these folders says."""
    named = environ.get(variable, "").strip()
    return named if isabs(named) else otherwise


def _absolute(path: str, home: str) -> str:
    """A path below the home folder where it is not absolute: never one below the project that is worked on."""
    if path == "~" or path.startswith("~/"):
        path = path[2:]
    return join(home, path)
