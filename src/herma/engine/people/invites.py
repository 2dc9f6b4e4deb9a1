"""Codes that bring people in: made by an owner or at the machine, spent once, and only by somebody with an account."""

from typing import NamedTuple

from herma.core.people.budget import day_of
from herma.core.people.codes import invite_code, opens, sealed
from herma.core.people.confusable import looks_like
from herma.core.people.principal import OPERATOR, Standing
from herma.core.people.records import Entry, Invite, Person, account_of
from herma.core.people.replies import AT_THE_SEAT, TOO_MANY_CODES, WRONG_CODE
from herma.engine.people.change import Change, Hand, changing
from herma.engine.people.house import House
from herma.engine.people.members import role_of
from herma.engine.people.names import LONGEST_NAME, Mistaken, called, for_owners, tail
from herma.engine.people.ports import Roster, Unit

__all__ = [
    "CLAIM_SECONDS",
    "INVITE_SECONDS",
    "WRONG_CODES_A_DAY",
    "Guest",
    "Redeemed",
    "begin_claim",
    "invite",
    "redeem",
]

CLAIM_SECONDS = 15 * 60
INVITE_SECONDS = 7 * 24 * 3_600
WRONG_CODES_A_DAY = 10

_MAY_JOIN = ("guest",)


class Guest(NamedTuple):
    """Who sends a code, as the platform attests it. `display` is a name they gave themselves: a label, no more."""

    platform: str
    sender_id: str
    display: str = ""

    @property
    def account(self) -> str:
        """The account of the sender."""
        return account_of(self.platform, self.sender_id)


class Redeemed(NamedTuple):
    """What became of a code. `outcome`: joined, already (the code is unspent), wrong, locked, shut (somebody blocked).

    `text` is for the sender. `warning` is for owners: the name they came with looks like somebody else's.
    """

    outcome: str
    text: str
    person: Person | None = None
    warning: str = ""


def invite(hand: Hand, role: str) -> tuple[str, str]:
    """A new code for one person, in its canonical form, and the role it gives. Owners only; raises `Mistaken`."""

    def work(change: Change) -> tuple[str, str]:
        given = role_of(hand.house, change.roster, role or hand.house.settings.invite_role)
        if given == "blocked":
            raise Mistaken("An invite cannot make somebody blocked.")
        code = _mint(change, "invite", given, INVITE_SECONDS)
        change.audit(f"an invite as {given}")
        return code, given

    return changing(hand, "invite", work)


def begin_claim(hand: Hand) -> str:
    """A one-time code that makes the account that sends it an owner. Only at the local seat; raises `Mistaken`."""
    if hand.standing.kind != "seat":
        raise Mistaken(AT_THE_SEAT)

    def work(change: Change) -> str:
        code = _mint(change, "claim", "owner", CLAIM_SECONDS)
        change.audit("OWNERSHIP: a claim code was shown at the local seat")
        return code

    return changing(hand, "claim", work)


def redeem(house: House, guest: Guest, typed: str, *, kind: str = "invite", session_id: str = "") -> Redeemed:
    """Spend an invite or a claim code for the account that sent it.

    Never says whether a code exists in another form, is used up or over.
    """
    if not guest.platform or not guest.sender_id:
        return Redeemed("wrong", WRONG_CODE)
    hand = Hand(house, house.standing(guest.platform, guest.sender_id), session_id)
    verb = "claim" if kind == "claim" else "join"
    return changing(hand, verb, lambda change: _redeem(change, guest, typed, kind), owners_only=False)


def may_claim(speaker: Standing) -> bool:
    """Whether a code counts that is typed here: an account on a platform, by hand, and not the machine's own seat."""
    return bool(speaker.account) and not speaker.others and speaker.kind in ("person", "stranger")


def _mint(change: Change, kind: str, role: str, seconds: int) -> str:
    code = invite_code(change.hand.house.random)
    until = change.now + seconds * 1_000
    change.unit.put_invite(Invite(sealed(code), kind, role, change.hand.standing.person_id, change.now, until))
    return code


def _redeem(change: Change, guest: Guest, typed: str, kind: str) -> Redeemed:
    unit, day = change.unit, day_of(change.now)
    known = change.roster.people.get(change.roster.accounts.get(guest.account, ""))
    if known and known.role == "blocked":
        return Redeemed("shut", WRONG_CODE)
    if unit.wrong_codes(guest.account, day) >= WRONG_CODES_A_DAY:
        return Redeemed("locked", TOO_MANY_CODES)
    found = _living(unit, change.roster, kind, typed, change.now)
    if found is None:
        return _wrong(change, guest, unit.wrong_code(guest.account, day))
    if known and not _raises(known, found):
        return Redeemed("already", f"You are here already, as {known.role}. The code was not used.", known)
    if not unit.use_invite(found.code, account=guest.account, now=change.now):
        return _wrong(change, guest, unit.wrong_code(guest.account, day))
    return _let_in(change, guest, found, known)


def _living(unit: Unit, roster: Roster, kind: str, typed: str, now: int) -> Invite | None:
    """The living invite that this code opens, if whoever made it may still invite."""
    living = {each.code: each for each in unit.invites(now=now) if each.kind == kind}
    found = living.get(opens(typed, living))
    return found if found and _counts(found, roster) else None


def _counts(found: Invite, roster: Roster) -> bool:
    if found.created_by == OPERATOR.person_id:
        return True
    maker = roster.people.get(found.created_by)
    return maker is not None and maker.role == "owner"


def _raises(known: Person, found: Invite) -> bool:
    return known.role != "owner" if found.kind == "claim" else known.role in _MAY_JOIN and found.role != known.role


def _wrong(change: Change, guest: Guest, count: int) -> Redeemed:
    change.unit.audit(
        Entry(
            kind="refusal",
            person_id=change.hand.standing.person_id or guest.account,
            session_id=change.hand.session_id,
            tool=f"/many {change.verb}",
            allowed=0,
            note=f"a wrong code, the {count}. of this account today",
        )
    )
    return Redeemed("locked", TOO_MANY_CODES) if count >= WRONG_CODES_A_DAY else Redeemed("wrong", WRONG_CODE)


def _let_in(change: Change, guest: Guest, found: Invite, known: Person | None) -> Redeemed:
    display = " ".join(guest.display.split())[:LONGEST_NAME]
    person = known or Person(
        guest.account, guest.platform, guest.sender_id, display, "", found.role, created_at=change.now
    )
    person = person._replace(role=found.role, last_seen=change.now)
    names = {called(each): each for each in change.roster.people.values() if each.person_id != person.person_id}
    like = looks_like(display, [name for name in names if name]) if display and not person.name else None
    change.save(person)
    loud = "OWNERSHIP: claimed by " if found.kind == "claim" else "joined by a code, as "
    note = f"{loud}{guest.account}" if found.kind == "claim" else f"{loud}{found.role}"
    change.audit(note if like is None else f"{note}; the name looks like that of {names[like].person_id}")
    return Redeemed("joined", _welcome(found.role), person, _warning(person, names[like]) if like is not None else "")


def _welcome(role: str) -> str:
    if role == "owner":
        return "You are the owner here now. /many help lists what you can do; /many invite brings others in."
    return f"Welcome. You are here as {role} now. /many whoami says what that means."


def _warning(person: Person, other: Person) -> str:
    return (
        f"{for_owners(person)} has just joined under a name that looks like that of {for_owners(other)}. They are two "
        f"people: the account that is new ends in {tail(person)}. /many name gives it another name."
    )
