"""The start of a turn: whose it is, whether it may go on, and what it carries of its person."""

from functools import lru_cache
from typing import Any, NamedTuple

from herma.core.people import refusals
from herma.core.people.budget import day_of
from herma.core.people.card import card
from herma.core.people.fence import Quote
from herma.core.people.identity import Evidence, Origin, identify
from herma.core.people.principal import Standing
from herma.core.people.ranking import Index
from herma.core.people.records import Entry, Fact, Session, SharedFact, Turn, account_of
from herma.engine.people.facts import MOST_FACTS, chosen, index_of, reaching
from herma.engine.people.house import House
from herma.engine.people.ports import Roster, Unit
from herma.engine.people.turns import Live, Turns

__all__ = ["Started", "Starts", "TurnStart"]

_SEEN_EVERY_MS = 60_000
_QUIET_MS = 60_000
_NEWS_FOR_MS = 600_000
_NEWS = ("approved", "returned", "denied", "expired", "lapsed", "revoked")
_MOST_NEWS = 3
_MOST_SESSIONS = 2_048


class TurnStart(NamedTuple):
    """What the host says when a turn begins; empty where it says nothing.

    `chat` tells one chat from another over sessions (the host's session key); `alone` is True where the session can
    only ever be one person's. `job` is the scheduled job that the turn belongs to.
    """

    turn_id: str
    session_id: str
    task_id: str = ""
    platform: str = ""
    sender_id: str = ""
    text: str = ""
    parent_session_id: str = ""
    chat: str = ""
    alone: bool = False
    message_id: str = ""
    surface: str = ""
    job: str = ""
    uid: str = ""


class Started(NamedTuple):
    """`context` is what the turn may carry of its person; `refusal` is what the person is told instead of an answer."""

    live: Live
    context: str = ""
    refusal: str = ""


class Place(NamedTuple):
    """What is known of a session in this process: its conversation, and whose turns in it were kept."""

    conversation: str
    people: frozenset[str]


class Stored(NamedTuple):
    """The facts that may go into a person's turns, newest first, as of a mark of the store's."""

    mark: int
    own: tuple[Fact, ...]
    shared: tuple[SharedFact, ...]
    places: Index


