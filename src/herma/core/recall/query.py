"""A question as it is asked, made into what is looked for.

Words that mean little are dropped unless there are no others. Runs of scripts without blanks, and names from code, are
looked for by their pieces.
"""

import re
from typing import NamedTuple
from unicodedata import category

from herma.core.recall.scripts import parts, pieces
from herma.core.recall.words import COMMON, FRAME

__all__ = ["Question", "Term", "normal_words", "question"]

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(
    r'["\u201c\u201e\u00ab\u300c]([^"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d]{2,200})["\u201c\u201d\u00bb\u300d]'
)
# `how many …`, `which kinds of …`, and a plural soon after the question word: `what books …`, `in which cities …`.
_SEVERAL = re.compile(
    r"(?i)\bhow many\b|\b(?:kind|type|sort)s? of\b|^\W*(?:where|what) ha(?:s|ve)\b"
    r"|^\W*(?:in )?(?:what|which)(?: (?!(?:is|was|are|were|do|does|did|has|have|can|will|would)\b)[\w'+-]+){0,2}?"
    r" (?!(?:this|does|has|was)\b)[\w'+-]{3,}(?<!s)s\b"
)
_FRAME_WEIGHT = 0.4
_MOST_TERMS = 24
_MOST_PIECES = 48
_LONGEST = 2_000


class Term(NamedTuple):
    """One word that is looked for, and how much it says."""

    word: str
    weight: float


class Question(NamedTuple):
    """`terms` in the order asked; `pieces` by run or name; `exact` are texts that come first where they stand whole.

    `asked` are all of its words, such as names of those who spoke. `several` when it asks for more than one thing:
    what is told in many places is answered from many sessions.
    """

    terms: tuple[Term, ...]
    pieces: tuple[tuple[str, ...], ...]
    exact: tuple[str, ...]
    asked: frozenset[str]
    several: bool = False


def question(text: str) -> Question:
    """What a normal text asks for. Nothing raises; a text without any word or piece asks for nothing."""
    text = text[:_LONGEST].casefold() if text.isupper() else text[:_LONGEST]
    words = normal_words(parts(text)[0])
    kept = [word for word in words if word not in COMMON] or words
    terms = tuple(
        Term(word, _FRAME_WEIGHT if word in FRAME else 1.0) for word in list(dict.fromkeys(kept))[:_MOST_TERMS]
    )
    exact = [" ".join(found.split()).casefold() for found in _QUOTED.findall(text)]
    whole = " ".join(text.split()).strip(" ?!.\u3002\uff1f\uff01\"'").casefold()
    return Question(
        terms,
        _capped(pieces(text)),
        tuple(filter(None, [*exact, whole])),
        frozenset(words),
        several=bool(_SEVERAL.search(text)),
    )


def normal_words(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    text = text.casefold()
    if not text.isascii():  # vowel signs and accents belong to words, and `re` does not know them
        text = "".join(char if char.isalnum() or category(char)[0] == "M" else " " for char in text)
        return text.split()
    return _WORD.findall(text)


def _capped(runs: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    kept, left = [], _MOST_PIECES
    for run in runs:
        kept.append(run[:left])
        left -= len(kept[-1])
    return tuple(filter(None, kept))
