"""The tables in which people, their asks and their trail are kept, and in which version.

Names and columns of `people`, `facts`, `shared_facts`, `audit`, `sessions`, `invites`, `approvals` and `settings` are
those that users of manyhands know; what is added stands behind them. Types are tokens that an engine translates:
`{text}`, `{int}`, `{bytes}`, `{row}` (a row's number) and `{serial}` (a number that is never given twice).
Times are epoch milliseconds. In `audit` a person, session or turn that is NULL was erased; see `core.people.audit`.
"""

__all__ = ["INDEXES", "KEYED", "TABLES", "VERSION"]

VERSION = 1

# Small rows with a key of their own: an engine that can keeps them in the key's order, without a second copy of it.
KEYED = frozenset(
    ("accounts", "addresses", "attempts", "hours", "jobs", "salts", "session_people", "settings", "turns", "usage")
)

TABLES = {
    "meta": """
        one {int} PRIMARY KEY CHECK (one = 1), version {int} NOT NULL, epoch {int} NOT NULL,
        facts {int} NOT NULL DEFAULT 0, home {text} NOT NULL,
        profile {text} NOT NULL, file {text} NOT NULL, created_at {int} NOT NULL""",
    "people": """
        person_id {text} PRIMARY KEY, platform {text} NOT NULL, sender_id {text} NOT NULL, display {text} NOT NULL,
        name {text} NOT NULL, role {text} NOT NULL, tools_json {text} NOT NULL, daily_tokens {int} NOT NULL,
        created_at {int} NOT NULL, last_seen {int} NOT NULL, muted_until {int} NOT NULL DEFAULT 0""",
    "accounts": "account {text} PRIMARY KEY, person_id {text} NOT NULL",
    "addresses": "account {text} PRIMARY KEY, chat {text} NOT NULL, at {int} NOT NULL",
    "facts": """
        fact_id {serial}, person_id {text} NOT NULL, topic {text} NOT NULL, text {text} NOT NULL,
        created_at {int} NOT NULL, source {text} NOT NULL""",
    "shared_facts": """
        fact_id {serial}, text {text} NOT NULL, added_by {text} NOT NULL, created_at {int} NOT NULL,
        confirmed_by {text} NOT NULL DEFAULT ''""",
    "audit": """
        id {row}, ts {int} NOT NULL, person_id {text}, session_id {text}, turn_id {text}, kind {text} NOT NULL,
        tool {text} NOT NULL, allowed {int}, needs_approval {int}, approved {int}, tokens {int} NOT NULL,
        note {text} NOT NULL, writer {text} NOT NULL, seq {int} NOT NULL, surface {text} NOT NULL,
        host {text} NOT NULL, who {bytes} NOT NULL, prev {bytes} NOT NULL, hash {bytes} NOT NULL""",
    # The first row of each hour: with it a span of time needs no index, which every row would pay for.
    "hours": "hour {int} PRIMARY KEY, first_id {int} NOT NULL",
    "salts": "person_id {text} PRIMARY KEY, salt {bytes} NOT NULL",
    "writers": """
        writer {text} PRIMARY KEY, surface {text} NOT NULL, host {text} NOT NULL, pid {int} NOT NULL,
        home {text} NOT NULL, profile {text} NOT NULL, started_at {int} NOT NULL, beat_at {int} NOT NULL,
        ended_at {int}, seq {int} NOT NULL, hash {bytes} NOT NULL, links {text} NOT NULL""",
    "checkpoints": """
        writer {text} NOT NULL, seq {int} NOT NULL, hash {bytes} NOT NULL, at {int} NOT NULL, method {text} NOT NULL,
        signature {bytes} NOT NULL, PRIMARY KEY (writer, seq)""",
    "sessions": """
        session_id {text} PRIMARY KEY, person_id {text} NOT NULL, conversation {text} NOT NULL,
        platform {text} NOT NULL, chat {text} NOT NULL, at {int} NOT NULL, ended_at {int}""",
    "session_people": "session_id {text} NOT NULL, speaker {text} NOT NULL, PRIMARY KEY (session_id, speaker)",
    "turns": """
        turn_id {text} NOT NULL, session_id {text} NOT NULL, person_id {text} NOT NULL, account {text} NOT NULL,
        kind {text} NOT NULL, role {text} NOT NULL, message_id {text} NOT NULL, surface {text} NOT NULL,
        parent_turn {text} NOT NULL, at {int} NOT NULL, PRIMARY KEY (session_id, turn_id)""",
    "invites": """
        code {text} PRIMARY KEY, kind {text} NOT NULL, role {text} NOT NULL, created_by {text} NOT NULL,
        created_at {int} NOT NULL, expires_at {int} NOT NULL, used_by {text} NOT NULL DEFAULT '',
        used_at {int} NOT NULL DEFAULT 0""",
    "attempts": """
        account {text} NOT NULL, day {text} NOT NULL, wrong {int} NOT NULL, PRIMARY KEY (account, day)""",
    "approvals": """
        approval_id {text} PRIMARY KEY, code {text} NOT NULL, person_id {text} NOT NULL, account {text} NOT NULL,
        tool {text} NOT NULL, summary {text} NOT NULL, arguments {text} NOT NULL, digest {text} NOT NULL,
        conversation {text} NOT NULL, session_id {text} NOT NULL, turn_id {text} NOT NULL, status {text} NOT NULL,
        approvers {text} NOT NULL, asked_at {int} NOT NULL, expires_at {int} NOT NULL, request_id {text} NOT NULL,
        decided_by {text} NOT NULL, decided_at {int} NOT NULL, choice {text} NOT NULL, uses {int} NOT NULL,
        uses_left {int} NOT NULL CHECK (uses_left BETWEEN 0 AND uses), consumed_at {int}, tool_call_id {text} NOT NULL,
        reason {text} NOT NULL""",
    "spends": """
        spend_id {serial}, approval_id {text} NOT NULL, tool_call_id {text} NOT NULL, at {int} NOT NULL,
        returned_at {int}""",
    "settings": "key {text} PRIMARY KEY, value {text} NOT NULL",
    "usage": """
        person_id {text} NOT NULL, day {text} NOT NULL, tokens {int} NOT NULL, reserved {int} NOT NULL DEFAULT 0,
        PRIMARY KEY (person_id, day)""",
    "jobs": "job_id {text} PRIMARY KEY, person_id {text} NOT NULL, at {int} NOT NULL",
    "outbox": """
        message_id {text} PRIMARY KEY, person_id {text} NOT NULL, purpose {text} NOT NULL,
        approval_id {text} NOT NULL, text {text} NOT NULL, created_at {int} NOT NULL, not_after {int} NOT NULL,
        state {text} NOT NULL, error {text} NOT NULL, settled_at {int}""",
    "leases": """
        resource {text} PRIMARY KEY, holder {text} NOT NULL, fence {int} NOT NULL, expires_at {int} NOT NULL""",
}

INDEXES = (
    "CREATE INDEX facts_person ON facts (person_id, fact_id)",
    "CREATE INDEX accounts_person ON accounts (person_id)",
    "CREATE INDEX session_people_speaker ON session_people (speaker)",
    "CREATE INDEX sessions_chat ON sessions (chat)",
    "CREATE INDEX sessions_conversation ON sessions (conversation)",
    # One ask of a person for a tool waits at a time, whatever the code above may think.
    "CREATE UNIQUE INDEX approvals_waiting ON approvals (person_id, tool) WHERE status = 'pending'",
    "CREATE INDEX approvals_granted ON approvals (digest) WHERE status = 'approved'",
    "CREATE INDEX approvals_person ON approvals (person_id, asked_at)",
    "CREATE INDEX spends_approval ON spends (approval_id)",
    "CREATE INDEX outbox_waiting ON outbox (created_at) WHERE state = 'waiting'",
)
