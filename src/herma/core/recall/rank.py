"""Which places answer a question best, from where its words stand. Places are numbers; neighbours differ by one.

BM25 over windows: a word counts for the place it stands at, for less at the neighbours', for a question and its answer
share few words. How often it may count in all is bounded, so that many different words beat one word often said. A
rare word counts for more; what is related to it does not make it commoner than it is.
"""

from collections.abc import Collection, Mapping, Sequence
from heapq import nlargest
from math import log
from typing import NamedTuple

__all__ = ["REACH", "Corpus", "Evidence", "Ranking", "spread_out"]

_NEIGHBOURS = (0.35, 0.2, 0.1)
REACH = len(_NEIGHBOURS)
_STEPS = (
    (0, 1.0),
    *((sign * step, weight) for step, weight in enumerate(_NEIGHBOURS, 1) for sign in (1, -1)),
)
_SATURATION = 1.0
_LENGTH = 0.6
_AGAIN = 0.95
_BLOCK = 4  # places are grouped by 16 where there are too many to look at each
_MANY = 600
_BLOCKS = 60


class Evidence(NamedTuple):
    """What speaks for places: how often something of this `weight` stands there, related words for a part."""

    weight: float
    counts: Mapping[int, float]


class Corpus(NamedTuple):
    """What is searched: so many messages, of this length on average."""

    messages: int
    length: float


class Ranking:
    """Places by what speaks for them."""

    def __init__(self, evidence: Sequence[Evidence], corpus: Corpus) -> None:
        told = [(_worth(each, corpus), each.counts) for each in evidence if each.counts]
        blocks = _best_blocks(told)
        self._spread = [(worth, _windows(counts, blocks)) for worth, counts in told]
        self._average = max(1.0, corpus.length * len(_STEPS))

    def best(self, most: int) -> list[int]:
        """The best `most` places, best first, as if all were of average length. Some may be places of no message."""
        scores: dict[int, float] = {}
        get = scores.get
        for worth, counts in self._spread:
            for place, count in counts.items():
                scores[place] = get(place, 0.0) + worth * count / (count + _SATURATION)
        return nlargest(most, scores, key=scores.__getitem__)

    def scores(self, lengths: Mapping[int, int]) -> dict[int, float]:
        """The score of each of these places, given the length of the window around it."""
        bounds = {
            place: _SATURATION * (1 - _LENGTH + _LENGTH * size / self._average) for place, size in lengths.items()
        }
        scores = dict.fromkeys(lengths, 0.0)
        for worth, counts in self._spread:
            for place, bound in bounds.items():
                count = counts.get(place)
                if count:
                    scores[place] += worth * count / (count + bound)
        return scores


def spread_out(scores: Sequence[float], groups: Sequence[int]) -> list[int]:
    """An order of things with these scores, given best first: each counts for less with every one of its group before.

    Positions in `scores`. For questions whose answer lies in several places.
    """
    left, order, taken = list(range(len(scores))), list[int](), dict[int, int]()
    while left:
        best = max(left, key=lambda at: (scores[at] * _AGAIN ** taken.get(groups[at], 0), -at))
        left.remove(best)
        order.append(best)
        taken[groups[best]] = taken.get(groups[best], 0) + 1
    return order


def _worth(each: Evidence, corpus: Corpus) -> float:
    standing = sum(1.0 if count >= 1.0 else count for count in each.counts.values())  # noqa: FURB136 - often
    return each.weight * log(1 + max(0.0, corpus.messages - standing + 0.5) / (standing + 0.5))


def _windows(counts: Mapping[int, float], blocks: Collection[int] | None) -> Mapping[int, float]:
    found: dict[int, float] = {}
    get = found.get
    for place, count in counts.items():
        if blocks is None or place >> _BLOCK in blocks:
            for step, weight in _STEPS:
                found[place + step] = get(place + step, 0.0) + weight * count
    return found


def _best_blocks(told: Sequence[tuple[float, Mapping[int, float]]]) -> Collection[int] | None:
    """The stretches in which most of what is looked for stands together; None where there is little to look at."""
    if sum(len(counts) for _, counts in told) <= _MANY:
        return None
    scores: dict[int, float] = {}
    get = scores.get
    for worth, counts in told:
        for block in {place >> _BLOCK for place in counts}:
            scores[block] = get(block, 0.0) + worth
    return frozenset(nlargest(_BLOCKS, scores, key=scores.__getitem__))
