"""Changes of the roster. Each is decided and done in one transaction, which also voids what followed from before."""

from collections.abc import Iterable
from difflib import get_close_matches

from herma.core.people.conditions import BadCondition
from herma.core.people.durations import said
from herma.core.people.records import Person, account_of
from herma.core.people.replies import counted, quoted
from herma.core.people.rule import rule_of
from herma.core.people.tools import known_names
from herma.core.visible import visible
from herma.engine.people.change import Change, Hand, Voided, changing
from herma.engine.people.house import House
from herma.engine.people.names import Mistaken, find, for_owners, named
from herma.engine.people.ports import Roster

__all__ = ["add", "mute", "remove", "rename", "role_of", "set_budget", "set_role", "set_tools", "tool_of"]

_WHOLE_ACCESS = ("owner", "blocked")
_MOST_TOKENS = 10**12


def role_of(house: House, roster: Roster, typed: str) -> str:
    """The role that is meant. Raises `Mistaken`, with the nearest name, for one that does not exist."""
    roles = house.policy(roster).roles
    if typed.casefold() in roles:
        return typed.casefold()
    near = get_close_matches(typed.casefold(), roles, n=1)
    hint = f" Did you mean {near[0]}?" if near else f" The roles are {', '.join(roles)}."
    raise Mistaken(f"There is no role {quoted(typed)}.{hint}")


