"""Checks, and how they are told: as text for a person, as data for a program, and as an exit code."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

__all__ = ["Check", "Status", "as_data", "as_lines", "summed_up", "worst"]


class Status(Enum):
    """How a check went, worse ones later. Each has the exit code of a run in which nothing was worse."""

    SKIP = "skip"
    PASS = "pass"  # noqa: S105 - no secret
    WARN = "warn"
    FAIL = "fail"

    @property
    def exit_code(self) -> int:
        """0, or 1 after a warning, or 2 after a failure."""
        return {Status.WARN: 1, Status.FAIL: 2}.get(self, 0)


class Check(NamedTuple):
    """One thing that was looked at. The hint is what to do next, or empty; `system` is whose it is, or empty."""

    id: str
    status: Status
    summary: str
    hint: str = ""
    system: str = ""


_ORDER = list(Status)


def worst(checks: Iterable[Check]) -> Status:
    """The worst status among the checks; pass if there are none."""
    return max((check.status for check in checks), key=_ORDER.index, default=Status.PASS)


def as_data(check: Check) -> dict[str, str]:
    """A check as JSON has it."""
    return {**check._asdict(), "status": check.status.value}


def as_lines(checks: Sequence[Check]) -> list[str]:
    """One line a check, its hint in a line below it, and a line with its name before the checks of each system."""
    width = max((len(check.id) for check in checks), default=0)
    lines, system = [], ""
    for check in checks:
        if check.system != system:
            system = check.system
            lines.append(f"  {system}")
        lines.append(f"  {check.status.value}  {check.id:<{width}}  {check.summary}")
        if check.hint:
            lines.append(f"        {'':<{width}}  hint: {check.hint}")
    return lines


def summed_up(checks: Iterable[Check]) -> str:
    """How many checks went how, worst first."""
    counted = Counter(check.status for check in checks)
    return ", ".join(f"{counted[status]} {status.value}" for status in reversed(_ORDER) if counted[status])
