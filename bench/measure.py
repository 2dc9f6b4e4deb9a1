"""How a row is measured: the same work many times, beside a floor in the same run."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from statistics import quantiles
from typing import NamedTuple

__all__ = ["Row", "as_json", "as_table", "compared", "row"]

_BLOCK = 20


class Row(NamedTuple):
    """One line of a bench. `floor` is what the same run cannot go below; fields without sense are None."""

    name: str
    p50: float
    p99: float | None
    unit: str
    floor: float | None
    ratio: float | None


def compared(name: str, work: Callable[[], object], floor: Callable[[], object] | None, *, times: int) -> Row:
    """Measure `work` and `floor`. Microseconds of CPU of this thread.

    They take turns in blocks, so that both meet the same machine and neither has its data driven out of the caches
    by the other each time.
    """
    spent: list[float] = []
    least: list[float] = []
    for _ in range(max(1, times // _BLOCK)):
        spent += _block(work)
        least += _block(floor) if floor is not None else []
    return row(name, spent, least, unit="us")


def _block(work: Callable[[], object]) -> list[float]:
    work()  # finds its data in the caches from here on
    return [_cpu(work) for _ in range(_BLOCK)]


def row(name: str, spent: Sequence[float], least: Sequence[float] = (), *, unit: str) -> Row:
    """A row from samples; the ratio is that of the two medians."""
    p50, p99 = _percentiles(spent)
    floor = _percentiles(least)[0] if least else None
    return Row(name, round(p50, 3), round(p99, 3), unit, _rounded(floor), _rounded(p50 / floor if floor else None))


def as_table(bench: str, rows: Iterable[Row]) -> str:
    """The rows for a person."""
    head = f"{bench:<20}{'p50':>12}{'p99':>12}{'floor':>12}{'ratio':>10}  unit"
    return "\n".join([head, *(_line(each) for each in rows)])


def _line(each: Row) -> str:
    numbers = f"{each.p50:>12,.1f}{_shown(each.p99):>12}{_shown(each.floor):>12}{_shown(each.ratio, 2):>10}"
    return f"{each.name:<20}{numbers}  {each.unit}"


def as_json(bench: str, rows: Iterable[Row]) -> str:
    """The rows for a program: one object, one line."""
    return json.dumps({"bench": bench, "rows": [each._asdict() for each in rows]})


def _cpu(work: Callable[[], object]) -> float:
    start = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - start) / 1000


def _percentiles(samples: Sequence[float]) -> tuple[float, float]:
    if len(samples) == 1:
        return samples[0], samples[0]
    cuts = quantiles(samples, n=100, method="inclusive")
    return cuts[49], cuts[98]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _shown(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:,.{digits}f}"
