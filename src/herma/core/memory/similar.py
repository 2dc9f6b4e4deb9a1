"""Entries that say much the same: shown to whoever may merge them, never merged or refused for it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

__all__ = ["alike", "pairs", "shortens", "words"]

_ENOUGH = 0.66
_WORD = re.compile(r"[^\W_]+")
# Scripts without blanks between words: two neighbouring characters stand for a word there.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


@lru_cache(maxsize=512)
def words(text: str) -> frozenset[str]:
    """What two texts are compared by."""
    folded = text.casefold()
    if not folded.isascii() and _UNSPACED.search(folded):
        letters = "".join(_WORD.findall(folded))
        return frozenset(letters[at : at + 2] for at in range(max(1, len(letters) - 1)))
    return frozenset(_WORD.findall(folded))


def alike(text: str, entries: Sequence[str]) -> list[int]:
    """The positions of the entries, from 0, that share two thirds of their words with `text`, the closest first.

    The same text is not among them.
    """
    mine = words(text)
    close = [(share, -at) for at, entry in enumerate(entries) if (share := _share(mine, words(entry))) >= _ENOUGH]
    return [-at for _, at in sorted(close, reverse=True) if entries[-at] != text]


def pairs(entries: Sequence[str]) -> list[tuple[int, int]]:
    """The positions of any two entries that are alike in this way."""
    sets = [words(entry) for entry in entries]
    return [(one, two) for one, two in combinations(range(len(sets)), 2) if _share(sets[one], sets[two]) >= _ENOUGH]


def shortens(text: str, whole: str) -> bool:
    """Whether `text` is a shorter form of `whole`: shorter, and two thirds of its words are among those of `whole`."""
    mine = words(text)
    return len(text) < len(whole) and len(mine & words(whole)) >= _ENOUGH * len(mine)


def _share(one: frozenset[str], two: frozenset[str]) -> float:
    return 2 * len(one & two) / (len(one) + len(two)) if one and two else 0.0
