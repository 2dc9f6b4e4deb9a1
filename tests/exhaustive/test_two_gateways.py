"""Two gateways on one database, and somebody who alters arguments between ask and call: all that can happen.

First a model of three designs, explored to its last state: one that reads and then acts, one that spends a grant for a
person and a tool by a guarded update, and ours, which binds the grant to the arguments. The two weaker ones have to
fail, or the explorer proves nothing. Then every order of events up to a length, played on the real store through two
openings of one file. Then every interleaving of the real gates' transactions with a removal in between.
"""

import shutil
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from threading import Semaphore, Thread
from typing import Any, NamedTuple

import pytest
from tests.contract.people import ANN, BOB, MINUTE, NOW, Clock, ask
from tests.engine.people.bot import Bot, Post
from tests.engine.people.household import Clock as HouseClock
from tests.engine.people.household import Randomness

from herma.core.people.principal import OPERATOR
from herma.engine.people.house import Settings
from herma.engine.people.where import Where
from herma.stores.people.store import SqliteStore, open_store

ASKED, OTHER = "A", "B"
ENDS_AT = 3
_MEMORY = Path("/dev/shm")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory, where there is one: a hundred thousand commits that wait for a disk prove nothing more."""
    made = Path(tempfile.mkdtemp(dir=_MEMORY if _MEMORY.is_dir() else None))
    yield made
    shutil.rmtree(made)


# --- the model


class Gateway(NamedTuple):
    """One gateway on its way through a call. `holds`: it has what it takes for a yes. `args`: what it would run."""

    step: str = "idle"
    args: str = ASKED
    holds: bool = False


class World(NamedTuple):
    """The row of the grant, the time, what the gateways are at, and what has run."""

    status: str = "pending"
    uses: int = 0
    now: int = 0
    gateways: tuple[Gateway, Gateway] = (Gateway(), Gateway())
    ran: tuple[str, ...] = ()
    late: bool = False
    altered: bool = False

    def alive(self) -> bool:
        """Whether the grant could be spent at this moment."""
        return self.status == "approved" and self.uses > 0 and self.now < ENDS_AT

    def with_gateway(self, at: int, gateway: Gateway) -> "World":
        """The same with one gateway elsewhere."""
        pair = list(self.gateways)
        pair[at] = gateway
        return self._replace(gateways=(pair[0], pair[1]))

    def run(self, at: int) -> "World":
        """The call of a gateway runs, with the arguments that it holds now."""
        gateway = self.gateways[at]
        return self.with_gateway(at, Gateway("done", gateway.args))._replace(
            ran=tuple(sorted((*self.ran, gateway.args)))
        )


Design = Callable[[World, int], World]


def read_then_act(world: World, at: int) -> World:
    """Look whether there is a grant; run; take the use away."""
    gateway = world.gateways[at]
    if gateway.step == "idle":
        return world.with_gateway(at, gateway._replace(step="read", holds=world.alive()))
    if gateway.step == "read" and gateway.holds:
        return world.run(at)._replace(uses=max(0, world.uses - 1), late=world.late or not world.alive())
    return world.with_gateway(at, Gateway("done", gateway.args))


def guarded_for_person_and_tool(world: World, at: int) -> World:
    """Take a use by a guarded update that knows the person and the tool; then run."""
    gateway = world.gateways[at]
    if gateway.step == "idle":
        spent = world.alive()
        taken = world._replace(uses=world.uses - 1) if spent else world
        return taken.with_gateway(at, gateway._replace(step="spent", holds=spent))
    return world.run(at) if gateway.holds else world.with_gateway(at, Gateway("done", gateway.args))


def bound_to_the_arguments(world: World, at: int) -> World:
    """Ours: the guarded update knows the digest of what is about to run, and what was judged is what runs."""
    gateway = world.gateways[at]
    if gateway.step == "idle" and world.alive() and gateway.args == ASKED:
        return world._replace(uses=world.uses - 1).run(at)
    return world.with_gateway(at, Gateway("done", gateway.args))


def explored(design: Design, uses: int) -> Counter[str]:
    """Every state that can be reached, and how many of them break a promise."""
    found: Counter[str] = Counter()
    start = World()
    seen, waiting = {start}, deque((start,))
    while waiting:
        world = waiting.popleft()
        found["states"] += 1
        found["run too often"] += len(world.ran) > uses
        found["other arguments ran"] += OTHER in world.ran
        found["ran after it ended"] += world.late
        for each in _after(world, design, uses):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return found


def _after(world: World, design: Design, uses: int) -> Iterator[World]:
    if world.status == "pending":
        yield world._replace(status="approved", uses=uses)
    if world.status in ("pending", "approved"):
        yield world._replace(status="revoked", uses=0)
    if world.now < ENDS_AT:
        yield world._replace(now=world.now + 1)
    for at in (0, 1):
        gateway = world.gateways[at]
        if gateway.step != "done":
            yield design(world, at)
            if not world.altered:
                yield world.with_gateway(at, gateway._replace(args=OTHER))._replace(altered=True)


def test_a_design_that_reads_and_then_acts_runs_too_often_too_late_and_other_arguments() -> None:
    found = explored(read_then_act, 1)
    assert found["run too often"] > 0
    assert found["ran after it ended"] > 0
    assert found["other arguments ran"] > 0


def test_a_guarded_update_for_a_person_and_a_tool_runs_other_arguments() -> None:
    found = explored(guarded_for_person_and_tool, 1)
    assert found["run too often"] == 0
    assert found["other arguments ran"] > 0


@pytest.mark.parametrize("uses", [1, 2])
def test_a_grant_bound_to_its_arguments_never_runs_too_often_too_late_or_for_others(uses: int) -> None:
    found = explored(bound_to_the_arguments, uses)
    assert found["states"] > 100
    assert found["run too often"] == found["ran after it ended"] == found["other arguments ran"] == 0


# --- the real store, through two openings of one file

EVENTS = ("approve", "revoke", "tick", *product((0, 1), (ASKED, OTHER)))
LENGTH = 5
TICK = MINUTE // 2


class Row(NamedTuple):
    """The grant as the model has it: a code that lives two ticks, and then a grant that lives as long again."""

    status: str = "pending"
    uses: int = 0
    now: int = 0
    until: int = 2

    def after(self, event: object) -> "tuple[Row, bool]":
        """The row after an event, and whether a call ran by it."""
        alive = self.now < self.until
        if event == "tick":
            return self._replace(now=self.now + 1), False
        if event == "approve" and self.status == "pending" and alive:
            return self._replace(status="approved", uses=1, until=self.now + 2), False
        if event == "revoke" and self.status in ("pending", "approved"):
            return self._replace(status="revoked" if alive else "expired", uses=0), False
        if isinstance(event, tuple) and event[1] == ASKED and self.status == "approved" and self.uses and alive:
            return self._replace(status="spent", uses=self.uses - 1), True
        return self, False


@contextmanager
def two(folder: Path) -> Iterator[tuple[SqliteStore, SqliteStore]]:
    """Two openings of one database, as two gateways have it."""
    clock, drawn = Clock(), Randomness()
    made = tuple(
        open_store(
            folder / "people.db", clock=clock, randomness=drawn, surface="gateway", host="h", home="/h", profile=""
        )
        for _ in range(2)
    )
    yield (made[0], made[1])
    for each in made:
        each.close()


def test_every_order_of_events_on_the_real_store_goes_as_in_the_model(folder: Path) -> None:
    ran = orders = 0
    with two(folder) as stores:
        for events in _orders():
            orders += 1
            ran += _played(stores, f"p{orders}", events)
    assert orders > 4_000
    assert ran > 500


def _orders() -> Iterator[tuple[object, ...]]:
    """Every order in which something is approved and called; the gateway that is called first is the first one."""
    for events in product(EVENTS, repeat=LENGTH):
        calls = [event for event in events if isinstance(event, tuple)]
        if calls and calls[0][0] == 0 and "approve" in events:
            yield events


def _played(stores: tuple[SqliteStore, SqliteStore], person: str, events: tuple[object, ...]) -> int:
    """How often the call of a person ran, in the model and in the store alike."""
    row, ran = Row(), 0
    digests = {each: f"{person}/{each}" for each in (ASKED, OTHER)}
    with stores[0].firm() as unit:
        unit.park(ask(person, person_id=person, digest=digests[ASKED], expires_at=NOW + 2 * TICK))
    for at, event in enumerate(events):
        now = NOW + row.now * TICK
        row, expected = row.after(event)
        if event == "tick":
            continue
        store = stores[event[0]] if isinstance(event, tuple) else stores[at % 2]
        with store.firm() as unit:
            if event == "approve":
                unit.grant(person, by=ANN.person_id, now=now, until=now + 2 * TICK, uses=1, choice="")
            elif event == "revoke":
                unit.revoke(person_id=person, now=now, reason="")
            elif isinstance(event, tuple):
                digest = digests[event[1]]
                spent = unit.spend(digest, person_id=person, conversation="conversation-1", now=now, call=str(at))
                assert (spent is not None) == expected, (events, at)
                ran += expected
    with stores[1].routine() as unit:
        left = unit.approval(person)
    assert left is not None
    assert (left.status, left.uses_left) == (row.status, row.uses), events
    assert ran <= 1
    return ran


# --- the real gates, transaction by transaction


class Turnstile:
    """Lets threads go on one transaction at a time, in an order that is given; then asks for the next choice."""

    def __init__(self) -> None:
        self.actors: list[Thread] = []
        self.go: list[Semaphore] = []
        self.arrived = Semaphore(0)
        self.done: list[bool] = []
        self.mine: dict[int, int] = {}

    def add(self, work: Callable[[], None]) -> None:
        """One more actor."""
        at = len(self.actors)
        self.go.append(Semaphore(0))
        self.done.append(False)

        def body() -> None:
            self.mine[thread.ident or 0] = at
            self.stop()
            try:
                work()
            finally:
                self.done[at] = True
                self.arrived.release()

        thread = Thread(target=body, daemon=True)
        self.actors.append(thread)

    def stop(self) -> None:
        """Where an actor waits for its turn; others pass."""
        from threading import get_ident  # noqa: PLC0415 - of this method alone

        at = self.mine.get(get_ident())
        if at is not None:
            self.arrived.release()
            assert self.go[at].acquire(timeout=30)

    def play(self, choices: list[int]) -> list[int]:
        """Run all actors to their ends: by `choices`, then the first that is left. How many could go, each time."""
        for thread in self.actors:
            thread.start()
            assert self.arrived.acquire(timeout=30)
        widths: list[int] = []
        while not all(self.done):
            ready = [at for at, done in enumerate(self.done) if not done]
            pick = choices[len(widths)] if len(widths) < len(choices) else 0
            widths.append(len(ready))
            self.go[ready[pick]].release()
            assert self.arrived.acquire(timeout=30)
        for thread in self.actors:
            thread.join(30)
        return widths


class Stepping:
    """A store that stops before each transaction."""

    def __init__(self, store: SqliteStore, turnstile: Callable[[], None]) -> None:
        self._store = store
        self._stop = turnstile

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in ("routine", "firm"):
            return found

        def stopped() -> object:
            self._stop()
            return found()

        return stopped


def _interleavings(play: Callable[[list[int]], list[int]]) -> int:
    """Call `play` for every schedule there is; how many."""
    count, choices = 0, [0]
    while True:
        widths = play(choices)
        count += 1
        taken = (choices + [0] * len(widths))[: len(widths)]
        while taken and taken[-1] + 1 >= widths[len(taken) - 1]:
            taken.pop()
        if not taken:
            return count
        taken[-1] += 1
        choices = taken


class Pair:
    """Two gateways on one database, with an owner and a member who has something approved."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.drawn = HouseClock(), Randomness()
        self.bots = [
            Bot(folder, Settings(), clock=self.clock, post=Post(), drawn=self.drawn, shown=self._stepping)
            for _ in range(2)
        ]
        self.turnstile = Turnstile()
        self.runs: list[str] = []
        self.bots[0].join("111", "Kiter", "owner")

    def _stepping(self, store: SqliteStore) -> Any:
        return Stepping(store, lambda: self.turnstile.stop())  # noqa: PLW0108 - it changes

    def close(self) -> None:
        """End both."""
        for each in self.bots:
            each.close()

    def calls(self, at: int, command: str) -> Callable[[], None]:
        """A member's call in one of the gateways; what runs is kept."""
        turn = self.bots[at].begin("222")

        def work() -> None:
            if self.bots[at].judge(turn, command=command).allowed:
                self.runs.append(command)

        return work

    def begin(self) -> None:
        """The member is on the roster, and one call of theirs is approved once."""
        first, self.turnstile, self.runs = self.bots[0], Turnstile(), []
        self.clock.pass_by(hours=2)  # so much asked at once would be a flood
        first.join("222", "Minh", "member")
        first.says_and_calls("222", command="ls")
        assert first.people.asks.approve(first.code(), by=first.who("111")).outcome == "approved"

    def types(self, line: str) -> None:
        """What the seat types in the second gateway."""
        self.bots[1].people.command(OPERATOR, line, Where(surface="terminal", person_present=True))

    def left_open(self) -> list[str]:
        """Asks and grants that could still lead to a run."""
        with self.bots[0].store.routine() as unit:
            asks = unit.asks("telegram:222", since=0)
        return [each.status for each in asks if each.status in ("pending", "approved")]


