"""Progress lines: one an event, on stderr, so that stdout stays what a command promises."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Print one line at once."""
    print(f"environments: {text}", file=sys.stderr, flush=True)
