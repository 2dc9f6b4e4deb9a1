"""Letting a sender into the gateway through the host's own store of paired senders, and out again.

The host keeps that store and decides what follows from it: it is called, and its files are not touched. What an
operator wrote into an allowlist is theirs: such a sender is let in already, and what is not given here is not taken.
"""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

__all__ = ["admit", "following", "revoke"]

_log = logging.getLogger("herma")


class _Store(Protocol):
    _lock: Any

    def is_approved(self, platform: str, user_id: str) -> bool: ...
    def revoke(self, platform: str, user_id: str) -> bool: ...
    def _approve_user(self, platform: str, user_id: str, user_name: str = "") -> None: ...


@contextmanager
def following(admitted: Callable[[], frozenset[str]], *, gateway: object = None) -> Iterator[None]:
    """Around a change of the roster: lets those in at the host whom it brought in, and out whom it put out.

    `admitted` gives the accounts that the host has to know. What the host does not take is logged: the door stays shut
    to whoever is off the roster, whatever the host thinks of them.
    """
    before = admitted()
    yield
    after = admitted()
    for account in before ^ after:
        platform, _, sender_id = account.partition(":")
        step = admit if account in after else revoke
        why = step(platform, sender_id, gateway=gateway)
        if why:
            _log.warning("manyhands: pairing did not follow the roster: %s", why)


def admit(platform: str, sender_id: str, name: str = "", *, gateway: object = None, source: object = None) -> str:
    """Pairs a sender with the host; empty when the host lets them in from now on, else why not. Never raises.

    A code asked for and approved at once would do the same in public, but the host gives one sender a code in ten
    minutes and three senders at a time, and a person who was sent one by the host would stay outside with an invite.
    """
    try:
        if _listed(platform, sender_id):
            return ""
        store = _store(gateway, source)
        if store.is_approved(platform, sender_id):
            return ""
        with store._lock:  # noqa: SLF001 - as the host's own approval does around the same call
            store._approve_user(platform, sender_id, name)  # noqa: SLF001 - there is no public way, see above
        return "" if store.is_approved(platform, sender_id) else "the host did not keep it"
    except Exception as error:  # noqa: BLE001 - another version of the host may have none of it
        return f"{type(error).__name__} in the host's pairing"


def revoke(platform: str, sender_id: str, *, gateway: object = None, source: object = None) -> str:
    """Takes a sender's pairing back; empty when the host has none of them from now on, else why not. Never raises."""
    try:
        store = _store(gateway, source)
        store.revoke(platform, sender_id)
        return "the host still has it" if store.is_approved(platform, sender_id) else ""
    except Exception as error:  # noqa: BLE001 - the same
        return f"{type(error).__name__} in the host's pairing"


def _store(gateway: object, source: object) -> _Store:
    """The store that the running gateway asks; the home's own where none runs in this process."""
    choose = getattr(gateway, "_pairing_store_for", None)
    found: _Store | None = choose(source) if choose is not None and source is not None else None
    found = found or getattr(gateway, "pairing_store", None)
    if found is None:
        from gateway.pairing import PairingStore  # noqa: PLC0415 - exists only inside the host

        made: _Store = PairingStore()
        return made
    return found


def _listed(platform: str, sender_id: str) -> bool:
    """Whether the operator's own list names this sender. Pairing would then write, and unpairing would strike it."""
    from gateway import pairing  # noqa: PLC0415 - exists only inside the host

    variable = pairing._allowlist_env_for_platform(platform)  # noqa: SLF001 - names the variable of a plugin's platform
    named = [os.environ.get(each, "") for each in (variable, "GATEWAY_ALLOWED_USERS") if each]
    return any(sender_id == entry.strip() for text in named for entry in text.split(","))
