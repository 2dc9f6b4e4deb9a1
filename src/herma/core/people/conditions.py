"""What a rule may ask of the arguments: an exact command, a folder, a host, a value.

A condition holds, does not hold, or cannot be evaluated, which is None. Who decides what None means is `decide`: it
never allows.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from herma.core.people.commands import argv_of

__all__ = ["BadCondition", "Condition", "Facts", "condition_of"]

_NOTHING: Mapping[str, str] = MappingProxyType({})


class Facts(NamedTuple):
    """What is known of the world outside a call.

    `resolved` gives the real path of a path as it is written: of the path in the arguments, and of the folders that
    rules name (`Policy.folders`). Real means absolute, with every symbolic link followed.
    """

    resolved: Mapping[str, str] = _NOTHING


class BadCondition(ValueError):  # noqa: N818 - reads as the sentence it is printed in
    """The text in the brackets of a rule is no condition that this tool can have. The message says what is wrong."""


class Condition(Protocol):
    """One condition of one tool. Total: for all arguments that have an exact form it answers, and does not raise."""

    @property
    def text(self) -> str:
        """The condition as rules write it."""
        ...

    def holds(self, args: Mapping[str, object], facts: Facts) -> bool | None:
        """Whether it is proved true or false; None when it cannot be evaluated."""
        ...


class Command(NamedTuple):
    """The command is exactly these words. Arguments that move or change the run leave it unproved."""

    text: str
    argv: tuple[str, ...]

    def holds(self, args: Mapping[str, object], facts: Facts) -> bool | None:
        """See `Condition`."""
        del facts
        argv = argv_of(args.get("command"))
        if argv is None or not _only(args, _WITH_COMMAND):
            return None
        return argv == self.argv


class Path(NamedTuple):
    """The real path is this one, or with `below` this folder or anything below it."""

    text: str
    place: str
    below: bool
    harmless: Mapping[str, tuple[object, ...]]

    def holds(self, args: Mapping[str, object], facts: Facts) -> bool | None:
        """See `Condition`."""
        written = args.get("path")
        if not isinstance(written, str) or not _only(args, self.harmless):
            return None
        real = facts.resolved.get(written)
        place = facts.resolved.get(self.place, self.place)
        if not _is_plain_path(real) or not _is_plain_path(place):
            return None
        if real == place:
            return True
        return self.below and str(real).startswith(place.rstrip("/") + "/")


class Host(NamedTuple):
    """Every address that the call names is on this host."""

    text: str
    host: str
    argument: str

    def holds(self, args: Mapping[str, object], facts: Facts) -> bool | None:
        """See `Condition`."""
        del facts
        value = args.get(self.argument)
        addresses = value if isinstance(value, (list, tuple)) else [value]
        hosts = [_host_of(address) for address in addresses]
        if not hosts or None in hosts:
            return None
        return all(host == self.host for host in hosts)


class Values(NamedTuple):
    """Each of these arguments has this value. One that is absent leaves the host's own choice, which is not known."""

    text: str
    wanted: tuple[tuple[str, str], ...]

    def holds(self, args: Mapping[str, object], facts: Facts) -> bool | None:
        """See `Condition`."""
        del facts
        verdicts = [_equals(args.get(key), value) for key, value in self.wanted]
        if False in verdicts:
            return False
        return None if None in verdicts else True


_ANY: tuple[object, ...] = ()
# Beside these, an argument with a value in it may lead elsewhere than to the path or the command: a working folder, a
# terminal that answers questions, a patch that names its own files. `_ANY` is any value.
_WITH_COMMAND: Mapping[str, tuple[object, ...]] = {"command": _ANY, "timeout": _ANY}
_WITH_PATH: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "read_file": dict.fromkeys(("path", "offset", "limit"), _ANY),
    "write_file": dict.fromkeys(("path", "content"), _ANY),
    "patch": {**dict.fromkeys(("path", "old_string", "new_string", "replace_all"), _ANY), "mode": ("replace",)},
    "search_files": {
        **dict.fromkeys(("path", "pattern", "limit", "offset", "order", "output_mode", "context"), _ANY),
        "target": ("content",),
    },
}
_WITH_ADDRESS = {"web_extract": "urls", "browser_navigate": "url"}

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
# Nobody is named before the host and nothing in it is escaped, so every reader of addresses finds the same host.
_ADDRESS = re.compile(r"https?://([a-z0-9-]+(?:\.[a-z0-9-]+)*+)\.?(?::\d{1,5})?(?:[/?#][!-~]*)?", re.IGNORECASE)


def condition_of(tool: str, text: str) -> Condition:
    """The condition that `text` is for `tool`; raises `BadCondition`, with what to write instead."""
    if tool == "terminal":
        return _command(text)
    if tool in _WITH_PATH and ("=" not in text or text.startswith(("/", "~", "."))):
        return _path(tool, text)
    pairs = tuple(_pair(part) for part in text.split(","))
    if len(pairs) == 1 and pairs[0][0] == "host" and tool in _WITH_ADDRESS:
        return _host(tool, text, pairs[0][1])
    if tool in _WITH_PATH and "path" in dict(pairs):
        raise BadCondition(f"a path stands alone: `{tool}(/the/whole/path)` or `{tool}(/a/folder/**)`")
    return Values(text, pairs)


def _command(text: str) -> Command:
    argv = argv_of(text)
    if argv is None:
        raise BadCondition("it must be one plain command, without operators, variables, redirections or patterns")
    return Command(text, argv)


def _path(tool: str, text: str) -> Path:
    place, below = (text[:-2].rstrip("/") or "/", True) if text.endswith("/**") else (text, False)
    if not _is_plain_path(place) or any(character in place for character in "*?["):
        raise BadCondition("a path is written whole, from `/`, without `..`; `/**` at its end means all that is below")
    return Path(text, place, below, _WITH_PATH[tool])


def _host(tool: str, text: str, host: str) -> Host:
    if _HOST.fullmatch(host) is None:
        raise BadCondition("a host is written in small letters, such as `example.org`, without a port or a path")
    return Host(text, host, _WITH_ADDRESS[tool])


def _pair(part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals or _KEY.fullmatch(key.strip()) is None or not value.strip():
        raise BadCondition("it must be `argument=value`; several stand with commas between them")
    return key.strip(), value.strip()


def _only(args: Mapping[str, object], harmless: Mapping[str, tuple[object, ...]]) -> bool:
    """Whether every argument with a value in it is harmless."""
    if harmless is _WITH_COMMAND and args.keys() <= _WITH_COMMAND.keys():
        return True
    for key, value in args.items():
        if not value:
            continue
        values = harmless.get(key)
        if values is None or (values and value not in values):
            return False
    return True


def _is_plain_path(path: object) -> bool:
    if not isinstance(path, str) or not path.startswith("/") or "\x00" in path:
        return False
    return path == "/" or not any(part in ("", ".", "..") for part in path[1:].split("/"))


def _host_of(address: object) -> str | None:
    found = _ADDRESS.fullmatch(address) if isinstance(address, str) else None
    return found.group(1).lower() if found else None


def _equals(value: object, wanted: str) -> bool | None:
    """Whether an argument has the value that a rule writes as text; None for values that no rule can write."""
    if isinstance(value, str):
        return value == wanted
    if isinstance(value, bool):
        return ("true" if value else "false") == wanted
    return str(value) == wanted if isinstance(value, int) else None
