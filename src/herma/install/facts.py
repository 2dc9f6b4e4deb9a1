"""What an installation said about itself, as values of known kinds."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from herma.errors import HostUnreadable

__all__ = ["Configuration", "Directory", "EntryPoint", "Facts", "facts_of"]

_Kind = TypeVar("_Kind")
_Record: TypeAlias = Mapping[str, object]


class EntryPoint(NamedTuple):
    """An installed package's claim to a plugin's name."""

    name: str
    value: str
    distribution: str | None


class Directory(NamedTuple):
    """A folder that the host takes for a plugin. `nested` ones stand one folder deeper and load beside others."""

    name: str
    path: Path
    nested: bool
    ours: bool


class Configuration(NamedTuple):
    """The part of config.yaml that concerns our plugins, in its own shape, with the administrator's file over it.

    `pinned` is the same part of the administrator's file alone.
    `problem` is None or `missing`, `unreadable`, `broken` (at `line`, where known), `not_a_block` or `no_reader`.
    """

    path: Path
    problem: str | None
    line: int | None
    managed: Path | None
    values: Mapping[str, object]
    pinned: Mapping[str, object]


class Facts(NamedTuple):
    """One installation. What could not be told is None.

    `herma_whole` is false after an installation that was cut off; `variables` are those that a host
    started now would find.
    """

    python_version: str
    prefix: Path
    distribution: str | None
    hermes_version: str | None
    herma_version: str | None
    herma_whole: bool
    pip: bool
    home: Path
    config: Configuration
    variables: Mapping[str, str]
    package_manager: str | None
    safe_mode: bool
    entry_points: tuple[EntryPoint, ...]
    directories: tuple[Directory, ...]
    hooks: frozenset[str] | None

    @property
    def series(self) -> tuple[int, int] | None:
        """The first two numbers of the host's version."""
        numbers = (self.hermes_version or "").split(".")[:2]
        return (int(numbers[0]), int(numbers[1])) if len(numbers) > 1 and all(map(str.isdecimal, numbers)) else None


def facts_of(answer: object) -> Facts | None:
    """The facts in a probe's answer; None if its environment has no Hermes. Raises `HostUnreadable`."""
    record = _kind(answer, dict)
    hermes = _record(record, "hermes")
    hooks = record.get("hooks")
    if not _get(hermes, "present", bool):
        return None
    return Facts(
        python_version=_get(record, "python", str),
        prefix=Path(_get(record, "prefix", str)),
        distribution=_text_or_none(hermes, "distribution"),
        hermes_version=_text_or_none(hermes, "version"),
        herma_version=_text_or_none(record, "herma"),
        herma_whole=_get(record, "herma_whole", bool),
        pip=_get(record, "pip", bool),
        home=Path(_get(record, "home", str)),
        config=_configuration(_record(record, "config")),
        variables={name: str(value) for name, value in _record(record, "variables").items()},
        package_manager=_text_or_none(record, "package_manager"),
        safe_mode=_get(record, "safe_mode", bool),
        entry_points=tuple(map(_entry_point, _get(record, "entry_points", list))),
        directories=tuple(map(_directory, _get(record, "directories", list))),
        hooks=None if hooks is None else frozenset(map(str, _kind(hooks, list))),
    )


def _configuration(record: _Record) -> Configuration:
    managed = _text_or_none(record, "managed")
    line = record.get("line")
    return Configuration(
        path=Path(_get(record, "path", str)),
        problem=_text_or_none(record, "problem"),
        line=None if line is None else _kind(line, int),
        managed=None if managed is None else Path(managed),
        values=_record(record, "values"),
        pinned=_record(record, "pinned"),
    )


def _entry_point(found: object) -> EntryPoint:
    record = _kind(found, dict)
    return EntryPoint(_get(record, "name", str), _get(record, "value", str), _text_or_none(record, "distribution"))


def _directory(found: object) -> Directory:
    record = _kind(found, dict)
    return Directory(
        _get(record, "name", str),
        Path(_get(record, "path", str)),
        nested=_get(record, "nested", bool),
        ours=_get(record, "ours", bool),
    )


def _record(record: _Record, key: str) -> _Record:
    found: _Record = _get(record, key, dict)
    return found


def _text_or_none(record: _Record, key: str) -> str | None:
    found = record.get(key)
    return None if found is None else _kind(found, str)


def _get(record: _Record, key: str, kind: type[_Kind]) -> _Kind:
    return _kind(record.get(key), kind)


def _kind(value: object, kind: type[_Kind]) -> _Kind:
    if isinstance(value, kind):
        return value
    raise HostUnreadable(
        f"the answer has a {type(value).__name__} where a {kind.__name__} belongs",
        hint="something in that environment answers in Herma's place; look at what its Python starts with",
    )
