"""The gate before every tool call: what runs, what is asked for, what does not run; each with its row in the trail."""

import json
from collections.abc import Callable, Mapping

from herma.core.people import refusals
from herma.core.people.conditions import Facts
from herma.core.people.decide import Decision, Subject, at_best, decide
from herma.core.people.digest import ask_digest, canonical
from herma.core.people.principal import Standing
from herma.core.people.records import Approval, Entry
from herma.core.people.rules import Policy
from herma.engine.people.asks import Asks, Question, about, revoke
from herma.engine.people.house import House
from herma.engine.people.ports import Roster
from herma.engine.people.turns import Call, Live, Turns
from herma.engine.people.verdict import Verdict

__all__ = ["Gate"]

_STRICTNESS = {"never": 0, "ask": 1, "allow": 2}
_UNATTENDED = ("cron", "machine", "nested", "unknown")
_NOT_ASKED = {
    "nobody": "there is no owner who could be asked",
    "too_many": "too many asks are waiting, or were made just now",
    "denied": "an owner said no to exactly this within the last hour",
    "too_long": "the arguments are too long for a person to judge; ask for something smaller",
    "muted": "an owner does not want to be asked by this person just now",
}
_MOST_SPENT = 1_024
_EXACT = "exact"
_TRIES = 8


_RUNS = Verdict(allowed=True)


class Gate:
    """The gate of one house. `facts_of` resolves what a rule's condition needs to know about the arguments."""

    def __init__(
        self, house: House, turns: Turns, asks: Asks, facts_of: Callable[[Policy, str, object], Facts]
    ) -> None:
        self._house = house
        self._turns = turns
        self._asks = asks
        self._facts_of = facts_of
        self._spent: dict[tuple[str, str], Approval] = {}

    def judge(self, call: Call, tool: str, args: object, *, own_state: bool = False) -> Verdict:
        """Whether this call runs. Raises only what the store raises; the caller then refuses."""
        live = self._turns.find(call, self._house.unknown())
        if own_state:
            return self._refuse_now(live, call, tool, refusals.own_state(tool), "names Herma's own files")
        roster = self._house.known()
        for _try in range(_TRIES):
            verdict = self._judged(live, call, tool, args, roster)
            if verdict is not None:
                return verdict
            roster = self._house.roster()
        return self._refuse_now(live, call, tool, refusals.failed(tool), "the roster changed again and again")

    def _judged(self, live: Live, call: Call, tool: str, args: object, roster: Roster) -> Verdict | None:
        """The verdict as of this roster; None where the roster has changed before it could be written down."""
        standing = self._house.as_of(live.standing, roster)
        if self._house.paused(roster) is True and standing.role != "blocked":
            return self._run(live, call, tool, "paused: not judged", roster)
        if live.refusal != "":
            return self._refuse(live, call, tool, live.refusal, "the turn was refused", roster)
        if _without_authority(standing):
            return self._refuse(live, call, tool, refusals.refused(standing, tool), standing.kind, roster)
        policy = self._house.policy(roster)
        decision = _strictest(standing, tool, args, self._facts_of(policy, tool, args), policy)
        if decision.effect == "allow":
            return self._run(live, call, tool, decision.rule, roster)
        if decision.effect == "ask" and standing.kind not in _UNATTENDED:
            return self._ask(standing, live, call, tool, args, roster)
        why = decision.rule or decision.reason
        return self._refuse(live, call, tool, refusals.refused(standing, tool), why, roster)

    def may_ever(self, standing: Standing, tool: str) -> bool:
        """Whether everybody whose words are in the turn may call a tool, or ask for it, with some arguments."""
        policy = self._house.policy()
        people = (standing, *standing.others)
        return all(at_best(Subject(each.person_id, each.role), tool, policy) != "never" for each in people)

    def ended(self, call: Call, tool: str, args: object, *, blocked: bool) -> None:
        """A call has ended: an approval comes back, once, where somebody else stopped it; a changed call is said."""
        approval = self._spent.pop((call.turn_id, call.tool_call_id), None)
        if approval is None:
            return
        changed = not blocked and (tool != approval.tool or _loose(args) != _loose(json.loads(approval.arguments)))
        if not blocked and not changed:
            return
        now = self._house.now()
        with self._house.store.firm() as unit:
            if blocked and unit.give_back(approval.approval_id, call=call.tool_call_id, now=now):
                unit.audit(about(approval, "returned: the call was stopped by something else"))
            elif changed:
                unit.audit(about(approval, "CHANGED after it was approved: something else altered the arguments"))
                revoke(unit, person_id=approval.person_id, now=now, reason="its arguments were altered")

    def _ask(  # noqa: PLR0913, PLR0917 - a call and what is known of it
        self, standing: Standing, live: Live, call: Call, tool: str, args: object, roster: Roster
    ) -> Verdict | None:
        asker = _weakest(standing)
        digest = ask_digest(asker.person_id, tool, args, live.conversation, _EXACT)
        question = Question(tool, canonical(args), digest, live.conversation, live.session_id, live.turn_id)
        spent = self._spend(asker, live, call, question, roster)
        if spent is not False:
            return _RUNS if spent is True else None
        person = roster.people.get(asker.person_id)
        if person is not None and person.muted_until > self._house.now():
            return self._unasked(live, call, tool, "muted")
        before = self._asks.last(asker, question)
        parked = self._asks.park(asker, question, epoch=roster.epoch)
        if parked.outcome == "changed":
            return None
        said = self._said_of(parked.outcome, tool, before)
        return Verdict(allowed=False, message=said) if said else self._unasked(live, call, tool, parked.outcome)

    def _said_of(self, outcome: str, tool: str, before: Approval | None) -> str:
        """What the model is told of an ask that was made; empty where none was."""
        if outcome == "parked":
            said = refusals.parked(tool, self._house.settings.approval_timeout_s)
            return f"{_ending(before, self._house.now())}{said}"
        if outcome == "waiting":
            return refusals.waiting(tool)
        return refusals.undeliverable(tool) if outcome == "undeliverable" else ""

    def _spend(self, asker: Standing, live: Live, call: Call, question: Question, roster: Roster) -> bool | None:
        """Take one use of a living grant; None where the roster has changed: the rules then have to be read anew."""
        with self._house.store.firm() as unit:
            if unit.epoch() != roster.epoch:
                return None
            grant = unit.spend(
                question.digest,
                person_id=asker.person_id,
                conversation=live.conversation,
                now=self._house.now(),
                call=call.tool_call_id,
            )
            if grant is None:
                return False
            note = f"grant {grant.approval_id[:8]} spent"
            unit.audit(_row("tool", live, call, question.tool, note, allowed=1, approved=1))
        if call.tool_call_id:
            self._spent[call.turn_id, call.tool_call_id] = grant
            while len(self._spent) > _MOST_SPENT:
                self._spent.pop(next(iter(self._spent)))
        return True

    def _run(self, live: Live, call: Call, tool: str, note: str, roster: Roster) -> Verdict | None:
        with self._house.store.routine() as unit:
            if unit.epoch() != roster.epoch:
                return None
            unit.audit(_row("tool", live, call, tool, note, allowed=1))
        return _RUNS

    def _refuse(  # noqa: PLR0913, PLR0917 - a call and why it does not run
        self, live: Live, call: Call, tool: str, message: str, note: str, roster: Roster
    ) -> Verdict | None:
        with self._house.store.routine() as unit:
            if unit.epoch() != roster.epoch:
                return None
            unit.audit(_row("refusal", live, call, tool, note, allowed=0))
        return Verdict(allowed=False, message=message)

    def _refuse_now(self, live: Live, call: Call, tool: str, message: str, note: str) -> Verdict:
        with self._house.store.routine() as unit:
            unit.audit(_row("refusal", live, call, tool, note, allowed=0))
        return Verdict(allowed=False, message=message)

    def _unasked(self, live: Live, call: Call, tool: str, why: str) -> Verdict:
        return self._refuse_now(live, call, tool, refusals.unasked(tool, _NOT_ASKED[why]), f"not asked: {why}")


