"""What manyhands needs of the host's own settings, as changes with the reason of each.

A value that the person wrote is not overruled, but for one that would let a reply send any file of the machine.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from herma.core.people.doors import HOST_COMMANDS
from herma.install.changes import Change, dotted
from herma.install.facts import Facts
from herma.install.systems import ADMIN_LISTS, COMMAND_LISTS, PEOPLE
from herma.stores.people.glance import Glance, Unseen

__all__ = ["Proposal", "has_transport", "ids_in", "listed", "of_platform", "proposals", "value_at"]

_TRANSPORTS_FROM = (0, 22)
_SETTINGS = ("plugins", "entries", PEOPLE, "settings")
_PLATFORM = re.compile(r"[a-z0-9][a-z0-9_-]*", re.ASCII)
_ALWAYS = frozenset({"help", "whoami"})  # what the host lets everybody type, whatever its lists say


class Proposal(NamedTuple):
    """A change of the host's configuration, and what it is for."""

    change: Change
    why: str

    @property
    def line(self) -> str:
        """The setting, its value and the reason in one line."""
        what = f"{dotted(self.change.path)} {'gets' if self.change.what == 'list' else 'becomes'}"
        return f"{what} {', '.join(self.change.value.split())}: {self.why}"


class _Wish(NamedTuple):
    """A setting that should have a value. `insist`: whatever is written there now."""

    path: tuple[str, ...]
    value: str
    why: str
    insist: bool = False


_TRANSPORT = ("security", "approval")
_WISHES = (
    _Wish(
        (*_SETTINGS, "strict_admission"),
        "true",
        "people come in through manyhands alone, so that nobody gets in where it does not load",
    ),
    _Wish(
        ("gateway", "strict"),
        "true",
        "a reply that names a file of this machine does not send it as an attachment",
        insist=True,
    ),
    _Wish(
        ("display", "busy_input_mode"),
        "queue",
        "what one person writes while another's turn runs waits for a turn of its own, and is not mixed into that one",
    ),
)
_NEWER = (
    _Wish((*_TRANSPORT, "transport"), PEOPLE, "commands that the host finds dangerous are put to an owner in private"),
    _Wish(
        (*_TRANSPORT, "transport_fallback"),
        "builtin",
        "at this machine's own terminal the host goes on asking as it does now",
    ),
)


def proposals(facts: Facts, seen: Glance | Unseen) -> Iterator[Proposal | str]:
    """The changes that are not so yet, and what there is to know about those that cannot be proposed."""
    values = facts.config.values
    for wish in (*_WISHES, *(_NEWER if has_transport(facts) else ())):
        yield from _wished(facts, wish)
    if not has_transport(facts):
        yield (
            "this Hermes has no approval transports, so what it finds dangerous it asks in the chat itself; "
            "its admin lists are all that keeps others from answering there"
        )
    owners = seen.owners if isinstance(seen, Glance) else ()
    if not owners:
        yield (
            "nobody owns the bot yet, so in chats it answers nobody: `hermes chat`, then `/many claim`; after that "
            "herma setup adds the owner to the host's own admin lists"
        )
    for account in owners:
        yield from _admin(values, account)


def has_transport(facts: Facts) -> bool:
    """Whether this host has approval transports; assumed of an unknown version."""
    return facts.series is None or facts.series >= _TRANSPORTS_FROM


def value_at(values: object, path: Sequence[str]) -> object:
    """What stands at a path of settings; None where nothing does."""
    for key in path:
        values = values.get(key) if isinstance(values, Mapping) else None
    return values


def of_platform(values: object, platform: str, name: str) -> tuple[tuple[str, ...], object]:
    """Where a setting of a platform stands, or would stand, and its value. The host looks below `extra` first."""
    inner, outer = ("platforms", platform, "extra", name), ("platforms", platform, name)
    found = value_at(values, inner)
    other = value_at(values, outer)
    return (outer, other) if found is None and other is not None else (inner, found)


def ids_in(value: object) -> frozenset[str]:
    """The ids in a list of the host's: a list, a text with commas, or one id."""
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list):
        items = [items]
    return frozenset(str(item).strip() for item in items if item is not None and str(item).strip())


def listed(values: object, account: str) -> bool:
    """Whether the host's admin lists both name this account."""
    platform, _, sender = account.partition(":")
    return all(sender in ids_in(of_platform(values, platform, name)[1]) for name in ADMIN_LISTS)


def _wished(facts: Facts, wish: _Wish) -> Iterator[Proposal | str]:
    place, now = _place(facts.config.values, wish)
    if value_at(facts.config.pinned, place) is not None and _written(now) != wish.value:
        yield f"{facts.config.managed} decides {dotted(place)}: it is {_written(now)}; with {wish.value}, {wish.why}"
    elif now is None or (wish.insist and _written(now) != wish.value):
        yield Proposal(Change("put", place, wish.value), wish.why)
    elif _written(now) != wish.value:
        yield f"{dotted(place)} is {_written(now)} and stays so; with {wish.value}, {wish.why}"


def _place(values: Mapping[str, object], wish: _Wish) -> tuple[tuple[str, ...], object]:
    """Where the setting stands. One of our own may stand in the block at the top level as well, which wins."""
    block = (PEOPLE, wish.path[-1])
    if wish.path[:-1] == _SETTINGS and value_at(values, block) is not None:
        return block, value_at(values, block)
    return wish.path, value_at(values, wish.path)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _admin(values: Mapping[str, object], account: str) -> Iterator[Proposal | str]:
    """The owner on the host's admin lists, and on them nobody loses what manyhands lets everybody type."""
    platform, _, sender = account.partition(":")
    if _PLATFORM.fullmatch(platform) is None or not sender or len(sender.split()) != 1 or not sender.isprintable():
        yield f"the account {account!r} is not one that can be put on the host's admin lists"
        return
    for name in ADMIN_LISTS:
        path, value = of_platform(values, platform, name)
        if sender in ids_in(value):
            continue
        if value is not None and not isinstance(value, list):
            yield f"{dotted(path)} is no list; add {sender} to it, so that the owner may type the host's commands"
            continue
        yield Proposal(
            Change("list", path, sender),
            "the host's own commands, /approve and /yolo among them, are the owner's alone, even without manyhands",
        )
    for name in COMMAND_LISTS:
        path, value = of_platform(values, platform, name)
        if value is None:
            allowed = " ".join(sorted(HOST_COMMANDS - _ALWAYS))
            yield Proposal(Change("list", path, allowed), "these commands stay with everybody who may speak")
