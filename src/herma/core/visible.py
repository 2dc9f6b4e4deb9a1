"""Names and paths from elsewhere, made safe to show: what a terminal would obey or hide becomes an escape."""

import re

__all__ = ["visible"]

# Inclusive ranges. Letters, digits, signs, emoji and combining marks of every script are in none of them.
_HIDDEN: tuple[tuple[int, int], ...] = (
    (0x0000, 0x001F),  # controls, the start of escape sequences and line breaks among them
    (0x007F, 0x009F),  # delete, and the controls of eight bits
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer vowels that are not drawn
    (0x180B, 0x180F),  # Mongolian selectors and separator
    (0x200B, 0x200F),  # zero-width space, joiners and direction marks
    (0x2028, 0x202E),  # line and paragraph separator, embeddings and overrides of direction
    (0x2060, 0x206F),  # word joiner, invisible operators, isolates of direction
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # halves of a pair: bytes of a file name that are no text
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFB),  # interlinear annotation, and what is reserved beside it
    (0x13430, 0x1343F),  # Egyptian format controls
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags, and more variation selectors
)
_PATTERN = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _HIDDEN) + "]")


def visible(text: str) -> str:
    r"""`text` on one line; controls, and what hides or reorders others, become `\x1b`, `\u202e`, `\U000e0041`."""
    return _PATTERN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code <= 0xFF:  # noqa: PLR2004 - the last character that two digits can name
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - and four digits
