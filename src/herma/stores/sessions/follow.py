"""What changed in a host's sessions since a cursor, whatever the host.

Hosts say little about what they change. So a session is looked at when its mark is another one, when a row was stored
in it since, and, where neither is to be relied on, in its turn: with every call that has something to tell, a few more
of those that seem to rest. To look at a session is to read its outline; the words are read of what is new, and of the
last few messages when one of them changed. When anything else changed, or a message is gone, it is told anew.

Costs: one pass over the ids of all sessions, the outlines of those that are looked at (those in turn have at most
`_IN_TURN` messages in all, or are one session), and the words that are told.
"""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from herma.core.recall.records import Change, Passage, Past
from herma.stores.sessions.cursor import Cursor, Told, digest, parse, text
from herma.stores.sessions.layout import Entry, Layout, Survey
from herma.stores.sessions.passages import ids_of, passages

__all__ = ["follow"]

_LATE = 4  # messages at the end of a session that a host may still be writing
_IN_TURN = 100  # messages


class _News(NamedTuple):
    """What is to be told of one session, and what then has been; `whole` is whether to its end."""

    told: Told
    whole: bool
    anew: bool
    past: Sequence[Past]
    passages: Sequence[Passage]
    gone: Sequence[str]


def follow(database: sqlite3.Connection, layout: Layout, cursor: str, *, most: int) -> Change:
    """The changes since `cursor`, at most about `most` messages; the same cursor where there is nothing to tell."""
    before = parse(cursor, layout.kind)
    survey = layout.survey(database, before.high)
    changed = _changed(before, survey, newest_last=layout.newest_last)
    in_turn, turn = ([], before.turn) if survey.certain else _in_turn(before, survey)
    marks, told = dict(survey.marks), dict(before.told)
    gone = [session for session in told if session not in marks]
    for session in gone:
        del told[session]
    news: list[_News] = []
    for session in dict.fromkeys((*changed, *in_turn)):
        if most <= 0:
            # Not now; it has no mark in the cursor, so that it is looked at the next time.
            marks.pop(session)
            continue
        found = _look(database, layout, session, before.of(session), most)
        news.append(found)
        told[session] = found.told.row()
        if found.anew:
            gone.append(session)
        if not found.whole:
            marks.pop(session)
        # A session without a word counts too, so that many of them do not come at once.
        most -= len(found.passages) + len(found.past)
    change = Change(
        [past for each in news for past in each.past],
        [passage for each in news for passage in each.passages],
        gone,
        [message for each in news for message in each.gone],
        cursor,
    )
    if cursor and not any(change[:-1]):
        return change
    return change._replace(cursor=text(Cursor(survey.high, turn, marks, told), layout.kind))


def _changed(before: Cursor, survey: Survey, *, newest_last: bool) -> list[str]:
    """The sessions that say that they changed, the newest first."""
    changed = {session for session, mark in survey.marks.items() if before.marks.get(session) != mark}
    return sorted(changed.union(survey.touched), reverse=newest_last)


def _in_turn(before: Cursor, survey: Survey) -> tuple[list[str], int]:
    """Sessions that seem to rest, beginning where the last call ended; and where this one does."""
    every, messages = list(before.told), 0
    found: list[str] = []
    at = before.turn if before.turn < len(every) else 0
    for session in [*every[at:], *every[:at]]:
        messages += int(before.told[session].partition("|")[0]) + 1
        if found and messages > _IN_TURN:
            break
        found.append(session)
    return [session for session in found if session in survey.marks], (at + len(found)) % max(len(every), 1)


def _look(database: sqlite3.Connection, layout: Layout, session: str, old: Told | None, most: int) -> _News:
    past = layout.past(database, session)
    outline = () if past.hidden else layout.outline(database, session)
    anew = old is not None and not _stands(old, outline)
    start, again = (0, 0) if old is None or anew else (_start(old, outline), old.messages)
    # What is told again is told to its end, so that what is no longer there can be named.
    end = min(len(outline), max(start + most, again))
    found = list(passages(database, layout, session, outline, start, end))
    ids = {passage.message_id for passage in found}
    told = _told(outline[:end], past)
    same = old is not None and not anew and not found and told.past == old.past
    return _News(
        told,
        end == len(outline),
        anew,
        () if same else (past,),
        found,
        [each for entry in outline[start:again] for each in ids_of(entry) if each not in ids],
    )


def _stands(old: Told, outline: Sequence[Entry]) -> bool:
    """Whether all that was told is still there, and all but its last few messages are as they were."""
    return len(outline) >= old.messages and _early(outline[: old.messages]) == old.early


def _start(old: Told, outline: Sequence[Entry]) -> int:
    late = max(0, old.messages - _LATE)
    return old.messages if digest(entry.state for entry in outline[late : old.messages]) == old.late else late


def _told(outline: Sequence[Entry], past: Past) -> Told:
    late = max(0, len(outline) - _LATE)
    return Told(
        len(outline),
        _early(outline),
        digest(entry.state for entry in outline[late:]),
        digest(map(str, past)),
    )


def _early(outline: Sequence[Entry]) -> str:
    return digest([*(entry.id for entry in outline), "", *(entry.state for entry in outline[:-_LATE])])
