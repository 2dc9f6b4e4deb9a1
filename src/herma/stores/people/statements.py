# ruff: noqa: S608 - the parts are all constants of this module
"""Every statement on the tables, by name, in the SQL that both engines understand. Values come in by `?` alone."""

EPOCH = "SELECT epoch FROM meta"
MARKS = "SELECT epoch, facts FROM meta"
FACTS_CHANGED = "UPDATE meta SET facts = facts + 1"
ADVANCE = "UPDATE meta SET epoch = epoch + 1 RETURNING epoch"

NEW_META = "INSERT INTO meta (one, version, epoch, home, profile, file, created_at) VALUES (1, ?, 1, ?, ?, ?, ?)"
FILE = "SELECT file FROM meta"
SET_FILE = "UPDATE meta SET file = ?"

# the trail
AUDIT = """INSERT INTO audit (ts, person_id, session_id, turn_id, kind, tool, allowed, needs_approval, approved, tokens,
  note, writer, seq, surface, host, who, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
HOUR = """INSERT INTO hours (hour, first_id)
  SELECT ?, max(id) FROM audit WHERE true ON CONFLICT DO NOTHING"""
FIRST_SINCE = "SELECT min(first_id) FROM hours WHERE hour >= ?"
ENTRIES = """SELECT ts, kind, coalesce(person_id, ''), coalesce(session_id, ''), coalesce(turn_id, ''), tool, allowed,
  needs_approval, approved, tokens, note FROM audit WHERE id >= ? AND ts >= ? ORDER BY id DESC LIMIT ?"""
ENTRIES_OF = ENTRIES.replace(" ORDER", " AND person_id = ? ORDER")
SUMS = "SELECT kind, count(*), sum(tokens) FROM audit WHERE id >= ? AND ts >= ? GROUP BY kind"
SUMS_OF = SUMS.replace(" GROUP", " AND person_id = ? GROUP")
SALT = "SELECT salt FROM salts WHERE person_id = ?"
NEW_SALT = "INSERT INTO salts (person_id, salt) VALUES (?, ?)"
NEW_WRITER = """INSERT INTO writers (writer, surface, host, pid, home, profile, started_at, beat_at, ended_at, seq,
  hash, links) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, ?, ?)"""
END = "UPDATE writers SET beat_at = ?, ended_at = ?, seq = ?, hash = ? WHERE writer = ?"
WRITERS = "SELECT writer, seq, hash, links FROM writers ORDER BY started_at DESC, writer DESC LIMIT ?"
NEWEST = "SELECT writer, seq, hash FROM audit ORDER BY id DESC LIMIT ?"
ALL_WRITERS = "SELECT writer, surface, host, pid, home, profile, started_at, links, seq, hash FROM writers"
ALL_SALTS = "SELECT person_id, salt FROM salts"
ALL_ROWS = """SELECT id, ts, person_id, session_id, turn_id, kind, tool, allowed, needs_approval, approved, tokens,
  note, writer, seq, surface, host, who, prev, hash FROM audit ORDER BY id"""
NEWEST_ROWS = f"{ALL_ROWS} DESC LIMIT ?"

# people
SAVE_PERSON = """INSERT INTO people (person_id, platform, sender_id, display, name, role, tools_json, daily_tokens,
  created_at, last_seen, muted_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (person_id) DO UPDATE SET platform = excluded.platform, sender_id = excluded.sender_id,
  display = excluded.display, name = excluded.name, role = excluded.role, tools_json = excluded.tools_json,
  daily_tokens = excluded.daily_tokens, created_at = excluded.created_at, last_seen = excluded.last_seen,
  muted_until = excluded.muted_until"""
SAVE_ACCOUNT = """INSERT INTO accounts (account, person_id) VALUES (?, ?)
  ON CONFLICT (account) DO UPDATE SET person_id = excluded.person_id"""
PEOPLE = """SELECT person_id, platform, sender_id, display, name, role, tools_json, daily_tokens, created_at, last_seen,
  muted_until FROM people"""
ACCOUNTS = "SELECT account, person_id FROM accounts"
SETTINGS = "SELECT key, value FROM settings"
SEEN = "UPDATE people SET last_seen = ? WHERE person_id = ? AND last_seen < ?"
FORGET_FACTS = "DELETE FROM facts WHERE person_id = ?"
# What stood only on this person goes with them, in an order that still finds it.
FORGET_PERSON = (
    "DELETE FROM addresses WHERE account IN (SELECT account FROM accounts WHERE person_id = ?)",
    "DELETE FROM accounts WHERE person_id = ?",
    "DELETE FROM invites WHERE created_by = ? AND used_at = 0",
    "UPDATE invites SET created_by = '' WHERE created_by = ?",
    "DELETE FROM jobs WHERE person_id = ?",
    "DELETE FROM outbox WHERE person_id = ? AND state = 'waiting'",
    "DELETE FROM people WHERE person_id = ?",
)
PUT_SETTING = """INSERT INTO settings (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value"""
SETTING = "SELECT value FROM settings WHERE key = ?"
PUT_ADDRESS = """INSERT INTO addresses (account, chat, at) VALUES (?, ?, ?)
  ON CONFLICT (account) DO UPDATE SET chat = excluded.chat, at = excluded.at"""
ADDRESS = "SELECT chat FROM addresses WHERE account = ?"

# codes
PUT_INVITE = """INSERT INTO invites (code, kind, role, created_by, created_at, expires_at, used_by, used_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
INVITES = """SELECT code, kind, role, created_by, created_at, expires_at, used_by, used_at FROM invites
  WHERE used_at = 0 AND expires_at > ? ORDER BY created_at, code"""
VOID_INVITES = "DELETE FROM invites WHERE used_at = 0"
USE_INVITE = """UPDATE invites SET used_by = ?, used_at = ? WHERE code = ? AND used_at = 0 AND expires_at > ?
  RETURNING code"""
WRONG = """INSERT INTO attempts (account, day, wrong) VALUES (?, ?, 1)
  ON CONFLICT (account, day) DO UPDATE SET wrong = attempts.wrong + 1 RETURNING wrong"""
WRONGS = "SELECT wrong FROM attempts WHERE account = ? AND day = ?"

# turns and sessions
ADD_TURN = """INSERT INTO turns (turn_id, session_id, person_id, account, kind, role, message_id, surface, parent_turn,
  at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING turn_id"""
SPEAKER = "INSERT INTO session_people (session_id, speaker) VALUES (?, ?) ON CONFLICT DO NOTHING"
TURN = """SELECT turn_id, session_id, person_id, account, kind, role, message_id, surface, parent_turn, at FROM turns
  WHERE session_id = ? AND turn_id = ?"""
# What a machine did in somebody's name, a scheduled job or a subagent, is not what they said.
SPOKEN = """SELECT m.session_id, coalesce(s.chat, ''), m.first_at,
  (SELECT min(o.at) FROM turns o WHERE o.session_id = m.session_id AND o.person_id <> ? AND o.at >= m.last_at)
  FROM (SELECT t.session_id, min(t.at) AS first_at, max(t.at) AS last_at
    FROM session_people p JOIN turns t ON t.session_id = p.session_id
    WHERE p.speaker = ? AND t.person_id = ? AND t.kind IN ('person', 'seat') AND t.parent_turn = ''
    GROUP BY t.session_id) m
  LEFT JOIN sessions s ON s.session_id = m.session_id ORDER BY m.session_id"""
# What one session of a conversation heard, a later one of it still carries: its speakers are those of all of them.
_HEARD = """(session_id = {0} OR session_id IN (SELECT o.session_id FROM sessions m JOIN sessions o
  ON o.conversation = m.conversation WHERE m.session_id = {0} AND m.conversation <> ''))"""
SESSION = f"""SELECT session_id, conversation, person_id, (SELECT count(DISTINCT speaker) FROM session_people
  WHERE {_HEARD.format("s.session_id")}), platform, chat FROM sessions s WHERE session_id = ?"""
SPEAKERS = f"SELECT DISTINCT speaker FROM session_people WHERE {_HEARD.format('?')} ORDER BY speaker"
PUT_SESSION = """INSERT INTO sessions (session_id, person_id, conversation, platform, chat, at, ended_at)
  VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT (session_id) DO UPDATE SET person_id = excluded.person_id,
  ended_at = CASE WHEN sessions.conversation = excluded.conversation THEN sessions.ended_at END,
  conversation = excluded.conversation, platform = excluded.platform, chat = excluded.chat, at = excluded.at"""
CONVERSATION = """SELECT conversation FROM sessions WHERE chat = ? AND ended_at IS NULL
  ORDER BY at DESC, session_id DESC LIMIT 1"""
END_CONVERSATION = """UPDATE sessions SET ended_at = ? WHERE ended_at IS NULL AND conversation =
  (SELECT conversation FROM sessions WHERE session_id = ?) RETURNING conversation"""
PUT_JOB = "INSERT INTO jobs (job_id, person_id, at) VALUES (?, ?, ?) ON CONFLICT (job_id) DO NOTHING"
JOB = "SELECT person_id FROM jobs WHERE job_id = ?"

# facts
ADD_FACT = "INSERT INTO facts (person_id, topic, text, created_at, source) VALUES (?, ?, ?, ?, ?) RETURNING fact_id"
FACTS = """SELECT fact_id, person_id, topic, text, created_at, source FROM facts WHERE person_id = ?
  ORDER BY fact_id DESC LIMIT ?"""
ADD_SHARED = """INSERT INTO shared_facts (text, added_by, created_at, confirmed_by) VALUES (?, ?, ?, ?)
  RETURNING fact_id"""
SHARED = """SELECT fact_id, text, added_by, created_at, confirmed_by FROM shared_facts
  ORDER BY fact_id DESC LIMIT ?"""
CONFIRM_SHARED = "UPDATE shared_facts SET confirmed_by = ? WHERE fact_id = ? RETURNING fact_id"
REMOVE_FACT = "DELETE FROM facts WHERE fact_id = ? AND person_id = ? RETURNING fact_id"
REMOVE_SHARED = "DELETE FROM shared_facts WHERE fact_id = ? RETURNING fact_id"

# tokens
ADD_TOKENS = """INSERT INTO usage (person_id, day, tokens) VALUES (?, ?, ?)
  ON CONFLICT (person_id, day) DO UPDATE SET tokens = usage.tokens + excluded.tokens"""
TOKENS = "SELECT tokens FROM usage WHERE person_id = ? AND day = ?"

# asks
_APPROVAL = """approval_id, code, person_id, account, tool, summary, arguments, digest, conversation, session_id,
  turn_id, status, approvers, asked_at, expires_at, request_id, decided_by, decided_at, choice, uses, uses_left,
  coalesce(consumed_at, 0), tool_call_id, reason"""
SUPERSEDE = f"""UPDATE approvals SET status = CASE WHEN expires_at > ? THEN 'superseded' ELSE 'expired' END,
  decided_at = ? WHERE person_id = ? AND tool = ? AND status = 'pending' RETURNING {_APPROVAL}"""
PARK = f"""INSERT INTO approvals ({_APPROVAL.replace("coalesce(consumed_at, 0)", "consumed_at")})
  VALUES ({", ".join("?" * 24)})"""
APPROVAL = f"SELECT {_APPROVAL} FROM approvals WHERE approval_id = ?"
PENDING = f"""SELECT {_APPROVAL} FROM approvals WHERE status = 'pending' AND expires_at > ?
  ORDER BY asked_at, approval_id"""
ASKS = f"""SELECT {_APPROVAL} FROM approvals WHERE person_id = ? AND asked_at >= ?
  ORDER BY asked_at DESC, approval_id DESC"""
SETTLE = """UPDATE approvals SET status = ?, decided_at = ?, reason = ?, decided_by = ? WHERE approval_id = ?
  AND status = 'pending' AND (expires_at > ? OR ? = 'expired') RETURNING approval_id"""
GRANT = f"""UPDATE approvals SET status = 'approved', decided_by = ?, decided_at = ?, expires_at = ?, uses = ?,
  uses_left = ?, choice = ? WHERE approval_id = ? AND status = 'pending' AND expires_at > ? AND person_id <> ?
  RETURNING {_APPROVAL}"""
# The guard stands in the update itself too: on an engine that reads before it locks, the inner row may be old.
SPEND = f"""UPDATE approvals SET uses_left = uses_left - 1, tool_call_id = ?, consumed_at = ?,
  status = CASE WHEN uses_left = 1 THEN 'spent' ELSE status END
  WHERE approval_id = (SELECT approval_id FROM approvals WHERE digest = ? AND person_id = ? AND conversation = ?
    AND status = 'approved' AND uses_left > 0 AND expires_at > ? ORDER BY expires_at, approval_id LIMIT 1)
  AND status = 'approved' AND uses_left > 0 AND expires_at > ? RETURNING {_APPROVAL}"""
SPENT = "INSERT INTO spends (approval_id, tool_call_id, at) VALUES (?, ?, ?)"
RETURN = """UPDATE spends SET returned_at = ? WHERE spend_id = (SELECT max(spend_id) FROM spends
    WHERE approval_id = ? AND tool_call_id = ?)
  AND NOT EXISTS (SELECT 1 FROM spends WHERE approval_id = ? AND tool_call_id = ? AND returned_at IS NOT NULL)
  AND EXISTS (SELECT 1 FROM approvals WHERE approval_id = ? AND status IN ('approved', 'spent') AND expires_at > ?)
  RETURNING spend_id"""
GIVE_BACK = """UPDATE approvals SET uses_left = uses_left + 1, status = 'approved',
  consumed_at = (SELECT max(at) FROM spends WHERE approval_id = ? AND returned_at IS NULL)
  WHERE approval_id = ?"""
_ALIVE = "(status = 'pending' OR (status = 'approved' AND uses_left > 0))"
REVOKE = f"""UPDATE approvals SET uses_left = 0, decided_at = CASE WHEN status = 'pending' THEN ? ELSE decided_at END,
  reason = CASE WHEN expires_at > ? THEN ? ELSE reason END,
  status = CASE WHEN expires_at > ? THEN 'revoked' ELSE 'expired' END
  WHERE {_ALIVE} RETURNING {_APPROVAL}"""
REVOKE_OF = REVOKE.replace(" RETURNING", " AND (person_id = ? OR (status = 'approved' AND decided_by = ?)) RETURNING")
REVOKE_IN = REVOKE.replace(" RETURNING", " AND conversation = ? RETURNING")
REVOKE_OF_IN = REVOKE_OF.replace(" RETURNING", " AND conversation = ? RETURNING")

# the outbox
PUT_MESSAGE = """INSERT INTO outbox (message_id, person_id, purpose, approval_id, text, created_at, not_after, state,
  error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
WAITING = """SELECT message_id, person_id, purpose, approval_id, text, created_at, not_after, state, error FROM outbox
  WHERE state = 'waiting' AND not_after > ? ORDER BY created_at, message_id"""
DELIVERED = """UPDATE outbox SET state = ?, error = ?, settled_at = ?,
  text = '' WHERE message_id = ? AND state = 'waiting'"""