class Starts:
    """The starts of turns in one house."""

    def __init__(self, house: House, turns: Turns) -> None:
        self._house = house
        self._turns = turns
        self._speakers: dict[str, set[str]] = {}
        self._places: dict[str, Place] = {}
        self._seen: dict[str, int] = {}
        # Until when nothing is to be told to somebody who has asked for nothing in this process.
        self._quiet: dict[str, int] = {}
        self._stored: dict[str, Stored] = {}

    def begin(self, start: TurnStart) -> Started:
        """Identify the turn, keep it, and say what it carries. Raises only what the store raises."""
        roster = self._house.known()
        with self._house.store.routine() as unit:
            if unit.epoch() != roster.epoch:
                roster = self._house.roster()
            standing = identify(self._origin(start), self._evidence(unit, roster, start))
            live = Live(start.turn_id, start.session_id, standing, platform=start.platform)
            live.text = start.text
            self._place(unit, start, live)
            refusal = self._refusal(unit, roster, live)
            if not isinstance(refusal, str):
                raise TypeError("it is not known whether the turn may go on")
            unit.audit(_row(live, "policy" if refusal else "turn", start, refusal))
            context = "" if refusal else self._context(unit, roster, live)
        live.refusal = refusal
        parent = self._turns.parent(start.session_id)
        live.shared = parent.shared if parent is not None else not start.alone
        live.context = context
        self._turns.begin(live, task_id=start.task_id)
        return Started(live, context, refusal)

    def machine(self, session_id: str) -> Standing | None:
        """Who the host's own turns in this session act as: everybody who spoke there, each having to be allowed."""
        with self._house.store.routine() as unit:
            speakers = self._known(unit, session_id)
        if not speakers:
            return None
        unknown = self._house.unknown()
        return identify(
            Origin("chat", "", session_id), Evidence(unknown, unknown, speakers=tuple(speakers), unknown=unknown)
        )

    def speakers(self, session_id: str) -> tuple[Standing, ...]:
        """Everybody who has spoken in this session, with the rights of now."""
        with self._house.store.routine() as unit:
            return tuple(self._known(unit, session_id))

    def over_budget(self, standing: Standing) -> str:
        """What somebody is told whose tokens of today are used up; empty while there are some left."""
        person = self._house.roster().people.get(standing.person_id)
        if person is None or not person.daily_tokens or self._house.paused() is True:
            return ""
        with self._house.store.routine() as unit:
            used = unit.tokens(person.person_id, day_of(self._house.now()))
        return refusals.budget(used, person.daily_tokens) if used >= person.daily_tokens else ""

    def ended(self, session_id: str) -> str:
        """A conversation is over, as after `/new`: its grants go with it. Its id; empty when none was open."""
        now = self._house.now()
        with self._house.store.firm() as unit:
            conversation = unit.end_conversation(session_id, now)
            if conversation:
                from herma.engine.people.asks import revoke  # noqa: PLC0415 - the end of a conversation is rare

                revoke(unit, conversation=conversation, now=now, reason="the conversation ended")
        self._places.pop(session_id, None)
        return conversation

    def _origin(self, start: TurnStart) -> Origin:
        child = self._turns.is_child(start.session_id) is True
        return Origin(start.platform, start.sender_id, start.session_id, start.text, start.uid, child)

    def _evidence(self, unit: Unit, roster: Roster, start: TurnStart) -> Evidence:
        parent = self._turns.parent(start.session_id) or self._turns.running(start.parent_session_id)
        house = self._house
        sender = house.standing(start.platform, start.sender_id, roster)
        return Evidence(
            sender=sender,
            seat=house.seat(),
            parent=parent.standing if parent else None,
            creator=self._creator(unit, start.job),
            speakers=() if start.alone and start.sender_id else tuple(self._known(unit, start.session_id)),
            unknown=house.unknown(),
        )

    def _creator(self, unit: Unit, job: str) -> Standing | None:
        """Who made a scheduled job, with the rights that person has now; nobody where that cannot be shown."""
        creator = unit.job(job) if job else ""
        if not creator:
            return None
        seat = self._house.seat()
        if creator == seat.person_id:
            return seat
        person = self._house.roster().people.get(creator)
        return Standing(person.person_id, person.role, "person", person.name, creator) if person else None

    def _known(self, unit: Unit, session_id: str) -> list[Standing]:
        known = self._speakers.get(session_id)
        if known is None:
            known = self._speakers[session_id] = set(unit.speakers(session_id))
            _shorten(self._speakers)
        return [self._now(each) for each in sorted(known)]

    def _now(self, person_id: str) -> Standing:
        """A speaker with the rights of now."""
        seat = self._house.seat()
        if person_id == seat.person_id:
            return seat
        person = self._house.roster().people.get(person_id)
        if person is None:  # not on the roster, or not any more
            return Standing("", "guest", "stranger", account=person_id)
        return Standing(person_id, person.role, "person", person.name, account_of(person.platform, person.sender_id))

    def _place(self, unit: Unit, start: TurnStart, live: Live) -> None:
        """Which conversation the turn belongs to, and that its person spoke in this session."""
        now, who = self._house.now(), live.standing.person_id or live.standing.account
        parent = self._turns.parent(start.session_id)
        place = self._places.get(start.session_id)
        if parent is not None:
            live.conversation = parent.conversation
        elif place is not None:
            live.conversation = place.conversation
        else:
            known = unit.session(start.session_id)
            open_one = unit.conversation(start.chat) if start.chat else ""
            live.conversation = (known.conversation if known else "") or open_one or start.session_id
        if place is None or who not in place.people:
            unit.put_session(Session(start.session_id, live.conversation, who, 0, start.platform, start.chat), now)
            self._remember(start.session_id, live.conversation, who)
        unit.add_turn(
            Turn(
                start.turn_id,
                start.session_id,
                who,
                live.standing.account,
                live.standing.kind,
                live.standing.role,
                start.message_id,
                start.surface,
                parent.turn_id if parent else "",
                now,
            )
        )
        if live.standing.person_id and live.standing.kind == "person":
            self._seen_now(unit, live.standing.person_id, now)
        known_here = self._speakers.get(start.session_id)
        if known_here is not None and who:
            known_here.add(who)

    def _seen_now(self, unit: Unit, person_id: str, now: int) -> None:
        if now - self._seen.get(person_id, 0) >= _SEEN_EVERY_MS:
            unit.seen(person_id, now)
            self._seen[person_id] = now

    def _remember(self, session_id: str, conversation: str, who: str) -> None:
        place = self._places.get(session_id)
        self._places[session_id] = Place(conversation, (place.people if place else frozenset()) | {who})
        _shorten(self._places)

    def _refusal(self, unit: Unit, roster: Roster, live: Live) -> str:
        standing = live.standing
        if standing.role == "blocked":
            return refusals.blocked()
        if self._house.paused(roster) is True:
            return ""
        if standing.kind == "stranger" and self._house.settings.unknown_sender_policy != "open":
            return refusals.uninvited(self._house.settings.unknown_sender_policy)
        person = roster.people.get(standing.person_id)
        if person is None or not person.daily_tokens:
            return ""
        used = unit.tokens(person.person_id, day_of(self._house.now()))
        return refusals.budget(used, person.daily_tokens) if used >= person.daily_tokens else ""

    def _context(self, unit: Unit, roster: Roster, live: Live) -> str:
        standing, settings = live.standing, self._house.settings
        if standing.kind not in ("person", "stranger", "seat") or standing.others:
            return ""
        if standing.kind == "seat" and not roster.people:
            return ""  # nobody else has come in yet: the operator's own Hermes stays as it was
        stored = self._stored_for(unit, standing.person_id)
        own = chosen(live.text, stored.own, settings.max_person_facts, index=stored.places)
        shared = chosen(live.text, reaching(stored.shared, owner=standing.is_owner), settings.max_shared_facts)
        news = self._news(unit, standing)
        return _card(
            (standing.name or standing.account, standing.role, standing.account),
            tuple(fact.text for fact in own),
            tuple(Quote(fact.text, _author(roster, fact.added_by)) for fact in shared),
            news,
        )

    def _stored_for(self, unit: Unit, person_id: str) -> Stored:
        """What a person, and everybody, has stored; read anew when any fact has changed."""
        mark, stored = unit.facts_mark(), self._stored.get(person_id)
        if stored is None or stored.mark != mark:
            own = tuple(unit.facts(person_id, limit=MOST_FACTS)) if person_id else ()
            stored = self._stored[person_id] = Stored(mark, own, tuple(unit.shared()), index_of(own))
            _shorten(self._stored)
        return stored

    def _news(self, unit: Unit, standing: Standing) -> tuple[str, ...]:
        """What became of this person's latest asks, one line each. Owners ask nobody."""
        now, person_id = self._house.now(), standing.person_id
        if standing.role == "owner" or not person_id or now < self._quiet.get(person_id, 0):
            return ()
        asks = unit.asks(person_id, since=now - _NEWS_FOR_MS - 1_000 * self._house.settings.approval_timeout_s)
        if not asks:
            self._quiet[person_id] = now + _QUIET_MS
        recent = [each for each in asks if each.expires_at > now - _NEWS_FOR_MS and refusals.end_of(each, now) in _NEWS]
        return tuple(refusals.ended(each, now) for each in recent[:_MOST_NEWS])

    def asked(self, person_id: str) -> None:
        """Somebody has asked for something: there will be news."""
        self._quiet.pop(person_id, None)


def _shorten(table: dict[str, Any]) -> None:
    while len(table) > _MOST_SESSIONS:
        table.pop(next(iter(table)))


@lru_cache(maxsize=256)
def _card(
    who: tuple[str, str, str], facts: tuple[str, ...], shared: tuple[Quote, ...], remarks: tuple[str, ...]
) -> str:
    """The same arguments give the same bytes, turn after turn."""
    name, role, account = who
    return card(name, role, account=account, facts=facts, shared=shared, remarks=remarks)


def _author(roster: Roster, person_id: str) -> str:
    person = roster.people.get(person_id)
    return (person.name or person.display) if person else "somebody who is gone"


def _row(live: Live, kind: str, start: TurnStart, refusal: str) -> Entry:
    standing = live.standing
    note = f"{standing.kind} {standing.role}" + (f"; refused: {refusal}" if refusal else "")
    if standing.others:
        note += "; with " + ", ".join(each.person_id or each.account or "a stranger" for each in standing.others)
    return Entry(
        kind,
        standing.person_id or standing.account,
        start.session_id,
        start.turn_id,
        allowed=0 if refusal else 1,
        note=note,
    )
