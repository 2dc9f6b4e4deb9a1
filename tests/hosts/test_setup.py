"""`herma setup` and `herma remove` in the real Hermes: a person's environment and home, from nothing and back to it.

One story a version: a turn before, the setup, a turn with it, the removal by the Herma inside the environment, a turn
after.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from herma.install.wheel import NAME
from tests.hosts.hermes import ROOT, Hermes
from tests.hosts.home import Home
from tests.hosts.homes import Homes
from tests.hosts.huge import Huge, make
from tests.hosts.model import ScriptedModel, call, say
from tests.hosts.turn import run_turn

COMMENT = "# my own words about it\n"


class Told(NamedTuple):
    """What the model got in one turn: the same small file twice, and a huge one."""

    small: str
    again: str
    huge: str


class Story(NamedTuple):
    """What each part of the story left behind."""

    home: Home
    files: dict[str, Huge]
    before: Told
    config: bytes
    packages: str
    setup: subprocess.CompletedProcess[str]
    doctor: subprocess.CompletedProcess[str]
    during: Told
    removal: subprocess.CompletedProcess[str]
    config_after: bytes
    packages_after: str
    after: Told


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this clone, as a build makes it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True, timeout=120)
    return folder / NAME


@pytest.fixture(scope="module")
def environment(hermes: Hermes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    """A copy of the host's environment without Herma. It has no place in what is kept after the tests."""
    folder = tmp_path_factory.mktemp("environment") / hermes.version
    copied = hermes.python.parent.parent
    shutil.copytree(copied, folder, symlinks=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "uninstall", "--yes", "herma"], capture_output=True, check=True, timeout=120)
    yield Hermes(hermes.version, python)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def story(
    hermes: Hermes, environment: Hermes, homes: Homes, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Story:
    """The whole of it."""
    folder = tmp_path_factory.mktemp("files")
    files = make(folder)
    with ScriptedModel() as model:
        home = homes.make(hermes, model)
        home.hermes = environment
        config = home.path / "config.yaml"
        config.write_text(COMMENT + yaml.safe_dump(dict(home.config), sort_keys=False), encoding="utf-8")
        before = _turn(environment, home, model, folder)
        original, packages = config.read_bytes(), _packages(environment)
        outside = [sys.executable, "-m", "herma"]
        chosen = ["--hermes", str(environment.python.parent.parent), "--home", str(home.path)]
        switches = ["--hits", "--read-once-root", str(folder)]
        setup = _herma([*outside, "setup", "--yes", *chosen, "--from", str(wheel), *switches], home)
        during = _turn(environment, home, model, folder)
        doctor = _herma([*outside, "doctor", *chosen], home)
        removal = _herma([str(environment.python.parent / "herma"), "remove", "--yes"], home)
        after = _turn(environment, home, model, folder)
    return Story(
        home, files, before, original, packages, setup, doctor, during, removal,
        config.read_bytes(), _packages(environment), after,
    )  # fmt: skip


def _turn(hermes: Hermes, home: Home, model: ScriptedModel, folder: Path) -> Told:
    model.clear()
    reads = [call("read_file", path=str(folder / name)) for name in ("small.txt", "small.txt", "server.log")]
    model.replies(*reads, say("done"))
    run_turn(hermes, home, "read them", cwd=folder, timeout=240)
    small, again, huge = (text for _, text in model.requests[-1].tool_results())
    return Told(small, again, huge)


def _packages(hermes: Hermes) -> str:
    command = [str(hermes.python), "-m", "pip", "list", "--format", "freeze", "--disable-pip-version-check"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def _herma(command: list[str], home: Home) -> subprocess.CompletedProcess[str]:
    surroundings = {"HOME": str(home.user), "PATH": os.defpath}
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False, timeout=240)


def test_setup_and_doctor_are_content(story: Story) -> None:
    assert story.setup.returncode == 0, story.setup.stdout + story.setup.stderr
    assert story.doctor.returncode == 0, story.doctor.stdout


def test_a_huge_read_is_shortened_after_it_and_neither_before_nor_after_the_removal(story: Story) -> None:
    marked = "\n... [read-summarizer: 6000 lines, "
    assert marked in json.loads(story.during.huge)["content"]
    assert marked not in json.loads(story.before.huge)["content"]
    assert story.after.huge == story.before.huge


def test_a_repeated_read_is_answered_with_a_note_after_it_and_as_by_the_host_after_the_removal(story: Story) -> None:
    assert story.during.small == story.before.small
    assert "small.txt" in story.during.again
    assert story.during.again != story.before.again
    assert story.after.again == story.before.again


def test_the_removal_leaves_nothing(story: Story) -> None:
    assert story.removal.returncode == 0, story.removal.stdout + story.removal.stderr
    assert story.config_after == story.config
    assert story.config.decode().startswith(COMMENT)
    assert story.packages_after == story.packages
    assert "herma" not in story.packages
    left = [path for path in story.home.folder.rglob("*") if "herma" in path.name or path.name.startswith("read-")]
    assert left == []
    assert not (story.home.path / ".env").exists()
