"""Stand-ins for hosts that store sessions: the same tables, written in the same ways, without the hosts."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

GOLDEN = Path(__file__).parents[2] / "golden"
HERMES = ("0.19.0", "0.22.2")
START = 1_700_000_000  # seconds since 1970: when the first session began

_SESSION_V2 = """
CREATE TABLE session_v2 (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, fork_session_id text,
  slug text NOT NULL, directory text NOT NULL, title text, version text NOT NULL, metadata text, revert text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
"""


def create(database: sqlite3.Connection, golden: str) -> None:
    """Make the tables that were recorded from a real host."""
    for table, shape in json.loads((GOLDEN / f"{golden}.json").read_text("utf-8")).items():
        columns = ", ".join(map(_column, shape["columns"]))
        database.execute(f"CREATE TABLE {table} ({columns})")
        for number, index in enumerate(shape["indexes"]):
            unique = "UNIQUE" if index["unique"] else ""
            names = ", ".join(index["columns"])
            database.execute(f"CREATE {unique} INDEX {table}_{number} ON {table} ({names})")


def _column(column: Mapping[str, Any]) -> str:
    if column["key"] and column["type"] == "INTEGER":
        return f"{column['name']} INTEGER PRIMARY KEY AUTOINCREMENT"
    default = "" if column["default"] is None else f"DEFAULT {column['default']}"
    return f"{column['name']} {column['type']} {'PRIMARY KEY' if column['key'] else ''} {default}"


class Host:
    """A host with its database open. Its clock goes on by a second with everything that it stores."""

    def __init__(self, path: Path, golden: str, *, log: bool = True) -> None:
        self.path = path
        self.now = START
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute(f"PRAGMA journal_mode={'WAL' if log else 'DELETE'}")
        self.database.execute("PRAGMA synchronous=OFF")  # nothing here has to survive the machine
        if golden:
            create(self.database, golden)

    def __enter__(self) -> Self:
        """The host itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it as a host that closes its database."""
        self.end()

    def end(self) -> None:
        """Close the database."""
        self.database.close()

    def tick(self) -> int:
        """A second later, in seconds since 1970."""
        self.now += 1
        return self.now

    def put(self, table: str, **values: object) -> int:
        """One row; its number."""
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - names from this file
        row = self.database.execute(statement, list(values.values()))
        return int(row.lastrowid or 0)

    def run(self, statement: str, *values: object) -> None:
        """Any other change."""
        self.database.execute(statement, values)


class Hermes(Host):
    """Hermes as it writes `state.db`."""

    def __init__(self, path: Path, version: str = "0.19.0", *, log: bool = True) -> None:
        super().__init__(path, f"sessions-hermes-{version}", log=log)

    def session(self, session: str, **more: object) -> None:
        """A session that begins."""
        self.put("sessions", **{"id": session, "source": "cli", "started_at": float(self.tick()), **more})

    def say(self, session: str, role: str, content: object, **more: object) -> int:
        """A message; its number."""
        values = {"session_id": session, "role": role, "content": content, "timestamp": float(self.tick()), **more}
        return self.put("messages", **{"active": 1, "compacted": 0, **values})

    def take_back(self, session: str, number: int) -> None:
        """What `/undo` does: a message and all after it stay stored and count no longer."""
        self.run("UPDATE messages SET active = 0 WHERE session_id = ? AND id >= ? AND active = 1", session, number)

    def compact(self, session: str, summary: str, *, keep: int = 2) -> None:
        """A summary takes the place of the messages; the last `keep` are stored once more behind it."""
        query = (
            "SELECT role, content, tool_calls, tool_call_id, timestamp FROM messages WHERE session_id = ? AND active"
        )
        rows = self.database.execute(f"{query} ORDER BY id", [session]).fetchall()
        self.run("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", session)
        self.say(session, "user", f"[CONTEXT COMPACTION — REFERENCE ONLY] {summary}")
        for role, content, calls, call, timestamp in rows[len(rows) - keep :]:
            self.say(session, role, content, tool_calls=calls, tool_call_id=call, timestamp=timestamp)

    def delete(self, session: str) -> None:
        """A session and all that was said in it."""
        self.run("DELETE FROM messages WHERE session_id = ?", session)
        self.run("DELETE FROM sessions WHERE id = ?", session)


class OpenCode1(Host):
    """OpenCode 1 as it writes messages and parts; without `counts` as versions did that kept no number of events."""

    counts = True

    def __init__(self, path: Path) -> None:
        super().__init__(path, "sessions-opencode-1.18.33")

    def session(self, session: str, **more: object) -> None:
        """A session that begins."""
        at = self.tick() * 1000
        values = {"id": session, "project_id": "p", "slug": "s", "directory": "/d", "title": "a title", "version": "1"}
        self.put("session", **{**values, "time_created": at, "time_updated": at, **more})
        if self.counts:
            self.put("event_sequence", aggregate_id=session, seq=0)

    def message(self, session: str, message: str, role: str, **more: object) -> None:
        """A message without parts."""
        at, data = self.tick() * 1000, json.dumps({"role": role, **more})
        self.put("message", id=message, session_id=session, time_created=at, time_updated=at, data=data)
        self._noted(session)

    def part(self, session: str, message: str, part: str, **data: object) -> None:
        """A part of a message."""
        at = self.tick() * 1000
        values = {"id": part, "message_id": message, "session_id": session, "data": json.dumps(data)}
        self.put("part", time_created=at, time_updated=at, **values)
        self._noted(session)

    def say(self, session: str, message: str, role: str, text: str) -> None:
        """A message of one text."""
        self.message(session, message, role)
        self.part(session, message, f"prt_{message}", type="text", text=text)

    def rewrite(self, session: str, part: str, **data: object) -> None:
        """Another content for a part."""
        at = self.tick() * 1000
        self.run("UPDATE part SET data = ?, time_updated = ? WHERE id = ?", json.dumps(data), at, part)
        self._noted(session)

    def remove(self, session: str, message: str) -> None:
        """A message and its parts."""
        self.run("DELETE FROM part WHERE message_id = ?", message)
        self.run("DELETE FROM message WHERE id = ?", message)
        self._noted(session)

    def delete(self, session: str) -> None:
        """A session and all that was said in it."""
        for table, column in (("part", "session_id"), ("message", "session_id"), ("session", "id")):
            self.run(f"DELETE FROM {table} WHERE {column} = ?", session)  # noqa: S608 - the same
        if self.counts:
            self.run("DELETE FROM event_sequence WHERE aggregate_id = ?", session)

    def _noted(self, session: str) -> None:
        if self.counts:
            self.run("UPDATE event_sequence SET seq = seq + 1 WHERE aggregate_id = ?", session)


class OpenCode2(OpenCode1):
    """A database that OpenCode 2 took over from OpenCode 1: both layouts are in it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.database.executescript(_SESSION_V2)

    def session_v2(self, session: str, **more: object) -> None:
        """A session of the second layout."""
        at = self.tick() * 1000
        values = {"id": session, "project_id": "p", "slug": "s", "directory": "/d", "title": "a title", "version": "2"}
        self.put("session_v2", **{**values, "time_created": at, "time_updated": at, **more})

    def row(self, session: str, message: str, kind: str, seq: int, **data: object) -> None:
        """A message of the second layout."""
        at = self.tick() * 1000
        values = {"id": message, "session_id": session, "type": kind, "seq": seq, "data": json.dumps(data)}
        self.put("session_message", time_created=at, time_updated=at, **values)
