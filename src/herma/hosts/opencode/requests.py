"""Which of OpenCode's requests to the model are the conversation's own, and which are not.

OpenCode 1 does not say what a request is for: only the base text, which stands first in its system prompt, tells.
OpenCode 2 says it by a kind.
"""

from enum import Enum

__all__ = ["TESTED", "Purpose", "purpose_of"]

# The version whose base texts these are.
TESTED = "1.18.33"

# Titles, the summary of a compaction, the summary of a pull request: the prompts of OpenCode's own hidden agents.
_INTERNAL = (
    "You are a title generator.",
    "You are a context summarization agent.",
    "Summarize what was done in this conversation.",
)
# Whatever agent is talking, one of a person's own too, this stands behind its prompt.
_CONVERSATION = "\nHere is some useful information about the environment you are running in:\n<env>\n"

_KINDS = {"primary": True, "compaction": False, "title": False, "generate": False}


class Purpose(Enum):
    """What a request is for."""

    CONVERSATION = "conversation"
    INTERNAL = "internal"
    UNKNOWN = "unknown"


def purpose_of(base: str, kind: str | None = None) -> Purpose:
    """What a request with this base text, or of this kind of OpenCode 2, is for; unknown where neither tells."""
    if kind is not None:
        known = _KINDS.get(kind)
        return Purpose.UNKNOWN if known is None else (Purpose.CONVERSATION if known else Purpose.INTERNAL)
    if base.lstrip().startswith(_INTERNAL):
        return Purpose.INTERNAL
    return Purpose.CONVERSATION if _CONVERSATION in base else Purpose.UNKNOWN
