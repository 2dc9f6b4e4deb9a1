"""The reader of Hermes' transcripts, on databases in every state that a host leaves them in."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from herma.core.reading.marker import MARK
from herma.core.reading.saved import Message
from herma.stores.transcripts import REASONS, Counted, Unread, read

SCHEMA = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, started_at REAL NOT NULL);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL);
INSERT INTO schema_version VALUES (22);
INSERT INTO sessions VALUES ('s', NULL, 1), ('t', 's', 2);
INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp) VALUES
  ('s', 'user', 'a secret', NULL, NULL, NULL, 1000.5),
  ('s', 'assistant', '', NULL, '[{"function": {"name": "read_file"}}]', NULL, 1001),
  ('t', 'tool', '{"content": "1|x"}', 'a', NULL, 'read_file', 1002),
  ('t', 'tool', 'another secret', 'b', NULL, 'terminal', 1003);
"""
EVERY = [
    Message("s", "user"),
    Message("s", "assistant", calls='[{"function": {"name": "read_file"}}]'),
    Message("t", "tool", "a", "read_file", '{"content": "1|x"}'),
    Message("t", "tool", "b", "terminal"),
]
# Leaves its database as a host does that ends without closing it, or holds it open until its stdin ends.
HOST = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode=WAL")
database.executescript(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
os._exit(0)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder whose name would be taken for options if it stood in an address as it is."""
    made = tmp_path / "h?mode=rwc#%41 é"
    made.mkdir()
    return made


def _write(home: Path, *, log: bool = True, script: str = SCHEMA) -> None:
    with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as database:
        database.execute(f"PRAGMA journal_mode={'WAL' if log else 'DELETE'}")
        database.executescript(script)


@contextmanager
def _host(home: Path) -> Iterator[None]:
    command = [sys.executable, "-c", HOST, str(home / "state.db"), SCHEMA]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield


def _every(messages: Iterable[Message], parents: Mapping[str, str]) -> tuple[list[Message], Mapping[str, str]]:
    return list(messages), parents


def _tree(folder: Path) -> dict[str, tuple[int, str]]:
    return {
        path.name: (path.stat().st_mtime_ns, sha256(path.read_bytes()).hexdigest()) for path in sorted(folder.iterdir())
    }


def _read_and_left_as_it_was(home: Path) -> list[Message]:
    before = _tree(home)
    found = read(home, _every)
    assert _tree(home) == before
    assert isinstance(found, Counted), found
    messages, _ = found.value
    assert found == Counted((messages, {"t": "s"}), len(messages), 1000.5)
    return list(messages)


def _reason(home: Path) -> str:
    before = sorted(path.name for path in home.iterdir())
    found = read(home, _every)
    assert sorted(path.name for path in home.iterdir()) == before
    assert isinstance(found, Unread), found
    assert REASONS[found.reason]
    return found.reason


@pytest.mark.parametrize("log", [True, False], ids=["with a log", "without"])
def test_a_closed_database_is_read_and_no_byte_beside_it_changes(home: Path, *, log: bool) -> None:
    _write(home, log=log)

    assert _read_and_left_as_it_was(home) == EVERY


def test_so_is_one_that_a_host_has_open(home: Path) -> None:
    with _host(home):
        assert (home / "state.db-wal").stat().st_size

        assert _read_and_left_as_it_was(home) == EVERY


def test_so_is_one_that_a_host_left_without_closing_it(home: Path) -> None:
    with _host(home):
        pass
    assert (home / "state.db-wal").stat().st_size

    assert _read_and_left_as_it_was(home) == EVERY


@pytest.mark.parametrize("names", [["state.db-wal"], ["state.db-wal", "state.db-shm"]])
def test_so_is_one_with_an_empty_log_beside_it(home: Path, names: list[str]) -> None:
    _write(home)
    for name in names:
        (home / name).touch()

    assert _read_and_left_as_it_was(home) == EVERY


def test_a_home_that_may_not_be_written_is_enough(home: Path) -> None:
    _write(home)
    home.chmod(0o500)

    assert _read_and_left_as_it_was(home) == EVERY


def test_only_the_newest_are_read_and_the_bound_is_in_messages(home: Path) -> None:
    _write(home)

    found = read(home, _every, most=2)

    assert isinstance(found, Counted)
    assert (found.value[0], found.messages, found.since) == (EVERY[2:], 2, 1002)


def test_a_result_of_another_tool_comes_with_its_text_only_if_a_marker_stands_in_it(home: Path) -> None:
    _write(home)
    with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as database:
        database.execute("UPDATE messages SET content = ? WHERE tool_name = 'terminal'", [f"x\n{MARK}9 lines"])

    assert _read_and_left_as_it_was(home)[-1].text == f"x\n{MARK}9 lines"


def test_values_of_other_kinds_and_bytes_that_are_no_text_stop_nothing(home: Path) -> None:
    _write(home)
    with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as database:
        database.execute("UPDATE messages SET content = x'00ff', tool_call_id = x'ff' WHERE role = 'tool'")
        database.execute(
            "UPDATE messages SET tool_calls = 7, session_id = CAST(x'ff73' AS TEXT) WHERE role = 'assistant'"
        )

    found = _read_and_left_as_it_was(home)

    assert found[1] == Message("\ufffds", "assistant")
    assert [message.text for message in found] == [""] * 4


def test_an_empty_store_is_one_with_no_messages(home: Path) -> None:
    _write(home, script=SCHEMA.partition("INSERT INTO messages")[0])

    assert read(home, _every) == Counted(([], {"t": "s"}), 0, None)


def test_a_home_without_a_database_is_left_without_one(home: Path) -> None:
    assert _reason(home) == "missing"
    assert read(home / "nowhere", _every) == Unread("missing")


@pytest.mark.parametrize("data", [b"", b"SQLite", b"plain text, and much of it\n" * 400])
def test_a_file_of_another_kind_is_foreign(home: Path, data: bytes) -> None:
    (home / "state.db").write_bytes(data)

    assert _reason(home) == "foreign"


def test_a_pipe_is_not_opened(home: Path) -> None:
    os.mkfifo(home / "state.db")

    assert _reason(home) == "foreign"


@pytest.mark.parametrize("kept", [100, 4_096, 6_000])
def test_a_database_that_was_cut_off_is_damaged(home: Path, kept: int) -> None:
    _write(home)
    os.truncate(home / "state.db", kept)

    assert _reason(home) == "damaged"


def test_a_locked_database_is_not_waited_for_long(home: Path) -> None:
    _write(home, log=False)
    with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")

        assert _reason(home) == "locked"


def test_a_log_whose_index_is_gone_is_for_the_host_to_take_in(home: Path) -> None:
    with _host(home):
        pass
    (home / "state.db-shm").unlink()

    assert _reason(home) == "unmerged"


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE messages RENAME COLUMN content TO body",
        "ALTER TABLE messages RENAME TO turns",
        "ALTER TABLE sessions DROP COLUMN parent_session_id",
    ],
)
def test_a_database_laid_out_anew_is_said_to_be(home: Path, change: str) -> None:
    _write(home, script=SCHEMA + change)

    assert _reason(home) == "schema"


def test_a_newer_database_with_more_in_it_is_read(home: Path) -> None:
    change = "UPDATE schema_version SET version = 999; ALTER TABLE messages ADD COLUMN mood TEXT;"
    _write(home, script=SCHEMA + change)

    assert _read_and_left_as_it_was(home) == EVERY


def test_a_host_that_comes_back_while_it_is_read_is_noticed(home: Path) -> None:
    _write(home)

    def count(messages: Iterable[Message], _: Mapping[str, str]) -> int:
        with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as host:
            host.execute("DELETE FROM messages")
        return len(list(messages))

    assert read(home, count) == Unread("changed")
