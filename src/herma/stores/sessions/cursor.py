"""How far a reader has told: a text that whoever keeps it need not understand. About 100 bytes a session."""

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple

__all__ = ["Cursor", "Told", "digest", "parse", "text"]

_VERSION = 1

# The last ones that were given out: a process that goes on from where it was need not read them.
_MOST_GIVEN = 4
_given: dict[str, tuple[str, "Cursor"]] = {}


class Told(NamedTuple):
    """What was told of a session: so many messages of its outline, and digests of what they were then.

    `early` covers the ids of all and the states of all but the last few, `late` the states of those, `past` the
    session's own record.
    """

    messages: int
    early: str
    late: str
    past: str

    def row(self) -> str:
        """As it stands in a cursor."""
        return "|".join(map(str, self))


class Cursor(NamedTuple):
    """`high` is the layout's own; `turn` says how many sessions of `told` have been looked at in their turn.

    `marks` are those of the sessions that were told to their end.
    """

    high: str = ""
    turn: int = 0
    marks: Mapping[str, int] = {}
    told: Mapping[str, str] = {}

    def of(self, session_id: str) -> Told | None:
        """What was told of a session, None where nothing was."""
        found = self.told.get(session_id)
        if found is None:
            return None
        messages, *digests = found.split("|")
        return Told(int(messages), *digests)


def digest(parts: Iterable[str]) -> str:
    """Ten characters that are others once the parts are."""
    return blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


def parse(cursor: str, kind: str) -> Cursor:
    """A cursor that was given out for this kind of host; anything else is the beginning."""
    if (known := _given.get(cursor)) and known[0] == kind:
        return known[1]
    try:
        version, host, high, turn, marks, told = json.loads(cursor)
        found = Cursor(high + "", turn + 0, dict(marks), dict(told))
    except (ValueError, TypeError):
        return Cursor()
    return found if (version, host) == (_VERSION, kind) else Cursor()


def text(cursor: Cursor, kind: str) -> str:
    """The cursor as it is kept."""
    given = json.dumps([_VERSION, kind, *cursor], separators=(",", ":"), ensure_ascii=False)
    _given[given] = kind, cursor
    for oldest in list(_given)[:-_MOST_GIVEN]:
        _given.pop(oldest, None)
    return given
