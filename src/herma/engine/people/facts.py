"""What people have had remembered. Whose it is, is an argument of every call: nobody can ask for everybody's."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from herma.core.people.principal import Standing
from herma.core.people.ranking import Index, ranked
from herma.core.people.records import Entry, Fact, SharedFact
from herma.core.people.replies import NO_PERSON
from herma.engine.people.change import by_hand
from herma.engine.people.house import House
from herma.engine.people.names import Mistaken

__all__ = [
    "MOST_FACTS",
    "MOST_SHARED",
    "Recalled",
    "chosen",
    "forget",
    "index_of",
    "own",
    "reaching",
    "recall",
    "remember",
    "share",
]

MOST_FACTS = 500
MOST_SHARED = 100
LONGEST_FACT = 2_000

_LONGEST_TOPIC = 60
_MOST_RECALLED = 20

Each = TypeVar("Each", Fact, SharedFact)


class Recalled(NamedTuple):
    """Facts of one person, and shared ones that may be shown in that person's turn; each best first."""

    facts: tuple[Fact, ...]
    shared: tuple[SharedFact, ...]


def remember(house: House, person_id: str, text: str, *, topic: str = "", source: str = "") -> Fact:
    """Keep a fact of one person. Raises `Mistaken` when it is no text, too long, or one too many."""
    clean = _clean(person_id, text)
    with house.store.routine() as unit:
        if len(unit.facts(person_id, limit=MOST_FACTS)) >= MOST_FACTS:
            raise Mistaken(
                f"{MOST_FACTS} facts are remembered already; some have to be forgotten first (/many forget)."
            )
        fact = Fact(0, person_id, " ".join(topic.split())[:_LONGEST_TOPIC], clean, house.now(), source)
        fact = fact._replace(fact_id=unit.add_fact(fact))
        unit.audit(Entry("memory", person_id, tool="manyhands_remember", allowed=1, note=f"fact {fact.fact_id}"))
    return fact


def own(house: House, person_id: str) -> Sequence[Fact]:
    """The facts of one person, newest first."""
    if not person_id:
        raise Mistaken(NO_PERSON)
    with house.store.routine() as unit:
        return unit.facts(person_id, limit=MOST_FACTS)


def recall(house: House, person_id: str, question: str, *, owner: bool) -> Recalled:
    """The facts of one person, and shared ones, that have to do with a question; the newest without one.

    `owner`: the turn is an owner's, which unconfirmed facts do not reach.
    """
    if not person_id:
        raise Mistaken(NO_PERSON)
    with house.store.routine() as unit:
        facts, shared = unit.facts(person_id, limit=MOST_FACTS), reaching(unit.shared(), owner=owner)
    return Recalled(_best(question, facts, _MOST_RECALLED), _best(question, shared, _MOST_RECALLED))


def index_of(facts: Sequence[Each]) -> Index:
    """The index of facts, newest first, for `chosen`."""
    return Index.of([_text(fact) for fact in facts])


def chosen(message: str, facts: Sequence[Each], most: int, *, index: Index | None = None) -> tuple[Each, ...]:
    """The facts that go into a turn: those that have to do with its message, best first, then the newest of the rest.

    `facts` are newest first; where all of them have room, that is their order. `index` is theirs, where it is at hand.
    """
    if len(facts) <= most:
        return tuple(facts)
    best: list[int] = (index or index_of(facts)).ranked(message)
    return tuple(facts[at] for at in list(dict.fromkeys((*best, *range(len(facts)))))[:most])


def reaching(shared: Sequence[SharedFact], *, owner: bool) -> list[SharedFact]:
    """The shared facts that may be shown in a turn: to an owner only what an owner has confirmed."""
    return [each for each in shared if each.confirmed_by or not owner]


def forget(house: House, person_id: str, fact_id: int) -> bool:
    """Erase a fact of this one person; False when they have none with this id."""
    if not person_id:
        raise Mistaken(NO_PERSON)
    with house.store.firm() as unit:
        gone = unit.remove_fact(person_id, fact_id)
        if gone:
            unit.audit(Entry("memory", person_id, tool="/many forget", allowed=1, note=f"fact {fact_id}"))
    return gone


def share(house: House, standing: Standing, text: str) -> SharedFact:
    """Publish a fact. In an owner's own turn it is confirmed at once; of everybody else an owner has to confirm it."""
    clean = _clean(standing.person_id, text)
    confirmed = standing.person_id if standing.is_owner and by_hand(standing) else ""
    with house.store.routine() as unit:
        mine = [each for each in unit.shared() if each.added_by == standing.person_id]
        if len(mine) >= MOST_SHARED:
            raise Mistaken(f"{MOST_SHARED} facts of yours are shared already.")
        fact = SharedFact(0, clean, standing.person_id, house.now(), confirmed)
        fact = fact._replace(fact_id=unit.add_shared(fact))
        note = f"shared fact {fact.fact_id}{'' if confirmed else ', not confirmed'}"
        unit.audit(Entry("memory", standing.person_id, tool="manyhands_share", allowed=1, note=note))
    return fact


def _clean(person_id: str, text: str) -> str:
    if not person_id:
        raise Mistaken(NO_PERSON)
    clean = text.strip()
    if not clean or len(clean) > LONGEST_FACT:
        raise Mistaken(f"A fact is 1 to {LONGEST_FACT:,} characters.")
    return clean


def _best(question: str, facts: Sequence[Each], most: int) -> tuple[Each, ...]:
    return tuple(facts[at] for at in ranked(question, [_text(fact) for fact in facts])[:most])


def _text(fact: Fact | SharedFact) -> str:
    return f"{fact.topic} {fact.text}" if isinstance(fact, Fact) else fact.text
