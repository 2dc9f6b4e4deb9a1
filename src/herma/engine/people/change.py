"""Changing the roster: in one transaction, on the roster it is decided on, with all that followed from it before."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from herma.core.people.principal import Standing
from herma.core.people.records import Entry, Person
from herma.core.people.replies import ONLY_THE_OWNER, counted
from herma.engine.people.asks import revoke
from herma.engine.people.house import House
from herma.engine.people.names import Mistaken
from herma.engine.people.ports import Roster, Unit

__all__ = ["Change", "Hand", "Voided", "by_hand", "changing", "is_owner_now"]

_HANDS = ("person", "seat")

Answer = TypeVar("Answer")


class Voided(NamedTuple):
    """How many open asks and unspent grants a change has voided."""

    asks: int

    @property
    def said(self) -> str:
        """The same as a sentence; empty for none."""
        if not self.asks:
            return ""
        return f" {counted(self.asks, 'open ask or approval', 'open asks and approvals')} became void."


class Hand(NamedTuple):
    """Somebody who types a change, and in which session."""

    house: House
    standing: Standing
    session_id: str = ""


class Change(NamedTuple):
    """A transaction in which the roster is what `roster` says until it ends. `now` is in epoch milliseconds."""

    hand: Hand
    unit: Unit
    roster: Roster
    verb: str
    now: int

    def audit(self, note: str, *, kind: str = "policy", allowed: int = 1) -> None:
        """A row about this change, by the one who made it."""
        who, tool = self.hand.standing.person_id or self.hand.standing.account, f"/many {self.verb}"
        self.unit.audit(Entry(kind, who, self.hand.session_id, tool=tool, allowed=allowed, note=note))

    def save(self, person: Person) -> Voided:
        """Keep a person as they are from now on; what was asked for or granted under the old rights is void."""
        self.unit.save_person(person)
        return self.void(person.person_id)

    def void(self, person_id: str | None) -> Voided:
        """Void what this person asked for, was granted or granted to others, or all there is for None."""
        voided = revoke(self.unit, person_id=person_id, now=self.now, reason=f"/many {self.verb}")
        self.unit.advance()
        return Voided(len(voided))


def by_hand(standing: Standing) -> bool:
    """Whether a person typed it: nobody else's turn, and no turn that a program began."""
    return standing.kind in _HANDS and not standing.others


def is_owner_now(standing: Standing, roster: Roster) -> bool:
    """Whether the one who types is an owner in this very roster, and not only when the line was read."""
    if not (standing.is_owner and by_hand(standing)):
        return False
    if standing.kind == "seat":
        return True
    person = roster.people.get(standing.person_id)
    return person is not None and person.role == "owner"


def changing(hand: Hand, verb: str, work: Callable[[Change], Answer], *, owners_only: bool = True) -> Answer:
    """Do `work` in one firm transaction on the present roster, as an owner unless told otherwise.

    Raises `Mistaken`, and then nothing was changed.
    """
    house = hand.house
    with house.store.firm() as unit:
        roster = house.roster()  # as this transaction sees it
        if owners_only and not is_owner_now(hand.standing, roster):
            raise Mistaken(ONLY_THE_OWNER)
        return work(Change(hand, unit, roster, verb, house.now()))
