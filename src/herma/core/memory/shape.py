"""Lines that look like a part of the frame: an entry may neither end its block nor begin another."""

import re
from unicodedata import normalize

from herma.core.memory.entries import parse
from herma.core.memory.targets import TARGETS

__all__ = ["RULE", "breaks", "flat"]

_BAR = "═"
RULE = _BAR * 46

_FRAME = re.compile(
    rf"[ \t]*(?:{_BAR}{{3,}}|{'|'.join(re.escape(target.title.casefold()) for target in TARGETS.values())})"
)


def breaks(text: str) -> str:
    """What of the frame `text` imitates, in words, or "" when nothing."""
    if "§" in text and parse(text) != (text,):
        return "a line that is only §, which separates entries"
    if any(map(_imitates, text.split("\n"))):
        return "a line like those around the notes in the prompt"
    return ""


def flat(text: str) -> str:
    """`text` with such lines made harmless: bars become `=`, and a title no longer begins its line."""
    lines = text.split("\n")
    if not any(map(_imitates, lines)):
        return text
    return "\n".join(f"| {line.replace(_BAR, '=')}" if _imitates(line) else line for line in lines)


def _imitates(line: str) -> bool:
    return _FRAME.match(normalize("NFKC", line).casefold()) is not None
