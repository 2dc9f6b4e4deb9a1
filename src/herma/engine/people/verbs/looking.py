"""Verbs that look: who somebody is, who is there, what happened, and why."""

import json

from herma.core.people.budget import Budget, day_of
from herma.core.people.conditions import Facts
from herma.core.people.decide import Subject
from herma.core.people.durations import moment
from herma.core.people.explain import explain
from herma.core.people.principal import OPERATOR
from herma.core.people.records import Person
from herma.core.people.replies import ONLY_THE_OWNER, STRANGER, counted, quoted
from herma.core.people.rights import Rights, rights
from herma.core.people.verbs import OWNER, VERBS, usage
from herma.core.visible import visible
from herma.engine.people.facts import MOST_FACTS
from herma.engine.people.members import tool_of
from herma.engine.people.names import Mistaken, find, for_everybody, for_owners
from herma.engine.people.trail import LONGEST_HOURS, line, trail
from herma.engine.people.verbs.call import Call, Table

__all__ = ["TABLE"]

_MOST_LISTED = 100
_HOURS = 24
# The argument that a tool is mostly about, for those who type it without its name.
_MAIN = {
    "terminal": "command",
    "process": "action",
    "execute_code": "code",
    "web_search": "query",
    "web_extract": "urls",
}
_MAIN |= dict.fromkeys(("read_file", "write_file", "patch"), "path")


def _whoami(call: Call) -> str:
    speaker, roster, now = call.speaker, call.house.roster(), call.house.now()
    if not speaker.is_known:
        return STRANGER
    person = roster.people.get(speaker.person_id)
    with call.house.store.routine() as unit:
        stored = len(unit.facts(speaker.person_id, limit=MOST_FACTS))
        used = unit.tokens(speaker.person_id, day_of(now))
    found = rights(Subject(speaker.person_id, speaker.role), call.house.policy(roster))
    lines = [
        f"You are {quoted(speaker.name) if speaker.name else 'somebody without a name'}, {visible(speaker.role)} here.",
        *_rights(found),
        f"You have {counted(stored, 'fact')} stored.",
        _budget(Budget(person.daily_tokens if person else 0, used)),
    ]
    return "\n".join(lines)


def _roster(call: Call) -> str:
    people = list(call.house.roster().people.values())
    if not people:
        return "Nobody is on the roster yet. /many claim at the machine's own terminal makes somebody the owner."
    lines = [_of_roster(person, call) for person in people[:_MOST_LISTED]]
    more = len(people) - len(lines)
    return "\n".join([*lines, *([f"… and {more:,} more"] if more else [])])


def _audit(call: Call) -> str:
    name, hours = _name_and_hours(call)
    person_id: str | None = call.speaker.person_id
    if name and not call.owned:
        raise Mistaken(f"{ONLY_THE_OWNER} Without a name /many audit shows your own trail.")
    if call.owned:
        person_id = None if not name else _whose(call, name)
    found = trail(call.house, person_id, hours)
    whose = quoted(name) if name else "You" if person_id else "Everybody"
    sums = ", ".join(f"{kind} {count:,}" for kind, (count, _) in sorted(found.sums.items())) or "nothing"
    head = f"{whose}, the last {counted(hours, 'hour')}: {sums}; {counted(found.tokens, 'token')}."
    return "\n".join([head, *(line(call.house, at, entry, named=call.owned) for at, entry in found.rows)])


