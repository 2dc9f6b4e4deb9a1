"""What the checks of manyhands look at, gathered once, so that each of them is a function of it."""

from typing import NamedTuple

from herma.core.settings import Resolved
from herma.install.facts import Facts
from herma.stores.people.glance import Glance, Unseen

__all__ = ["View"]


class View(NamedTuple):
    """An installation with its people. `now` is in epoch milliseconds; `running` are the gateways' processes.

    `filesystem` is the type of the one that the database lies on, empty where it cannot be told.
    """

    facts: Facts
    resolved: Resolved
    seen: Glance | Unseen
    now: int
    running: frozenset[int]
    filesystem: str = ""

    @property
    def owners(self) -> tuple[str, ...]:
        """The accounts of owners, as far as they can be told."""
        return self.seen.owners if isinstance(self.seen, Glance) else ()
