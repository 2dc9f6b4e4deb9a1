"""Rules in an index: what everybody may do."""

import hashlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from herma.core.people.conditions import Path
from herma.core.people.digest import canonical
from herma.core.people.rule import Rule
from herma.core.people.tools import names_of

__all__ = ["Book", "Policy", "policy_of"]


class Book(NamedTuple):
    """The rules of one role or one person: by whole name and by beginning, with the lengths that beginnings have."""

    exact: Mapping[str, tuple[Rule, ...]]
    globs: Mapping[str, tuple[Rule, ...]]
    lengths: tuple[int, ...]

    def about(self, tool: str) -> tuple[Rule, ...]:
        """The rules that name the tool, under whichever of its names."""
        names = names_of(tool)
        found = self.exact.get(names[0], ())
        if self.lengths:
            beginnings = {name[:length] for name in names for length in self.lengths}
            for beginning in beginnings & self.globs.keys():
                found += self.globs[beginning]
        return found


class Policy(NamedTuple):
    """What everybody may do. `version` is the SHA-256 of all rules, whatever the order they were written in.

    `folders` are the paths that rules name: what they really are belongs into `Facts.resolved`.
    """

    version: str
    roles: Mapping[str, Book]
    people: Mapping[str, Book]
    rules: tuple[Rule, ...]
    folders: tuple[str, ...]


def policy_of(roles: Iterable[str], rules: Iterable[Rule]) -> Policy:
    """The index of `rules`; each of `roles` exists, also one without any rule."""
    ordered = tuple(sorted(rules, key=lambda rule: (rule.personal, rule.subject, rule.id)))
    of_roles: dict[str, list[Rule]] = {role: [] for role in roles}
    of_people: dict[str, list[Rule]] = {}
    for rule in ordered:
        (of_people if rule.personal else of_roles).setdefault(rule.subject, []).append(rule)
    folders = {rule.condition.place for rule in ordered if isinstance(rule.condition, Path)}
    return Policy(_version(ordered), _books(of_roles), _books(of_people), ordered, tuple(sorted(folders)))


def _version(rules: Iterable[Rule]) -> str:
    digest = hashlib.sha256()
    for rule in rules:
        line = canonical([rule.subject, rule.personal, rule.effect, rule.item]) + "\n"
        digest.update(line.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _books(of: Mapping[str, Iterable[Rule]]) -> Mapping[str, Book]:
    return MappingProxyType({subject: _book(rules) for subject, rules in of.items()})


def _book(rules: Iterable[Rule]) -> Book:
    exact: dict[str, tuple[Rule, ...]] = {}
    globs: dict[str, tuple[Rule, ...]] = {}
    for rule in rules:
        index = globs if rule.glob else exact
        index[rule.tool] = (*index.get(rule.tool, ()), rule)
    return Book(MappingProxyType(exact), MappingProxyType(globs), tuple(sorted({len(prefix) for prefix in globs})))
