"""Asks: parked with exactly what was asked, decided by a named approver, spent once.

No transaction spans the way to a person: an ask is kept first and sent then, and what could not be sent is settled
as undeliverable, which counts as a no.
"""

import json
import re
from contextlib import suppress
from hmac import compare_digest
from threading import Condition
from typing import TYPE_CHECKING, NamedTuple

from herma.core.people.codes import approval_code, canonical
from herma.core.people.confusable import looks_like
from herma.core.people.principal import Standing
from herma.core.people.prompt import ask_prompt
from herma.core.people.records import Approval, Entry, Message, Person
from herma.core.visible import visible
from herma.engine.people.house import House
from herma.engine.people.ports import Unit
from herma.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Asks", "Decided", "Parked", "Question", "about"]

_DENIED_FOR_MS = 3_600_000
_ALL_PENDING = 8
_TRIES = 64
_MOST_LEFT = 1_024
_WORD = re.compile(r"[0-9A-Z]+")


class Question(NamedTuple):
    """What somebody wants to run: the canonical arguments and the digest over all that a grant is bound to."""

    tool: str
    arguments: str
    digest: str
    conversation: str
    session_id: str
    turn_id: str
    request_id: str = ""


class Parked(NamedTuple):
    """What became of a question. `outcome` is parked, waiting, undeliverable, or why it was not asked at all."""

    outcome: str
    approval: Approval | None = None


class Decided(NamedTuple):
    """What became of it: approved, denied, unknown (no such living code) or refused (not theirs to answer)."""

    outcome: str
    approval: Approval | None = None


