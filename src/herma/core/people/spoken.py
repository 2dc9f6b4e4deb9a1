"""A command that came as words: in a busy session a host may hand `/many …` on as an ordinary message."""

import re

__all__ = ["command_in"]

# The name that a host puts before words in a shared room is taken off. Nothing else may stand there: where a host has
# put the words of several messages together, the command may be another person's than the turn.
_COMMAND = re.compile(r"\s*(?:\[[^\]\n]{0,120}\] )?/many(?:@\S+)?(?:[ \t]+([^\n]*))?\s*", re.IGNORECASE)


def command_in(text: str) -> str | None:
    """What follows `/many` in a message that is this command and nothing else; None for any other message."""
    found = _COMMAND.fullmatch(text)
    return (found[1] or "").strip() if found else None
