"""Daily token budgets: the UTC day that a moment belongs to, and what is used and left of a person's share."""

from functools import lru_cache
from typing import NamedTuple

__all__ = ["Budget", "day_of", "next_day"]

_DAY = 86_400_000


class Budget(NamedTuple):
    """A person's tokens of one UTC day. A `limit` of 0 means without limit."""

    limit: int
    used: int

    @property
    def left(self) -> int | None:
        """Tokens that are left, never below 0; None without a limit."""
        return max(0, self.limit - self.used) if self.limit else None

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left == 0


def day_of(now: int) -> str:
    """The UTC day of a time in epoch milliseconds, as `2026-11-30`."""
    return _civil(now // _DAY)


@lru_cache(maxsize=8)
def _civil(day_number: int) -> str:
    # Days are counted from 1 March of the year 0, so that the leap day is the last of its year.
    days = day_number + 719_468
    era, of_era = divmod(days, 146_097)
    year = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    civil = month + 3 if month < 10 else month - 9  # noqa: PLR2004 - January is the tenth month after March
    return f"{year + era * 400 + (civil <= 2):04d}-{civil:02d}-{day:02d}"  # noqa: PLR2004 - they close the year before


def next_day(now: int) -> int:
    """When the UTC day of `now` is over, in epoch milliseconds: budgets start anew there."""
    return (now // _DAY + 1) * _DAY
