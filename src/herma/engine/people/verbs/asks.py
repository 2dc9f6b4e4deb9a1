"""Verbs about what waits for an answer: the queue, yes and no."""

from collections.abc import Iterable

from herma.core.people.codes import canonical
from herma.core.people.confusable import marked
from herma.core.people.durations import moment, said, seconds_of
from herma.core.people.records import Approval, Message
from herma.core.people.replies import OWN_ASK, counted, quoted
from herma.core.visible import visible
from herma.engine.people.asks import Decided
from herma.engine.people.names import for_owners
from herma.engine.people.ports import Roster, Unit
from herma.engine.people.verbs.call import Call, Table

__all__ = ["LONGEST_GRANT", "MOST_USES", "TABLE"]

MOST_USES = 100
LONGEST_GRANT = 24 * 3_600

_LOOK_BACK_MS = 24 * 3_600_000
_MOST_ROWS = 1_000
_UNKNOWN = "Nothing waits under that code: it is mistyped, decided, over or withdrawn. /many approve lists what waits."
_NOT_ASKED = "You are not among those who were asked for this one."


def _approve(call: Call) -> str:
    if not call.words:
        return _queue(call) if call.owned else _mine(call)
    uses, seconds = _widened(call)
    decided = call.asks.approve(canonical(call.word(0)), by=call.speaker, uses=uses, seconds=seconds)
    if decided.outcome != "approved" or decided.approval is None:
        return _no(call, decided)
    return f"Approved.\n{_scope(decided.approval, call.house.roster())}"


def _deny(call: Call) -> str:
    decided = call.asks.deny(canonical(call.word(0)), by=call.speaker)
    if decided.outcome != "denied" or decided.approval is None:
        return _no(call, decided)
    return f"Denied: {quoted(decided.approval.tool)} of {_who(decided.approval, call.house.roster())}."


def _no(call: Call, decided: Decided) -> str:
    if decided.outcome != "refused":
        return _UNKNOWN
    own = decided.approval is not None and decided.approval.person_id == call.speaker.person_id
    return OWN_ASK if own else _NOT_ASKED


def _widened(call: Call) -> tuple[int, int | None]:
    """The uses and seconds in the approver's own words: one use, None for the setting's time, where they are not."""
    uses = call.typed.options.get("uses", "1")
    if not (uses.isascii() and uses.isdigit() and len(uses) < 4 and 0 < int(uses) <= MOST_USES):  # noqa: PLR2004 - digits
        raise call.usage(f"uses is from 1 to {MOST_USES}.")
    if "for" not in call.typed.options:
        return int(uses), None
    seconds = seconds_of(call.typed.options["for"])
    if not seconds or seconds > LONGEST_GRANT:
        raise call.usage(f"for is a number with s, m, h or d, {said(LONGEST_GRANT)} at most.")
    return int(uses), seconds


def _queue(call: Call) -> str:
    roster, now = call.house.roster(), call.house.now()
    with call.house.store.routine() as unit:
        pending = unit.pending(now=now)
        waiting = unit.waiting(now=now)
        stuck = _undelivered(unit, now - _LOOK_BACK_MS)
    parts = [_ask(each, roster, now) for each in pending] or ["Nothing waits for an answer."]
    parts += [_unsent(message, roster) for message in waiting if message.approval_id not in _ids(pending)]
    parts += [f"Could not be delivered, and so was denied:\n{_call(each, roster)}" for each in stuck]
    return "\n\n".join(parts)


def _mine(call: Call) -> str:
    if not call.speaker.is_known:
        return "Nothing of yours waits for an answer."
    now = call.house.now()
    with call.house.store.routine() as unit:
        asked = unit.asks(call.speaker.person_id, since=now - _LOOK_BACK_MS)
    open_ones = [each for each in asked if each.status in ("pending", "approved") and each.expires_at > now]
    return "\n\n".join(_own(each, now) for each in open_ones) or "Nothing of yours waits for an answer."


def _ask(each: Approval, roster: Roster, now: int) -> str:
    left = said((each.expires_at - now) // 1_000)
    return f"{visible(each.code)}: {_call(each, roster)}\nIt is asked for one run, in one conversation; over in {left}."


def _own(each: Approval, now: int) -> str:
    left = said((each.expires_at - now) // 1_000)
    if each.status == "pending":
        state = f"{visible(each.code)}: {quoted(each.tool)} waits for an owner's answer"
    else:
        state = f"{quoted(each.tool)} is approved for {counted(each.uses_left, 'run')}"
    return f"{state}; over in {left}.\n{marked(each.arguments)}"


def _scope(each: Approval, roster: Roster) -> str:
    return (
        f"{_call(each, roster)}\nExactly this call, {counted(each.uses_left, 'run')}, for nobody else and in no other "
        f"conversation than {visible(each.conversation) or 'the one it was asked in'}, until {moment(each.expires_at)}."
    )


def _call(each: Approval, roster: Roster) -> str:
    """Who asks for what, with all of the arguments; nothing is cut."""
    return f"{_who(each, roster)} asks for {quoted(each.tool)} with\n{marked(each.arguments)}"


def _who(each: Approval, roster: Roster) -> str:
    person = roster.people.get(each.person_id)
    return for_owners(person) if person else visible(each.person_id)


def _unsent(message: Message, roster: Roster) -> str:
    person = roster.people.get(message.person_id)
    to = for_owners(person) if person else visible(message.person_id)
    why = f": {visible(message.error)}" if message.error else ""
    return f"Not delivered to {to} yet{why} ({visible(message.purpose)}, of {moment(message.created_at)})."


def _undelivered(unit: Unit, since: int) -> list[Approval]:
    """Asks since then that reached no owner, newest first."""
    rows = unit.entries(person_id=None, since=since, limit=_MOST_ROWS)
    people = dict.fromkeys(entry.person_id for _, entry in rows if entry.kind == "approval" and entry.person_id)
    asked = [each for person_id in people for each in unit.asks(person_id, since=since)]
    return sorted((each for each in asked if each.status == "undeliverable"), key=lambda each: -each.asked_at)


def _ids(approvals: Iterable[Approval]) -> set[str]:
    return {each.approval_id for each in approvals}


TABLE: Table = {"approve": _approve, "deny": _deny}
