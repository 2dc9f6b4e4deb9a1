"""Sessions and their messages as one person may see them. Nothing here reads a message but through `mine`."""

import sqlite3
from collections.abc import Collection, Sequence
from typing import NamedTuple

from herma.stores.recall.mine import VISIBLE
from herma.stores.recall.schema import SESSION

__all__ = ["Said", "Seen", "messages", "seen", "sessions"]


class Seen(NamedTuple):
    """A session, with the times of what the person sees of it; its title only where they were there from the start."""

    session_id: str
    title: str
    directory: str
    first_at: int
    last_at: int


class Said(NamedTuple):
    """One message. The text is as it is kept: without secrets, and cut where it was very long."""

    message_id: str
    place: int
    role: str
    kind: str
    at: int
    text: str


_MESSAGES = f"""
SELECT t.message_id, t.place, t.role, t.kind, t.at, t.text FROM turn t
WHERE t.id BETWEEN ? AND ? AND {VISIBLE.format(at="t.id")} ORDER BY t.place, t.id
"""  # noqa: S608 - a condition of ours
_SEEN = f"""
SELECT min(t.at), max(t.at), min(t.id), (SELECT min(o.id) FROM turn o WHERE o.id BETWEEN ? AND ?) FROM turn t
WHERE t.id BETWEEN ? AND ? AND {VISIBLE.format(at="t.id")}
"""  # noqa: S608 - a condition of ours
_OF_PERSON = """
SELECT s.no FROM session s WHERE NOT s.hidden AND
  (SELECT m.hi FROM temp.mine m WHERE m.person = ? AND m.lo < (s.no + 1 << ?) ORDER BY m.lo DESC LIMIT 1) >= s.no << ?
ORDER BY s.updated_at DESC, s.no DESC
"""


def seen(connection: sqlite3.Connection, person: str, number: int) -> Seen | None:
    """A session by its number, None where nothing of it is the person's."""
    row = connection.execute("SELECT session_id, title, directory FROM session WHERE no = ?", [number]).fetchone()
    if row is None:
        return None
    span = _span(number)
    first, last, earliest, begin = connection.execute(_SEEN, [*span, *span, person]).fetchone()
    if first is None:
        return None
    session_id, title, directory = row
    return Seen(session_id, title if earliest == begin else "", directory, first, last)


def messages(connection: sqlite3.Connection, person: str, number: int) -> Sequence[Said]:
    """The messages of a session that are the person's, in order."""
    return [Said(*row) for row in connection.execute(_MESSAGES, [*_span(number), person])]


def sessions(connection: sqlite3.Connection, person: str, limit: int, without: Collection[str]) -> list[Seen]:
    """The sessions of which something is the person's, the newest first."""
    found: list[Seen] = []
    for (number,) in connection.execute(_OF_PERSON, [person, SESSION, SESSION]).fetchall():
        if len(found) >= limit:
            break
        one = seen(connection, person, number)
        if one is not None and one.session_id not in without:
            found.append(one)
    return found


def _span(number: int) -> tuple[int, int]:
    return number << SESSION, (number + 1 << SESSION) - 1
