"""Where the operator's notes stand in the text of a host's system prompt.

A host puts up to two blocks there, each below a headline between two rules, and neither has a closing line. What the
headline says of the length, and the line about the conversation that follows in every prompt, tell where they end.
"""

import re
from typing import NamedTuple

__all__ = ["Notes", "Unended", "find_notes"]

_TITLES = r"(?:MEMORY \(your personal notes\)|USER PROFILE \(who the user is\))"
# With or without the rules: a host that is told to send ASCII alone drops them.
_HEAD = re.compile(rf"^(?:═+\n)?{_TITLES} \[", re.MULTILINE)
_LENGTH = re.compile(rf"^{_TITLES} \[[^\]\n]*?([\d,]+)/[\d,]+ chars\]\n(?:═+\n)?", re.MULTILINE)
_ANCHOR = re.compile(r"\n\n(?=Conversation started: |Timezone: |Active Hermes profile: )")
_PROFILE = "\n\nActive Hermes profile: "
# Around the sections of other plugins, which stand behind the notes.
_SECTIONS, _SECTIONS_END = "\n\n<!-- hermes-plugin-sections:start -->", "<!-- hermes-plugin-sections:end -->"


class Notes(NamedTuple):
    """The notes lie from `start` up to `end`; `provider` tells that a memory provider's block is among them."""

    start: int
    end: int
    provider: bool


class Unended(NamedTuple):
    """Notes begin there, and where they end cannot be told."""

    start: int


def find_notes(text: str) -> Notes | Unended | None:
    """The operator's notes in the text of a system prompt; None where there are none.

    In doubt the range is too long: it begins at the first headline and ends before the last line that can be the one
    about the conversation, so that nothing that an entry says can end it early.
    """
    head = _HEAD.search(text)
    if head is None:
        return None
    start = _before_breaks(text, head.start())
    covered = max((found.end() + int(found[1].replace(",", "")) for found in _LENGTH.finditer(text)), default=0)
    exact = covered >= head.end() and (covered == len(text) or text.startswith("\n\n", covered))
    last = max((found.start() for found in _ANCHOR.finditer(text, head.end())), default=-1)
    if exact and last < covered:
        return Unended(start) if text[covered:].strip() else Notes(start, len(text), provider=False)
    if last < 0:
        return Unended(start)
    end = _back(text, last, covered) if exact else last
    provider = exact and bool(text[covered:end].strip())
    return Notes(start, end if start else _behind_breaks(text, end), provider)


def _before_breaks(text: str, position: int) -> int:
    return len(text[:position].rstrip("\n"))


def _behind_breaks(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip("\n"))


def _back(text: str, end: int, covered: int) -> int:
    """`end` moved before what a host puts between the notes and the line about the conversation."""
    paragraph = text.rfind("\n\n", covered, end)
    if paragraph >= 0 and text.startswith(_PROFILE, paragraph):
        end = paragraph
    if text.endswith(_SECTIONS_END, covered, end):
        sections = text.rfind(_SECTIONS, covered, end)
        end = sections if sections >= 0 else end
    return end
