"""What a second process does to a database of people: one task, begun when it is told to."""

import sys
from collections.abc import Callable

from tests.contract.people import ANN, BOB, MINUTE, NOW, ask
from tests.stores.people.house import opened

from herma.core.people.records import Entry
from herma.errors import StoreError
from herma.stores.people.store import SqliteStore


def say(text: object) -> None:
    print(text, flush=True)  # noqa: T201 - the pipe is how the test hears of it


def wait() -> None:
    """Until the test lets us go on; for ever where it kills us instead."""
    sys.stdin.readline()


def spend(store: SqliteStore, times: str) -> object:
    """Try to spend a grant so many times; how often that worked."""
    won = 0
    for number in range(int(times)):
        with store.routine() as unit:
            grant = unit.spend(
                "digest-1", person_id=BOB.person_id, conversation="conversation-1", now=NOW, call=str(number)
            )
            won += grant is not None
            unit.audit(Entry("approval", BOB.person_id, tool="terminal", approved=int(grant is not None)))
    return won


def park(store: SqliteStore, name: str) -> object:
    """Park the same ask ten times; how many of other processes it superseded."""
    superseded = 0
    for number in range(10):
        with store.firm() as unit:
            superseded += len(unit.park(ask(f"{name}-{number}")))
    return superseded


def revoke(store: SqliteStore, _: str) -> object:
    """Void everything; how many uses were left on it."""
    with store.firm() as unit:
        left = unit.approval("a1")
        unit.revoke(now=NOW, reason="paused")
    return 0 if left is None else left.uses_left


def invite(store: SqliteStore, account: str) -> object:
    """Redeem one code; whether it let us in."""
    with store.firm() as unit:
        return unit.use_invite("a-long-code", account=account, now=NOW)


def promote(store: SqliteStore, role: str) -> object:
    """Change a role; the epoch after it."""
    with store.firm() as unit:
        unit.save_person(BOB._replace(role=role))
        return unit.epoch()


def hold(store: SqliteStore, _: str) -> object:
    """Keep the database busy until the test lets go."""
    with store.firm():
        say("holding")
        wait()
    return "released"


def approve(store: SqliteStore, stop: str) -> object:
    """Approve an ask and spend it, stopping for good before the statement with that number."""
    numbers = iter(range(1_000))

    def stop_here(_statement: str) -> None:
        if next(numbers) == int(stop):
            say("stopped")
            wait()

    for connection in store._connections:
        connection.set_trace_callback(stop_here)
    with store.firm() as unit:
        unit.grant("a1", by=ANN.person_id, now=NOW, until=NOW + MINUTE, uses=1, choice="approve")
        unit.audit(Entry("approval", BOB.person_id, tool="terminal", approved=1))
    with store.firm() as unit:
        unit.spend("digest-1", person_id=BOB.person_id, conversation="conversation-1", now=NOW, call="call-1")
        unit.audit(Entry("tool", BOB.person_id, tool="terminal", allowed=1))
    store.close()
    return "done"


TASKS: dict[str, Callable[[SqliteStore, str], object]] = {
    each.__name__: each for each in (spend, park, revoke, invite, promote, hold, approve)
}


def main(task: str, path: str, argument: str = "") -> None:
    if task == "open":
        say("ready")
        wait()
    store = opened(path)
    if task == "open":
        say(len(store.roster().people))
    else:
        say("ready")
        wait()
        try:
            say(TASKS[task](store, argument))
        except StoreError as error:
            say(f"{type(error).__name__}: {error}")
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
