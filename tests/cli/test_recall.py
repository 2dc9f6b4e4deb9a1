"""`herma recall` over the sessions of a host, found in the place where the host keeps them."""

import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Herma
from tests.cli.folders import tree
from tests.stores.sessions.hosts import OpenCode1


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """OpenCode's folder, with two sessions in its database."""
    folder = tmp_path / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    with OpenCode1(folder / "opencode.db") as host:
        host.session("ses_kite", title="Kites")
        host.say("ses_kite", "m1", "user", "Where do kites go in winter?")
        host.say("ses_kite", "m2", "assistant", "Into a dry box.")
        host.session("ses_tea", title="Tea")
        host.say("ses_tea", "m3", "user", "Green tea at 80 degrees. \x1b[31mred")
    return folder


@pytest.mark.usefixtures("data")
def test_a_question_finds_a_session_with_a_snippet_and_how_to_resume_it(herma: Herma) -> None:
    outcome = herma("recall", "where", "was", "the", "kite?")
    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert "  Kites" in lines[0]
    assert lines[1].endswith("user: Where do kites go in winter?")
    assert "    opencode --session ses_kite" in lines


@pytest.mark.usefixtures("data")
def test_json_says_the_same(herma: Herma) -> None:
    data = herma("recall", "tea", "--json", "--limit", "1").data
    assert (data["host"], data["query"]) == ("opencode", "tea")
    (result,) = data["results"]
    assert (result["session_id"], result["title"]) == ("ses_tea", "Tea")
    assert result["resume"] == "opencode --session ses_tea"
    assert "Green tea" in result["matches"][0]["snippet"]


@pytest.mark.usefixtures("data")
def test_without_a_question_the_latest_are_listed(herma: Herma) -> None:
    lines = herma("recall").out.splitlines()
    assert [line.strip() for line in lines if "--session" in line] == [
        "opencode --session ses_tea",
        "opencode --session ses_kite",
    ]


@pytest.mark.usefixtures("data")
def test_nothing_found_is_exit_code_one(herma: Herma) -> None:
    outcome = herma("recall", "submarine")
    assert (outcome.code, outcome.out) == (1, "nothing was found\n")


@pytest.mark.usefixtures("data")
def test_what_a_terminal_would_obey_is_shown(herma: Herma) -> None:
    assert "\x1b" not in herma("recall", "tea").out


def test_the_index_lies_apart_from_the_hosts_folder_and_is_the_persons_alone(
    herma: Herma, data: Path, tmp_path: Path
) -> None:
    before = tree(data)
    herma("recall", "kite")
    assert tree(data) == before
    (index,) = (tmp_path / ".local" / "share" / "herma" / "recall").glob("opencode-*.db")
    assert stat.S_IMODE(index.stat().st_mode) == 0o600


@pytest.mark.usefixtures("data")
def test_what_is_erased_is_found_no_more(herma: Herma) -> None:
    assert herma("recall", "--erase", "ses_kite").out == "taken out of the index: 1 session; opencode keeps its own\n"
    assert herma("recall", "kite").code == 1
    assert herma("recall", "--erase", "ses_kite").code == 1
    assert herma("recall", "--erase", "all", "--json").data["erased"] == 1
    assert herma("recall").code == 1


@pytest.mark.usefixtures("data")
def test_a_day_that_is_none_is_an_error(herma: Herma) -> None:
    outcome = herma("recall", "kite", "--since", "yesterday")
    assert outcome.code == 2
    assert "--since must be a day such as" in outcome.err


def test_without_a_hosts_database_it_is_said(herma: Herma, tmp_path: Path) -> None:
    outcome = herma("recall", "kite")
    assert outcome.code == 2
    assert "opencode.db" in outcome.err
    assert not list(tmp_path.rglob("*.db"))


def test_what_was_read_before_is_found_when_the_host_is_gone(herma: Herma, data: Path) -> None:
    herma("recall", "kite")
    (data / "opencode.db").unlink()
    outcome = herma("recall", "kite", "--host", "opencode")
    assert outcome.code == 0
    assert outcome.out.startswith("warning: ")
