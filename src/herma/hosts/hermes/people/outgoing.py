"""The request that is about to go out, as the person of its turn may send it.

Rewriting happens here and not earlier: Hermes 0.19 lets the last of several `llm_request` callbacks overwrite the
others. What is taken out or put in is the same in every request of a turn, so that the provider's cache keeps its
worth.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from herma.core.people import refusals
from herma.core.people.request.context import carries_context
from herma.core.people.request.edits import Rewritten
from herma.core.people.request.insert import insert_in_newest_user, take_out_cards
from herma.core.people.request.offered import only_offered
from herma.core.people.request.personal import take_out_answers
from herma.core.people.request.shapes import NotUnderstood, view
from herma.core.people.request.steering import Steered, own_row, steered, take_out
from herma.core.people.request.withhold import take_out_onboarding, take_out_recalled, withhold
from herma.core.people.tools import PERSONAL
from herma.engine.people.turns import Live
from herma.hosts.hermes.people.household import Household, Outgoing
from herma.hosts.hermes.people.payload import call_of

if TYPE_CHECKING:
    from herma.engine.people.service import People

__all__ = ["outgoing"]

_UNREADABLE = Outgoing(refusal=refusals.request_not_understood())


class _Draft(NamedTuple):
    """A request in the making; `failed` says why it must not be sent."""

    request: Mapping[str, Any]
    failed: str = ""

    def then(self, step: Callable[[Mapping[str, Any]], Rewritten | NotUnderstood]) -> "_Draft":
        if self.failed:
            return self
        found = step(self.request)
        return _Draft(self.request, found.why) if isinstance(found, NotUnderstood) else _Draft(found.request)


def outgoing(household: Household, payload: Mapping[str, Any]) -> Outgoing:
    """What becomes of this request: sent as it is, sent rewritten, or answered in the model's place."""
    live, people = household.turn_of(call_of(payload))
    if live.refusal != "":
        return Outgoing(refusal=live.refusal)
    if people is None or live.standing.kind == "seat":
        return Outgoing()
    standing = people.now(live.standing)
    if standing.role == "blocked":
        return Outgoing(refusal=refusals.blocked())
    # To an owner alone nobody else writes.
    return Outgoing() if standing.is_owner is True and not live.shared else _of_person(people, live, payload["request"])


def _of_person(people: "People", live: Live, request: Mapping[str, Any]) -> Outgoing:
    words = _others_words(people, live, request)
    refusal = refusals.request_not_understood() if words is None else _refusal(people, live, request)
    if words is None or refusal != "":
        return Outgoing(refusal=refusal)
    draft = _Draft(request).then(lambda given: take_out(given, words)).then(lambda given: _scoped(people, live, given))
    if draft.failed:
        return _UNREADABLE
    return Outgoing() if draft.request is request else Outgoing(request=dict(draft.request))


def _refusal(people: "People", live: Live, request: Mapping[str, Any]) -> str:
    """Why this request does not go out: something was attached to it, or the person's tokens of today are used up."""
    if people.now(live.standing).is_owner is not True and carries_context(request) is not False:
        return refusals.attached()
    return people.over_budget(live.standing)


def _scoped(people: "People", live: Live, request: Mapping[str, Any]) -> Rewritten | NotUnderstood:
    """Nothing of the operator's, and of people's cards only the one of this turn."""
    draft = _Draft(request)
    if people.house.settings.scope_host_memory:
        draft = draft.then(withhold).then(take_out_recalled)
    draft = draft.then(take_out_onboarding)
    if not live.shared:  # in a room one list serves everybody, as one prompt does
        draft = draft.then(lambda given: Rewritten(only_offered(given, partial(people.gate.may_ever, live.standing))))
    if live.shared or live.standing.others:
        draft = draft.then(take_out_cards).then(lambda given: take_out_answers(given, PERSONAL))
    if live.context and not (live.standing.others and not live.shared):
        draft = draft.then(lambda given: _with_card(given, live.context))
    return NotUnderstood(draft.failed) if draft.failed else Rewritten(draft.request)


def _with_card(request: Mapping[str, Any], context: str) -> Rewritten | NotUnderstood:
    """The turn's card, where the host has not put it there itself, or has lost it on the way."""
    seen = view(request)
    own = None if isinstance(seen, NotUnderstood) else own_row(seen)
    if own is not None and any(context in text.text for text in own.texts):
        return Rewritten(request)
    return insert_in_newest_user(request, context)


def _others_words(people: "People", live: Live, request: Mapping[str, Any]) -> tuple[Steered, ...] | None:
    """Notes who else speaks in this turn; the words of those who may not speak at all, which are to be left out."""
    found = steered(request)
    if isinstance(found, NotUnderstood):
        return None
    seen = live.words
    new = [piece for piece in found if piece.text not in seen]
    shut = []
    for piece in found:
        accounts = _authors(live, piece)
        if any(people.may_not_speak(account) for account in accounts):
            shut.append(piece)
        elif piece in new and accounts:
            people.steered(live.turn_id, accounts)
        seen.add(piece.text)
    _merged(people, live, request)
    people.void_codes(piece.text for piece in new)
    return tuple(shut)


def _authors(live: Live, piece: Steered) -> tuple[str, ...]:
    """Whose words these are: those whom the host names, and a guest's where it names nobody. Alone it is one's own."""
    if not live.shared:
        return ()
    return piece.authors


def _merged(people: "People", live: Live, request: Mapping[str, Any]) -> None:
    """Hermes 0.19 puts a turn that was broken off before the next one, in one message: its people speak here too."""
    if not live.shared or not live.text:
        return
    seen = view(request)
    own = None if isinstance(seen, NotUnderstood) else own_row(seen)
    if own is None or not own.texts:
        return
    said = own.texts[0].text
    if live.text in said and not said.startswith(live.text):
        people.everybody(live)
