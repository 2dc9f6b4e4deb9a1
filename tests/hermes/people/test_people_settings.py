"""What the settings of manyhands change in a host: where people are kept, and what of the operator's goes out."""

from pathlib import Path

import pytest
from tests.hermes.people.faulty import GUEST, MEMBER, NOTE, OWNER, plugged

from herma.engine.people.house import Settings
from herma.hosts.hermes.people.opening import database


@pytest.mark.parametrize("version", ["0.19.0", "0.22.2"])
@pytest.mark.parametrize("withheld", [True, False])
def test_the_operators_notes_go_into_a_members_request_only_where_the_setting_says_so(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, withheld: bool
) -> None:
    settings = {} if withheld else {"scope_host_memory": False}
    gateway = plugged(version, tmp_path / "home", monkeypatch, settings)
    for sender, has_them in ((MEMBER, not withheld), (GUEST, not withheld), (OWNER, True)):
        (request,) = gateway.requests_after(gateway.begins(sender))
        assert (NOTE in request) is has_them


def test_a_configured_place_wins_over_the_variable_and_that_over_the_hosts_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MANYHANDS_DB", raising=False)
    assert database(Settings(), "/h") == "/h/plugin-data/manyhands/manyhands.db"
    monkeypatch.setenv("MANYHANDS_DB", "/moved/people.db")
    assert database(Settings(), "/h") == "/moved/people.db"
    assert database(Settings(db_path="/chosen/people.db"), "/h") == "/chosen/people.db"


def test_people_are_kept_where_the_setting_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tmp_path / "elsewhere" / "people.db"
    plugged("0.22.2", tmp_path / "home", monkeypatch, {"db_path": str(chosen)})
    assert chosen.stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "home" / "plugin-data").exists()
