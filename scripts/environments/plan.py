"""What has to be done to have an environment: a pure decision over three stamps."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from scripts.environments.stamps import UNSETTLED

if TYPE_CHECKING:
    from scripts.environments.stamps import Stamp


class Step(Enum):
    """One step on the way to an environment, in the order in which they are taken."""

    BUILD = "build it in the cache"
    COPY = "copy it into the clone"
    INSTALL = "install our package"


def plan(wanted: Stamp, *, cached: Stamp | None, placed: Stamp | None) -> tuple[Step, ...]:
    """The steps from what the cache and the clone hold to `wanted`; none when the clone has it already."""
    if placed and _is_usable(placed, wanted):
        return () if placed.source == wanted.source else (Step.INSTALL,)
    build = () if cached and cached.key == wanted.key else (Step.BUILD,)
    return (*build, Step.COPY, Step.INSTALL)


def _is_usable(placed: Stamp, wanted: Stamp) -> bool:
    """Whether our package can go into it as it is: same pins, same place, and no installation cut short."""
    return (placed.key, placed.place) == (wanted.key, wanted.place) and placed.source != UNSETTLED
