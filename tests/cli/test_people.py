"""`herma people`: the verbs of /many from the shell."""

import json
import os
from pathlib import Path

import pytest

from herma.core.people.verbs import VERBS
from tests.cli.conftest import Herma
from tests.engine.people.household import household

CHANGING = (
    "invite",
    "claim",
    "add telegram 444 owner",
    "role Minh owner",
    "tools Minh add terminal",
    "budget Minh 0",
    "remove Minh",
    "pause",
    "resume",
    "approve AAAA",
    "deny AAAA",
    "mute Minh",
    "forget 1",
    "confirm 1",
    "name Minh Max",
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The database of a house with an owner, a member and a guest."""
    with household(tmp_path):
        return tmp_path / "people.db"


@pytest.fixture(autouse=True)
def _same_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")


def test_these_are_all_the_verbs_that_need_a_person() -> None:
    assert {line.partition(" ")[0] for line in CHANGING} == {verb.name for verb in VERBS.values() if verb.person}


def test_reading_verbs_read_the_database(herma: Herma, database: Path, tmp_path: Path) -> None:
    outcome = herma("people", "--home", str(tmp_path), "--database", str(database), "roster")
    assert "“Minh” (telegram:222), member\n" in outcome.out
    assert outcome.code == 0
    assert "no Hermes was found" in outcome.err


@pytest.mark.parametrize("line", CHANGING)
def test_verbs_that_change_something_are_refused_without_a_person(
    herma: Herma, database: Path, tmp_path: Path, line: str
) -> None:
    before = herma("people", "--home", str(tmp_path), "--database", str(database), "roster").out
    outcome = herma("people", "--home", str(tmp_path), "--database", str(database), *line.split())
    assert "cannot be seen that a person is at this terminal" in outcome.out
    assert outcome.code == 1
    assert herma("people", "--home", str(tmp_path), "--database", str(database), "roster").out == before


def test_a_dry_run_says_what_would_be_done_and_does_nothing(herma: Herma, database: Path, tmp_path: Path) -> None:
    outcome = herma("people", "--home", str(tmp_path), "--database", str(database), "--dry-run", "remove", "Minh")
    assert "/many remove <name>" in outcome.out
    assert "Nothing was done." in outcome.out
    assert "Minh" in herma("people", "--home", str(tmp_path), "--database", str(database), "roster").out


def test_json_is_one_object(herma: Herma, database: Path, tmp_path: Path) -> None:
    outcome = herma("people", "--home", str(tmp_path), "--database", str(database), "--json", "audit", "2")
    assert outcome.data["done"] is True
    assert "2 hours" in outcome.data["reply"]
    assert json.loads(outcome.out)["warnings"] == ["no Hermes was found, so the settings are taken to be the defaults"]


def test_without_a_verb_the_verbs_are_listed(herma: Herma, database: Path, tmp_path: Path) -> None:
    outcome = herma("people", "--home", str(tmp_path), "--database", str(database))
    assert "/many whoami: who you are here" in outcome.out


def test_a_mistake_is_answered_with_the_usage_and_the_code_of_a_warning(
    herma: Herma, database: Path, tmp_path: Path
) -> None:
    outcome = herma("people", "--home", str(tmp_path), "--database", str(database), "audt")
    assert (outcome.code, "Did you mean /many audit?" in outcome.out) == (1, True)


def test_the_variable_names_the_database_where_nothing_else_does(herma: Herma, database: Path, tmp_path: Path) -> None:
    outcome = herma("people", "--home", str(tmp_path), "roster", MANYHANDS_DB=str(database))
    assert "Minh" in outcome.out


def test_otherwise_it_is_the_one_of_the_home(herma: Herma, tmp_path: Path) -> None:
    outcome = herma("people", "--home", str(tmp_path), "roster")
    assert "Nobody is on the roster yet" in outcome.out
    made = tmp_path / "plugin-data" / "manyhands" / "manyhands.db"
    assert made.stat().st_mode & 0o777 == 0o600
    assert os.fspath(made).startswith(str(tmp_path))
