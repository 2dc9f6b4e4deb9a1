"""Characters that a reader does not see, or that reorder what he sees.

Joiners and variation selectors belong to the writing of many languages and to emoji; between characters that are
not ASCII they are letters like any other.
"""

import re

from herma.core.visible import visible

__all__ = ["hidden", "shown", "unhidden"]

_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe0e\ufe0f"
_PLAIN = re.compile(r"[\x20-\x7e\n\t\u00a1-\u00ac\u00ae-\u033f\u0370-\u061b\u0620-\u115e]*")
_KEYCAPS = "0123456789#*"
_BREAKS = "\n\t"


def hidden(text: str) -> tuple[str, ...]:
    """The hidden characters of `text`, each once, as `U+202E`."""
    if _PLAIN.fullmatch(text):
        return ()
    return tuple(dict.fromkeys(f"U+{ord(text[at]):04X}" for at in _places(text)))


def shown(text: str) -> str:
    r"""`text` with every hidden character as an escape such as `\u202e`."""
    if _PLAIN.fullmatch(text):
        return text
    places = set(_places(text))
    return "".join(visible(char) if at in places else char for at, char in enumerate(text))


def unhidden(text: str) -> str:
    """`text` without any character that is not drawn, joiners included: what a pattern is looked for in."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(char for char in text if char in _BREAKS or visible(char) == char)


def _places(text: str) -> list[int]:
    return [
        at for at, char in enumerate(text) if char not in _BREAKS and visible(char) != char and not _belongs(text, at)
    ]


def _belongs(text: str, at: int) -> bool:
    """Whether a joiner or selector stands where some language or emoji puts one."""
    before = text[at - 1] if at else ""
    if text[at] in _SELECTORS:
        return before in _KEYCAPS or _is_foreign(before)
    after = text[at + 1 : at + 2]
    return text[at] in _JOINERS and (_is_foreign(before) or before in _SELECTORS) and _is_foreign(after)


def _is_foreign(char: str) -> bool:
    return char > "\x7f" and visible(char) == char
