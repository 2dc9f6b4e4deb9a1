"""A process that writes to a memory and says on its stdout what it begins and what has been confirmed to it."""

import random
import sys
from pathlib import Path

from herma.core.memory.journal import Origin
from herma.core.memory.operations import Applied, Operation, apply
from herma.stores.memory.store import Decide, Store

LIMIT = 10_000
MOST = 5  # facts of one process at a time


def main() -> None:
    """`memory_worker FOLDER NAME CALLS`: so many calls of one operation each, on facts of its own."""
    folder, name, calls = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    store, chance = Store(folder, name, lambda: 1.0), random.Random(name)
    mine: list[str] = []
    for call in range(calls):
        operation = _next(mine, chance, f"fact {name}-{call}.")
        line = f"{operation.action}|{operation.old_text}|{operation.content}\n"
        sys.stdout.write(f"begun|{line}")
        sys.stdout.flush()
        done = store.change("memory", _decide(operation), Origin("tool", name, str(call)))
        assert isinstance(done.outcome, Applied), done.outcome
        mine = [fact for fact in mine if fact != operation.old_text] + [operation.content] * bool(operation.content)
        sys.stdout.write(f"done|{line}")
        sys.stdout.flush()


def _next(mine: list[str], chance: random.Random, fresh: str) -> Operation:
    action = chance.choice(("add", "replace", "remove")) if mine else "add"
    action = "remove" if len(mine) >= MOST else action
    if action == "add":
        return Operation("add", fresh)
    return Operation(action, fresh if action == "replace" else "", chance.choice(mine))


def _decide(operation: Operation) -> Decide:
    return lambda entries: apply(entries, [operation], limit=LIMIT)


if __name__ == "__main__":
    main()
