"""The one table of settings, and how a value a person wrote becomes a value we use.

Docs, the JSON schema, the host's settings form and the error for an unknown key are all made from
`SETTINGS`; there is no second list. Each domain keeps its rows beside its rules. `VARIABLES` are the settings
of a system that reads its environment.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from herma.core.memory import settings as memory
from herma.core.people import settings as people
from herma.core.reading import settings as reading
from herma.core.setting import Setting, Value, Variable

__all__ = ["SETTINGS", "VARIABLES", "Layer", "Problem", "Resolved", "Setting", "Variable", "of_system", "resolve"]


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


SETTINGS: tuple[Setting, ...] = reading.SETTINGS + people.SETTINGS + memory.SETTINGS

VARIABLES: tuple[Variable, ...] = reading.VARIABLES + people.VARIABLES + memory.VARIABLES

_LONGEST_SHOWN = 40

_KIND_NAMES = {
    bool: "true or false",
    int: "a whole number",
    str: "a text",
    tuple: "a list of names",
    dict: "a block of settings",
}


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
    if setting.kind is str:
        return raw if isinstance(raw, str) and (not setting.choices or raw in setting.choices) else None
    if setting.kind is dict:
        return raw if isinstance(raw, Mapping) else None
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
    if setting.choices:
        wanted = f"one of {', '.join(setting.choices)}"
    shown = type(raw).__name__ if isinstance(raw, (Mapping, list, str)) else repr(raw)
    if setting.choices and isinstance(raw, str) and len(raw) <= _LONGEST_SHOWN:
        shown = repr(raw)
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
    if value is None or value == "":
        return "not set"
    return f"[{', '.join(value)}]" if isinstance(value, tuple) else str(value)
