"""Warnings about a plugin in a host's own logs: how many and when, never what they say."""

import os
import re
from pathlib import Path
from time import localtime, strftime
from typing import NamedTuple

__all__ = ["Warned", "changed_at", "warnings_about"]

_LOGS = ("agent.log", "errors.log")  # the host writes a warning into both
_TAIL_BYTES = 8 * 1_048_576
_LINE = re.compile(rb"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\S* (?:WARNING|ERROR|CRITICAL)\b")


class Warned(NamedTuple):
    """How many warnings there are, and the time of the last as the host wrote it (local time, to the second)."""

    times: int
    last: str


def warnings_about(name: str, home: Path) -> Warned | None:
    """The warnings that name `name` in the logs of a Hermes home; None where there is no log to read."""
    counted = [_warnings_in(home / "logs" / log, name.encode()) for log in _LOGS]
    known = [warned for warned in counted if warned is not None]
    return max(known) if known else None


def changed_at(path: Path) -> str:
    """When a file was changed last, written as the host writes times; empty where it cannot be told."""
    try:
        return strftime("%Y-%m-%d %H:%M:%S", localtime(path.stat().st_mtime))
    except OSError:
        return ""


def _warnings_in(path: Path, name: bytes) -> Warned | None:
    times, last = 0, b""
    try:
        with path.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
            for line in log:
                found = _LINE.match(line)
                if found and name in line:
                    times, last = times + 1, max(last, found.group(1))
    except OSError:
        return None
    return Warned(times, last.decode())
