from pathlib import Path

from tests.contract.people import ask
from tests.stores.people.house import Worker, opened

from herma.core.people.verify import verify
from herma.stores.people.reading import Trail

# What an ask may be, with the rows that stand in the trail then.
STATES = {("pending", 0): "before", ("approved", 1): "granted", ("spent", 2): "spent"}


def ended_before(path: Path, statement: int) -> str:
    """In which state a process leaves the database that is killed before that statement; empty if it had fewer."""
    store = opened(path)
    with store.firm() as unit:
        unit.park(ask())
    store.close()
    worker = Worker("approve", path, str(statement))
    assert worker.hears() == "ready"
    worker.go()
    said = worker.hears()
    if said == "stopped":
        worker.kill()
    else:
        worker.end()

    store = opened(path)
    with store.routine() as unit:
        found = unit.approval("a1")
        assert found is not None
        rows = len(unit.entries(person_id=None, since=0, limit=9))
        spent = unit.value("SELECT count(*) FROM spends")
    store.close()
    with Trail(path) as trail:
        assert verify(trail.writers(), trail.rows(), trail.salts()).intact
    assert spent == (found.status == "spent")
    return STATES[found.status, rows] if said == "stopped" else ""


def test_a_process_that_is_killed_at_any_statement_leaves_what_was_before_or_what_is_after(tmp_path: Path) -> None:
    states = []
    for statement in range(100):
        state = ended_before(tmp_path / f"{statement}.db", statement)
        if not state:
            break
        states.append(state)

    assert sorted(states, key=["before", "granted", "spent"].index) == states
    assert set(states) == {"before", "granted", "spent"}
    assert states.count("before") > 5
    assert states.count("granted") > 5
