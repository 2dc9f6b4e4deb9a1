"""Databases that cannot be read, and what is left as it was while others are."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.stores.sessions.hosts import Hermes
from tests.stores.sessions.kept import words

from herma.errors import (
    SessionsBusy,
    SessionsDamaged,
    SessionsMissing,
    SessionStoreError,
    SessionsUnknown,
)
from herma.stores.sessions import readonly
from herma.stores.sessions.reader import open_sessions

# Tries to write into a database that another process may have locked, and says whether it could.
WRITER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
try:
    database.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
else:
    print("written")
"""
# Writes message after message until it is told to stop or is locked out, and says how many it wrote.
BUSY = """
import sqlite3, sys, threading
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
database.execute("PRAGMA synchronous=OFF")
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), stop.set())).start()
written = 0
print("ready", flush=True)
while not stop.is_set():
    try:
        database.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'x', 1.0)")
    except sqlite3.OperationalError as error:
        print("locked out:", error)
        break
    written += 1
print("written", written)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


@pytest.fixture
def stored(path: Path) -> Path:
    """A database that its host has closed."""
    with Hermes(path) as host:
        host.session("s")
        host.say("s", "user", "hello")
    return path


def _fails(path: Path, kind: type[SessionStoreError]) -> str:
    with pytest.raises(SessionStoreError) as found:
        open_sessions(path)
    assert type(found.value) is kind
    assert found.value.hint
    assert str(path) in str(found.value)
    return str(found.value)


def test_a_database_that_is_not_there_is_missing_and_none_is_made(path: Path) -> None:
    _fails(path, SessionsMissing)

    assert not list(path.parent.iterdir())


def test_a_folder_and_a_text_are_no_databases(path: Path, tmp_path: Path) -> None:
    path.write_text("plain text, and much of it\n" * 400, "utf-8")

    _fails(path, SessionsDamaged)
    _fails(tmp_path, SessionsDamaged)


def test_a_link_is_not_followed_for_the_log_lies_beside_the_file(stored: Path) -> None:
    link = stored.with_name("link.db")
    link.symlink_to(stored)

    assert "symbolic link" in _fails(link, SessionStoreError)


def test_a_folder_that_is_a_link_is(stored: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)

    assert words(open_sessions(tmp_path / "link" / stored.name).messages("s")) == ["hello"]


def test_a_database_that_was_cut_off_is_damaged(stored: Path) -> None:
    os.truncate(stored, 6_000)

    _fails(stored, SessionsDamaged)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE messages RENAME COLUMN content TO body",
        "ALTER TABLE messages RENAME TO turns",
        "DROP TABLE sessions",
    ],
)
def test_tables_that_are_laid_out_anew_are_unknown(stored: Path, statement: str) -> None:
    with closing(sqlite3.connect(stored)) as database:
        database.execute(statement)

    _fails(stored, SessionsUnknown)


def test_a_view_in_the_place_of_a_table_is_not_asked(stored: Path) -> None:
    with closing(sqlite3.connect(stored)) as database:
        database.executescript("ALTER TABLE messages RENAME TO m; CREATE VIEW messages AS SELECT * FROM m")

    _fails(stored, SessionsUnknown)


def test_a_database_that_changes_its_tables_while_it_is_followed_is_known_anew(stored: Path) -> None:
    reader = open_sessions(stored)
    with closing(sqlite3.connect(stored)) as database:
        database.execute("ALTER TABLE messages RENAME COLUMN content TO body")

    with pytest.raises(SessionsUnknown):
        reader.sessions(limit=1)


def test_a_database_that_a_host_keeps_to_itself_is_busy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readonly, "_PATIENCE", 0.01)
    with Hermes(path, log=False) as host:
        host.run("BEGIN EXCLUSIVE")

        _fails(path, SessionsBusy)


def test_a_log_without_its_index_is_for_the_host_to_take_in(stored: Path) -> None:
    stored.with_name("state.db-wal").write_bytes(b"something")

    assert "start Hermes" not in _fails(stored, SessionStoreError)


def test_a_host_that_comes_up_while_it_is_read_is_read_again(stored: Path) -> None:
    with closing(sqlite3.connect(stored, isolation_level=None)) as host:
        asked: list[object] = []

        def once(layout_of: Callable[..., object]) -> Callable[..., object]:
            def ask(database: sqlite3.Connection) -> object:
                if not asked:
                    host.execute(
                        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s','user','b',2)"
                    )
                asked.append(database)
                return layout_of(database)

            return ask

        reader = open_sessions(stored)
        reader._layout_of = once(reader._layout_of)  # type: ignore[method-assign,assignment] # at that very moment

        assert words(reader.messages("s")) == ["hello", "b"]
        assert len(asked) == 2


def _tree(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    return {
        each.name: (each.stat().st_mtime_ns, each.stat().st_mode, each.read_bytes())
        for each in folder.iterdir()
        if each.is_file()
    }


def _read_everything(path: Path) -> None:
    reader = open_sessions(path)
    change = reader.changes("", most=100)
    reader.changes(change.cursor, most=100)
    for past in reader.sessions(limit=10):
        assert words(reader.messages(past.session_id)) == ["hello"]
    reader.close()


def test_no_byte_changes_beside_a_database_that_is_closed(stored: Path) -> None:
    before = _tree(stored.parent)

    _read_everything(stored)

    assert _tree(stored.parent) == before


@pytest.mark.parametrize("log", [True, False], ids=["with a log", "without"])
def test_no_byte_changes_beside_one_that_is_open(path: Path, *, log: bool) -> None:
    with Hermes(path, log=log) as host:
        host.session("s")
        host.say("s", "user", "hello")
        command = [sys.executable, "-c", "import sys; exec(sys.argv[1])", _ELSEWHERE, str(path)]
        before = _tree_of_others(path)

        subprocess.run(command, check=True, timeout=60)

        assert _tree_of_others(path) == before


# In a process of its own: what this process reads through a handle of its own would drop its host's locks.
_ELSEWHERE = """
import sys
from pathlib import Path
from tests.stores.sessions.test_troubles import _read_everything
_read_everything(Path(sys.argv[2]))
"""


def _tree_of_others(path: Path) -> str:
    script = "import sys; from pathlib import Path; from tests.stores.sessions.test_troubles import _tree\n"
    command = [sys.executable, "-c", script + "print(_tree(Path(sys.argv[1])))", str(path.parent)]
    return subprocess.run(command, check=True, timeout=60, capture_output=True, text=True).stdout


@pytest.mark.parametrize("log", [True, False], ids=["with a log", "without"])
def test_a_host_in_this_process_keeps_its_locks(path: Path, *, log: bool) -> None:
    with Hermes(path, log=log) as host:
        host.session("s")
        host.say("s", "user", "hello")
        host.run("BEGIN IMMEDIATE")

        _read_everything(path)

        written = subprocess.run(
            [sys.executable, "-c", WRITER, str(path)], check=True, timeout=60, capture_output=True, text=True
        )
        assert written.stdout == "database is locked\n"


def test_a_host_that_writes_without_pause_and_without_patience_is_never_locked_out(path: Path) -> None:
    with Hermes(path) as host:
        host.session("s")
    with _writing(path) as process:
        reader, cursor = open_sessions(path), ""
        for _ in range(30):
            cursor = reader.changes(cursor, most=2_000).cursor
        stdout, _ = process.communicate("stop\n", timeout=60)

    assert stdout.startswith("written ")
    assert int(stdout.split()[1]) > 30


@contextmanager
def _writing(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", BUSY, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process


def test_handles_for_looking_at_headers_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readonly, "_MOST_HANDLES", 3)
    monkeypatch.setattr(readonly, "_handles", {})
    for n in range(6):
        Hermes(tmp_path / f"{n}.db").end()
        open_sessions(tmp_path / f"{n}.db")

    assert len(readonly._handles) == 3
    for handle in readonly._handles.values():
        os.close(handle)
