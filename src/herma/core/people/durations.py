"""Times and durations as people type and read them: `90s`, `15m`, `1h`, `2d`."""

import re

from herma.core.people.budget import day_of

__all__ = ["moment", "said", "seconds_of"]

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_NAMES = {"d": "day", "h": "hour", "m": "minute", "s": "second"}
_TYPED = re.compile(r"([0-9]{1,6})([smhd])", re.IGNORECASE | re.ASCII)


def seconds_of(typed: str) -> int | None:
    """The seconds of one number with its unit; None for anything else, a number without a unit too."""
    found = _TYPED.fullmatch(typed.strip())
    return int(found[1]) * _UNITS[found[2].lower()] if found else None


def said(seconds: int) -> str:
    """A duration in its largest whole units: `1 hour 30 minutes`; `0 seconds` for none."""
    parts = []
    left = max(0, seconds)
    for unit in ("d", "h", "m", "s"):
        count, left = divmod(left, _UNITS[unit])
        if count:
            parts.append(f"{count} {_NAMES[unit]}{'' if count == 1 else 's'}")
    return " ".join(parts[:2]) or "0 seconds"


def moment(at: int) -> str:
    """A time in epoch milliseconds as `2026-11-30 23:59 UTC`."""
    minutes = at // 60_000 % 1_440
    return f"{day_of(at)} {minutes // 60:02d}:{minutes % 60:02d} UTC"
