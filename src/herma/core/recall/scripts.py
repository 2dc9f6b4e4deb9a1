"""Which parts of a text a word index cannot serve, and the pieces they are found by.

Scripts without blanks between words, or with endings joined on, are cut into overlapping pieces: two signs of Han,
kana and Hangul, three of Thai, Lao, Burmese and Khmer. Names from code are cut at their seams (`readOnceCache`,
`read_once_cache`), so that they are found by their parts, and into threes, so that they are found by any piece.
"""

import re
from unicodedata import is_normalized, normalize

__all__ = ["normal", "parts", "pieces"]

_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
_LONG = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = re.compile(f"(?P<wide>[{_WIDE}]+)|(?P<long>[{_LONG}]+)")
# A word with a seam in it: a capital after a small letter, or an underscore. Digits at the end alone are none.
_NAME = re.compile(r"\b(?=\w{4,100}\b)(?:_*[A-Za-z0-9]+_\w+|[A-Za-z0-9]*[a-z][A-Z]\w*)\b", re.ASCII)
_SEAM = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_HUMP = re.compile(r"[A-Z](?<=[a-z].)")  # looks at capitals alone, which are few
_PAIR, _TRIPLE = 2, 3
_MOST_NAMES = 200


def normal(text: str) -> str:
    """`text` in the one form in which it is indexed and asked for."""
    return text if text.isascii() or is_normalized("NFKC", text) else normalize("NFKC", text)


def parts(text: str) -> tuple[str, str]:
    """What the word index gets of a normal text, and what the index of pieces gets, as words between blanks."""
    names = _names(text)
    found = [piece for name in names for piece in _of_name(name)]
    if names:
        text = " ".join((text, *(part for name in dict.fromkeys(names) for part in _SEAM.split(name) if part)))
    if not text.isascii() and _UNSPACED.search(text):
        found += [piece for run in _UNSPACED.finditer(text) for piece in _of_run(run)]
        text = _UNSPACED.sub(" ", text)
    return text, " ".join(found)


def pieces(text: str) -> tuple[tuple[str, ...], ...]:
    """The pieces of a normal question: for each run without blanks and each name those that stand for it."""
    runs = [tuple(_of_run(run, ends=False)) for run in _UNSPACED.finditer(text)]
    return tuple(filter(None, [*runs, *(tuple(_of_name(name)) for name in _names(text))]))


def _names(text: str) -> list[str]:
    # Most texts have none, and this is quicker to see.
    return _NAME.findall(text)[:_MOST_NAMES] if "_" in text or _HUMP.search(text) else []


def _of_run(run: re.Match[str], *, ends: bool = True) -> list[str]:
    """Overlapping pieces; in the index the end of a run too, so that every sign begins a piece."""
    text, size = run.group(), _PAIR if run.lastgroup == "wide" else _TRIPLE
    last = len(text) if ends else max(1, len(text) - size + 1)
    return [text[at : at + size] for at in range(last)]


def _of_name(name: str) -> list[str]:
    joined = name.replace("_", "").lower()
    return [joined, *(joined[at : at + _TRIPLE] for at in range(len(joined) - _TRIPLE + 1))]
