"""Whose past: what of a host's sessions is one person's, as times, from the turns that were kept.

Nothing here knows a host, or the words of a message.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from herma.core.people.records import SpokenIn
from herma.engine.people.ports import Store, Unit
from herma.stores.sessions.openings import Openings, Row

__all__ = ["Part", "Spans", "is_direct", "parts", "past", "shown"]

Spans = Sequence[tuple[str, int, int]]

_EVER = 1 << 62
_KIND = 3  # agent:main:platform:kind, and the chat behind
_TERMINAL = "cli"
_LATE_MS, _LATEST_MS = 5, 100  # how long after its turn has begun a message may be stamped, as seen and at most


class Part(NamedTuple):
    """What of one session is a person's: all of it, or from their first turn to the next of anybody else's."""

    session_id: str
    whole: bool
    first_at: int = 0
    next_at: int | None = None


def past(store: Store, host: Callable[[], Openings], person_id: str, *, room: str | None = None) -> Spans:
    """What a person may find, as (session_id, first_at, last_at) in epoch milliseconds, both included.

    `host` opens the host's own record. `room` is the chat in whose history the answer will stay for everybody there:
    only that chat's past then counts. None for a direct chat or the terminal, where all of it does. An empty room is
    one that is not known, and nothing is of it. Raises what either store raises.
    """
    if not person_id or room == "":
        return []
    spoken = parts(store, person_id, room)
    record = host()
    found = [(each.session_id, -_EVER, _EVER) for each in spoken if each.whole]
    if room is None:
        found += [(each, -_EVER, _EVER) for each in _before(store, record, person_id)]
    shared = {each.session_id: each for each in spoken if not each.whole}
    for session_id, rows in record.rows(shared).items():
        part = shared[session_id]
        found += [(session_id, lo, hi) for lo, hi in shown(rows, part.first_at, part.next_at)]
    return found


def parts(store: Store, person_id: str, room: str | None) -> Sequence[Part]:
    """What of each session this person spoke in is theirs."""
    own = frozenset((person_id, *_accounts(store, person_id)))
    with store.routine() as unit:
        spoken = unit.spoken(person_id)
    found = []
    for each in spoken:
        if room is None or each.chat == room:
            with store.routine() as unit:  # one by one: other people's turns wait for none of them for long
                found.append(Part(each.session_id, _is_ones_own(unit, each, own), each.first_at, each.next_at))
    return found


def is_direct(chat: str) -> bool:
    """Whether a host's session key is that of a chat between one person and the bot."""
    return chat.split(":")[_KIND : _KIND + 1] == ["dm"]


def shown(rows: Sequence[Row], first_at: int, next_at: int | None) -> Iterator[tuple[int, int]]:
    """The times of the messages from a person's first turn to the next turn of anybody else's, and of no other.

    Measured on Hermes 0.19.0 and 0.22.2: a turn begins (`first_at`, `next_at`) when the host asks what to add to its
    message, and that message is stamped otherwise: with the time that the platform gave it, which is earlier (by 3.1 s
    where the gateway had to warm up) and by another clock; where it had waited for a busy session, when its turn was
    made, from 6 ms before that began to 1 ms after. Answers are stamped when they are made, so after the beginning, and
    all is stored in the order in which it was said. So the message of a turn is the one that is stored before the first
    answer after its beginning, and the order of storing counts, not the stamps. An index knows stamps alone: what bears
    the same one as somebody else's message is left out, and a stretch ends where such a one lies between.
    """
    said = [row for row in rows if row.role != "summary"]
    begin, end = _first_of(said, first_at), _last_before(said, next_at)
    # A summary tells what was said before as well: it is shown to nobody who was not there for all of it.
    stamped = [(row.at, False) for row in rows if row.role == "summary"]
    stamped = sorted((*stamped, *((row.at, begin <= place < end) for place, row in enumerate(said))))
    stamps = [(at, all(mine for _, mine in same)) for at, same in groupby(stamped, key=lambda each: each[0])]
    for mine, run in groupby(stamps, key=lambda each: each[1]):
        if mine:
            times = [at for at, _ in run]
            yield times[0], times[-1]


def _first_of(rows: Sequence[Row], at: int) -> int:
    """Where the turn that began at this time begins; rather too late than too early."""
    answer = _answer_to(rows, at)
    if answer and rows[answer - 1].role == "user":
        return max(answer - 1, _asked(rows, at + _LATE_MS))
    # It is not where it should be: the next message of anybody's is not from before this turn.
    return next((place for place in range(answer, len(rows)) if rows[place].role == "user"), len(rows))


def _last_before(rows: Sequence[Row], at: int | None) -> int:
    """The place before which the turn that began at this time has nothing; rather too early than too late.

    Messages that nobody has answered may be its, or those of a turn that is not kept yet.
    """
    place = len(rows) if at is None else min(_answer_to(rows, at), _asked(rows, at + _LATEST_MS))
    while place and rows[place - 1].role == "user":
        place -= 1
    return place


def _answer_to(rows: Sequence[Row], at: int) -> int:
    """The first answer from that time on."""
    answers = (place for place, row in enumerate(rows) if row.role in ("assistant", "tool") and row.at >= at)
    return next(answers, len(rows))


def _asked(rows: Sequence[Row], at: int) -> int:
    """The last message of anybody's that was stamped up to that time."""
    asked = (place for place in range(len(rows) - 1, -1, -1) if rows[place].role == "user")
    return next((place for place in asked if rows[place].at <= at), 0)


def _is_ones_own(unit: Unit, spoken: SpokenIn, own: frozenset[str]) -> bool:
    """Whether nobody else can have a word in this session: by its chat, and by who has spoken.

    An owner can take up anybody's session, at the terminal or in another chat; then it is a shared one.
    """
    if spoken.chat:
        of_one = is_direct(spoken.chat)
    else:
        session = unit.session(spoken.session_id)
        of_one = session is not None and session.platform == _TERMINAL
    return of_one and own.issuperset(unit.speakers(spoken.session_id))


def _before(store: Store, record: Openings, person_id: str) -> Iterator[str]:
    """Direct chats of this person's accounts from before turns were kept, as the host says who began them."""
    begun = record.begun_by(_accounts(store, person_id))
    with store.routine() as unit:
        yield from [each for each in begun if unit.session(each) is None]


def _accounts(store: Store, person_id: str) -> Iterable[str]:
    return sorted(account for account, person in store.roster().accounts.items() if person == person_id)
