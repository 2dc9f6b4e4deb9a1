"""What programs put into a conversation, taken out of it: it was said by nobody, and is found where it came from."""

import re

from herma.core.people.card import CLOSING, OPENING
from herma.core.people.tools import CALLER, PERSONAL
from herma.core.reading.note import OPENING as NOTE

__all__ = ["ECHOES", "spoken", "told"]

# A past that is found by its own findings would grow with every search, and carry one person's words to another: so
# would what was said to one person of their facts.
ECHOES = PERSONAL

_BLOCKS = re.compile(
    r"<(system-reminder|memory-context|provider-memory)\b[^>]*>.*?(?:</\1>|\Z)"
    rf"|{re.escape(OPENING)}.*?(?:{re.escape(CLOSING)}|\Z)",
    re.DOTALL,
)
_NEAR = 200  # characters in which a note begins: hosts wrap results in JSON


def spoken(text: str) -> str:
    """The words without reminders, blocks of memory and cards; empty where nothing else was in them."""
    return _BLOCKS.sub("", text).strip() if "<" in text or OPENING in text else text.strip()


def told(tool: str, given: str, gave: str) -> str:
    """What a tool was given and gave, or nothing: for a repeat that was answered with a note, and for an echo."""
    if tool in ECHOES or (tool == CALLER and any(f'"{name}"' in given for name in ECHOES)):
        return ""
    result = "" if NOTE in gave[: _NEAR + len(NOTE)] else spoken(gave)
    return "\n".join(part for part in (f"{tool} {given}".strip(), result) if part)
