"""A command that came as words: in a busy session a host may hand `/many …` on as an ordinary message."""

import re

__all__ = ["command_in"]

# The name that a host puts before words in a shared room is taken off; what follows on later lines is other words.
_COMMAND = re.compile(r"(?:\[[^\]\n]{0,120}\] )?/many(?:@\S+)?(?:[ \t]+([^\n]*))?(?:\n|\Z)", re.IGNORECASE)


def command_in(text: str) -> str | None:
    """What follows `/many` on the first line of a message; None where the first line is no such command."""
    found = _COMMAND.match(text)
    return (found[1] or "").strip() if found else None
