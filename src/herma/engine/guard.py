"""The one place where a feature fails open or closed.

An economy feature that fails leaves everything as it was; a permission feature that fails refuses.
Which of the two it is, is a property of the feature and not of the caller.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from traceback import extract_tb
from typing import Generic, NamedTuple, TypeVar

from herma.engine.counters import Counters

__all__ = ["Feature", "Guard", "Kind"]

_log = logging.getLogger("herma")

Answer = TypeVar("Answer")


class Kind(Enum):
    """What a feature is for, and so what its failure means."""

    ECONOMY = "fails open: the host's own result stands"
    PERMISSION = "fails closed: the call is refused"


class Feature(NamedTuple, Generic[Answer]):
    """A system's feature. `on_failure` is its answer when it fails: nothing to change, or a refusal."""

    system: str
    kind: Kind
    on_failure: Answer


class Guard:
    """Runs a feature's step and turns any exception into the feature's own answer to a failure."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters

    def run(self, feature: Feature[Answer], step: Callable[[], Answer]) -> Answer:
        """The step's answer, or `feature.on_failure`. Never raises an Exception.

        The log names the exception's type and place only: its message may carry the words of a file.
        """
        try:
            return step()
        except Exception as error:  # noqa: BLE001 - this is the place where everything is caught
            with suppress(Exception):  # what is noted about a failure may not become one
                self._note(feature.system, feature.kind, error)
            return feature.on_failure

    def _note(self, system: str, kind: Kind, error: Exception) -> None:
        self._counters.count(system, "failed")
        frames = extract_tb(error.__traceback__)
        place = f"{frames[-1].name}, line {frames[-1].lineno}" if frames else "an unknown place"
        _log.warning("%s: %s in %s; %s", system, type(error).__name__, place, kind.value)
