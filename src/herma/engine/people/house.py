"""The house: everybody who may come in, and the switches, as every part of the people service sees them.

It owns no rule. It hands out the current roster, the compiled policy and the clock, and keeps them from being
made twice: a policy is compiled once an epoch.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from herma.core.people.principal import NOBODY, OPERATOR, Standing
from herma.core.people.records import Approval, Person, account_of
from herma.core.people.rules import Policy, compile_policy
from herma.core.setting import Value
from herma.engine.people.ports import Roster, Store

__all__ = ["House", "Mail", "Settings", "Surroundings"]


class Settings(NamedTuple):
    """The settings of manyhands as they are in force; see the table of settings for what each means."""

    unknown_sender_policy: str = "invite"
    invite_role: str = "member"
    unknown_session_policy: str = "guest"
    local_seat_policy: str = "operator"
    db_path: str = ""
    approval_timeout_s: int = 120
    approval_tools: tuple[str, ...] | None = None
    max_person_facts: int = 8
    max_shared_facts: int = 5
    scope_host_memory: bool = True
    paused: bool = False
    strict_admission: bool = False
    roles: Mapping[str, object] | None = None
    max_pending_asks: int = 3

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> "Settings":
        """From resolved values; a name that is not a field is an error of ours."""
        return cls(**values)  # type: ignore[arg-type]


class Mail(Protocol):
    """How a text reaches one person in their own chat, and nobody else."""

    def send(self, account: str, chat: str, text: str) -> str:
        """Send `text`; empty when it was delivered, else why not. Blocks for seconds at most; never raises."""
        ...

    def tell(self, chat: str, text: str) -> str:
        """Send `text` to the chat behind a session (the host's session key), for everybody in it; as `send` answers."""
        ...


class Surroundings(NamedTuple):
    """What is not ours to decide: the time (epoch milliseconds), randomness (n bytes) and the way to people."""

    now: Callable[[], int]
    random: Callable[[int], bytes]
    mail: Mail


class House:
    """Roster, policy, settings and surroundings, shared by every part of the service."""

    def __init__(self, store: Store, settings: Settings, surroundings: Surroundings) -> None:
        self.store = store
        self.settings = settings
        self.now = surroundings.now
        self.random = surroundings.random
        self.mail = surroundings.mail
        self._policy: tuple[int, Policy] | None = None

    def roster(self) -> Roster:
        """Everybody, as of the store's present epoch."""
        return self.store.roster()

    def policy(self, roster: Roster | None = None) -> Policy:
        """The rules in force for this roster."""
        known = roster or self.roster()
        made = self._policy
        if made is None or made[0] != known.epoch:
            # What an owner was given or denied before they were one says nothing about an owner.
            bound = [each for each in known.people.values() if each.tools and each.role != "owner"]
            given = {each.person_id: each.tools for each in bound}
            policy, _problems = compile_policy(self.settings.roles, self.settings.approval_tools, given)
            made = self._policy = (known.epoch, policy)
        return made[1]

    def paused(self, roster: Roster | None = None) -> bool:
        """Whether enforcement is switched off, by `/many pause` or by the configuration until `/many resume`."""
        switch = (roster or self.roster()).settings.get("paused", "")
        return switch == "1" if switch else self.settings.paused

    def known(self) -> Roster:
        """Everybody as last seen; for whoever compares the epoch in the transaction that follows."""
        return self.store.known()

    def person(self, account: str, roster: Roster | None = None) -> Person | None:
        """Who an account belongs to."""
        roster = roster or self.roster()
        return roster.people.get(roster.accounts.get(account, ""))

    def owners(self, roster: Roster | None = None) -> tuple[Person, ...]:
        """The owners who talk in chats, oldest first; the local seat is not among them."""
        known = (roster or self.roster()).people.values()
        return tuple(sorted((each for each in known if each.role == "owner"), key=lambda each: each.created_at))

    def standing(self, platform: str, sender_id: str, roster: Roster | None = None) -> Standing:
        """Who a sender on a platform is: the roster's word, else a stranger. Names and texts play no part."""
        account = account_of(platform, sender_id)
        person = self.person(account, roster) if sender_id else None
        if person is None:
            return Standing("", "guest", "stranger" if sender_id else "unknown", account=account if sender_id else "")
        return Standing(person.person_id, person.role, "person", person.name or person.display, account)

    def tell(self, approval: Approval, text: str) -> str:
        """Say to the chat in which an ask was made what became of it; empty when it arrived, else why not."""
        with self.store.routine() as unit:
            session = unit.session(approval.session_id)
        return self.mail.tell(session.chat, text) if session and session.chat else "no chat is known"

    def as_of(self, standing: Standing, roster: Roster) -> Standing:
        """The same authority with the rights of this roster: what began before a change ends with what is left."""
        if standing.kind == "seat" or standing.person_id in ("", OPERATOR.person_id):
            met = self.person(standing.account, roster)
            role = "blocked" if met is not None and met.role == "blocked" else standing.role
        else:
            person = roster.people.get(standing.person_id)
            role = person.role if person is not None else "blocked"
        others = tuple(self.as_of(other, roster) for other in standing.others)
        return (
            standing
            if (role, others) == (standing.role, standing.others)
            else standing._replace(role=role, others=others)
        )

    def unknown(self) -> Standing:
        """Who a call acts as when nothing says whose it is."""
        return OPERATOR if self.settings.unknown_session_policy == "operator" else NOBODY

    def seat(self) -> Standing:
        """Who the host's own terminal is."""
        return OPERATOR if self.settings.local_seat_policy == "operator" else NOBODY