def _why(call: Call) -> str:
    roster = call.house.roster()
    policy = call.house.policy(roster)
    known = {*call.where.tools, *(rule.tool for rule in policy.rules if not rule.glob)}
    tool, subject, whose = call.word(0), Subject(call.speaker.person_id, call.speaker.role), "You"
    if tool_of(tool, known) != tool and tool not in known:
        raise call.usage("Name a tool, and its arguments behind it.")
    if "as" in call.typed.options:
        if not call.owned:
            raise Mistaken(ONLY_THE_OWNER)
        person = find(roster, call.typed.options["as"])
        subject, whose = Subject(person.person_id, person.role), for_owners(person)
    found = explain(subject, tool, _arguments(call, tool), Facts(), policy)
    paused = ["Enforcement is paused: everything runs until /many resume."] if call.house.paused(roster) else []
    if call.owned:
        return "\n".join([f"{whose}, {quoted(tool)}:", *paused, found.owner])
    rule = f" Decided by {visible(found.decision.rule)}." if found.decision.rule else ""
    return "\n".join([*paused, f"{found.public}{rule}"])


def _help(call: Call) -> str:
    if call.words:
        verb = VERBS.get(call.word(0).casefold())
        if verb is None:
            raise call.usage(f"There is no verb {quoted(call.word(0))}.")
        return f"{usage(verb)}: {verb.help}"
    shown = [verb for verb in VERBS.values() if call.owned or verb.authority != OWNER or verb.bare_reads]
    return "\n".join(f"{usage(verb)}: {verb.help}" for verb in shown)


def _rights(found: Rights) -> list[str]:
    if found.everything:
        return ["You may use every tool."]
    allowed = ", ".join(quoted(name) for name in found.allowed) or "no tool"
    asked = ", ".join(quoted(name) for name in found.asked)
    return [f"You may use {allowed}.", *([f"An owner is asked, each time, for {asked}."] if asked else [])]


def _budget(budget: Budget) -> str:
    if budget.left is None:
        return f"Today you have used {counted(budget.used, 'token')}; there is no limit."
    return f"Today you have used {budget.used:,} of {counted(budget.limit, 'token')}; {budget.left:,} are left."


def _of_roster(person: Person, call: Call) -> str:
    if not call.owned:
        return f"{for_everybody(person)}, {visible(person.role)}"
    parts = [f"{for_owners(person)}, {visible(person.role)}"]
    parts += [f"tools {' '.join(visible(tool) for tool in person.tools)}"] if person.tools else []
    parts += [f"{person.daily_tokens:,} tokens a day"] if person.daily_tokens else []
    parts += [f"muted until {moment(person.muted_until)}"] if person.muted_until > call.house.now() else []
    return "; ".join(parts)


def _name_and_hours(call: Call) -> tuple[str, int]:
    words = list(call.words)
    number = words[-1] if words else ""
    if not (number.isascii() and number.isdigit()):
        if len(words) > 1:
            raise call.usage("Hours are a whole number.")
        return call.word(0), _HOURS
    if len(number) > 5 or not 0 < int(number) <= LONGEST_HOURS:  # noqa: PLR2004 - digits that the limit has at most
        raise call.usage(f"Hours are from 1 to {LONGEST_HOURS:,}.")
    return " ".join(words[:-1]), int(number)


def _whose(call: Call, name: str) -> str:
    if name.casefold() == OPERATOR.person_id:
        return OPERATOR.person_id
    return find(call.house.roster(), name).person_id


def _arguments(call: Call, tool: str) -> dict[str, object]:
    """The arguments that were typed: as JSON, as `name=value`, or as the one that the tool is mostly about."""
    _, _, rest = call.typed.text.partition(" ")
    if "as" in call.typed.options:
        rest = rest[: rest.casefold().rfind("as=")]  # it stands last
    rest = rest.strip()
    if not rest:
        return {}
    try:
        read = json.loads(rest)
    except ValueError:
        read = None
    if isinstance(read, dict):
        return read
    if tool in _MAIN:
        return {_MAIN[tool]: rest}
    pairs = [word.partition("=") for word in call.words[1:]]
    if not all(name and sign for name, sign, _ in pairs):
        raise call.usage("Write arguments as name=value or as JSON.")
    return {name: value for name, _, value in pairs}


TABLE: Table = {"whoami": _whoami, "roster": _roster, "audit": _audit, "why": _why, "help": _help}
