"""The six tools: what a model may look up and keep for the person of its turn. None of them changes who may do what."""

from collections.abc import Callable, Mapping

from herma.core.people.budget import Budget, day_of
from herma.core.people.decide import Subject
from herma.core.people.fence import Quote, fenced
from herma.core.people.principal import OPERATOR, Standing
from herma.core.people.records import Fact, Person
from herma.core.people.replies import MIXED, NO_PERSON, ONLY_THE_OWNER, READ_ONLY
from herma.core.people.rights import Rights, rights
from herma.core.people.roles import rank
from herma.core.visible import visible
from herma.engine.people import facts
from herma.engine.people.house import House
from herma.engine.people.names import Mistaken, called, find
from herma.engine.people.trail import LONGEST_HOURS, line, trail

__all__ = ["call"]

Args = Mapping[str, object]

_MOST_LISTED = 200
_HOURS = 24


def call(house: House, standing: Standing, name: str, args: object) -> dict[str, object]:
    """The answer of a tool to this standing. What cannot be done is `error`; raises only what the store raises."""
    handler = _HANDLERS.get(name)
    if handler is None:
        return {"error": f"there is no tool {visible(name)} here"}
    try:
        return handler(house, standing, args if isinstance(args, dict) else {})
    except Mistaken as mistake:
        return {"error": str(mistake)}


def _whoami(house: House, standing: Standing, _args: Args) -> dict[str, object]:
    roster, now = house.roster(), house.now()
    person = roster.people.get(standing.person_id)
    with house.store.routine() as unit:
        stored = len(unit.facts(standing.person_id, limit=facts.MOST_FACTS)) if standing.person_id else 0
        used = unit.tokens(standing.person_id or standing.account, day_of(now))
    found = rights(Subject(standing.person_id, standing.role), house.policy(roster))
    budget = Budget(person.daily_tokens if person else 0, used)
    return {
        "name": standing.name,
        "role": standing.role,
        "tools": _tools(found),
        "facts": stored,
        "tokens_today": {"used": budget.used, "limit": budget.limit or None, "left": budget.left},
        **({} if standing.is_known else {"note": NO_PERSON}),
    }


def _people(house: House, standing: Standing, args: Args) -> dict[str, object]:
    if str(args.get("action") or "list").casefold() != "list":
        raise Mistaken(READ_ONLY)
    _known(standing)
    roster = house.roster()
    policy, counts = house.policy(roster), {}

    def count(person: Person) -> object:
        key = person.person_id if person.tools else person.role
        if key not in counts:
            found = rights(Subject(person.person_id, person.role), policy)
            counts[key] = "every tool" if found.everything else found.number
        return counts[key]

    people = list(roster.people.values())
    listed = [
        {
            "name": visible(called(person)),
            "role": person.role,
            "tools": count(person),
            **({"id": visible(person.person_id)} if standing.is_owner else {}),
        }
        for person in people[:_MOST_LISTED]
    ]
    more = len(people) - len(listed)
    return {"people": listed, **({"more": more} if more else {})}


def _remember(house: House, standing: Standing, args: Args) -> dict[str, object]:
    _alone(standing)
    fact = facts.remember(house, standing.person_id, _text(args, "text"), topic=_text(args, "topic"), source="tool")
    return {"remembered": _fact(fact)}


def _recall(house: House, standing: Standing, args: Args) -> dict[str, object]:
    _alone(standing)
    found = facts.recall(house, standing.person_id, _text(args, "query"), owner=standing.role == "owner")
    people = house.roster().people
    quotes = [
        Quote(each.text, _author(people.get(each.added_by)), each.added_by if standing.is_owner else "")
        for each in found.shared
    ]
    return {"facts": [_fact(fact) for fact in found.facts], "shared": fenced("shared facts", quotes)}


def _share(house: House, standing: Standing, args: Args) -> dict[str, object]:
    _known(standing)
    rights_of_role = rank(standing.role)
    if rights_of_role is not None and rights_of_role <= (rank("guest") or 0):
        raise Mistaken(f"as {standing.role} you cannot share a fact with everyone")
    fact = facts.share(house, standing, _text(args, "text"))
    reaches = "everybody" if fact.confirmed_by else "everybody but owners, whom it reaches once an owner confirms it"
    return {"shared": {"id": fact.fact_id, "reaches": reaches}}


def _audit(house: House, standing: Standing, args: Args) -> dict[str, object]:
    _known(standing)
    name, hours = _text(args, "person").strip(), args.get("hours") or _HOURS
    if not isinstance(hours, int) or isinstance(hours, bool) or not 0 < hours <= LONGEST_HOURS:
        raise Mistaken(f"hours is a whole number from 1 to {LONGEST_HOURS}")
    person_id: str | None = standing.person_id
    if name:
        if not standing.is_owner:
            raise Mistaken(f"{ONLY_THE_OWNER} Without a person it is your own trail.")
        person_id = _whose(house, name)
    found = trail(house, person_id, hours)
    return {
        "of": "everybody" if person_id is None else name or standing.name,
        "hours": hours,
        "rows": {kind: count for kind, (count, _) in found.sums.items()},
        "tokens": found.tokens,
        "latest": [line(house, at, entry, named=standing.is_owner) for at, entry in found.rows],
    }


def _whose(house: House, name: str) -> str | None:
    if name.casefold() in ("everybody", "*"):
        return None
    if name.casefold() == OPERATOR.person_id:
        return OPERATOR.person_id
    return find(house.roster(), name).person_id


def _known(standing: Standing) -> None:
    if not standing.is_known:
        raise Mistaken(NO_PERSON)


def _alone(standing: Standing) -> None:
    """Facts of one person are opened in that person's own turn, where nobody else's words could ask for them."""
    _known(standing)
    if standing.others:
        raise Mistaken(MIXED)


def _text(args: Args, name: str) -> str:
    value = args.get(name)
    return value if isinstance(value, str) else ""


def _fact(fact: Fact) -> dict[str, object]:
    return {"id": fact.fact_id, "topic": fact.topic, "text": fact.text}


def _author(person: Person | None) -> str:
    return (person and called(person)) or "somebody"


def _tools(found: Rights) -> object:
    if found.everything:
        return "every tool"
    return {"allowed": list(found.allowed), "after an owner's approval": list(found.asked)}


_HANDLERS: Mapping[str, Callable[[House, Standing, Args], dict[str, object]]] = {
    "manyhands_whoami": _whoami,
    "manyhands_people": _people,
    "manyhands_remember": _remember,
    "manyhands_recall": _recall,
    "manyhands_share": _share,
    "manyhands_audit": _audit,
}
