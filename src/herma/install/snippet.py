"""Changes as a person would write them into an empty file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from herma.install.changes import Change
from herma.install.yaml_lines import word

__all__ = ["as_yaml"]


def as_yaml(changes: Iterable[Change]) -> tuple[str, ...]:
    """The lines of a YAML text that says what all of these changes put into one."""
    whole: dict[str, object] = {}
    for change in changes:
        block = whole
        for key in change.path[:-1]:
            block = cast("dict[str, object]", block.setdefault(key, {}))
        names = [*cast("list[str]", block.get(change.path[-1], [])), *change.value.split()]
        block[change.path[-1]] = names if change.what == "list" else change.value
    return tuple(_lines(whole, ""))


def _lines(block: Mapping[str, object], indent: str) -> Iterator[str]:
    for key, value in block.items():
        if isinstance(value, str):
            yield f"{indent}{key}: {value}"
            continue
        yield f"{indent}{key}:"
        if isinstance(value, Mapping):
            yield from _lines(value, f"{indent}  ")
        else:
            yield from (f"{indent}  - {word(name, quoted=False)}" for name in cast("list[str]", value))
