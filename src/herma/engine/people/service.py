"""The people service: the parts of one house, put together, and what a host may ask of it."""

from collections.abc import Callable, Iterable
from typing import Any

from herma.core.people.budget import day_of
from herma.core.people.conditions import Facts
from herma.core.people.decide import Subject, decide
from herma.core.people.principal import Standing
from herma.core.people.records import Entry, Message
from herma.core.people.rules import Policy
from herma.core.people.spoken import command_in
from herma.core.visible import visible
from herma.engine.people import tools, verbs
from herma.engine.people.asks import Asks
from herma.engine.people.doors import Doors
from herma.engine.people.gate import Gate
from herma.engine.people.house import House, Settings, Surroundings
from herma.engine.people.ports import Store
from herma.engine.people.starts import Starts, TurnStart
from herma.engine.people.turns import Call, Live, Turns
from herma.engine.people.watch import Watch
from herma.engine.people.where import Where

__all__ = ["People"]

_NEWS_FOR_MS = 86_400_000


class People:
    """One house with its parts. Every method raises only what the store raises; the host's guard answers for that."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        surroundings: Surroundings,
        facts_of: Callable[[Policy, str, object], Facts],
        turns: Turns,
    ) -> None:
        self.house = House(store, settings, surroundings)
        self.asks = Asks(self.house)
        self.turns = turns
        self.starts = Starts(self.house, turns)
        turns.machine = self.starts.machine
        self.asks.when_asked = self.starts.asked
        self.gate = Gate(self.house, self.turns, self.asks, facts_of)
        self.watch = Watch(self.house, self.asks)
        self.doors = Doors(self.house)

    def prove(self) -> None:
        """Refuse what nobody may do, before anybody is served. Raises RuntimeError where that does not happen."""
        policy = self.house.policy()
        for subject in (Subject("", "guest"), Subject("", "blocked"), Subject("", "no such role")):
            if decide(subject, "terminal", {"command": "true"}, Facts(), policy).effect != "never":
                raise RuntimeError(f"the rules let a {subject.role} run a command")

    def standing(self, call: Call) -> Standing:
        """Who a call acts as."""
        return self.turns.find(call, self.house.unknown()).standing

    def now(self, standing: Standing) -> Standing:
        """The same authority with the rights of this moment: what began before a change ends with what is left."""
        return self.house.as_of(standing, self.house.roster())

    def live(self, call: Call) -> Live:
        """The turn of a call."""
        return self.turns.find(call, self.house.unknown())

    def used(self, call: Call, tokens: int) -> None:
        """Count the tokens of a request for whoever owns its turn."""
        live = self.live(call)
        who = live.standing.person_id or live.standing.account
        with self.house.store.routine() as unit:
            if who:
                unit.add_tokens(who, day_of(self.house.now()), tokens)
            unit.audit(Entry("tokens", who, call.session_id, call.turn_id, tokens=tokens))

    def tool(self, name: str, args: dict[str, Any], standing: Standing) -> dict[str, object]:
        """The answer of one of the six tools to this person."""
        return tools.call(self.house, standing, name, args)

    def command(self, speaker: Standing, raw: str, where: Where) -> str:
        """The reply to `/many …`, typed there."""
        return verbs.run(self.house, self.asks, speaker, raw, where=where)

    def instead(self, live: Live, start: TurnStart) -> str:
        """What a turn's person is told instead of a turn: the reply to a command that came as words; else empty.

        A job whose maker is not known is told to the owners, once.
        """
        if start.job and not live.standing.person_id:
            self.tell_owners(
                f"job {start.job}",
                f"The scheduled job {visible(start.job)} runs as a guest: who made it is not known. Make it anew in "
                "your own chat, and it acts for you.",
            )
        raw = command_in(start.text) if live.standing.kind in ("person", "stranger") else None
        return self.command(live.standing, raw, Where(live.session_id)) if raw is not None else ""

    def tell_owners(self, about: str, text: str) -> None:
        """Tell every owner something, once; what does not arrive waits for a day."""
        now = self.house.now()
        with self.house.store.routine() as unit:
            if unit.setting(f"told: {about}"):
                return
            unit.put_setting(f"told: {about}", str(now))
            for owner in self.house.owners():
                unit.put_message(
                    Message(f"{about}:{owner.person_id}", owner.person_id, "news", "", text, now, now + _NEWS_FOR_MS)
                )
        self.watch.deliver()

    def steered(self, turn_id: str, accounts: tuple[str, ...]) -> Standing | None:
        """Words of these accounts have come into a running turn: it goes on with the least of their authorities."""
        others = tuple(self._of_account(each) for each in accounts)
        live = self.turns.turn(turn_id)
        if live is None:
            return None
        known = {live.standing.account, live.standing.person_id, *(each.account for each in live.standing.others)}
        new = tuple(each for each in others if each.account not in known or not each.account)
        if not new:
            return live.standing
        standing = self.turns.mix(turn_id, new)
        with self.house.store.routine() as unit:
            who = live.standing.person_id or live.standing.account
            said = ", ".join(each.person_id or each.account or "somebody unknown" for each in new)
            unit.audit(Entry("policy", who, live.session_id, turn_id, note=f"words of {said} came into this turn"))
        return standing

    def everybody(self, live: Live) -> None:
        """Words of a turn that was broken off stand in this one: it goes on with the least authority of all."""
        others = tuple(
            each for each in self.starts.speakers(live.session_id) if each.person_id != live.standing.person_id
        )
        known = {each.person_id for each in live.standing.others}
        if all(each.person_id in known for each in others):
            return
        self.turns.mix(live.turn_id, others)
        with self.house.store.routine() as unit:
            who = live.standing.person_id or live.standing.account
            said = "words of a turn that was broken off came into this turn"
            unit.audit(Entry("policy", who, live.session_id, live.turn_id, note=said))

    def may_not_speak(self, account: str) -> bool:
        """Whether the words of an account must not reach the model at all. Of an unknown author that is not known."""
        if not account:
            return False
        standing = self._of_account(account)
        if standing.role == "blocked":
            return True
        closed = self.house.settings.unknown_sender_policy != "open"
        return standing.kind == "stranger" and closed and self.house.paused() is not True

    def over_budget(self, standing: Standing) -> str:
        """What somebody is told whose tokens of today are used up; empty while there are some left."""
        return self.starts.over_budget(standing)

    def void_codes(self, texts: Iterable[str]) -> None:
        """A code that a model can read is void from that moment."""
        said = " ".join(texts)
        if said:
            self.asks.void_seen(said)

    def _of_account(self, account: str) -> Standing:
        platform, _, sender = account.partition(":")
        return self.house.standing(platform, sender)
