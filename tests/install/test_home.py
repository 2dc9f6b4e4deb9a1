from pathlib import Path

import pytest

from herma.install.home import home_in_force
from herma.install.machine import Machine


def _machine(tmp_path: Path, **environ: str) -> Machine:
    return Machine(environ, home=tmp_path, prefix=tmp_path)


def _switched_to(root: Path, profile: str) -> None:
    root.mkdir(parents=True, exist_ok=True)
    (root / "active_profile").write_text(profile, encoding="utf-8")


def test_without_anything_said_it_is_the_folder_in_the_persons_home(tmp_path: Path) -> None:
    assert home_in_force(_machine(tmp_path, HERMES_HOME=" ")) == tmp_path / ".hermes"


def test_the_variable_wins_over_the_default_and_the_command_line_over_both(tmp_path: Path) -> None:
    machine = _machine(tmp_path, HERMES_HOME=str(tmp_path / "elsewhere"))

    assert home_in_force(machine) == tmp_path / "elsewhere"
    assert home_in_force(machine, str(tmp_path / "named")) == tmp_path / "named"


def test_a_relative_home_is_below_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert home_in_force(_machine(tmp_path, HERMES_HOME="here")) == tmp_path / "here"


def test_the_profile_that_is_switched_to_is_the_home(tmp_path: Path) -> None:
    _switched_to(tmp_path / ".hermes", "coder\n")

    assert home_in_force(_machine(tmp_path)) == tmp_path / ".hermes" / "profiles" / "coder"


def test_a_home_outside_the_persons_own_has_its_own_profiles(tmp_path: Path) -> None:
    _switched_to(tmp_path / "data", "coder")

    assert home_in_force(_machine(tmp_path, HERMES_HOME=str(tmp_path / "data"))) == tmp_path / "data/profiles/coder"


def test_a_home_that_is_a_profile_and_a_home_that_is_named_are_taken_as_they_are(tmp_path: Path) -> None:
    _switched_to(tmp_path / ".hermes", "coder")
    writer = str(tmp_path / ".hermes" / "profiles" / "writer")

    assert home_in_force(_machine(tmp_path, HERMES_HOME=writer)) == Path(writer)
    assert home_in_force(_machine(tmp_path), str(tmp_path / ".hermes")) == tmp_path / ".hermes"


@pytest.mark.parametrize("profile", ["default", "", "../../etc", "Coder", "a/b"])
def test_what_is_no_name_of_a_profile_changes_nothing(profile: str, tmp_path: Path) -> None:
    _switched_to(tmp_path / ".hermes", profile)

    assert home_in_force(_machine(tmp_path)) == tmp_path / ".hermes"