class Asks:
    """The asks of one house."""

    def __init__(self, house: House) -> None:
        self._house = house
        # Told of every decision that is made in this process, for those who wait for one.
        self.decided = Condition()
        self.when_asked: Callable[[str], None] = lambda _person_id: None
        # Approvers who were not tried yet, by ask; unknown after a restart, and then all but the first.
        self._left: dict[str, tuple[str, ...]] = {}

    def park(self, asker: Standing, question: Question, *, epoch: int) -> Parked:
        """Keep the question and send it to the owners, one after the other; never to the asker.

        `epoch` is that of the roster by which it has to be asked: by a later one it may not, and is `changed`.
        """
        now = self._house.now()
        with self._house.store.firm() as unit:
            if unit.epoch() != epoch:
                return Parked("changed")
            owners = tuple(each for each in self._house.owners() if each.person_id != asker.person_id)
            why = self._in_the_way(unit, asker, question, owners, now)
            if why:
                unit.audit(_entry(asker, question, f"not asked: {why}"))
                return Parked(why)
            approval = self._new(asker, question, owners, {each.code for each in unit.pending(now=now)})
            text = self._prompt(asker, approval)
            if text is None:
                unit.audit(_entry(asker, question, "not asked: too_long"))
                return Parked("too_long")
            for old in unit.park(approval):
                unit.audit(about(old, "superseded"))
            unit.audit(about(approval, "asked"))
            unit.put_message(_message(approval, owners[0], text))
        self.when_asked(asker.person_id)
        sent = self._reach(approval, approval.approvers, text)
        return Parked("parked", approval) if sent else self._undeliverable(approval)

    def send(self, approval: Approval, person_id: str, text: str) -> bool:
        """Send the prompt to an owner's own chat; whether it arrived."""
        person = self._house.roster().people.get(person_id)
        if person is None or person.role != "owner" or person_id == approval.person_id:
            return False
        account = f"{person.platform}:{person.sender_id}"
        with self._house.store.routine() as unit:
            chat = unit.address(account)
        problem = self._house.mail.send(account, chat, text) if chat else "the owner's own chat is not known yet"
        with self._house.store.routine() as unit:
            unit.delivered(f"{approval.approval_id}:{person_id}", now=self._house.now(), error=problem)
            if problem:
                unit.audit(about(approval, f"not delivered to an owner: {problem}"))
        return not problem

    def second(self, approval: Approval) -> bool:
        """Half of the time is over: ask the next owner too; whether one was reached."""
        left = self._left.pop(approval.approval_id, approval.approvers[1:])
        return self._reach(approval, left, self._prompt_of(approval))

    def _reach(self, approval: Approval, people: tuple[str, ...], text: str) -> bool:
        """Send the prompt to the first of these who can be reached; those behind are left for later."""
        for at, person_id in enumerate(people):
            if self.send(approval, person_id, text):
                self._left[approval.approval_id] = people[at + 1 :]
                while len(self._left) > _MOST_LEFT:
                    self._left.pop(next(iter(self._left)))
                return True
        return False

    def approve(self, code: str, *, by: Standing, uses: int = 1, seconds: int | None = None) -> Decided:
        """Open a grant for exactly what was asked. `seconds` is its life; None means the setting's."""
        now = self._house.now()
        until = now + 1_000 * (self._house.settings.approval_timeout_s if seconds is None else seconds)
        with self._house.store.firm() as unit:
            found = self._asked(unit, code, by, now)
            if isinstance(found, Decided):
                return found
            given = unit.grant(
                found.approval_id, by=by.person_id, now=now, until=until, uses=uses, choice=f"uses={uses}"
            )
            if given is None:
                return Decided("unknown")
            unit.audit(about(given, f"approved by {by.person_id}, uses {uses}")._replace(approved=1))
        self._announce(given, "An owner approved “{tool}”. Say that I may go on, and I will do exactly that.")
        return Decided("approved", given)

    def deny(self, code: str, *, by: Standing) -> Decided:
        """Say no to an ask."""
        now = self._house.now()
        with self._house.store.firm() as unit:
            found = self._asked(unit, code, by, now)
            if isinstance(found, Decided):
                return found
            if not unit.settle(found.approval_id, status="denied", now=now, by=by.person_id):
                return Decided("unknown")
            unit.audit(about(found, f"denied by {by.person_id}")._replace(approved=0))
        self._announce(found, "An owner said no to “{tool}”.")
        return Decided("denied", found._replace(status="denied"))

    def _asked(self, unit: Unit, code: str, by: Standing, now: int) -> Approval | Decided:
        """The living ask of a code, or why this one may not answer it, which leaves a row."""
        found = _living(unit, code, now)
        if found is None:
            return Decided("unknown")
        if not _may_decide(self._house, found, by):
            unit.audit(about(found, f"an answer of {by.account or by.person_id} was not accepted"))
            return Decided("refused", found)
        return found

    def pending(self) -> tuple[Approval, ...]:
        """Asks that wait for an answer, oldest first."""
        with self._house.store.routine() as unit:
            return tuple(unit.pending(now=self._house.now()))

    def revoke(self, *, person_id: str | None, reason: str) -> tuple[Approval, ...]:
        """Void what a person asked for or was granted; of everybody for None."""
        with self._house.store.firm() as unit:
            return revoke(unit, person_id=person_id, now=self._house.now(), reason=reason)

    def void_seen(self, text: str) -> tuple[Approval, ...]:
        """A code that a model can read is void from that moment: the asks whose code stands in `text`."""
        now, words = self._house.now(), set(_WORD.findall(text.upper()))
        with self._house.store.firm() as unit:
            seen = tuple(each for each in unit.pending(now=now) if each.code in words)
            for each in seen:
                unit.settle(each.approval_id, status="revoked", now=now, reason="its code was seen in a conversation")
                unit.audit(about(each, "void: its code was seen in a conversation"))
        return seen

    def last(self, asker: Standing, question: Question) -> Approval | None:
        """The latest ask for exactly this, whatever became of it."""
        with self._house.store.routine() as unit:
            asked = unit.asks(asker.person_id, since=self._house.now() - _DENIED_FOR_MS)
        return next((each for each in asked if each.digest == question.digest), None)

    def _announce(self, approval: Approval, text: str) -> None:
        with self.decided:
            self.decided.notify_all()
        if approval.request_id:
            return  # whoever waits for a request of the host's is answered by the host
        said = text.format(tool=visible(approval.tool))
        with suppress(StoreError):  # it was decided, whoever hears of it
            self._tell(approval, said)

    def _tell(self, approval: Approval, said: str) -> None:
        if self._house.tell(approval, said):
            # Answered where no chat can be reached, as from a shell: the gateway takes it from the outbox.
            now = self._house.now()
            waiting = Message(
                f"{approval.approval_id}:answer",
                approval.person_id,
                "answer",
                approval.approval_id,
                said,
                now,
                max(approval.expires_at, now + 1),
            )
            with self._house.store.routine() as unit:
                unit.put_message(waiting)

    def _in_the_way(self, unit: Unit, asker: Standing, question: Question, owners: tuple[Person, ...], now: int) -> str:
        """Why nobody is asked; empty when somebody is."""
        if not owners:
            return "nobody"
        most = self._house.settings.max_pending_asks
        waiting = unit.pending(now=now)
        mine = [each for each in waiting if each.person_id == asker.person_id]
        if any(each.digest == question.digest for each in mine):
            return "waiting"
        # An ask of the same tool takes the place of the one that waits, so it adds none.
        if len([each for each in mine if each.tool != question.tool]) >= most or len(waiting) >= most * _ALL_PENDING:
            return "too_many"
        asked = unit.asks(asker.person_id, since=now - _DENIED_FOR_MS)
        if any(each.status == "denied" and each.digest == question.digest for each in asked):
            return "denied"
        # Each took the place of the one before, and each reached an owner all the same.
        lately = now - 1_000 * self._house.settings.approval_timeout_s
        return "too_many" if len([each for each in asked if each.asked_at > lately]) >= most * _ALL_PENDING else ""

    def _undeliverable(self, approval: Approval) -> Parked:
        with self._house.store.firm() as unit:
            unit.settle(approval.approval_id, status="undeliverable", now=self._house.now())
            unit.audit(about(approval, "undeliverable: it counts as denied")._replace(approved=0))
        return Parked("undeliverable", approval._replace(status="undeliverable"))

    def _new(self, asker: Standing, question: Question, owners: tuple[Person, ...], taken: set[str]) -> Approval:
        code = next((each for each in self._codes() if each not in taken), None)
        if code is None:
            raise RuntimeError("no free approval code")
        now = self._house.now()
        return Approval(
            approval_id=self._house.random(16).hex(),
            code=code,
            person_id=asker.person_id,
            account=asker.account,
            tool=question.tool,
            summary=f"{visible(question.tool)} {visible(question.arguments)}"[:200],
            arguments=question.arguments,
            digest=question.digest,
            conversation=question.conversation,
            session_id=question.session_id,
            turn_id=question.turn_id,
            status="pending",
            approvers=(*(owner.person_id for owner in owners), *self._seat()),
            asked_at=now,
            expires_at=now + 1_000 * self._house.settings.approval_timeout_s,
            request_id=question.request_id,
        )

    def _seat(self) -> tuple[str, ...]:
        """Whoever sits at the machine's own terminal may answer too, where the setting says that it is the operator."""
        seat = self._house.seat()
        return (seat.person_id,) if seat.person_id else ()

    def _codes(self) -> list[str]:
        return [approval_code(self._house.random) for _ in range(_TRIES)]

    def _prompt(self, asker: Standing, approval: Approval) -> str | None:
        others = [each for each in self._house.roster().people.values() if each.person_id != asker.person_id]
        return ask_prompt(
            asker.name,
            asker.account,
            role=asker.role,
            tool=approval.tool,
            args=json.loads(approval.arguments),
            code=approval.code,
            seconds=max(0, approval.expires_at - self._house.now()) // 1_000,
            mistakable_for=looks_like(asker.name, [each.name or each.display for each in others]),
        )

    def _prompt_of(self, approval: Approval) -> str:
        platform, _, sender = approval.account.partition(":")
        return self._prompt(self._house.standing(platform, sender), approval) or ""


