"""The one table of settings, and how a value a person wrote becomes a value we use.

Docs, the JSON schema, the host's settings form and the error for an unknown key are all made from
`SETTINGS`; there is no second list. `VARIABLES` are the settings of a system that reads its environment.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

__all__ = ["SETTINGS", "VARIABLES", "Layer", "Problem", "Resolved", "Setting", "Variable", "of_system", "resolve"]

Value: TypeAlias = bool | int | tuple[str, ...]


class Setting(NamedTuple):
    """One setting of one system."""

    system: str
    name: str
    kind: type
    default: Value
    help: str
    since: str
    minimum: int = 0


class Variable(NamedTuple):
    """One environment variable of one system, read again at every call. An empty default means: not set."""

    system: str
    name: str
    default: str
    help: str
    since: str


class Problem(NamedTuple):
    """What is wrong with one setting. A `fatal` one leaves no value that could be used.

    `setting` is the name of the setting that has an unusable value, and empty for any other problem.
    """

    key: str
    message: str
    hint: str
    fatal: bool
    setting: str = ""


class Layer(NamedTuple):
    """Values from one place; `place` is how a person finds it, such as `read_summarizer`."""

    place: str
    values: object


class Resolved(NamedTuple):
    """The values in force, where each came from (`default` if nowhere), and what was wrong."""

    values: Mapping[str, Value]
    places: Mapping[str, str]
    problems: tuple[Problem, ...]

    @property
    def usable(self) -> bool:
        """False when some value cannot be used; the system then stays off and says so."""
        return not any(problem.fatal for problem in self.problems)


SETTINGS: tuple[Setting, ...] = (
    Setting("read-summarizer", "enabled", bool, default=False, help="Shorten huge read results at all.", since="0.1.0"),
    Setting(
        "read-summarizer",
        "threshold_bytes",
        int,
        50_000,
        "A file, or a result, of more bytes than this is shortened; what is kept of it never exceeds this.",
        "0.1.0",
        minimum=1_000,
    ),
    Setting("read-summarizer", "head_lines", int, 200, "Lines kept from the start of the file.", "0.1.0"),
    Setting("read-summarizer", "tail_lines", int, 50, "Lines kept from the end of the file.", "0.1.0"),
    Setting(
        "read-summarizer",
        "allowed_tools",
        tuple,
        ("read_file", "Read", "read_path"),
        "Tools whose results may be shortened; every other tool is left alone.",
        "0.1.0",
    ),
)

VARIABLES: tuple[Variable, ...] = (
    Variable(
        "read-once",
        "READ_ONCE_ROOT",
        "",
        "The folder below which files are eligible. Without it nothing is ever answered with a note.",
        "0.1.0",
    ),
    Variable(
        "read-once",
        "READ_ONCE_HITS",
        "",
        "Exactly 1 allows notes. With anything else the plugin observes and counts, and changes nothing.",
        "0.1.0",
    ),
    Variable(
        "read-once",
        "READ_ONCE_NOTICE",
        "off",
        "off, quiet or verbose; anything else is off. It is shown in the report and changes no tool result.",
        "0.1.0",
    ),
)

_KIND_NAMES = {bool: "true or false", int: "a whole number", tuple: "a list of tool names"}


def of_system(system: str) -> tuple[Setting, ...]:
    """The settings of one system, in the order in which they are documented."""
    return tuple(setting for setting in SETTINGS if setting.system == system)


def resolve(system: str, layers: Sequence[Layer]) -> Resolved:
    """Read a system's settings from `layers`, of which an earlier one wins key by key.

    Nothing raises: an unknown key is reported with the nearest name and ignored, a value that cannot
    be used is reported as fatal and its default stands in.
    """
    settings = {setting.name: setting for setting in of_system(system)}
    values: dict[str, Value] = {name: setting.default for name, setting in settings.items()}
    places = dict.fromkeys(settings, "default")
    problems: list[Problem] = []
    for layer in reversed(layers):
        for name, raw in _entries(layer, problems):
            setting = settings.get(name)
            if setting is None:
                problems.append(_unknown(layer.place, name, settings))
                continue
            value = _read(setting, raw)
            if value is None:
                problems.append(_unusable(layer.place, setting, raw))
                continue
            values[name], places[name] = value, layer.place
            problems = [_overruled(problem) if problem.setting == name else problem for problem in problems]
    return Resolved(values, places, tuple(problems))


def _entries(layer: Layer, problems: list[Problem]) -> Iterable[tuple[str, object]]:
    if layer.values is None:
        return ()
    if not isinstance(layer.values, Mapping):
        problems.append(
            Problem(
                layer.place,
                f"{layer.place} must be a block of settings, not {type(layer.values).__name__}",
                f"write the settings below `{layer.place}:`, one to a line",
                fatal=True,
            )
        )
        return ()
    return [(str(name), raw) for name, raw in layer.values.items()]


def _read(setting: Setting, raw: object) -> Value | None:
    if setting.kind is bool:
        return raw if isinstance(raw, bool) else None
    if setting.kind is int:
        return _whole_number(raw, setting.minimum)
    if isinstance(raw, (list, tuple)) and raw and all(isinstance(item, str) and item for item in raw):
        return tuple(raw)
    return None


def _whole_number(raw: object, minimum: int) -> int | None:
    if isinstance(raw, bool) or not isinstance(raw, int):
        return None
    return raw if raw >= minimum else None


def _unknown(place: str, name: str, settings: Mapping[str, Setting]) -> Problem:
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake pays for it

    near = get_close_matches(name, settings, n=1, cutoff=0.5)
    known = ", ".join(settings)
    hint = f"did you mean {near[0]}?" if near else f"the settings are {known}"
    return Problem(f"{place}.{name}", f"{place}.{name} is not a setting", hint, fatal=False)


def _unusable(place: str, setting: Setting, raw: object) -> Problem:
    wanted = _KIND_NAMES[setting.kind]
    if setting.kind is int:
        wanted += f" of at least {setting.minimum}"
    shown = type(raw).__name__ if isinstance(raw, (Mapping, list, str)) else repr(raw)
    return Problem(
        f"{place}.{setting.name}",
        f"{place}.{setting.name} must be {wanted}, not {shown}",
        f"the default is {_written(setting.default)}",
        fatal=True,
        setting=setting.name,
    )


def _overruled(problem: Problem) -> Problem:
    """The same mistake where a place that wins has a usable value: still said, and no longer in the way."""
    return problem._replace(fatal=False)


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{', '.join(value)}]" if isinstance(value, tuple) else str(value)
