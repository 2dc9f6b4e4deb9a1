"""A whole people service on a real database, with a clock that the test sets and a mail that keeps what it is given."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.engine.people.household import START, Clock, Randomness

from herma.core.people.conditions import Facts
from herma.core.people.principal import Standing
from herma.core.people.records import Approval, Entry, Person
from herma.engine.people.house import Settings, Surroundings
from herma.engine.people.service import People
from herma.engine.people.starts import Started, TurnStart
from herma.engine.people.turns import Call, Turns
from herma.engine.people.verdict import Verdict
from herma.engine.people.where import Where
from herma.stores.people.store import SqliteStore, open_store

__all__ = ["KITER", "LAN", "MINH", "ROLES", "Bot", "Post", "bot", "opened"]

KITER, OLGA, MINH, LAN, GAST, BAD = "111", "112", "222", "223", "333", "444"
ROLES = {
    KITER: ("Kiter", "owner"),
    MINH: ("Minh", "member"),
    LAN: ("Lan", "member"),
    GAST: ("Gast", "guest"),
    BAD: ("Bad", "blocked"),
}
_CODE = re.compile(r"/many approve (\w+)")


class Post:
    """Keeps what it was given; an account in `dead` is not reached, and why."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, str]] = []
        self.told: list[tuple[str, str]] = []
        self.dead: dict[str, str] = {}
        self.roomless = False

    def send(self, account: str, chat: str, text: str) -> str:
        """To one person; why not where they are dead."""
        if account not in self.dead:
            self.sent.append((account, chat, text))
        return self.dead.get(account, "")

    def tell(self, chat: str, text: str) -> str:
        """To a room; to none where this process knows no rooms, as in a shell."""
        if self.roomless:
            return "no connected chat is known"
        self.told.append((chat, text))
        return ""


class Bot:
    """One bot on telegram."""

    def __init__(  # noqa: PLR0913 - what a process has around it
        self,
        folder: Path,
        settings: Settings,
        *,
        clock: Clock,
        post: Post,
        drawn: Randomness,
        shown: Callable[[SqliteStore], Any] = lambda store: store,
    ) -> None:
        self.folder, self.settings, self.clock, self.post, self.drawn = folder, settings, clock, post, drawn
        self.turns = Turns()
        self.store: SqliteStore = opened(folder, clock, drawn)
        surroundings = Surroundings(clock, drawn, post)
        # `shown` is the store as the service sees it.
        self.people = People(shown(self.store), settings, surroundings, lambda *_call: Facts(), self.turns)
        self.numbers = 0

    def close(self) -> None:
        """End the writer."""
        self.store.close()

    def restarted(self) -> "Bot":
        """The same bot in a new process: what was in memory is gone."""
        self.close()
        made = Bot(self.folder, self.settings, clock=self.clock, post=self.post, drawn=self.drawn)
        made.numbers = self.numbers
        return made

    # people

    def join(self, sender: str, name: str, role: str, *, reachable: bool = True, **more: object) -> Person:
        """Put somebody on the roster; `reachable`: they have written to the bot before."""
        account = f"telegram:{sender}"
        person = Person(account, "telegram", sender, name, name, role, created_at=self.clock() + int(sender))
        with self.store.firm() as unit:
            unit.save_person(person._replace(**more))  # type: ignore[arg-type]
            if reachable:
                unit.put_address(account, f"dm-{sender}", self.clock())
        return person

    def who(self, sender: str) -> Standing:
        """Who a sender is."""
        return self.people.house.standing("telegram", sender)

    def types(self, sender: str, line: str) -> str:
        """The reply to `/many <line>` of somebody."""
        return self.people.command(self.who(sender), line, Where())

    # turns and calls

    def begin(self, sender: str, text: str = "hello", *, room: str = "", **more: object) -> Started:
        """Somebody writes: in their own chat, or in a room."""
        self.numbers += 1
        session = room or f"dm-{sender}"
        start = TurnStart(
            f"turn-{self.numbers}-{session}",
            session,
            session,
            "telegram",
            sender,
            text,
            chat=f"chat:{session}",
            alone=not room,
        )
        return self.people.starts.begin(start._replace(**more))  # type: ignore[arg-type]

    def call(self, started: Started, **ids: str) -> Call:
        """The ids of the next call in a turn."""
        self.numbers += 1
        live = started.live
        return Call(live.turn_id, live.session_id, live.session_id, f"call-{self.numbers}")._replace(**ids)

    def judge(self, turn: Started | Call, tool: str = "terminal", **args: object) -> Verdict:
        """What the gate says to a call."""
        call = turn if isinstance(turn, Call) else self.call(turn)
        return self.people.gate.judge(call, tool, args)

    def says_and_calls(self, sender: str, tool: str = "terminal", *, room: str = "", **args: object) -> Verdict:
        """A turn of somebody's in which the model makes one call."""
        return self.judge(self.begin(sender, room=room), tool, **args)

    # what came of it

    def code(self, account: str = f"telegram:{KITER}") -> str:
        """The code in the newest prompt to somebody."""
        found = [_CODE.search(text) for to, _chat, text in self.post.sent if to == account]
        assert found
        assert found[-1] is not None
        return found[-1][1]

    def prompts(self, account: str = f"telegram:{KITER}") -> list[str]:
        """Every ask that reached somebody, oldest first."""
        return [text for to, _chat, text in self.post.sent if to == account and _CODE.search(text)]

    def asks(self, sender: str) -> Sequence[Approval]:
        """All asks of somebody, newest first."""
        with self.store.routine() as unit:
            return unit.asks(f"telegram:{sender}", since=0)

    def rows(self, kind: str = "") -> list[Entry]:
        """The trail, oldest first."""
        with self.store.routine() as unit:
            found = [entry for _, entry in unit.entries(person_id=None, since=0, limit=10_000)]
        return [entry for entry in reversed(found) if not kind or entry.kind == kind]


def opened(folder: Path, clock: Clock, drawn: Randomness) -> SqliteStore:
    """A store on the database in a folder."""
    return open_store(
        folder / "people.db",
        clock=clock,
        randomness=drawn,
        surface="gateway",
        host="hermes 0.22.2",
        home=str(folder),
        profile="",
    )


@contextmanager
def bot(folder: Path, settings: Settings | None = None) -> Iterator[Bot]:
    """A bot with an owner, two members, a guest and somebody who is blocked; 999 is a stranger."""
    clock = Clock()
    made = Bot(folder, settings or Settings(), clock=clock, post=Post(), drawn=Randomness())
    for sender, (name, role) in ROLES.items():
        made.join(sender, name, role)
    clock.at = START + 1_000
    with closing(made):
        yield made
