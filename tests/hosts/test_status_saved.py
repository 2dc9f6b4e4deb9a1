"""`herma status` on the transcripts that the real Hermes keeps."""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from herma.cli.main import main
from herma.core.tokens import estimate
from herma.install.machine import Machine
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home
from tests.hosts.homes import Homes
from tests.hosts.huge import make
from tests.hosts.model import ScriptedModel, say
from tests.hosts.once_house import is_note, read
from tests.hosts.turn import run_turn


def _tree(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def _status(hermes: Hermes, home: Home, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    machine = Machine(dict(os.environ), home=home.user, prefix=Path(sys.prefix))
    code = main(["status", "--hermes", str(hermes.python), "--home", str(home.path), "--json"], machine=machine)
    (found,) = json.loads(capsys.readouterr().out)["data"]["hosts"]
    assert code == 0
    assert isinstance(found, dict)
    return found


def test_what_a_turn_saved_is_counted_from_what_the_host_stored_and_nothing_is_written(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = folder / "notes.md"
    notes.write_text("".join(f"- point {n}: what was agreed on, and by whom\n" for n in range(1, 201)), "utf-8")
    log = make(folder)["server.log"].path
    enabled, settings = ["read-once", "read-summarizer"], {"read_summarizer": {"enabled": True}}
    home = homes.make(hermes, model, enabled=enabled, config=settings)
    model.replies(read(notes), read(notes), read(log), say("done"))
    surroundings = {"READ_ONCE_ROOT": str(folder), "READ_ONCE_HITS": "1"}
    run_turn(hermes, home, "Please read the notes.", cwd=folder, environment=surroundings, timeout=300)
    whole, noted, shortened = (text for _, text in model.requests[-1].tool_results())
    assert is_note(noted)
    before = _tree(home.path)

    found = _status(hermes, home, capsys)

    assert _tree(home.path) == before
    assert found["counted"]["problem"] is None
    saved = {system["name"]: system["saved"] for system in found["systems"]}
    once = saved["read-once"]
    assert (once["notes"], once["unmatched"], once["refetches"]) == (1, 0, 0)
    assert once["not_sent"] == estimate(whole)
    assert once["net"] == estimate(whole) - estimate(noted)
    assert once["net"] > 0
    assert "... [read-summarizer: " in shortened
    assert saved["read-summarizer"] == {"shortened": 1, "net": None}
