"""The rows of a database that manyhands itself made, in our tables.

Its columns are known by name only: one that is missing is empty, times may be seconds, milliseconds or ISO text, and
what it did not know is left at its default. No code and no approval of it is open afterwards. Its trail, which nothing
protected so far, is chained from here on.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from json import dumps, loads
from typing import Any

from herma.core.people.records import Approval, Entry, Person
from herma.stores.people import statements as sql
from herma.stores.people.chain import Chain, Execute, Opening

__all__ = ["carry", "milliseconds", "set_aside", "tools_of"]

_TABLES = ("people", "facts", "shared_facts", "audit", "sessions", "invites", "approvals", "settings")
_ASIDE = "set_aside_"
_EARLIEST_MS = 100_000_000_000  # a greater number is in milliseconds, a lesser one in seconds: 1973 and 5138
_TRUE = frozenset(("1", "true", "yes", "on"))

Old = dict[str, Any]


def set_aside(connection: sqlite3.Connection) -> None:
    """Give the tables other names, so that ours can be made."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (index,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql <> ''").fetchall():
        connection.execute(f'DROP INDEX "{index}"')
    for (name,) in found:
        if name in _TABLES:
            connection.execute(f"ALTER TABLE {name} RENAME TO {_ASIDE}{name}")


def carry(connection: sqlite3.Connection, opening: Opening) -> None:
    """Copy all rows and drop the old tables, inside the caller's transaction."""
    execute = connection.cursor().execute
    there = {name for (name,) in execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}
    for table in _TABLES:
        if _ASIDE + table in there:
            rows = connection.execute(f"SELECT * FROM {_ASIDE}{table}")  # noqa: S608 - names of ours
            names = [column[0] for column in rows.description]
            _CARRY[table](execute, (dict(zip(names, row, strict=True)) for row in rows), opening)
            rows.close()
            execute(f"DROP TABLE {_ASIDE}{table}")


