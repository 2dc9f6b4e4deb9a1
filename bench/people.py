"""What manyhands' hooks cost: a turn's start, a tool call, a request's tokens; with many people and a long trail.

The floor is one autocommit insert into a table with the audit's columns and no secondary index, WAL and NORMAL, in the
same run on the same file system. Wall-clock time, for most of it is the disk's.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench.decide import decide_rows
from bench.measure import Row, row
from herma.core.people.principal import Standing
from herma.core.people.records import Entry, Fact, Person
from herma.engine.people.house import Settings, Surroundings
from herma.engine.people.service import People
from herma.engine.people.starts import TurnStart
from herma.engine.people.turns import Call, Turns
from herma.hosts.hermes.people.opening import resolved_facts
from herma.stores.people.store import open_store

__all__ = ["rows"]

# What the original published for 8 people, 96 facts and 248 KB, in milliseconds at p50, on its author's machine.
PUBLISHED_MS = {"pre_llm_call": 0.53, "pre_tool_call": 0.15, "post_api_request": 0.14}
_COLUMNS = (
    "ts, person_id, session_id, turn_id, kind, tool, allowed, needs_approval, approved, tokens, note, writer, seq, "
    "prev, hash, mark, surface, host"
)
_BLOCK = 20
_FACTS_EACH = 12


class _Nowhere:
    def send(self, account: str, chat: str, text: str) -> str:
        del account, chat, text
        return "nobody is reached in a bench"

    def tell(self, chat: str, text: str) -> str:
        del chat, text
        return "nobody is reached in a bench"


def rows(*, quick: bool) -> list[Row]:
    """Every row. `quick` takes few samples and a short trail: it shows that the bench runs, not what things cost."""
    times = 40 if quick else 4_000
    made = [
        *_house("", people=8, trail=0, times=times),
        *_house("/10000_people", people=200 if quick else 10_000, trail=0, times=times),
        *_house("/1e6_rows", people=8, trail=2_000 if quick else 1_000_000, times=times),
        *decide_rows(quick=quick),
        _shared_room(),
    ]
    return made + [Row(f"{name}/published", ms * 1_000, None, "us", None, None) for name, ms in PUBLISHED_MS.items()]


def _house(suffix: str, *, people: int, trail: int, times: int) -> list[Row]:
    with TemporaryDirectory(prefix="herma-bench-") as root:
        service = _service(Path(root) / "people.db", people)
        _lengthen(service, trail)
        floor = _floor(Path(root) / "floor.db")
        steps = {
            "pre_tool_call": _tool_call(service),
            "post_api_request": _tokens(service),
            "pre_llm_call": _start(service),
        }
        made = []
        for name, step in steps.items():
            spent, least = _alternate(step, floor, times)
            made.append(row(f"{name}{suffix}", spent, least, unit="us"))
            made.append(_tail(f"{name}{suffix}/p99.9", spent, least))
        service.house.store.close()
        return made


def now() -> int:
    """The clock of this bench, in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def _service(path: Path, people: int) -> People:
    home = str(path.parent)
    store = open_store(
        str(path), clock=now, randomness=os.urandom, surface="bench", host="bench", home=home, profile="bench"
    )
    with store.firm() as unit:
        for n in range(people):
            role = "owner" if n == 0 else "member"
            unit.save_person(Person(f"chat:{n}", "chat", str(n), f"Person {n}", f"Person {n}", role, created_at=now()))
            for fact in range(_FACTS_EACH):
                unit.add_fact(Fact(0, f"chat:{n}", "topic", f"fact {fact} of {n}", now()))
        unit.advance()
    return People(store, Settings(), Surroundings(now, os.urandom, _Nowhere()), resolved_facts, Turns())


def _lengthen(service: People, trail: int) -> None:
    store, entry = service.house.store, Entry("tool", "chat:1", "s", "t", "web_search", allowed=1)
    for _ in range(0, trail, 10_000):
        with store.routine() as unit:
            for _row in range(min(10_000, trail)):
                unit.audit(entry)