def tool_of(typed: str, known: Iterable[str]) -> str:
    """The rule for a tool as it is kept. Raises `Mistaken`, with the nearest name, for a tool that nobody knows."""
    names = known_names() | frozenset(known)
    try:
        rule = rule_of("", "allow", typed, personal=True)
    except BadCondition as wrong:
        raise Mistaken(f"{quoted(typed)} is no tool: {wrong}.") from None
    if rule.glob and not rule.tool:
        raise Mistaken("Name the tools: all of them at once is what an owner has.")
    if rule.tool in names or (rule.glob and any(name.startswith(rule.tool) for name in names)):
        return rule.item
    near = get_close_matches(rule.tool, names, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise Mistaken(f"There is no tool {quoted(rule.tool)}.{hint}")


def add(hand: Hand, account: tuple[str, str], role: str) -> str:
    """Put an account, platform and sender id, on the roster; the answer."""
    platform, sender_id = account
    if not platform or not sender_id or ":" in platform or any(_odd(part) for part in account):
        raise Mistaken("An account is a platform and the sender's own id there, such as: telegram 123456789.")

    def work(change: Change) -> str:
        given = role_of(hand.house, change.roster, role or hand.house.settings.invite_role)
        known = change.roster.people.get(change.roster.accounts.get(account_of(platform, sender_id), ""))
        if known:
            raise Mistaken(f"That account belongs to {for_owners(known)} already. /many role changes a role.")
        person = Person(account_of(platform, sender_id), platform, sender_id, "", "", given, created_at=change.now)
        change.save(person)
        change.audit(f"{person.person_id} was added as {given}")
        return f"{for_owners(person)} is on the roster now, as {given}. /many name gives a name to it."

    return changing(hand, "add", work)


def set_role(hand: Hand, name: str, role: str) -> str:
    """Give somebody another role; the answer."""

    def work(change: Change) -> str:
        person, given = find(change.roster, name), role_of(hand.house, change.roster, role)
        if person.role == given:
            return f"{for_owners(person)} is {given} already."
        _keep_an_owner(change, person, given)
        voided = change.save(person._replace(role=given))
        change.audit(f"{person.person_id}: {person.role} -> {given}")
        return f"{for_owners(person)} is {given} now, and was {person.role}.{voided.said}"

    return changing(hand, "role", work)


def set_tools(hand: Hand, name: str, how: str, tools: Iterable[str], *, known: Iterable[str] = ()) -> str:
    """Give (`add`) or take (`remove`) tools, or with an empty `how` give exactly these; the answer."""
    wanted = tuple(dict.fromkeys(tool_of(tool, known) for tool in tools))

    def work(change: Change) -> str:
        person = find(change.roster, name)
        if person.role in _WHOLE_ACCESS:
            raise Mistaken(f"{for_owners(person)} is {person.role}: that role's tools are no matter of a list.")
        voided = change.save(person._replace(tools=_with(person.tools, how, wanted)))
        change.audit(f"{person.person_id}: tools {how or 'set'} {' '.join(wanted)}")
        names = ", ".join(quoted(tool) for tool in wanted)
        done = {"add": "may use", "remove": "may not use"}.get(how, "has, beyond the role, exactly")
        return f"{for_owners(person)} {done} {names} now.{voided.said}"

    return changing(hand, "tools", work)


def set_budget(hand: Hand, name: str, tokens: int) -> str:
    """Set somebody's tokens a day; the answer."""
    if not 0 <= tokens <= _MOST_TOKENS:
        raise Mistaken(f"A budget is 0, which is without limit, to {_MOST_TOKENS:,} tokens a day.")

    def work(change: Change) -> str:
        person = find(change.roster, name)
        voided = change.save(person._replace(daily_tokens=tokens))
        change.audit(f"{person.person_id}: budget {person.daily_tokens} -> {tokens}")
        amount = f"{tokens:,} tokens a day" if tokens else "tokens without limit"
        return f"{for_owners(person)} has {amount} now, counted from 00:00 UTC.{voided.said}"

    return changing(hand, "budget", work)


def remove(hand: Hand, name: str) -> str:
    """Take somebody off the roster with their facts; the trail stays. The answer."""

    def work(change: Change) -> str:
        person = find(change.roster, name)
        _keep_an_owner(change, person, "")
        facts = change.unit.remove_person(person.person_id)
        for shared in change.unit.shared():
            if shared.added_by == person.person_id and not shared.confirmed_by:
                change.unit.remove_shared(shared.fact_id)
        voided = change.void(person.person_id)
        change.audit(f"{person.person_id} was removed, with {counted(facts, 'fact')}")
        return (
            f"{for_owners(person)} is off the roster, and {counted(facts, 'fact')} went with them. The audit trail "
            f"keeps what they did.{voided.said}"
        )

    return changing(hand, "remove", work)


def rename(hand: Hand, name: str, new: str) -> str:
    """Call somebody otherwise; nothing else changes, and nothing becomes void. The answer."""

    def work(change: Change) -> str:
        person = find(change.roster, name)
        renamed = person._replace(name=named(change.roster, new, but=person.person_id))
        change.unit.save_person(renamed)
        change.unit.advance()
        change.audit(f"{person.person_id} has another name")
        return f"{for_owners(person)} is called {quoted(renamed.name)} now."

    return changing(hand, "name", work)


def mute(hand: Hand, name: str, seconds: int) -> str:
    """Let no asks of somebody reach an owner for a while, what waits included; 0 ends it. The answer."""

    def work(change: Change) -> str:
        person = find(change.roster, name)
        if person.role == "owner":
            raise Mistaken("An owner asks nobody, so there is nothing to mute.")
        muted = person._replace(muted_until=change.now + seconds * 1_000 if seconds else 0)
        voided = change.save(muted) if seconds else _unmuted(change, muted)
        change.audit(f"{person.person_id}: muted for {seconds} s")
        if not seconds:
            return f"Asks of {for_owners(person)} come through again."
        return f"No ask of {for_owners(person)} comes through for {said(seconds)}.{voided.said}"

    return changing(hand, "mute", work)


def _unmuted(change: Change, person: Person) -> Voided:
    change.unit.save_person(person)
    change.unit.advance()
    return Voided(0)


def _with(tools: tuple[str, ...], how: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The tools of a person after `wanted` were given or taken; one of both never stands beside the other."""
    if not how:
        return wanted
    taken = tuple(f"-{tool}" for tool in wanted)
    new, old = (wanted, taken) if how == "add" else (taken, wanted)
    return tuple(dict.fromkeys((*(tool for tool in tools if tool not in old), *new)))


def _keep_an_owner(change: Change, person: Person, role: str) -> None:
    """Raises `Mistaken` where an owner would leave the house without one by their own hand."""
    others = [each for each in change.roster.people.values() if each.role == "owner" and each != person]
    if person.role == "owner" != role and person.person_id == change.hand.standing.person_id and not others:
        raise Mistaken("You are the last owner: somebody else has to be one before you stop being it.")


def _odd(part: str) -> bool:
    return visible(part) != part or any(character.isspace() for character in part)
