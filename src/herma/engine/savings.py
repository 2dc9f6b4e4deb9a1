"""What the notes saved: a quarter of the characters, and beside it a count by a named method, net of the cost.

Texts are counted when they are next seen in a request, so that nothing of them has to be kept and a hit
does not wait for the count.
"""

from collections.abc import Mapping

from herma.core.reading.stats import Saved
from herma.core.reading.visibility import Mark, Seen
from herma.core.tokens import METHOD, estimate

__all__ = ["Savings"]

_SAMPLE = 4_096
_SAMPLES = 8


class _Owed:
    """What is to be counted once the text is seen: how often it was not sent, and the notes sent instead."""

    __slots__ = ("note", "notes", "texts")

    def __init__(self) -> None:
        self.texts = 0
        self.notes = 0
        self.note = ""


class Savings:
    """Counts hits and re-fetches by the digest of the text that was not sent, or was sent once more."""

    def __init__(self) -> None:
        self._hits = 0
        self._refetches = 0
        self._approx = 0
        self._net = 0
        self._owed: dict[bytes, _Owed] = {}

    def hit(self, mark: Mark, note: str) -> None:
        """The note was sent in the place of the text with this mark."""
        length, digest, _ = mark
        self._hits += 1
        self._approx += round(length / 4)
        owed = self._owed.get(digest)
        if owed is None:
            owed = self._owed[digest] = _Owed()
        owed.texts += 1
        owed.notes += 1
        owed.note = note

    def refetch(self, digest: bytes) -> None:
        """The text was sent after all, right after a note."""
        self._refetches += 1
        self._owed.setdefault(digest, _Owed()).texts -= 1

    def settle(self, seen: Mapping[bytes, Seen]) -> None:
        """Count what is outstanding of the texts in `seen`, by digest."""
        for digest in self._owed.keys() & seen.keys():
            owed = self._owed.pop(digest)
            self._net += owed.texts * _tokens(seen[digest][1]) - owed.notes * estimate(owed.note)

    def report(self) -> Saved:
        """The sums so far. A hit counts in `net` once its text was seen in the next request."""
        return Saved(self._hits, self._refetches, self._approx, self._net, METHOD)


def _tokens(text: str) -> int:
    """The estimate for `text`; of a long one, that of samples spread over it, in proportion."""
    if len(text) <= _SAMPLE * _SAMPLES:
        return estimate(text)
    step = len(text) // _SAMPLES
    counted = sum(estimate(text[start : start + _SAMPLE]) for start in range(0, step * _SAMPLES, step))
    return round(counted * len(text) / (_SAMPLE * _SAMPLES))
