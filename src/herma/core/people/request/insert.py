"""Puts a text behind the newest words of a person in a request, or behind its system prompt, and takes it out again."""

import re

from herma.core.people.card import CLOSING, OPENING
from herma.core.people.request.edits import Rewritten, edited, rewritten
from herma.core.people.request.shapes import NotUnderstood, Text, View, view
from herma.core.people.request.steering import own_row

__all__ = ["insert_in_newest_user", "insert_in_system", "take_back", "take_out_cards"]

_GAP = "\n\n"
_PART_TYPES = {"chat": "text", "anthropic": "text", "responses": "input_text"}
# A card that begins and does not end is no card: whoever types the opening gets nothing else taken out.
_OPENED, _CLOSED = re.escape(OPENING), re.escape(CLOSING)
_CARD = re.compile(rf"(?:{_GAP}|\A){_OPENED}(?:(?!{_OPENED}).)*?\n{_CLOSED}", re.DOTALL)


def insert_in_newest_user(request: object, text: str) -> Rewritten | NotUnderstood:
    """The request with `text` behind the newest message of a person, after a blank line.

    Words that the host put into the running turn are no such message: over a whole turn the text stands in one place.
    """
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    if not text:
        return Rewritten(seen.request)
    row = own_row(seen)
    if row is None:
        return NotUnderstood("no message of a person is in the request")
    if row.texts:
        return _behind(seen, row.texts[-1], text)
    content = seen.request[str(row.path[0])][row.path[1]].get("content")
    part = {"type": _PART_TYPES[seen.shape], "text": text}
    return Rewritten(edited(seen.request, {(*row.path, "content"): [*content, part] if content else text}))


def insert_in_system(request: object, text: str) -> Rewritten | NotUnderstood:
    """The request with `text` at the end of the system prompt, after a blank line."""
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    prompts = seen.prompts()
    if not prompts:
        return NotUnderstood("the request has no system prompt")
    return _behind(seen, prompts[0][-1], text) if text else Rewritten(seen.request)


def take_back(request: object, text: str) -> Rewritten | NotUnderstood:
    """The request without `text` where the functions above have put it."""
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    end = _GAP + text
    return rewritten(seen, (*seen.system, *seen.said()), lambda each: each.removesuffix(end) if text else each)


def take_out_cards(request: object, *, but: str = "") -> Rewritten | NotUnderstood:
    """The request without the cards in it, from whichever turn the host replays them; the card `but` stays."""
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    kept = ("", but, _GAP + but) if but else ("",)
    return rewritten(
        seen,
        (*seen.system, *seen.said()),
        lambda each: _CARD.sub(lambda found: found[0] if found[0] in kept else "", each),
    )


def _behind(seen: View, place: Text, text: str) -> Rewritten:
    return Rewritten(edited(seen.request, {place.path: f"{place.text}{_GAP}{text}" if place.text else text}))
