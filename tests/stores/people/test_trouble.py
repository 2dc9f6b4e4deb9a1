import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import pytest
from tests.contract.people import ANN, BOB, MINUTE, NOW, ask
from tests.stores.people.house import opened

from herma.core.people.records import Entry, Fact
from herma.core.people.verify import verify
from herma.errors import StoreDamaged, StoreError, StoreFull, StoreLocked, StoreNewer
from herma.stores.people.reading import Trail
from herma.stores.people.store import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.db"


def filled(path: Path) -> SqliteStore:
    """A database with people, a trail and a living grant in it."""
    store = opened(path)
    with store.firm() as unit:
        unit.save_person(ANN)
        unit.save_person(BOB)
        unit.park(ask())
        unit.grant("a1", by=ANN.person_id, now=NOW, until=NOW + MINUTE, uses=1, choice="approve")
        for number in range(200):
            unit.audit(Entry("tool", BOB.person_id, tool="terminal", note=f"row {number}" * 10))
    return store


def change(path: Path, statement: str) -> None:
    """What somebody does to a database by hand."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(statement)


def test_a_later_layout_is_refused_and_left_alone(path: Path) -> None:
    filled(path).close()
    change(path, "UPDATE meta SET version = version + 1")
    before = path.read_bytes()

    with pytest.raises(StoreNewer, match="layout 2") as refused:
        opened(path)
    with pytest.raises(StoreNewer), Trail(path):
        pass

    assert "later Herma" in refused.value.hint
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda _whole: b"no database at all" * 900,
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:100] + b"\xff" * 4_000 + whole[4_100:],
        lambda whole: whole[:50],
    ],
    ids=["another file", "cut in half", "overwritten", "cut in its head"],
)
def test_a_damaged_file_is_an_error_and_is_left_as_it_is(path: Path, damage: Callable[[bytes], bytes]) -> None:
    filled(path).close()
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)

    with pytest.raises(StoreDamaged) as refused:
        opened(path)

    assert "backup" in refused.value.hint
    assert path.read_bytes() == damaged
    assert {each.name for each in path.parent.iterdir()} <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}


def test_a_database_of_something_else_is_refused_and_left_alone(path: Path) -> None:
    change(path, "CREATE TABLE photos (id INTEGER)")
    before = path.read_bytes()

    with pytest.raises(StoreDamaged, match="not one of people"):
        opened(path)

    assert path.read_bytes() == before


def test_a_full_disk_undoes_the_transaction_and_the_store_goes_on_when_there_is_room(path: Path) -> None:
    store = filled(path)
    (pages,) = store._firm.execute("PRAGMA page_count").fetchone()
    store._firm.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreFull) as refused, store.firm() as unit:  # noqa: PT012 - the error comes from inside
        unit.audit(Entry("policy", BOB.person_id))
        unit.spend("digest-1", person_id=BOB.person_id, conversation="conversation-1", now=NOW, call="c")
        for _ in range(9):
            unit.add_fact(Fact(0, BOB.person_id, "tea", "green" * 9_000, NOW))

    assert "room" in refused.value.hint
    store._firm.execute("PRAGMA max_page_count = 1000000")
    with store.firm() as unit:
        assert unit.facts(BOB.person_id) == []
        unit.audit(Entry("policy", ANN.person_id))
        assert unit.spend("digest-1", person_id=BOB.person_id, conversation="conversation-1", now=NOW, call="c")
    store.close()
    with Trail(path) as trail:
        report = verify(trail.writers(), trail.rows(), trail.salts())
    assert (report.intact, report.rows) == (True, 201)


def test_another_home_or_profile_is_told_apart_by_name(path: Path) -> None:
    opened(path, home="/home/one/.hermes", profile="work").close()

    for home, profile in (("/home/two/.hermes", "work"), ("/home/one/.hermes", "")):
        with pytest.raises(StoreError, match="another home or profile") as refused:
            opened(path, home=home, profile=profile)
        assert "db_path" in refused.value.hint
    opened(path, home="/home/one/.hermes", profile="work").close()


def test_a_database_inside_its_home_moves_along_with_it(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    store = opened(before / "people.db", home=str(before))
    with store.firm() as unit:
        unit.save_person(ANN)
    store.close()
    before.rename(after)

    store = opened(after / "people.db", home=str(after))

    assert ANN.person_id in store.roster().people
    store.close()


def test_a_backup_that_was_put_back_carries_no_living_grant_and_no_open_code(path: Path, tmp_path: Path) -> None:
    store = filled(path)
    epoch = store.roster().epoch
    store.close()
    backup = tmp_path / "backup.db"
    backup.write_bytes(path.read_bytes())
    backup.replace(path)

    store = opened(path)
    with store.firm() as unit:
        found = unit.approval("a1")
        assert found is not None
        assert (found.status, found.reason, found.uses_left) == ("revoked", "restored", 0)
        assert unit.epoch() > epoch
    store.close()

    store = opened(path)
    assert store.roster().epoch == epoch + 1
    store.close()


def test_threads_of_one_process_take_turns(path: Path) -> None:
    store, start = filled(path), Barrier(8)
    won: list[bool] = []

    def run(number: int) -> None:
        start.wait(30)
        for turn in range(20):
            with store.routine() if number % 2 else store.firm() as unit:
                call = f"{number}-{turn}"
                spent = unit.spend(
                    "digest-1", person_id=BOB.person_id, conversation="conversation-1", now=NOW, call=call
                )
                won.append(spent is not None)
                unit.audit(Entry("tool", BOB.person_id))
            assert BOB.person_id in store.roster().people

    threads = [Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert (won.count(True), len(won)) == (1, 160)
    store.close()
    with Trail(path) as trail:
        report = verify(trail.writers(), trail.rows(), trail.salts())
    assert (report.intact, report.rows) == (True, 360)


def test_a_thread_that_keeps_the_store_busy_is_waited_for_two_seconds_and_then_said_to_be(path: Path) -> None:
    store, holding, over = opened(path), Barrier(2), Barrier(2)

    def hold() -> None:
        with store.routine():
            holding.wait(30)
            over.wait(30)

    thread = Thread(target=hold)
    thread.start()
    holding.wait(30)
    with pytest.raises(StoreLocked, match="another thread"), store.firm():
        pass
    over.wait(30)
    thread.join(30)
    with store.firm() as unit:
        assert unit.setting("paused") == ""
    store.close()


def test_a_closed_store_begins_nothing_and_closes_again_without_a_word(path: Path) -> None:
    store = opened(path)
    store.close()
    store.close()

    with pytest.raises(StoreError), store.routine():
        pass
    with pytest.raises(StoreError):
        store.roster()


def test_the_log_goes_back_into_the_database_while_nobody_waits_for_it(path: Path) -> None:
    store = opened(path)
    done = Barrier(2)
    checkpoints = store._writing.checkpoints
    once = checkpoints._once

    def watched(connection: sqlite3.Connection) -> None:
        once(connection)
        done.wait(30)

    checkpoints._once = watched  # type: ignore[method-assign]
    before = path.stat().st_size
    with store.routine() as unit:
        unit.add_fact(Fact(0, BOB.person_id, "tea", "green" * 9_000, NOW))
    done.wait(30)

    assert path.stat().st_size > before
    checkpoints._once = once  # type: ignore[method-assign]
    store.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]
