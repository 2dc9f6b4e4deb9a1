"""Characters that look like others, or like nothing: to compare names by how they look, and to mark them in prompts.

After Unicode's technical standard 39, with a table of our own: the letters that can stand in an ASCII word unseen.
What Unicode itself decomposes, fullwidth and mathematical letters for instance, needs no row.
"""

import re
from collections.abc import Iterable
from unicodedata import category, normalize

from herma.core.visible import visible

__all__ = ["looks_like", "marked", "resembles", "skeleton"]

# Each line: one ASCII character, and the codes of Cyrillic, Greek and other characters that look like it.
_ALIKE = {
    "A": "0410 0391 13AA 15C5 A4EE",
    "B": "0412 0392 13F4 15F7 A4D0",
    "C": "0421 03F9 13DF A4DA 216D",
    "D": "13A0 15DE A4D3",
    "E": "0415 0395 13AC A4F0",
    "F": "03DC A4DD",
    "G": "050C 13C0 A4D6",
    "H": "041D 0397 13BB A4E7",
    "I": "0406 0399 04C0 16C1 A4F2",
    "J": "0408 037F 13AB A4D9",
    "K": "041A 039A 13E6 A4D7",
    "L": "13DE A4E1 216C",
    "M": "041C 039C 13B7 A4DF",
    "N": "039D A4E0",
    "O": "041E 039F 0555 A4F3",
    "P": "0420 03A1 13E2 A4D1",
    "Q": "051A",
    "R": "13A1 13D2 A4E3",
    "S": "0405 054F 13DA A4E2",
    "T": "0422 03A4 13A2 A4D4",
    "U": "054D A4F4",
    "V": "0474 13D9 A4E6",
    "W": "051C 13B3 A4EA",
    "X": "0425 03A7 A4EB",
    "Y": "04AE 03A5 0423 A4EC",
    "Z": "0396 13C3 A4DC",
    "a": "0430 03B1 0251",
    "b": "042C 0185",
    "c": "0441 03F2 1D04",
    "d": "0501",
    "e": "0435 04BD 212E",
    "g": "0261 0581",
    "h": "04BB 0570",
    "i": "0456 03B9 0131 0269 026A",
    "j": "0458 03F3",
    "l": "04CF 01C0",
    "n": "0578",
    "o": "043E 03BF 03C3 0585 1D0F",
    "p": "0440 03C1",
    "q": "051B 0566",
    "s": "0455 A731",
    "u": "03C5 057D 1D1C",
    "v": "03BD 0475 1D20",
    "w": "051D 1D21",
    "x": "0445",
    "y": "0443 04AF 03B3 028F",
    "z": "1D22",
    "-": "2010 2011 2012 2013 2212 2043 02D7",
    "'": "2018 2019 2032 02B9 02BC 0374",
    '"': "201C 201D 2033",
    "`": "02CB 1FEF",
    "/": "2044 2215 29F8",
    "\\": "2216 29F5",
    ":": "0589 2236 A789 02D0",
    ";": "037E",
    "!": "01C3",
    "|": "2223 2758",
    "*": "2217 204E",
    "~": "223C 02DC",
    "<": "2039",
    ">": "203A",
    ".": "2024",
    ",": "201A",
    "0": "06F0",
}
_LIKE = {int(code, 16): plain for plain, codes in _ALIKE.items() for code in codes.split()}

# People read these as one: a skeleton goes further than what has to be marked in a text.
_READ_AS = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s"})
_RUNS = (("rn", "m"), ("vv", "w"))

_WORDS = re.compile(r"\w+")
_SPACES = re.compile(r" {17,}")
_MARKS = "⟨⟩"


def resembles(character: str) -> str | None:
    """The ASCII that a character looks like; None for ASCII itself and for what looks like none of it."""
    if character.isascii():
        return None
    like = _LIKE.get(ord(character)) or normalize("NFKC", character)
    return like if like.isascii() and like.strip() else None


def skeleton(text: str) -> str:
    """What a name looks like: two names that a person would take for each other have the same skeleton.

    Case, spaces at the ends and characters that are not drawn do not count. For comparing only, never for showing.
    """
    drawn = "".join(character for character in normalize("NFKD", text) if visible(character) == character)
    read = drawn.translate(_LIKE).casefold().translate(_LIKE).translate(_READ_AS)
    for run, letter in _RUNS:
        read = read.replace(run, letter)
    return " ".join(normalize("NFKC", read).split())


def looks_like(name: str, names: Iterable[str]) -> str | None:
    """The first of `names` that a person could take `name` for, the same name included; None when there is none."""
    looks = skeleton(name)
    return next((other for other in names if looks and skeleton(other) == looks), None)


def marked(text: str) -> str:
    """`text` with every character named that is not what it seems.

    As `⟨U+202E⟩`, `⟨40 spaces⟩`, or behind a look-alike that stays in its place, `⟨U+0430 like a⟩`.
    Marked are controls, line breaks among them, what is not drawn or reorders others, every space but the plain one,
    long runs of that, and look-alikes in a word that could be read as ASCII: a word in one script of its own stays as
    it is. The mark's own brackets are marked too, so the text can be read back without doubt.
    """
    if text.isascii() and text.isprintable() and " " * 17 not in text:
        return text
    suspicious = {place for word in _WORDS.finditer(text) for place in _suspicious(text, word.start(), word.end())}
    shown = [_shown(character, place in suspicious) for place, character in enumerate(text)]
    return _SPACES.sub(lambda run: f"⟨{len(run.group())} spaces⟩", "".join(shown))


def _suspicious(text: str, start: int, end: int) -> Iterable[int]:
    """Where in a word the look-alikes are, if the word is Latin in part, or can be read as ASCII from end to end."""
    likes = [resembles(character) for character in text[start:end]]
    letters = [character for character in text[start:end] if character.isalpha()]
    mixed = any(letter.isascii() for letter in letters)
    whole = all(like or character.isascii() for like, character in zip(likes, text[start:end], strict=True))
    return [start + place for place, like in enumerate(likes) if like] if mixed or whole else []


def _shown(character: str, suspicious: bool) -> str:  # noqa: FBT001 - one of the two things to know of a character
    if character in _MARKS or visible(character) != character:
        return f"⟨U+{ord(character):04X}⟩"
    if character.isascii():
        return character
    if category(character) in ("Zs", "Cn", "Co"):
        return f"⟨U+{ord(character):04X}⟩"
    like = resembles(character)
    if like and (suspicious or not character.isalnum()):
        return f"{character}⟨U+{ord(character):04X} like {like}⟩"
    return character