def milliseconds(value: object) -> int:
    """A time as manyhands may have written it; 0 for none, or for one that is not understood."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return _from_iso(str(value))
    if not isinstance(value, (int, float)) or value != value or abs(value) == float("inf"):  # noqa: PLR0124 - NaN
        return 0
    return int(value) if abs(value) >= _EARLIEST_MS else round(value * 1000)


def tools_of(value: object) -> tuple[str, ...]:
    """Tools that were given, and with `-` before them taken: a list of names, or lists under `add` and `remove`."""
    try:
        found = loads(value) if isinstance(value, str) else None
    except ValueError:
        return ()
    if isinstance(found, dict):
        found = [*_names(found.get("add")), *(f"-{name}" for name in _names(found.get("remove")))]
    return tuple(_names(found))


def _people(execute: Execute, rows: Iterator[Old], _opening: Opening) -> None:
    for row in rows:
        person = Person(
            person_id=_text(row, "person_id"),
            platform=_text(row, "platform") or _text(row, "person_id").partition(":")[0],
            sender_id=_text(row, "sender_id") or _text(row, "person_id").partition(":")[2],
            display=_text(row, "display"),
            name=_text(row, "name"),
            role=_text(row, "role") or "guest",
            tools=tools_of(row.get("tools_json")),
            daily_tokens=_number(row, "daily_tokens") or 0,
            created_at=milliseconds(row.get("created_at")),
            last_seen=milliseconds(row.get("last_seen")),
        )
        execute(sql.SAVE_PERSON, (*person[:6], dumps(person.tools), *person[7:]))
        execute(sql.SAVE_ACCOUNT, (person.person_id, person.person_id))


def _facts(execute: Execute, rows: Iterator[Old], _opening: Opening) -> None:
    for row in rows:
        at = milliseconds(row.get("created_at"))
        values = (_text(row, "person_id"), _text(row, "topic"), _text(row, "text"), at, _text(row, "source"))
        execute(sql.ADD_FACT, values).fetchone()


def _shared(execute: Execute, rows: Iterator[Old], _opening: Opening) -> None:
    for row in rows:
        at = milliseconds(row.get("created_at"))
        execute(sql.ADD_SHARED, (_text(row, "text"), _text(row, "added_by"), at, "")).fetchone()


def _audit(execute: Execute, rows: Iterator[Old], opening: Opening) -> None:
    moment, used = [opening.clock()], Counter[tuple[str, str]]()
    chain = Chain(opening._replace(clock=lambda: moment[0], host=f"manyhands, carried on by {opening.host}"))
    for row in rows:
        moment[0] = milliseconds(row.get("ts"))
        entry = _entry(row)
        chain.append(execute, entry, 1)
        if entry.kind == "tokens" and entry.tokens:
            used[entry.person_id, f"{datetime.fromtimestamp(moment[0] / 1000, UTC):%Y-%m-%d}"] += entry.tokens
    moment[0] = opening.clock()
    chain.append(execute, Entry("policy", note="the database of manyhands was carried on; open approvals are void"), 1)
    execute(sql.END, (moment[0], moment[0], chain.seq, chain.hash, chain.writer))
    for (person, day), tokens in used.items():
        execute(sql.ADD_TOKENS, (person, day, tokens))


def _entry(row: Old) -> Entry:
    return Entry(
        _text(row, "kind"),
        _text(row, "person_id"),
        _text(row, "session_id"),
        _text(row, "turn_id"),
        _text(row, "tool"),
        _number(row, "allowed"),
        _number(row, "needs_approval"),
        _number(row, "approved"),
        _number(row, "tokens") or 0,
        _text(row, "note"),
    )


def _sessions(execute: Execute, rows: Iterator[Old], opening: Opening) -> None:
    for row in rows:
        session, person = _text(row, "session_id"), _text(row, "person_id")
        execute(sql.PUT_SESSION, (session, person, session, person.partition(":")[0], "", opening.clock()))
        if person:
            execute(sql.SPEAKER, (session, person))


def _invites(execute: Execute, rows: Iterator[Old], _opening: Opening) -> None:
    for row in rows:
        used = milliseconds(row.get("used_at"))
        if used:  # an open code was made by rules that are not ours
            at, until = milliseconds(row.get("created_at")), milliseconds(row.get("expires_at"))
            values = (_text(row, "code"), "invite", _text(row, "role"), _text(row, "created_by"), at, until)
            execute(sql.PUT_INVITE, (*values, _text(row, "used_by"), used))


def _approvals(execute: Execute, rows: Iterator[Old], _opening: Opening) -> None:
    for number, row in enumerate(rows, 1):
        consumed, until = milliseconds(row.get("consumed_at")), milliseconds(row.get("expires_at"))
        status = _text(row, "status")
        is_open = status in ("pending", "approved") and not consumed
        approval = Approval(
            approval_id=f"manyhands-{number}",
            code=_text(row, "code"),
            person_id=_text(row, "person_id"),
            account=_text(row, "person_id"),
            tool=_text(row, "tool"),
            summary=_text(row, "summary"),
            arguments="",
            digest=_text(row, "digest"),
            conversation="",
            session_id=_text(row, "session_id"),
            turn_id="",
            status="revoked" if is_open else "spent" if consumed else status,
            approvers=(),
            asked_at=milliseconds(row.get("created_at")) or until,
            expires_at=until,
            request_id=_text(row, "request_id"),
            decided_by=_text(row, "decided_by"),
            choice=_text(row, "choice"),
            reason="upgraded" if is_open else "",
        )
        values: Old = {**approval._asdict(), "approvers": "[]", "consumed_at": consumed or None}
        execute(sql.PARK, tuple(values.values()))


def _settings(execute: Execute, rows: Iterator[Old], _opening: Opening) -> None:
    for row in rows:
        key, value = _text(row, "key"), _text(row, "value")
        if key == "paused":
            value = "1" if value.strip('" ').lower() in _TRUE else "0"
        execute(sql.PUT_SETTING, (key, value))


_CARRY: dict[str, Callable[[Execute, Iterator[Old], Opening], None]] = {
    "people": _people,
    "facts": _facts,
    "shared_facts": _shared,
    "audit": _audit,
    "sessions": _sessions,
    "invites": _invites,
    "approvals": _approvals,
    "settings": _settings,
}


def _from_iso(text: str) -> int:
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return 0
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)


def _text(row: Old, name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)


def _number(row: Old, name: str) -> int | None:
    value = row.get(name)
    try:
        return None if value is None else int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _names(value: object) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
