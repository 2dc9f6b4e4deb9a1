"""The rows that people, their asks and their trail are kept in. Times are epoch milliseconds; ids are text."""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = [
    "Approval",
    "Entry",
    "Fact",
    "Invite",
    "Message",
    "Person",
    "Roster",
    "Session",
    "SharedFact",
    "SpokenIn",
    "Turn",
    "account_of",
]


def account_of(platform: str, sender_id: str) -> str:
    """The account of a sender, as it stands in every table: `platform:sender_id`, nothing added, nothing folded."""
    return f"{platform}:{sender_id}"


class Person(NamedTuple):
    """Somebody on the roster. `person_id` is the first account; `tools` are what `/many tools` gave or took (`-name`).

    `daily_tokens` 0 means without limit. `muted_until` is when asks of this person may reach an owner again.
    """

    person_id: str
    platform: str
    sender_id: str
    display: str
    name: str
    role: str
    tools: tuple[str, ...] = ()
    daily_tokens: int = 0
    created_at: int = 0
    last_seen: int = 0
    muted_until: int = 0


class Roster(NamedTuple):
    """Everybody and every switch, as one value; valid as long as `epoch` is the store's.

    `people` is by person, `accounts` leads from an account to its person, `settings` is the table of that name.
    """

    epoch: int
    people: Mapping[str, Person]
    accounts: Mapping[str, str]
    settings: Mapping[str, str]


class Turn(NamedTuple):
    """One turn of the host: who spoke, where and when. `kind` is how the person was found (see `principal`)."""

    turn_id: str
    session_id: str
    person_id: str
    account: str
    kind: str
    role: str
    message_id: str = ""
    surface: str = ""
    parent_turn: str = ""
    at: int = 0


class SpokenIn(NamedTuple):
    """What of one session is a person's: from the start of their first turn to the next turn of anybody else's.

    `next_at` is None where nobody has spoken since. `chat` tells the chat of the session; empty where it is not known.
    """

    session_id: str
    chat: str
    first_at: int
    next_at: int | None


class Session(NamedTuple):
    """A host's session: its conversation (the same over a compaction, another one after `/new`) and its speakers."""

    session_id: str
    conversation: str
    person_id: str
    speakers: int
    platform: str = ""
    chat: str = ""


class Fact(NamedTuple):
    """What one person stored for themselves."""

    fact_id: int
    person_id: str
    topic: str
    text: str
    created_at: int
    source: str = ""


class SharedFact(NamedTuple):
    """What somebody shared with everyone. Without `confirmed_by` it does not reach an owner's turn."""

    fact_id: int
    text: str
    added_by: str
    created_at: int
    confirmed_by: str = ""


class Invite(NamedTuple):
    """A single-use code. `kind` is `invite` or `claim`; `role` is what redeeming gives."""

    code: str
    kind: str
    role: str
    created_by: str
    created_at: int
    expires_at: int
    used_by: str = ""
    used_at: int = 0


class Approval(NamedTuple):
    """One ask and what became of it.

    `status`: pending, approved, denied, expired, superseded, undeliverable, revoked, spent. `expires_at` is the life of
    the code while pending and of the grant once approved. `approvers` is the set that was asked, never empty, never
    the asker. `uses_left` counts down from `uses`; `consumed_at` is when the last was spent.
    """

    approval_id: str
    code: str
    person_id: str
    account: str
    tool: str
    summary: str
    arguments: str
    digest: str
    conversation: str
    session_id: str
    turn_id: str
    status: str
    approvers: tuple[str, ...]
    asked_at: int
    expires_at: int
    request_id: str = ""
    decided_by: str = ""
    decided_at: int = 0
    choice: str = ""
    uses: int = 1
    uses_left: int = 0
    consumed_at: int = 0
    tool_call_id: str = ""
    reason: str = ""


class Message(NamedTuple):
    """Something that has to reach a person: it stays until it was delivered or its time is over."""

    message_id: str
    person_id: str
    purpose: str
    approval_id: str
    text: str
    created_at: int
    not_after: int
    state: str = "waiting"
    error: str = ""


class Entry(NamedTuple):
    """One row of the audit trail before it is chained. `note` is erasable and outside what is hashed."""

    kind: str
    person_id: str = ""
    session_id: str = ""
    turn_id: str = ""
    tool: str = ""
    allowed: int | None = None
    needs_approval: int | None = None
    approved: int | None = None
    tokens: int = 0
    note: str = ""
