"""`herma setup`, `doctor` and `remove` for the real OpenCode: from a person's own configuration and back to it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hosts.model import ScriptedModel
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.once import run
from tests.hosts.opencode.program import OpenCode

OFFLINE_WAIT = 60  # seconds that a start without a network waits where nothing is done about it
OWN = "// my own words\n"


class Story(NamedTuple):
    """What each part left behind."""

    household: Household
    before: dict[str, bytes]
    setup: str
    seconds: float
    during: bool
    doctor: dict[str, str]
    after: dict[str, bytes]
    later: bool


@pytest.fixture(scope="module")
def story(opencode: OpenCode, shared_model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """A setup, a turn, the doctor, the removal, a turn."""
    folder = tmp_path_factory.mktemp("setup")
    household = Household(folder, opencode, model_url=shared_model.url, plugins=[], primed=False)
    config = household.config_folder / "opencode.json"
    config.rename(config.with_suffix(".jsonc"))
    config = config.with_suffix(".jsonc")
    config.write_text(OWN + config.read_text("utf-8"), encoding="utf-8")
    before = _files(household)
    named = ["--opencode", str(opencode.path)]
    setup = _herma(household, "setup", "--host", "opencode", "--yes", *named)
    began = time.monotonic()
    run(household, "one", environment={"HERMA_COMMAND": ""})
    seconds, during = time.monotonic() - began, _has_memory(shared_model)
    doctor = json.loads(_herma(household, "doctor", "--host", "opencode", "--json", *named, codes=(0, 1)))
    checks = {check["id"]: check["status"] for check in doctor["data"]["hosts"][0]["checks"]}
    _herma(household, "remove", "--host", "opencode", "--yes")
    after = _files(household)
    run(household, "two", environment={"HERMA_COMMAND": ""})
    return Story(household, before, setup, seconds, during, checks, after, _has_memory(shared_model))


def _herma(household: Household, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    command = [sys.executable, "-I", "-m", "herma", *arguments]
    environment = household.environment({"HERMA_COMMAND": ""})
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def _files(household: Household) -> dict[str, bytes]:
    """Every file that a person could call theirs or that setup could have left; not what OpenCode keeps for itself."""
    places = (household.config_folder, household.folder / "data" / "herma", household.folder / "state" / "herma")
    found = [path for place in places for path in place.rglob("*") if path.is_file()]
    kept = [path for path in found if "memories" not in path.parts and path.name != ".gitignore"]
    return {str(path.relative_to(household.folder)): path.read_bytes() for path in kept}


def _has_memory(model: ScriptedModel) -> bool:
    request = [request for request in model.requests if not request.aux][-1]
    return any("`memory` tool" in text for text in request.texts("system")[1:])


def test_the_plan_is_shown_with_the_line_that_is_added(story: Story) -> None:
    uri = (story.household.folder / "data" / "herma" / "opencode-hermes").as_uri()
    assert f'"{uri}"' in story.setup


def test_the_memory_is_there_after_setup_and_not_after_removal(story: Story) -> None:
    assert story.during
    assert not story.later


def test_a_start_without_a_network_does_not_wait(story: Story) -> None:
    assert story.seconds < OFFLINE_WAIT


def test_the_doctor_finds_everything_in_order(story: Story) -> None:
    told = {name: status for name, status in story.doctor.items() if name != "rg"}  # is a matter of the machine
    assert set(told.values()) == {"pass"}
    assert {"program", "configuration", "plugin", "start", "sidecar", "settings", "requests"} == set(told)


def test_removal_leaves_every_file_byte_for_byte(story: Story) -> None:
    assert story.after == story.before
    assert OWN.encode() in b"".join(story.after.values())
    assert not (story.household.folder / "data" / "herma").exists()


def test_a_dry_run_and_a_run_without_a_person_to_ask_change_nothing(
    opencode: OpenCode, model: ScriptedModel, tmp_path: Path
) -> None:
    household = Household(tmp_path / "dry", opencode, model_url=model.url, plugins=[], primed=False)
    before = _files(household)
    named = ["--host", "opencode", "--opencode", os.fspath(opencode.path)]
    assert "nothing was done" in _herma(household, "setup", *named, "--dry-run")
    assert "--yes" in _herma(household, "setup", *named, codes=(1,))
    assert _files(household) == before
