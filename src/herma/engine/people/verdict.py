"""What the gate says of a tool call."""

from typing import NamedTuple

__all__ = ["Verdict"]


class Verdict(NamedTuple):
    """Whether the call runs, and what the model is told where it does not."""

    allowed: bool
    message: str = ""
