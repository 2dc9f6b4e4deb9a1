"""What a setting is: one row of the tables from which docs, schemas, forms and errors are made."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

__all__ = ["Setting", "Value", "Variable"]

Value: TypeAlias = bool | int | str | tuple[str, ...] | Mapping[str, object] | None


class Setting(NamedTuple):
    """One setting of one system. A default of None means: not set. A text with `choices` is one of them.

    Kinds: bool, int (at least `minimum`), str, tuple (a list of names), dict (a block, taken as it is).
    """

    system: str
    name: str
    kind: type
    default: Value
    help: str
    since: str
    minimum: int = 0
    choices: tuple[str, ...] = ()


class Variable(NamedTuple):
    """One environment variable of one system, read again at every call. An empty default means: not set."""

    system: str
    name: str
    default: str
    help: str
    since: str