def revoke(
    unit: Unit, *, person_id: str | None = None, conversation: str | None = None, now: int, reason: str
) -> tuple[Approval, ...]:
    """Void, inside a transaction of the caller's, what was asked or granted; each with its row."""
    gone = tuple(unit.revoke(person_id=person_id, conversation=conversation, now=now, reason=reason))
    for each in gone:
        unit.audit(about(each, f"revoked: {reason}"))
    return gone


def _living(unit: Unit, code: str, now: int) -> Approval | None:
    typed = canonical(code).encode("utf-8", "surrogatepass")
    found = [each for each in unit.pending(now=now) if compare_digest(each.code.encode(), typed)]
    return found[0] if found else None


def _may_decide(house: House, approval: Approval, by: Standing) -> bool:
    """An owner now and one of those who were asked, with nobody else's words in the turn, and never the asker."""
    if not by.is_owner or not by.person_id or by.kind not in ("person", "seat"):
        return False
    if by.person_id == approval.person_id or by.account == approval.account != "":
        return False
    if by.person_id not in approval.approvers:
        return False
    person = house.roster().people.get(by.person_id)
    return by.kind == "seat" or (person is not None and person.role == "owner")


def _message(approval: Approval, owner: Person, text: str) -> Message:
    return Message(
        message_id=f"{approval.approval_id}:{owner.person_id}",
        person_id=owner.person_id,
        purpose="ask",
        approval_id=approval.approval_id,
        text=text,
        created_at=approval.asked_at,
        not_after=approval.expires_at,
    )


def _entry(asker: Standing, question: Question, note: str) -> Entry:
    return Entry(
        "approval", asker.person_id, question.session_id, question.turn_id, question.tool, needs_approval=1, note=note
    )


def about(approval: Approval, note: str) -> Entry:
    """A row of the trail about an ask."""
    return Entry(
        "approval",
        approval.person_id,
        approval.session_id,
        approval.turn_id,
        approval.tool,
        needs_approval=1,
        note=f"{approval.approval_id[:8]} {note}",
    )
