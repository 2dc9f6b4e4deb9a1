"""The doors of one house: a message is judged, and what that changes is kept, before any turn begins."""

from threading import Lock

from herma.core.people.doors import Arrival, Door, door
from herma.core.people.principal import Standing
from herma.core.people.records import Entry, account_of
from herma.engine.people.house import House

__all__ = ["Doors"]

# How often the same refusal is said to one person, and for strangers in one room. A stranger has no claim to an answer;
# somebody on the roster who mistypes a command has.
_STRANGER = (1, 3_600_000)
_KNOWN = (20, 60_000)
_LOCKED_OUT = (3, 3_600_000)
_MOST = 4_096
_LOCKED = frozenset({"locked", "shut"})
_HERE = frozenset({"joined", "already"})


class Doors:
    """Thread-safe. One for a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._said = _Said()
        self._chats: dict[tuple[str, str], str] = {}
        self._learnt: dict[str, tuple[str, int]] = {}

    def arrive(self, arrival: Arrival) -> Door:
        """What becomes of a message. Raises only what the store raises; whoever calls answers for that by refusing."""
        house = self._house
        standing = house.standing(arrival.platform, arrival.sender_id)
        policy = "host" if house.paused() else house.settings.unknown_sender_policy
        decided = door(arrival, standing, policy)
        self._learn(arrival, standing)
        if decided.code:
            return self._opened(arrival, standing, decided)
        if decided.action == "drop":
            return self._refused(arrival, standing, decided, _limit(standing))
        return decided._replace(admit=self._admits(standing, policy))

    def admitted(self) -> frozenset[str]:
        """The accounts that the host has to let in by itself, as of now."""
        roster, strict = self._house.roster(), self._house.settings.strict_admission
        shut = {
            each.person_id
            for each in roster.people.values()
            if each.role == "blocked" or (strict and each.role != "owner")
        }
        return frozenset(account for account, person in roster.accounts.items() if person not in shut)

    def _admits(self, standing: Standing, policy: str) -> bool:
        """Whether the host has to be told to let this one message in: it does not know whom only we let in."""
        if standing.kind == "person":
            return self._house.settings.strict_admission
        return policy == "open"

    def _opened(self, arrival: Arrival, standing: Standing, decided: Door) -> Door:
        """A code was sent. Whatever it was, its text goes nowhere else."""
        from herma.engine.people.invites import Guest, redeem  # noqa: PLC0415 - codes are rare, messages are not

        guest = Guest(arrival.platform, arrival.sender_id, arrival.name)
        redeemed = redeem(self._house, guest, decided.code, kind=decided.purpose)
        if redeemed.outcome in _LOCKED:
            locked = Door("drop", redeemed.text, reason="too many wrong codes")
            return self._refused(arrival, standing, locked, _LOCKED_OUT)
        here = redeemed.outcome in _HERE and redeemed.person is not None
        if here:
            self._learn(arrival, self._house.standing(arrival.platform, arrival.sender_id))
        # Where the host is to admit nobody by itself, the owner is the one whom it has to know.
        alone = self._house.settings.strict_admission and decided.purpose != "claim"
        return decided._replace(code="", reply=redeemed.text, enrol=here and not alone, warning=redeemed.warning)

    def warn(self, text: str) -> None:
        """Tells every owner something in their own chat. Blocks while it is sent."""
        for owner in self._house.owners():
            with self._house.store.routine() as unit:
                chat = unit.address(owner.person_id)
            if chat:
                self._house.mail.send(owner.person_id, chat, text)

    def _refused(self, arrival: Arrival, standing: Standing, decided: Door, limit: tuple[int, int]) -> Door:
        """Says no once in a while, and once a room. Keeps a row whenever it does, with the number of silent ones."""
        now, account = self._house.now(), account_of(arrival.platform, arrival.sender_id)
        silent = self._said.since((account, decided.reason), now, limit)
        if silent is None:
            return decided._replace(reply="")
        with self._house.store.routine() as unit:
            more = f"; {silent} more since the row before" if silent else ""
            note = f"at the door: {decided.reason}{more}"
            unit.audit(Entry("refusal", standing.person_id or account, allowed=0, note=note))
        if standing.kind == "person" or arrival.chat_kind == "dm":
            return decided
        room = (f"{arrival.platform}:{arrival.chat}", "a room")
        return decided if self._said.since(room, now, limit) is not None else decided._replace(reply="")

    def _learn(self, arrival: Arrival, standing: Standing) -> None:
        """Keeps the chat in which this account alone reads. A chat in which two accounts were seen is nobody's."""
        if arrival.chat_kind != "dm" or not arrival.chat:
            return
        account = account_of(arrival.platform, arrival.sender_id)
        key = (arrival.platform, arrival.chat)
        first = self._chats.setdefault(key, account)
        while len(self._chats) > _MOST:
            self._chats.pop(next(iter(self._chats)))
        if first != account:
            self._chats[key] = ""
            if first:
                self._keep(first, "", arrival.chat)
        elif standing.kind == "person":
            self._keep(account, arrival.chat, "")

    def _keep(self, account: str, chat: str, only: str) -> None:
        """Writes an address where it differs from what is kept; `only` limits that to an address which is this one."""
        epoch = self._house.roster().epoch  # with a person their address went
        if self._learnt.get(account) == (chat, epoch):
            return
        with self._house.store.routine() as unit:
            known = unit.address(account)
            if known != chat and only in ("", known):
                unit.put_address(account, chat, self._house.now())
        self._learnt[account] = (chat, epoch)
        while len(self._learnt) > _MOST:
            self._learnt.pop(next(iter(self._learnt)))


def _limit(standing: Standing) -> tuple[int, int]:
    return _KNOWN if standing.kind == "person" and standing.role != "blocked" else _STRANGER


class _Said:
    """When what was last said to whom, and how often it was not said since. Bounded: the oldest are forgotten."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last: dict[tuple[str, str], tuple[int, int, int]] = {}

    def since(self, key: tuple[str, str], now: int, limit: tuple[int, int]) -> int | None:
        """How often it was left unsaid, when it may be said now; None when it may not. `limit`: so often in so long."""
        most, every = limit
        with self._lock:
            began, said, silent = self._last.pop(key, (now, 0, 0))
            if not began <= now < began + every:
                began, said = now, 0
            if said >= most:
                self._last[key] = (began, said, silent + 1)
                return None
            self._last[key] = (began, said + 1, 0)
            while len(self._last) > _MOST:
                self._last.pop(next(iter(self._last)))
            return silent
