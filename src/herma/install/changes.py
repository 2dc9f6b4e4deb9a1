"""What is to become different in a file of settings, apart from how the file writes it."""

from collections.abc import Sequence
from typing import NamedTuple, cast

__all__ = ["Change", "change_of", "dotted"]


class Change(NamedTuple):
    """One change at a path of keys.

    `what` is one of
      list    `value` names, separated by spaces, are added to a list where they are missing
      unlist  the name `value` is taken out of a list
      put     the value is what `value` reads as
      drop    the key goes
      prune   the key goes if nothing is left below it
    With `only_if`, put and drop happen only where exactly this is written now.
    """

    what: str
    path: tuple[str, ...]
    value: str = ""
    only_if: str | None = None

    def as_asked(self) -> list[object]:
        """The change as the judge takes it."""
        values: dict[str, list[object]] = {"put": [self.value], "drop": [], "prune": []}
        return [self.what, list(self.path), *values.get(self.what, [self.value.split()])]


def change_of(record: Sequence[object]) -> Change:
    """A change as a receipt has it."""
    what, path, value, only_if = record
    keys = tuple(map(str, cast("list[object]", path)))
    return Change(str(what), keys, str(value), None if only_if is None else str(only_if))


def dotted(path: Sequence[str]) -> str:
    """A path as people write it."""
    return ".".join(path)
