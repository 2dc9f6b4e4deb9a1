import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from tests.contract.people import NOW
from tests.stores.people.house import Worker, opened, together

from herma.core.people.records import Entry, Fact, Person, SharedFact
from herma.core.people.verify import verify
from herma.errors import StoreDamaged, StoreFull
from herma.stores.people import sqlite
from herma.stores.people.reading import Trail
from herma.stores.people.seed import milliseconds, tools_of

MANYHANDS = """
CREATE TABLE people (person_id TEXT PRIMARY KEY, platform TEXT, sender_id TEXT, display TEXT, name TEXT, role TEXT,
  tools_json TEXT, daily_tokens INTEGER, created_at REAL, last_seen REAL);
CREATE TABLE facts (id INTEGER PRIMARY KEY, person_id TEXT, topic TEXT, text TEXT, created_at REAL, source TEXT);
CREATE INDEX facts_person ON facts (person_id);
CREATE TABLE shared_facts (id INTEGER PRIMARY KEY, text TEXT, added_by TEXT, created_at TEXT);
CREATE TABLE audit (id INTEGER PRIMARY KEY, ts REAL, person_id TEXT, session_id TEXT, turn_id TEXT, kind TEXT,
  tool TEXT, allowed INTEGER, needs_approval INTEGER, approved INTEGER, tokens INTEGER, note TEXT);
CREATE TABLE sessions (session_id TEXT PRIMARY KEY, person_id TEXT);
CREATE TABLE invites (code TEXT PRIMARY KEY, role TEXT, created_at REAL, used_by TEXT, used_at REAL);
CREATE TABLE approvals (code TEXT, person_id TEXT, tool TEXT, summary TEXT, request_id TEXT, digest TEXT, status TEXT,
  decided_by TEXT, choice TEXT, expires_at REAL, consumed_at REAL);
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO people VALUES
  ('telegram:1', 'telegram', '1', 'Ann', 'ann', 'owner', '[]', 0, 1767225600.25, NULL),
  ('telegram:2', 'telegram', '2', 'Bob', 'bob', 'member', '{"add": ["terminal"], "remove": ["patch"]}', 5000,
   1767225600, 1767225601);
INSERT INTO facts VALUES (1, 'telegram:2', 'tea', 'green', 1767225600, 'chat'), (2, 'telegram:2', 'tea', 'black', NULL,
  NULL);
INSERT INTO shared_facts VALUES (1, 'the gate is green', 'telegram:2', '2026-01-01T00:00:01+00:00');
INSERT INTO audit VALUES
  (1, 1767225600, 'telegram:2', 's1', 't1', 'tool', 'terminal', 0, 1, NULL, NULL, 'git status'),
  (2, 1767225601.5, 'telegram:2', 's1', 't1', 'tokens', NULL, NULL, NULL, NULL, 120, ''),
  (3, 1767312000, 'telegram:2', 's1', 't2', 'tokens', NULL, NULL, NULL, NULL, 7, '');
INSERT INTO sessions VALUES ('s1', 'telegram:2');
INSERT INTO invites VALUES ('ABC123', 'member', 1767225600, NULL, NULL),
  ('XYZ789', 'member', 1767225600, 'telegram:2', 1767225601);
INSERT INTO approvals VALUES
  ('WAIT', 'telegram:2', 'terminal', 'ls', 'r1', 'd1', 'pending', NULL, NULL, 99999999999, NULL),
  ('OPEN', 'telegram:2', 'patch', 'x', 'r2', 'd2', 'approved', 'telegram:1', 'once', 99999999999, NULL),
  ('USED', 'telegram:2', 'patch', 'y', 'r3', 'd3', 'approved', 'telegram:1', 'once', 1767225700, 1767225650),
  ('DENY', 'telegram:2', 'patch', 'z', 'r4', 'd4', 'denied', 'telegram:1', 'deny', 1767225700, NULL);
INSERT INTO settings VALUES ('pinned_owner', 'telegram:1'), ('paused', 'true');
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database that manyhands left behind, readable by everybody."""
    made = tmp_path / "manyhands.db"
    with closing(sqlite3.connect(made, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(MANYHANDS)
    made.chmod(0o644)
    return made


def copies(path: Path) -> list[Path]:
    return sorted(each for each in path.parent.iterdir() if "before-herma" in each.name)


def test_everybody_and_what_they_stored_are_carried_on(path: Path) -> None:
    store = opened(path)

    roster = store.roster()
    assert roster.people["telegram:1"] == Person(
        "telegram:1", "telegram", "1", "Ann", "ann", "owner", created_at=NOW + 250
    )
    assert roster.people["telegram:2"] == Person(
        "telegram:2", "telegram", "2", "Bob", "bob", "member", ("terminal", "-patch"), 5_000, NOW, NOW + 1_000
    )
    assert dict(roster.accounts) == {"telegram:1": "telegram:1", "telegram:2": "telegram:2"}
    assert dict(roster.settings) == {"pinned_owner": "telegram:1", "paused": "1"}
    with store.routine() as unit:
        assert unit.facts("telegram:2") == [
            Fact(2, "telegram:2", "tea", "black", 0),
            Fact(1, "telegram:2", "tea", "green", NOW, "chat"),
        ]
        assert unit.shared() == [SharedFact(1, "the gate is green", "telegram:2", NOW + 1_000)]
        assert unit.tokens("telegram:2", "2026-01-01") == 120
        assert unit.tokens("telegram:2", "2026-01-02") == 7
        assert unit.speakers("s1") == ["telegram:2"]
    store.close()


def test_no_code_and_no_approval_of_it_is_open_any_more(path: Path) -> None:
    store = opened(path)
    with store.firm() as unit:
        found = {each.code: (each.status, each.uses_left) for each in unit.asks("telegram:2", since=0)}
        assert found == {"WAIT": ("revoked", 0), "OPEN": ("revoked", 0), "USED": ("spent", 0), "DENY": ("denied", 0)}
        assert unit.pending(now=0) == []
        assert unit.invites(now=0) == []
    store.close()


def test_its_trail_is_chained_from_here_on(path: Path) -> None:
    store = opened(path)
    with store.routine() as unit:
        unit.audit(Entry("turn", "telegram:2"))
        rows = unit.entries(person_id=None, since=0, limit=9)
    store.close()

    assert [(at, entry.kind) for at, entry in reversed(rows)] == [
        (NOW, "tool"),
        (NOW + 1_500, "tokens"),
        (NOW + 86_400_000, "tokens"),
        (NOW, "policy"),
        (NOW, "turn"),
    ]
    assert rows[-1][1] == Entry("tool", "telegram:2", "s1", "t1", "terminal", 0, 1, None, 0, "git status")
    with Trail(path) as trail:
        report = verify(trail.writers(), trail.rows(), trail.salts())
    assert (report.findings, report.rows, report.writers) == ((), 5, 2)


def test_a_private_copy_of_it_lies_beside_it_as_it_was(path: Path) -> None:
    opened(path).close()
    opened(path).close()

    (copy,) = copies(path)
    assert stat.S_IMODE(copy.stat().st_mode) == stat.S_IMODE(path.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT code FROM approvals WHERE status = 'pending'").fetchall() == [("WAIT",)]
        assert "meta" not in {name for (name,) in database.execute("SELECT name FROM sqlite_master")}


def test_tables_and_columns_that_are_not_there_are_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE people (person_id TEXT, role TEXT); CREATE TABLE audit (ts TEXT, kind TEXT, tokens TEXT);"
            "CREATE TABLE approvals (code TEXT); INSERT INTO people VALUES ('telegram:1', 'owner');"
            "INSERT INTO audit VALUES ('2026-01-01', 'turn', 'many');"
        )

    store = opened(path)

    assert store.roster().people["telegram:1"] == Person("telegram:1", "telegram", "1", "", "", "owner")
    with store.routine() as unit:
        assert unit.entries(person_id=None, since=NOW - 1, limit=9)[-1] == (NOW, Entry("turn"))
    store.close()


def test_processes_that_find_it_at_once_carry_it_on_once(path: Path) -> None:
    assert together([Worker("open", path) for _ in range(3)]) == ["2", "2", "2"]
    assert len(copies(path)) == 1


def test_a_damaged_one_is_left_as_it_is(path: Path) -> None:
    whole = path.read_bytes()
    damaged = whole[:-4096] + b"\xff" * 4096
    path.write_bytes(damaged)

    with pytest.raises(StoreDamaged):
        opened(path)

    assert path.read_bytes() == damaged
    assert copies(path) == []


def test_without_room_for_the_copy_or_the_rows_nothing_is_changed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite.connect

    def small(address: str, *, synchronous: str, patience: float = 0) -> sqlite3.Connection:
        made = connect(address, synchronous=synchronous, patience=patience)
        made.execute("PRAGMA max_page_count = 20")
        return made

    monkeypatch.setattr(sqlite, "connect", small)
    with pytest.raises(StoreFull):
        opened(path)
    monkeypatch.undo()

    assert copies(path) == []
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM approvals WHERE status = 'pending'").fetchone() == (1,)
    store = opened(path)
    assert len(store.roster().people) == 2
    store.close()


@pytest.mark.parametrize(
    "written,meant",
    [
        (None, 0),
        (1767225600, NOW),
        (1767225600.5, NOW + 500),
        (NOW, NOW),
        ("1767225600", NOW),
        ("2026-01-01T00:00:00", NOW),
        ("2026-01-01 01:00:00+01:00", NOW),
        ("2026-01-01T00:00:00Z", NOW),
        ("yesterday", 0),
        (float("nan"), 0),
        (float("inf"), 0),
        (b"x", 0),
    ],
)
def test_a_time_is_understood_in_each_way_in_which_it_may_stand(written: object, meant: int) -> None:
    assert milliseconds(written) == meant


@pytest.mark.parametrize(
    "written,meant",
    [
        (None, ()),
        ("", ()),
        ("[not json", ()),
        ('["terminal", 7, "-patch"]', ("terminal", "-patch")),
        ('{"add": ["terminal"], "remove": ["patch"]}', ("terminal", "-patch")),
        ('{"add": "terminal"}', ()),
        ("7", ()),
    ],
)
def test_tools_are_understood_in_each_way_in_which_they_may_stand(written: object, meant: tuple[str, ...]) -> None:
    assert tools_of(written) == meant
