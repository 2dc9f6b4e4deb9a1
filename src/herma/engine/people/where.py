"""Where a line was typed, and whether a person was seen there."""

from typing import NamedTuple

__all__ = ["Where"]


class Where(NamedTuple):
    """Where a line was typed.

    `surface`: chat, terminal (the host's own) or shell (a command line). `person_present` says that a person was seen
    at the keys; where a platform names the sender it is not asked for. `tools` are names that the running host offers.
    """

    session_id: str = ""
    surface: str = "chat"
    person_present: bool = False
    tools: tuple[str, ...] = ()