@pytest.fixture
def pair(folder: Path) -> Iterator[Pair]:
    made = Pair(folder)
    yield made
    made.close()


def test_however_two_gateways_interleave_an_approval_for_once_runs_once(pair: Pair) -> None:
    def play(choices: list[int]) -> list[int]:
        pair.begin()
        for at in (0, 1):
            pair.turnstile.add(pair.calls(at, "ls"))
        widths = pair.turnstile.play(choices)
        assert pair.runs == ["ls"]
        pair.types("remove telegram:222")
        return widths

    assert _interleavings(play) >= 6


@pytest.mark.parametrize("commands", [("rm -rf /",), ("ls",), ("ls", "ls")])
def test_however_a_removal_falls_between_nothing_runs_after_it_and_nothing_of_it_stays_open(
    pair: Pair, commands: tuple[str, ...]
) -> None:
    def play(choices: list[int]) -> list[int]:
        pair.begin()
        for at, command in enumerate(commands):
            pair.turnstile.add(pair.calls(at, command))
        pair.turnstile.add(lambda: pair.types("remove telegram:222"))
        widths = pair.turnstile.play(choices)
        assert "rm -rf /" not in pair.runs
        assert len(pair.runs) <= 1
        assert pair.left_open() == []
        _ran_before_it_was_over(pair)
        return widths

    assert _interleavings(play) >= 2 + 4 * len(commands[1:])


