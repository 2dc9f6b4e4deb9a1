"""A house on a real database, with a clock that the test sets and a mail that keeps what it was given."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from herma.core.people.digest import ask_digest, canonical
from herma.core.people.principal import OPERATOR, Standing
from herma.core.people.records import Approval, Entry, Person
from herma.engine.people.asks import Asks
from herma.engine.people.house import House, Settings, Surroundings
from herma.engine.people.invites import Guest, Redeemed, redeem
from herma.engine.people.verbs import Where, run
from herma.stores.people.store import SqliteStore, open_store

__all__ = ["CHAT", "Household", "household"]

START = 1_795_000_000_000
CHAT = Where("s-1", "chat", person_present=True)


class Mail:
    """Keeps what it was given to deliver."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    def send(self, account: str, chat: str, text: str) -> str:
        del chat
        self.sent.append((account, text))
        return ""

    def tell(self, chat: str, text: str) -> str:
        self.sent.append((chat, text))
        return ""


class Clock:
    """Says what the test has set, in epoch milliseconds."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at

    def pass_by(self, *, seconds: int = 0, hours: int = 0) -> None:
        self.at += (seconds + hours * 3_600) * 1_000


class Randomness:
    """Bytes that are different every time and the same in every run."""

    def __init__(self) -> None:
        self._drawn = 0

    def __call__(self, size: int) -> bytes:
        self._drawn += 1
        return b"".join(sha256(f"{self._drawn}/{part}".encode()).digest() for part in range(size // 32 + 1))[:size]


class Household(NamedTuple):
    """Kiter owns the bot, Minh is a member, Gast a guest; 999 is a stranger."""

    house: House
    asks: Asks
    clock: Clock
    store: SqliteStore
    mail: Mail

    def types(self, who: str | Standing, line: str, *, where: Where = CHAT) -> str:
        """What `/many <line>` answers to somebody: a sender id on telegram, or a standing."""
        speaker = self.house.standing("telegram", who) if isinstance(who, str) else who
        return run(self.house, self.asks, speaker, line, where=where)

    def joins(self, sender_id: str, code: str, display: str = "", *, kind: str = "invite") -> Redeemed:
        """What becomes of a code that somebody on telegram sends."""
        return redeem(self.house, Guest("telegram", sender_id, display), code, kind=kind)

    def person(self, sender_id: str) -> Person | None:
        """Who has this account on telegram."""
        return self.house.person(f"telegram:{sender_id}")

    def role(self, sender_id: str) -> str:
        """The role of this account on telegram; empty for a stranger."""
        person = self.person(sender_id)
        return person.role if person else ""

    def asking(self, sender_id: str = "222", tool: str = "terminal", **args: object) -> Approval:
        """An ask of somebody's that waits for the owners."""
        person_id, now = f"telegram:{sender_id}", self.clock()
        code = sha256(f"{sender_id}{tool}{args}".encode()).hexdigest().upper().translate(_CODE)[:4]
        approval = Approval(
            approval_id=self.house.random(8).hex(),
            code=code,
            person_id=person_id,
            account=person_id,
            tool=tool,
            summary=tool,
            arguments=canonical(args),
            digest=ask_digest(person_id, tool, args, "c-1", ""),
            conversation="c-1",
            session_id="s-1",
            turn_id="t-1",
            status="pending",
            approvers=("telegram:111", OPERATOR.person_id),
            asked_at=now,
            expires_at=now + 120_000,
        )
        with self.store.firm() as unit:
            unit.park(approval)
        return approval

    def approval(self, approval: Approval) -> Approval:
        """What has become of an ask."""
        with self.store.routine() as unit:
            found = unit.approval(approval.approval_id)
        assert found is not None
        return found

    def entry_about(self, approval: Approval) -> Entry:
        """A row about an ask that reached nobody."""
        return Entry("approval", approval.person_id, "s-1", "t-1", approval.tool, needs_approval=1, approved=0)

    def spends(self, approval: Approval) -> bool:
        """Whether a call that is exactly what was asked would run now; it does."""
        with self.store.firm() as unit:
            spent = unit.spend(
                approval.digest, person_id=approval.person_id, conversation="c-1", now=self.clock(), call="call"
            )
        return spent is not None

    def rows(self, kind: str = "") -> list[Entry]:
        """Rows of the trail, newest first."""
        with self.store.routine() as unit:
            found = [entry for _, entry in unit.entries(person_id=None, since=0, limit=1_000)]
        return [entry for entry in found if not kind or entry.kind == kind]


_CODE = str.maketrans("01", "XY")
_PEOPLE = (("111", "Kiter", "owner"), ("222", "Minh", "member"), ("333", "Gast", "guest"))


@contextmanager
def household(path: Path, settings: Settings | None = None) -> Iterator[Household]:
    """A household whose database is closed at the end."""
    clock, mail = Clock(), Mail()
    store = open_store(
        path / "people.db",
        clock=clock,
        randomness=Randomness(),
        surface="test",
        host="test 1",
        home=str(path),
        profile="default",
    )
    house = House(store, settings or Settings(), Surroundings(clock, Randomness(), mail))
    with closing(store):
        with store.firm() as unit:
            for sender_id, name, role in _PEOPLE:
                account = f"telegram:{sender_id}"
                unit.save_person(Person(account, "telegram", sender_id, name, name, role, created_at=START))
        yield Household(house, Asks(house), clock, store, mail)
