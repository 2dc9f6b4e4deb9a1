import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.contract.people import ANN, BOB, NOW, Clock
from tests.stores.people.house import opened

from herma.core.people.records import Entry
from herma.core.people.verify import Report, verify
from herma.errors import StoreError
from herma.stores.people.reading import Trail
from herma.stores.people.store import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.db"


def write(store: SqliteStore, *people: str) -> None:
    for person in people:
        with store.routine() as unit:
            unit.audit(Entry("turn", person, "session-1", "turn-1", note="hello"))


def report(path: Path) -> Report:
    with Trail(path) as trail:
        return verify(trail.writers(), trail.rows(), trail.salts())


def found(path: Path) -> list[tuple[str, int]]:
    return [(each.kind, each.seq) for each in report(path).findings]


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def test_each_opening_is_a_writer_and_one_that_wrote_nothing_leaves_no_trace(path: Path) -> None:
    for _ in range(2):
        store = opened(path)
        write(store, ANN.person_id, BOB.person_id)
        store.close()
    opened(path).close()

    said = report(path)
    assert (said.findings, said.rows, said.writers) == ((), 4, 2)


def test_every_row_says_which_surface_and_which_version_of_the_host_wrote_it(path: Path) -> None:
    store = opened(path, surface="cli")
    write(store, BOB.person_id)
    with Trail(path) as trail:
        (row,) = trail.rows()
        (writer,) = trail.writers()
    assert (row.surface, row.host, row.ts) == ("cli", "hermes 0.22.2", NOW)
    assert (writer.home, writer.profile, writer.started_at) == ("/home/bot", "", NOW)
    store.close()


@pytest.mark.parametrize("ended", ["closed", "crashed"])
def test_a_writer_that_was_dropped_with_its_record_is_missed_by_the_one_after_it(path: Path, ended: str) -> None:
    first = opened(path)
    write(first, ANN.person_id, BOB.person_id)
    if ended == "closed":
        first.close()
    second = opened(path, clock=lambda: NOW + 1)
    write(second, BOB.person_id)
    second.close()
    assert report(path).intact

    change(
        path,
        "DELETE FROM audit WHERE writer = (SELECT min(writer) FROM writers)",
        "DELETE FROM writers WHERE writer = (SELECT min(writer) FROM writers)",
    )

    assert found(path) == [("dropped", 2)]
    first.close()


def test_rows_cut_from_the_end_are_found_as_far_as_the_record_reaches(path: Path) -> None:
    store = opened(path)
    write(store, *[BOB.person_id] * 3)
    change(path, "DELETE FROM audit WHERE seq > 2")
    assert found(path) == []  # which is why a signed copy of the newest hash has to lie elsewhere

    store.beat()
    assert found(path) == [("cut", 3)]
    store.close()


def test_a_beat_shows_that_an_opening_lives_before_it_has_written_anything(path: Path) -> None:
    clock = Clock()
    store = opened(path, clock=clock)
    store.beat()
    clock.now += 60_000
    store.beat()
    with closing(sqlite3.connect(path)) as database:
        asked = "SELECT beat_at, ended_at, seq FROM writers"
        assert database.execute(asked).fetchall() == [(NOW + 60_000, None, 0)]
        write(store, BOB.person_id)
        store.close()
        assert database.execute(asked).fetchall() == [(NOW + 60_000, NOW + 60_000, 1)]
    assert report(path).intact


def test_the_same_person_has_one_salt_over_all_writers(path: Path) -> None:
    one, two = opened(path), opened(path)
    for store in (one, two, one):
        write(store, BOB.person_id)
    with Trail(path) as trail:
        assert list(trail.salts()) == [BOB.person_id]
        assert len({row.who for row in trail.rows()}) == 1
    assert report(path).intact
    one.close()
    two.close()


def test_a_person_who_is_erased_by_another_process_is_not_written_with_the_old_salt(path: Path) -> None:
    store = opened(path)
    write(store, BOB.person_id, ANN.person_id)
    change(
        path,
        "DELETE FROM salts WHERE person_id = 'telegram:2'",
        "UPDATE audit SET person_id = NULL, session_id = NULL, turn_id = NULL WHERE person_id = 'telegram:2'",
        "UPDATE meta SET epoch = epoch + 1",
    )

    write(store, BOB.person_id)

    said = report(path)
    assert (said.findings, said.rows, said.erased) == ((), 3, 1)
    store.close()


def test_after_a_commit_of_which_the_end_is_unknown_another_writer_goes_on(path: Path) -> None:
    store = opened(path)
    write(store, BOB.person_id)
    store._routine.execute("PRAGMA foreign_keys = ON")
    store._routine.execute("CREATE TABLE odd (of TEXT REFERENCES people (person_id) DEFERRABLE INITIALLY DEFERRED)")

    with pytest.raises(StoreError, match="FOREIGN KEY"), store.routine() as unit:  # noqa: PT012 - raised at the commit
        unit.audit(Entry("turn", ANN.person_id))
        unit.do("INSERT INTO odd VALUES ('nobody')")

    write(store, BOB.person_id)
    said = report(path)
    assert (said.findings, said.rows, said.writers) == ((), 2, 2)
    store.close()


def test_what_is_firm_survives_the_machine_and_nobody_pays_for_the_log_in_their_turn(path: Path) -> None:
    store = opened(path)

    def asked(pragma: str) -> list[object]:
        return [each.execute(f"PRAGMA {pragma}").fetchone()[0] for each in (store._firm, store._routine)]

    assert asked("synchronous") == [2, 1]
    assert asked("wal_autocheckpoint") == [0, 0]
    assert asked("journal_mode") == ["wal", "wal"]
    store.close()