def _ran_before_it_was_over(pair: Pair) -> None:
    """In the order of the trail no run of somebody stands behind their removal."""
    rows = [row for row in pair.bots[0].rows() if "telegram:222" in (row.person_id, row.note.split(" ")[0])]
    ended = [at for at, row in enumerate(rows) if "was removed" in row.note]
    ran = [at for at, row in enumerate(rows) if row.kind == "tool"]
    assert ended
    assert not ran or ran[-1] < ended[-1]


def test_the_weaker_gates_fail_on_the_real_store_too(folder: Path) -> None:
    """Reading in one transaction and taking in the next, through two openings, runs twice in some interleaving."""
    twice = 0

    def play(choices: list[int]) -> list[int]:
        nonlocal twice
        number = next(numbers)
        person, turnstile, ran = f"p{number}", Turnstile(), []
        with stores[0].firm() as unit:
            unit.park(ask(person, person_id=person, digest=person))
            unit.grant(person, by=ANN.person_id, now=NOW, until=NOW + MINUTE, uses=1, choice="")

        def weak(store: SqliteStore) -> Callable[[], None]:
            def work() -> None:
                with store.routine() as unit:
                    seen = unit.approval(person)
                turnstile.stop()
                if seen is not None and seen.uses_left:
                    ran.append(person)
                    with store.firm() as unit:
                        unit.execute(
                            "UPDATE approvals SET uses_left = 0, status = 'spent' WHERE approval_id = ?", (person,)
                        )

            return work

        for store in stores:
            turnstile.add(weak(store))
        widths = turnstile.play(choices)
        twice += len(ran) > 1
        return widths

    numbers = iter(range(10_000))
    with two(folder) as stores:
        _interleavings(play)
    assert twice > 0
    assert BOB.role == "member"
