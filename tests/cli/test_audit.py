import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from herma.core.people.audit import Row, hash_of
from herma.core.people.records import Entry
from tests.cli.conftest import Herma
from tests.contract.people import BOB
from tests.stores.people.house import opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database of the home of the machine, closed again, with a turn, a refusal and tokens in it."""
    made = tmp_path / ".hermes" / "plugin-data" / "manyhands" / "manyhands.db"
    store = opened(made)
    with store.routine() as unit:
        unit.audit(Entry("turn", BOB.person_id, "session-1", "turn-1"))
        unit.audit(Entry("refusal", BOB.person_id, "session-1", "turn-1", "terminal", 0, 1, note="rm\x1b[2J -rf"))
        unit.audit(Entry("tokens", BOB.person_id, "session-1", "turn-1", tokens=1_200))
    store.close()
    return made


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(statement)


@pytest.mark.usefixtures("path")
def test_a_trail_that_nobody_touched_is_said_to_be_intact_with_what_that_does_not_cover(herma: Herma) -> None:
    outcome = herma("audit", "verify")

    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "intact: 3 rows of 1 writer, 0 of them about people since erased",
        "whether the newest rows were cut off cannot be told from the trail alone",
    ]


def test_a_changed_row_is_named_and_the_exit_code_says_so(path: Path, herma: Herma) -> None:
    change(path, "UPDATE audit SET allowed = 1 WHERE kind = 'refusal'")

    outcome = herma("audit", "verify")
    said = herma("audit", "verify", "--json")

    assert (outcome.code, said.code) == (1, 1)
    assert outcome.out.startswith("not intact: 3 rows")
    assert "changed: row 2 of writer" in outcome.out
    assert json.loads(said.out)["schema"] == "herma/audit/1"
    assert (said.data["intact"], said.data["rows"]) == (False, 3)
    assert [(each["kind"], each["seq"], each["row"]) for each in said.data["findings"]] == [("changed", 2, 2)]


def test_the_newest_rows_are_shown_one_a_line_and_tame(path: Path, herma: Herma) -> None:
    lines = herma("audit", "show", "--rows", "2", "--database", str(path)).out.splitlines()

    assert lines == [
        "2026-01-01 00:00:00Z  gateway  telegram:2  refusal  terminal  refused  asked  rm\\x1b[2J -rf",
        "2026-01-01 00:00:00Z  gateway  telegram:2  tokens  1,200 tokens",
    ]
    rows = herma("audit", "show", "--rows", "1", "--json").data["rows"]
    assert [(row["kind"], row["seq"], row["host"]) for row in rows] == [("tokens", 3, "hermes 0.22.2")]


def test_a_row_about_somebody_who_was_erased_says_that(path: Path, herma: Herma) -> None:
    change(path, "UPDATE audit SET person_id = NULL, session_id = NULL, turn_id = NULL, note = ''")

    assert "(erased)" in herma("audit", "show").out
    assert herma("audit", "verify").out.startswith("intact: 3 rows of 1 writer, 3 of them about people since erased")


@pytest.mark.usefixtures("path")
def test_an_export_is_json_lines_from_which_each_hash_can_be_computed(herma: Herma) -> None:
    lines: list[dict[str, Any]] = [json.loads(line) for line in herma("audit", "export").out.splitlines()]

    assert [line["person_id"] for line in lines] == [BOB.person_id] * 3
    for line in lines:
        row = Row(**{**line, **{name: bytes.fromhex(line[name]) for name in ("who", "prev", "hash")}})
        assert hash_of(row) == row.hash


@pytest.mark.usefixtures("path")
def test_an_anonymous_export_holds_no_person_and_no_words_of_theirs(herma: Herma) -> None:
    out = herma("audit", "export", "--anonymous").out

    assert len(out.splitlines()) == 3
    assert "telegram" not in out
    assert "session-1" not in out
    assert "-rf" not in out


def test_nothing_of_the_database_is_written_and_a_host_that_has_it_open_goes_on(path: Path, herma: Herma) -> None:
    store = opened(path)
    with store.routine() as unit:
        unit.audit(Entry("turn", BOB.person_id))
    before = path.read_bytes()

    with store.routine() as unit:
        unit.audit(Entry("turn", BOB.person_id))
        assert herma("audit", "verify").out.startswith("intact: 4 rows of 2 writers")
        assert len(herma("audit", "export").out.splitlines()) == 4
    assert path.read_bytes()[:100] == before[:100]
    assert herma("audit", "verify").out.startswith("intact: 5 rows of 2 writers")
    store.close()


def test_where_there_is_no_database_none_is_made(tmp_path: Path, herma: Herma) -> None:
    outcome = herma("audit", "verify", "--database", str(tmp_path / "none.db"))

    assert outcome.code == 2
    assert "there is no database of people" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_the_variable_names_the_database_unless_an_option_does(path: Path, tmp_path: Path, herma: Herma) -> None:
    moved = path.rename(tmp_path / "moved.db")

    assert herma("audit", "verify").code == 2
    assert herma("audit", "verify", MANYHANDS_DB=str(moved)).code == 0
    assert herma("audit", "verify", "--database", str(path), MANYHANDS_DB=str(moved)).code == 2


@pytest.mark.parametrize("content", [b"", b"no database" * 99], ids=["empty", "other"])
def test_a_file_that_is_no_database_of_people_is_an_error(tmp_path: Path, herma: Herma, content: bytes) -> None:
    (tmp_path / "x.db").write_bytes(content)

    outcome = herma("audit", "show", "--database", str(tmp_path / "x.db"))

    assert outcome.code == 2
    assert "hint:" in outcome.err
    assert (tmp_path / "x.db").read_bytes() == content
