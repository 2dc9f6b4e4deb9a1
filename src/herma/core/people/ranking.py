"""A person's few facts, ordered by the words that a question shares with them.

A rare word counts for more than one that stands in every fact; of equals the newer fact comes first. Words are
compared without case, accents' encoding and the commonest English endings; scripts without blanks by pairs of signs.
"""

import re
from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple
from unicodedata import normalize

__all__ = ["Index", "ranked", "words"]

_WORD = re.compile(r"[^\W_]+")
# Kana, Han and Hangul, Thai to Khmer: written without blanks between words, or with endings joined on.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_ENDINGS = ("ing", "ies", "es", "ed", "s")
_SHORTEST = 3
# What English says most and means least.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by can did do does for from had has have he her his how i in is it its me my of on "
        "or our she so that the their them they this to was we were what when where which who whom whose why will with "
        "you your",
    )
)


def words(text: str) -> frozenset[str]:
    """The words of a text as they are compared."""
    found: set[str] = set()
    for match in _WORD.finditer(normalize("NFKC", text).casefold()):
        word = match.group()
        for run in _UNSPACED.findall(word):
            found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        rest = _UNSPACED.sub(" ", word).split()
        found.update(_stem(each) for each in rest)
    return frozenset(found)


class Index(NamedTuple):
    """Texts by their words: for each word the positions where it stands. Made once, asked again and again."""

    size: int
    places: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Index":
        """The index of `texts`, which are newest first."""
        places: dict[str, list[int]] = {}
        for at, text in enumerate(texts):
            for word in words(text):
                places.setdefault(word, []).append(at)
        return cls(len(texts), {word: tuple(found) for word, found in places.items()})

    def ranked(self, question: str) -> list[int]:
        """The positions that share a word with the question, best first; all of them, in order, if it has no word."""
        asked = words(question)
        asked = (asked - _COMMON) or asked
        if not asked:
            return list(range(self.size))
        scores: dict[int, float] = {}
        for found in filter(None, map(self.places.get, sorted(asked))):
            weight = log(1 + self.size / len(found))
            for at in found:
                scores[at] = scores.get(at, 0.0) + weight
        return sorted(sorted(scores), key=lambda at: -scores[at])


def ranked(question: str, texts: Sequence[str]) -> list[int]:
    """The positions in `texts`, which are newest first, as `Index.ranked` gives them."""
    return Index.of(texts).ranked(question)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word
