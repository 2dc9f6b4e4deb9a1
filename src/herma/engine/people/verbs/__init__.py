"""The verbs of `/many`: read, admitted, done, and answered in one text."""

from functools import partial
from typing import NamedTuple

from herma.core.people.principal import Standing
from herma.core.people.records import Entry
from herma.core.people.refusals import blocked
from herma.core.people.replies import FAILED, NOBODY_THERE, ONLY_THE_OWNER, STRANGER
from herma.core.people.verbs import KNOWN, OWNER, Mistyped, Typed, parse
from herma.engine.counters import Counters
from herma.engine.guard import Feature, Guard, Kind
from herma.engine.people.asks import Asks
from herma.engine.people.change import by_hand, is_owner_now
from herma.engine.people.house import House
from herma.engine.people.names import Mistaken
from herma.engine.people.verbs import asks as asking
from herma.engine.people.verbs import facts, looking, members, switches
from herma.engine.people.verbs.call import Call, Table, Where

__all__ = ["Reply", "Where", "answer", "run"]


class Reply(NamedTuple):
    """The text for whoever typed the line, and whether what they typed was done."""

    text: str
    done: bool = True


_TABLE: Table = {**looking.TABLE, **members.TABLE, **asking.TABLE, **switches.TABLE, **facts.TABLE}
_FEATURE = Feature("manyhands", Kind.PERMISSION, Reply(FAILED, done=False))
_guard = Guard(Counters())


def run(house: House, asks: Asks, speaker: Standing, raw: str, *, where: Where) -> str:
    """The reply to `/many <raw>` of this speaker. Never raises; a mistake is answered with what to type."""
    return answer(house, asks, speaker, raw, where=where).text


def answer(house: House, asks: Asks, speaker: Standing, raw: str, *, where: Where) -> Reply:
    """The same, with whether it was done."""
    return _guard.run(_FEATURE, partial(_answer, house, asks, speaker, raw, where))


def _answer(house: House, asks: Asks, speaker: Standing, raw: str, where: Where) -> Reply:
    typed = parse(raw)
    if speaker.role == "blocked":
        return Reply(blocked(), done=False)
    if isinstance(typed, Mistyped):
        return Reply(typed.text, done=False)
    refusal = _refusal(house, speaker, typed, where)
    if refusal:
        _note(house, speaker, typed, where)
        return Reply(refusal, done=False)
    try:
        return Reply(_TABLE[typed.verb.name](Call(house, asks, speaker, where, typed)))
    except Mistaken as mistake:
        return Reply(str(mistake), done=False)


def _refusal(house: House, speaker: Standing, typed: Typed, where: Where) -> str:
    """Why this speaker may not type this here; empty when they may."""
    if typed.authority == OWNER and not is_owner_now(speaker, house.roster()):
        return ONLY_THE_OWNER
    if typed.authority == KNOWN and not (speaker.is_known and by_hand(speaker)):
        return STRANGER
    if typed.needs_person and where.surface != "chat" and not where.person_present:
        return NOBODY_THERE
    return ""


def _note(house: House, speaker: Standing, typed: Typed, where: Where) -> None:
    who = speaker.person_id or speaker.account
    with house.store.routine() as unit:
        unit.audit(Entry("refusal", who, where.session_id, tool=f"/many {typed.verb.name}", allowed=0))
