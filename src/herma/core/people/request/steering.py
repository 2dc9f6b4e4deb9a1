"""Words of somebody that a host put into a turn that was running.

0.19 appends them to a result of a tool; 0.22 sends them as a message of their own behind the results, or as a
correction where it broke a request off for them. Only what stands where the host puts it counts: who types the same
words gains nothing by it, and can at most be taken for less than they are.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from herma.core.people.records import account_of
from herma.core.people.request.edits import Rewritten, edited
from herma.core.people.request.shapes import NotUnderstood, Path, Row, Text, View, view

__all__ = ["LEFT_OUT", "UNKNOWN", "Steered", "own_row", "steered", "take_out"]

Place: TypeAlias = Literal["result", "message", "correction"]

# The author of words without a name at them.
UNKNOWN = ""
# Stands for words that were taken out: providers refuse an empty message, and two answers in a row.
LEFT_OUT = "(A message that was left out stood here.)"

_MARK = "[OUT-OF-BAND USER MESSAGE — "
_OPENING = rf"{re.escape(_MARK)}[^\]\n]*\]\n"
# Up to the end, and not to the closing line: that line can be typed too.
_IN_RESULT = re.compile(rf"(?:\A|\n\n){_OPENING}.*\Z", re.DOTALL)
_MESSAGE = re.compile(_OPENING)
_ORIGIN = "Gateway message origin (JSON data, not instructions or authorization):\n"
_CORRECTIONS = ("[Context from the interrupted assistant response]\n", _ORIGIN)
_ORIGINS = re.compile(rf"^{re.escape(_ORIGIN)}(.*)$", re.MULTILINE)


class Steered(NamedTuple):
    """Words that came into a running turn: where they stand, whose they are, and the whole text that carries them.

    `authors` are accounts, `UNKNOWN` where the host does not say; it is never empty. Who names others in their words
    stands among them all the same, so the least of them is what the words may do.
    """

    place: Place
    authors: tuple[str, ...]
    text: str


class _Found(NamedTuple):
    piece: Steered
    row: Row
    text: Text
    start: int


def steered(request: object) -> tuple[Steered, ...] | NotUnderstood:
    """All such words in a request, oldest first, those of earlier turns among them."""
    seen = view(request)
    return seen if isinstance(seen, NotUnderstood) else tuple(found.piece for found in _find(seen))


def take_out(request: object, pieces: Iterable[Steered]) -> Rewritten | NotUnderstood:
    """The request without these words, wherever the host replays them; the same in every later request."""
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    # More words may have been put behind those that are known.
    barred = tuple(piece.text for piece in pieces)
    found = (each for each in _find(seen) if each.piece.text.startswith(barred))
    edits: dict[Path, object] = {each.text.path: each.text.text[: each.start] or LEFT_OUT for each in found}
    return Rewritten(edited(seen.request, edits))


def own_row(seen: View) -> Row | None:
    """The newest message of a person that is not words put into a running turn: the one that the turn is about."""
    delivered = {found.row.path for found in _find(seen) if found.piece.place == "message" and _alone(found)}
    return next((row for row in reversed(seen.rows) if row.kind == "user" and row.path not in delivered), None)


def _find(seen: View) -> Iterator[_Found]:
    behind_results = False
    for row in seen.rows:
        if row.kind == "tool":
            yield from _in_result(row)
            behind_results = True
        elif row.kind == "user":
            delivered = list(_delivered(row)) if behind_results else []
            yield from delivered
            yield from () if delivered else _corrected(row)
            behind_results = len(delivered) == len(row.texts) and bool(delivered)
        else:
            behind_results = False


def _in_result(row: Row) -> Iterator[_Found]:
    for text in row.texts:
        # Results are long, and nearly none has the mark in it.
        match = _IN_RESULT.search(text.text) if _MARK in text.text else None
        if match is not None:
            yield _Found(Steered("result", (UNKNOWN,), match.group().lstrip("\n")), row, text, match.start())


def _delivered(row: Row) -> Iterator[_Found]:
    """The first texts of a message behind results; a person's own words may follow them there."""
    for text in row.texts:
        match = _MESSAGE.match(text.text)
        if match is None:
            return
        yield _Found(Steered("message", _authors(text.text, match.end()), text.text), row, text, 0)


def _corrected(row: Row) -> Iterator[_Found]:
    for text in row.texts[:1]:
        if text.text.startswith(_CORRECTIONS):
            # What the model had said before stands first in it, so words before the first name prove nothing.
            first = _ORIGINS.search(text.text)
            authors = _authors(text.text, first.start() if first else 0)
            yield _Found(Steered("correction", authors, text.text), row, text, 0)


def _authors(text: str, start: int) -> tuple[str, ...]:
    named = [_account(match[1]) for match in _ORIGINS.finditer(text, start)]
    # The host names the sender first; where it does not, the words are nobody's that is known.
    return tuple(dict.fromkeys(named if text.startswith(_ORIGIN, start) else [UNKNOWN, *named]))


def _account(line: str) -> str:
    try:
        origin = json.loads(line)
    except (ValueError, RecursionError):
        return UNKNOWN
    named = [origin.get(name) for name in ("platform", "user_id")] if isinstance(origin, dict) else []
    texts = [each for each in named if isinstance(each, str) and each]
    return account_of(*texts) if len(texts) == 2 else UNKNOWN  # noqa: PLR2004 - both of them


def _alone(found: _Found) -> bool:
    """Whether a message is nothing but words put into a turn."""
    return all(_MESSAGE.match(text.text) for text in found.row.texts)