def _loose(value: object) -> object:
    """Arguments as hosts hand them on after a call: numbers and switches may have been read out of texts."""
    if isinstance(value, Mapping):
        return {str(key): _loose(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_loose(each) for each in value]
    return value if isinstance(value, str) or value is None else str(value).lower()


def _ending(before: Approval | None, now: int) -> str:
    """How the last ask for exactly this ended, so that a model can tell the ends apart."""
    said = refusals.ended(before, now) if before is not None and before.status != "denied" else ""
    return f"{said} It was asked for anew. " if said else ""


def _without_authority(standing: Standing) -> bool:
    """Turns and calls that no person made, of anybody but owners alone."""
    return standing.kind in ("nested", "machine") and not standing.is_owner


def _strictest(standing: Standing, tool: str, args: object, facts: Facts, policy: Policy) -> Decision:
    """What everybody whose words are in the turn may do."""
    decision = decide(Subject(standing.person_id, standing.role), tool, args, facts, policy)
    for other in standing.others:
        found = decide(Subject(other.person_id, other.role), tool, args, facts, policy)
        if _STRICTNESS[found.effect] < _STRICTNESS[decision.effect]:
            decision = found
    return decision


def _weakest(standing: Standing) -> Standing:
    """Who asks where several people's words are in the turn: one who is no owner, so that an owner can be asked."""
    return (
        next((each for each in standing.others if each.role != "owner"), standing)
        if standing.role == "owner"
        else standing
    )


def _row(  # noqa: PLR0913 - the columns of a row
    kind: str, live: Live, call: Call, tool: str, note: str, *, allowed: int, approved: int | None = None
) -> Entry:
    standing = live.standing
    if standing.others or standing.kind != "person":
        others = "".join(f", with {each.person_id or each.account or 'a stranger'}" for each in standing.others)
        note = f"{note} [{standing.kind}{others}]"
    who = standing.person_id or standing.account
    session, turn = call.session_id or live.session_id, call.turn_id or live.turn_id
    return Entry(kind, who, session, turn, tool, allowed, approved, approved, 0, note)
