"""What fits into a number of tokens: everything short first, then more of the best. Estimated, and so approximate."""

import json
from collections.abc import Mapping, Sequence

from herma.core.recall.snippet import cut
from herma.core.tokens import estimate

__all__ = ["LONGEST", "filled", "shortened"]

LONGEST = 2_000  # characters of one message
_STEPS = (LONGEST, 1_000, 500, 240, 120)
_AROUND = 60  # tokens around what is filled in

Result = dict[str, object]


def filled(results: Sequence[Result], texts: Mapping[str, str], tokens: int) -> list[Result]:
    """As many of `results` as fit, at least one; then the texts of their matches, from the first on, while they fit.

    `texts` are by the id of the message. A match gets its text as `text`.
    """
    left = tokens - _AROUND
    kept: list[Result] = []
    for result in results:
        left -= _cost(result)
        if kept and left < 0:
            break
        kept.append(result)
    for result in kept:
        left = _lengthen(result, texts, left)
    return kept


def shortened(texts: Sequence[str], tokens: int, *, each: int) -> list[str]:
    """The texts, all cut to the same length, the greatest at which they fit; each costs `each` tokens besides."""
    left = tokens - _AROUND - each * len(texts)
    for most in _STEPS[:-1]:
        cuts = [cut(text, most) for text in texts]
        if sum(map(estimate, cuts)) <= left:
            return cuts
    return [cut(text, _STEPS[-1]) for text in texts]


def _lengthen(result: Result, texts: Mapping[str, str], left: int) -> int:
    matches = result["matches"]
    assert isinstance(matches, list)  # noqa: S101 - made by us
    for match in matches:
        text = cut(texts[str(match["message_id"])], LONGEST)
        cost = estimate(text)
        if cost > left:
            return 0
        match["text"] = text
        left -= cost
    return left


def _cost(result: Result) -> int:
    return estimate(json.dumps(result, ensure_ascii=False))
