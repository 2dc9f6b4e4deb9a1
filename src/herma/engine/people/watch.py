"""What happens by itself: asks that nobody answers, owners who are asked second, signs of life."""

from herma.core.people.records import Approval, Message, account_of
from herma.core.visible import visible
from herma.engine.people.asks import Asks, about
from herma.engine.people.house import House

__all__ = ["Watch"]

_BEAT_MS = 30_000
_SHORTEST_WAIT_MS = 50
_LONGEST_WAIT_MS = 1_000


class Watch:
    """Called again and again with nothing but the clock; each call does what has become due."""

    def __init__(self, house: House, asks: Asks) -> None:
        self._house = house
        self._asks = asks
        self._second: set[str] = set()
        self._beat = 0

    def tick(self) -> int:
        """Do what is due. How many milliseconds the next call may wait."""
        now = self._house.now()
        if now - self._beat >= _BEAT_MS:
            self._house.store.beat()
            self._beat = now
        with self._house.store.routine() as unit:
            pending = tuple(unit.pending(now=0))
        for approval in pending:
            if approval.expires_at <= now:
                self._expire(approval)
            elif now >= (approval.asked_at + approval.expires_at) // 2 and approval.approval_id not in self._second:
                self._second.add(approval.approval_id)
                self._asks.second(approval)
        self.deliver()
        living = {approval.approval_id for approval in pending}
        self._second &= living
        return self._pause(pending, now)

    def deliver(self) -> None:
        """Send what waits for its person. An ask is not among it: what did not arrive at once counts as denied."""
        now = self._house.now()
        with self._house.store.routine() as unit:
            waiting = tuple(each for each in unit.waiting(now=now) if each.purpose != "ask")
        for message in waiting:
            if self._sent(message):
                with self._house.store.routine() as unit:
                    unit.delivered(message.message_id, now=self._house.now())

    def _sent(self, message: Message) -> bool:
        """Whether a message has arrived now: an answer in the chat where it was asked, news with an owner."""
        if message.purpose == "answer":
            with self._house.store.routine() as unit:
                approval = unit.approval(message.approval_id)
            return approval is not None and not self._house.tell(approval, message.text)
        person = self._house.roster().people.get(message.person_id)
        if person is None or person.role != "owner":
            return False
        account = account_of(person.platform, person.sender_id)
        with self._house.store.routine() as unit:
            chat = unit.address(account)
        return bool(chat) and not self._house.mail.send(account, chat, message.text)

    def _expire(self, approval: Approval) -> None:
        with self._house.store.firm() as unit:
            if not unit.settle(approval.approval_id, status="expired", now=self._house.now()):
                return
            unit.audit(about(approval, "expired: silence is not consent")._replace(approved=0))
        self._house.tell(approval, f"Nobody answered in time, so “{visible(approval.tool)}” did not run.")

    def _pause(self, pending: tuple[Approval, ...], now: int) -> int:
        due = [each.expires_at for each in pending]
        due += [(each.asked_at + each.expires_at) // 2 for each in pending if each.approval_id not in self._second]
        return min(_LONGEST_WAIT_MS, max(_SHORTEST_WAIT_MS, min((at - now for at in due), default=_LONGEST_WAIT_MS)))
