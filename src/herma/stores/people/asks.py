"""Asks and the grants that come of them. Each verb is one guarded statement: whoever comes second gets nothing."""

from collections.abc import Iterable, Sequence
from json import dumps, loads
from typing import Any

from herma.core.people.records import Approval
from herma.stores.people import statements as sql
from herma.stores.people.part import Part

__all__ = ["Asks"]

_APPROVERS = Approval._fields.index("approvers")
_CONSUMED = Approval._fields.index("consumed_at")


class Asks(Part):
    """What was asked, decided, spent, given back and taken away. A time is over when it is reached."""

    __slots__ = ()

    def park(self, approval: Approval) -> tuple[Approval, ...]:
        """Keep a new pending ask; those of the same person and tool that it supersedes, now so marked."""
        if not approval.approvers or approval.person_id in approval.approvers:
            raise ValueError("an ask needs approvers, and the asker is none")
        at = approval.asked_at
        before = _approvals(self.rows(sql.SUPERSEDE, at, at, approval.person_id, approval.tool))
        values: list[object] = list(approval)
        values[_APPROVERS] = dumps(approval.approvers)
        values[_CONSUMED] = approval.consumed_at or None
        self.do(sql.PARK, *values)
        return tuple(each for each in before if each.status == "superseded")

    def approval(self, approval_id: str) -> Approval | None:
        """An ask by its id."""
        return self._one(sql.APPROVAL, approval_id)

    def pending(self, *, now: int) -> Sequence[Approval]:
        """Asks that wait and whose time is not over, oldest first."""
        return _approvals(self.rows(sql.PENDING, now))

    def asks(self, person_id: str, *, since: int) -> Sequence[Approval]:
        """All asks of one person since a time, newest first."""
        return _approvals(self.rows(sql.ASKS, person_id, since))

    def settle(self, approval_id: str, *, status: str, now: int, reason: str = "", by: str = "") -> bool:
        """Move a pending ask to an end; False when it is not pending or its time is over (except to `expired`)."""
        return self.value(sql.SETTLE, status, now, reason, by, approval_id, now, status) is not None

    def grant(  # noqa: PLR0913 - each is a column of the decision
        self, approval_id: str, *, by: str, now: int, until: int, uses: int, choice: str
    ) -> Approval | None:
        """Approve a pending, living ask of somebody else; None when it is not one (any more)."""
        return self._one(sql.GRANT, by, now, until, uses, uses, choice, approval_id, now, by)

    def spend(self, digest: str, *, person_id: str, conversation: str, now: int, call: str) -> Approval | None:
        """Take one use of a living grant for exactly this digest by a guarded update; None when there is none."""
        spent = self._one(sql.SPEND, call, now, digest, person_id, conversation, now, now)
        if spent is not None:
            self.do(sql.SPENT, spent.approval_id, call, now)
        return spent

    def give_back(self, approval_id: str, *, call: str, now: int) -> bool:
        """Undo one `spend` of this call, once; False also for a grant that was revoked or is over."""
        returned = self.value(sql.RETURN, now, approval_id, call, approval_id, call, approval_id, now)
        if returned is None:
            return False
        self.do(sql.GIVE_BACK, approval_id, approval_id)
        return True

    def revoke(
        self, *, person_id: str | None = None, conversation: str | None = None, now: int, reason: str
    ) -> Sequence[Approval]:
        """Void pending asks and unspent grants of a person, of a conversation, or of all; those that were voided.

        A person's are also the grants that they gave. What was over already is marked as that and not returned: it
        must not come to life again when a clock is set back.
        """
        values: list[object] = [now, now, reason, now]
        if person_id is not None:
            values += [person_id, person_id]
        if conversation is not None:
            values.append(conversation)
        voided = _approvals(self.rows(_REVOKE[person_id is not None, conversation is not None], *values))
        return sorted((each for each in voided if each.status == "revoked"), key=lambda each: each.asked_at)

    def _one(self, statement: str, *values: object) -> Approval | None:
        row = self.do(statement, *values).fetchone()
        return None if row is None else _approval(row)


_REVOKE = {
    (False, False): sql.REVOKE,
    (True, False): sql.REVOKE_OF,
    (False, True): sql.REVOKE_IN,
    (True, True): sql.REVOKE_OF_IN,
}


def _approvals(rows: Iterable[Any]) -> list[Approval]:
    return [_approval(row) for row in rows]


def _approval(row: Any) -> Approval:
    return Approval._make((*row[:_APPROVERS], tuple(loads(row[_APPROVERS])), *row[_APPROVERS + 1 :]))
