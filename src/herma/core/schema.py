"""What is made from the table of settings: a JSON schema, and the form that Hermes shows."""

from typing import Any

from herma.core.settings import Setting, of_system

__all__ = ["config_schema", "json_schema"]

_JSON_TYPES: dict[type, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    str: {"type": "string"},
    dict: {"type": "object"},
    tuple: {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
}
_HERMES_TYPES = {bool: "bool", int: "int", str: "str", tuple: "list", dict: "dict"}


def json_schema(system: str) -> dict[str, Any]:
    """A JSON schema (2020-12) for the block of one system's settings."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": system,
        "type": "object",
        "additionalProperties": False,
        "properties": {setting.name: _property(setting) for setting in of_system(system)},
    }


def config_schema(system: str) -> dict[str, dict[str, Any]]:
    """The `config_schema` of a Hermes manifest: one entry a setting, in the types that Hermes knows."""
    return {setting.name: _entry(setting) for setting in of_system(system)}


def _entry(setting: Setting) -> dict[str, Any]:
    found: dict[str, Any] = {"type": _HERMES_TYPES[setting.kind], "description": setting.help}
    if setting.default is not None:
        found["default"] = _plain(setting)
    if setting.choices:
        found["choices"] = list(setting.choices)
    return found


def _property(setting: Setting) -> dict[str, Any]:
    found = dict(_JSON_TYPES[setting.kind], description=setting.help)
    if setting.default is not None:
        found["default"] = _plain(setting)
    if setting.choices:
        found["enum"] = list(setting.choices)
    if setting.kind is int:
        found["minimum"] = setting.minimum
    return found


def _plain(setting: Setting) -> object:
    return list(setting.default) if isinstance(setting.default, tuple) else setting.default
