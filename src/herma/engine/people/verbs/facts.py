"""Verbs about what is remembered: one's own facts, and what others shared."""

from herma.core.people.replies import counted, quoted
from herma.engine.people import facts
from herma.engine.people.change import Change, changing
from herma.engine.people.names import Mistaken, for_owners
from herma.engine.people.verbs.call import Call, Table

__all__ = ["TABLE"]

_MOST_SHOWN = 50


def _facts(call: Call) -> str:
    stored = facts.own(call.house, call.speaker.person_id)
    lines = [f"#{fact.fact_id} {quoted(fact.text)}" for fact in stored[:_MOST_SHOWN]]
    more = len(stored) - len(lines)
    unconfirmed = _unconfirmed(call) if call.owned else []
    mine = [f"You have {counted(len(stored), 'fact')} stored.", *lines, *([f"… and {more:,} more"] if more else [])]
    return "\n".join([*mine, *unconfirmed])


def _forget(call: Call) -> str:
    number = call.number(0)
    if not facts.forget(call.house, call.speaker.person_id, number):
        raise Mistaken(f"You have no fact #{number}; /many facts lists yours.")
    return f"Fact #{number} is gone."


def _confirm(call: Call) -> str:
    number = call.number(0)

    def work(change: Change) -> str:
        found = next((each for each in change.unit.shared() if each.fact_id == number), None)
        if found is None:
            raise Mistaken(f"There is no shared fact #{number}; /many facts lists what waits to be confirmed.")
        if found.confirmed_by:
            return f"Shared fact #{number} is confirmed already."
        change.unit.confirm_shared(number, by=call.speaker.person_id)
        change.audit(f"shared fact {number} was confirmed", kind="memory")
        return f"Shared fact #{number} reaches owners' turns too now: {quoted(found.text)}"

    return changing(call.hand, "confirm", work)


def _unconfirmed(call: Call) -> list[str]:
    people = call.house.roster().people
    with call.house.store.routine() as unit:
        waiting = [each for each in unit.shared() if not each.confirmed_by]
    lines = [
        f"#{each.fact_id} {quoted(each.text)}, of "
        + (for_owners(people[each.added_by]) if each.added_by in people else "somebody who is gone")
        for each in waiting[:_MOST_SHOWN]
    ]
    return ["Shared by others, and not in owners' turns before /many confirm:", *lines] if lines else []


TABLE: Table = {"facts": _facts, "forget": _forget, "confirm": _confirm}