def _start(service: People) -> Callable[[], object]:
    turn = iter(range(10**9))

    def start() -> object:
        n = next(turn)
        session = f"s{n % 8}"
        sender = str(n % 7 + 1)
        return service.starts.begin(
            TurnStart(f"{session}:{n}", session, session, "chat", sender, "hello", chat=f"c{n % 8}", alone=True)
        )

    return start


def _tool_call(service: People) -> Callable[[], object]:
    service.starts.begin(TurnStart("s:t", "s", "s", "chat", "1", "hello", chat="c", alone=True))
    call = Call("s:t", "s", "s", "call_1")
    assert service.gate.judge(call, "web_search", {"query": "a"}).allowed
    return lambda: service.gate.judge(call, "web_search", {"query": "weather in Hanoi"})


def _tokens(service: People) -> Callable[[], object]:
    call = Call("s:t", "s", "s")
    return lambda: service.used(call, 1_234)


def _floor(path: Path) -> Callable[[], object]:
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("PRAGMA synchronous=NORMAL")
    raw.execute(f"CREATE TABLE floor (id INTEGER PRIMARY KEY, {_COLUMNS})")
    marks = ", ".join("?" * len(_COLUMNS.split(", ")))
    insert = f"INSERT INTO floor ({_COLUMNS}) VALUES ({marks})"  # noqa: S608 - the names above
    values = (
        1_796_000_000_000,
        "chat:1",
        "s",
        "s:t",
        "tool",
        "web_search",
        1,
        None,
        None,
        0,
        "member/allow/web_search",
    )
    more = ("0" * 16, 1, "0" * 64, "0" * 64, "0" * 64, "gateway", "hermes 0.22.2")
    return lambda: raw.execute(insert, values + more)


def _alternate(step: Callable[[], object], floor: Callable[[], object], times: int) -> tuple[list[float], list[float]]:
    spent: list[float] = []
    least: list[float] = []
    for _ in range(max(1, times // _BLOCK)):
        spent += _timed(step)
        least += _timed(floor)
    return spent, least


def _timed(step: Callable[[], object]) -> list[float]:
    found = []
    for _ in range(_BLOCK):
        start = time.perf_counter_ns()
        step()
        found.append((time.perf_counter_ns() - start) / 1_000)
    return found


def _tail(name: str, spent: Sequence[float], least: Sequence[float]) -> Row:
    """The slowest one in a thousand, in floors at p50."""
    worst, floor = quantiles(spent, n=1_000, method="inclusive")[-1], median(least)
    return Row(name, round(worst, 3), None, "us", round(floor, 3), round(worst / floor, 3))


def _shared_room() -> Row:
    """What a shared room costs in cache: the share of a turn's request that is the same bytes as in the turn before.

    Two people take turns; each turn's request carries its own person's card behind the newest words and nobody else's.
    """
    from herma.core.people.card import card  # noqa: PLC0415 - this row alone
    from herma.core.people.request.insert import insert_in_newest_user, take_out_cards  # noqa: PLC0415 - the same

    people = [Standing(f"chat:{n}", "member", "person", f"Person {n}", f"chat:{n}") for n in range(2)]
    history: list[dict[str, object]] = [{"role": "system", "content": "You are a helpful assistant. " * 200}]
    shares, before = [], ""
    for n in range(20):
        history += [{"role": "user", "content": f"[Person {n % 2}] question {n} " + "with some words " * 20}]
        who = people[n % 2]
        clean = take_out_cards({"messages": history}).request  # type: ignore[union-attr]
        text = card(who.name, who.role, account=who.account, facts=["likes short answers"] * 8)
        sent = str(insert_in_newest_user(clean, text).request)  # type: ignore[union-attr]
        shares.append(_same(before, sent) / len(sent))
        history += [{"role": "assistant", "content": f"answer {n} " + "and what follows from it " * 20}]
        before = sent
    return row("shared_room/prefix", [100 * share for share in shares[1:]], unit="% of the request")


def _same(before: str, after: str) -> int:
    """How many characters two texts have in common from their start."""
    pairs = zip(before, after, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))
