"""What the people service needs from where things are kept, as plain protocols."""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self

from herma.core.people.records import (
    Approval,
    Entry,
    Fact,
    Invite,
    Message,
    Person,
    Roster,
    Session,
    SharedFact,
    SpokenIn,
    Turn,
)

__all__ = ["Roster", "Store", "Unit"]


class Unit(Protocol):
    """One transaction. Leaving it with an exception undoes all of it; leaving it without one makes it last."""

    def __enter__(self) -> Self:
        """Begin, holding the store's write lock."""
        ...

    def __exit__(self, *_problem: object) -> None:
        """End."""
        ...

    def epoch(self) -> int:
        """The number that grows with every change of roster, roles, tools, pause or policy."""
        ...

    def advance(self) -> int:
        """Raise the epoch: every snapshot of the roster is stale from here on."""
        ...

    def facts_mark(self) -> int:
        """The number that grows with every change of a fact, shared or not: what was read before it is old."""
        ...

    # the trail
    def audit(self, entry: Entry) -> None:
        """Append a row to this writer's chain."""
        ...

    def entries(self, *, person_id: str | None, since: int, limit: int) -> Sequence[tuple[int, Entry]]:
        """Rows with their times, newest first, of one person, or of everybody for None."""
        ...

    def sums(self, *, person_id: str | None, since: int) -> Mapping[str, tuple[int, int]]:
        """For each audit kind how many rows and how many tokens, of one person or of everybody."""
        ...

    # people
    def save_person(self, person: Person) -> None:
        """Insert or replace a person with their first account."""
        ...

    def remove_person(self, person_id: str) -> int:
        """Take a person off the roster with accounts, facts, addresses and invites' authorship; how many facts went."""
        ...

    def seen(self, person_id: str, at: int) -> None:
        """Note when somebody was last seen; no new epoch."""
        ...

    def put_setting(self, key: str, value: str) -> None:
        """Set a key of the table `settings`."""
        ...

    def setting(self, key: str) -> str:
        """A key's value; empty when it is not set."""
        ...

    # addresses: the chat in which one account alone reads
    def put_address(self, account: str, chat: str, at: int) -> None:
        """Remember the direct chat of an account."""
        ...

    def address(self, account: str) -> str:
        """The direct chat of an account; empty when none is known."""
        ...

    # invites
    def put_invite(self, invite: Invite) -> None:
        """Keep a new code."""
        ...

    def invites(self, *, now: int) -> Sequence[Invite]:
        """Codes that are neither used nor over."""
        ...

    def use_invite(self, code: str, *, account: str, now: int) -> bool:
        """Spend a code for this account; False when somebody else was faster or it is over."""
        ...

    def wrong_code(self, account: str, day: str) -> int:
        """Count a wrong code of this account on this UTC day; how many by now."""
        ...

    def wrong_codes(self, account: str, day: str) -> int:
        """How many wrong codes this account sent on this UTC day."""
        ...

    # turns and sessions
    def add_turn(self, turn: Turn) -> None:
        """Keep a turn; a turn id that is known already keeps its first row."""
        ...

    def turn(self, session_id: str, turn_id: str) -> Turn | None:
        """A turn of a session."""
        ...

    def spoken(self, person_id: str) -> Sequence[SpokenIn]:
        """Every session in which this person spoke themselves, and from when to when."""
        ...

    def session(self, session_id: str) -> Session | None:
        """A session by its id."""
        ...

    def speakers(self, session_id: str) -> Sequence[str]:
        """Everybody who has spoken in a session, by person, or by account where nobody on the roster had it."""
        ...

    def put_session(self, session: Session, at: int) -> None:
        """Keep a session; `speakers` is computed from the turns' people and not taken from the value."""
        ...

    def conversation(self, chat: str) -> str:
        """The conversation that is open in this chat; empty when none is."""
        ...

    def end_conversation(self, session_id: str, at: int) -> str:
        """Close the conversation of this session; its id, empty when none was open."""
        ...

    def put_job(self, job_id: str, person_id: str, at: int) -> None:
        """Remember who made a scheduled job; the first row of a job stays."""
        ...

    def job(self, job_id: str) -> str:
        """Who made a scheduled job; empty when nobody is known."""
        ...

    # facts
    def add_fact(self, fact: Fact) -> int:
        """Keep a fact of one person; its id."""
        ...

    def facts(self, person_id: str, *, limit: int = 1_000) -> Sequence[Fact]:
        """The facts of one person, newest first."""
        ...

    def remove_fact(self, person_id: str, fact_id: int) -> bool:
        """Take a fact of this one person away; False when they have none with this id."""
        ...

    def add_shared(self, fact: SharedFact) -> int:
        """Keep a shared fact; its id."""
        ...

    def shared(self, *, limit: int = 1_000) -> Sequence[SharedFact]:
        """Shared facts, newest first."""
        ...

    def confirm_shared(self, fact_id: int, *, by: str) -> bool:
        """An owner has read and confirmed a shared fact."""
        ...

    def remove_shared(self, fact_id: int) -> bool:
        """Take a shared fact away."""
        ...

    # tokens
    def add_tokens(self, person_id: str, day: str, tokens: int) -> None:
        """Count tokens of a person on a UTC day."""
        ...

    def tokens(self, person_id: str, day: str) -> int:
        """The tokens of a person on a UTC day."""
        ...

    # asks
    def park(self, approval: Approval) -> tuple[Approval, ...]:
        """Keep a new pending ask; those of the same person and tool that it supersedes, now so marked."""
        ...

    def approval(self, approval_id: str) -> Approval | None:
        """An ask by its id."""
        ...

    def pending(self, *, now: int) -> Sequence[Approval]:
        """Asks that wait and whose time is not over, oldest first."""
        ...

    def asks(self, person_id: str, *, since: int) -> Sequence[Approval]:
        """All asks of one person since a time, newest first."""
        ...

    def settle(self, approval_id: str, *, status: str, now: int, reason: str = "", by: str = "") -> bool:
        """Move a pending ask to an end; False when it is not pending or its time is over (except to `expired`)."""
        ...

    def grant(  # noqa: PLR0913 - each is a column of the decision
        self, approval_id: str, *, by: str, now: int, until: int, uses: int, choice: str
    ) -> Approval | None:
        """Approve a pending, living ask; None when it is not one (any more)."""
        ...

    def spend(self, digest: str, *, person_id: str, conversation: str, now: int, call: str) -> Approval | None:
        """Take one use of a living grant for exactly this digest by a guarded update; None when there is none."""
        ...

    def give_back(self, approval_id: str, *, call: str, now: int) -> bool:
        """Undo one `spend` of this call, once."""
        ...

    def revoke(
        self, *, person_id: str | None = None, conversation: str | None = None, now: int, reason: str
    ) -> Sequence[Approval]:
        """Void pending asks and unspent grants of a person, of a conversation, or of all; those that were voided."""
        ...

    # the outbox
    def put_message(self, message: Message) -> None:
        """Keep something to deliver."""
        ...

    def waiting(self, *, now: int) -> Sequence[Message]:
        """Messages that wait and are not over, oldest first."""
        ...

    def delivered(self, message_id: str, *, now: int, error: str = "") -> None:
        """A message reached its person, or for good did not."""
        ...


class Store(Protocol):
    """Where everything is kept."""

    def routine(self) -> Unit:
        """A transaction that survives the death of the process."""
        ...

    def firm(self) -> Unit:
        """A transaction that survives the death of the machine: roster, roles, asks, grants, pause."""
        ...

    def roster(self) -> Roster:
        """The snapshot in memory, read anew when the epoch has changed.

        Inside a transaction of the same thread it is what that transaction sees.
        """
        ...

    def known(self) -> Roster:
        """The latest snapshot without a look at the store: whoever acts on it compares its epoch in a transaction."""
        ...

    def beat(self) -> None:
        """Note that this writer is alive, for `herma doctor`."""
        ...

    def close(self) -> None:
        """End this writer."""
        ...
