from pathlib import Path

import pytest

from tests.cli.conftest import Herma
from tests.install.environment import distribution, environment


def _plugin(folder: Path, source: str, *, name: str = "read-summarizer") -> Path:
    folder.mkdir(parents=True)
    (folder / "plugin.yaml").write_text(f"name: {name}\n", encoding="utf-8")
    (folder / "__init__.py").write_text(source, encoding="utf-8")
    return folder


def test_herma_s_own_folder_beside_its_package_is_the_same_plugin(env: Path, tmp_path: Path, herma: Herma) -> None:
    folder = _plugin(tmp_path / ".hermes/plugins/read-summarizer", "from herma.hosts.hermes.x import register\n")

    found = herma("doctor", "--json", "--hermes", str(env)).check("plugin")

    assert found["status"] == "pass"
    assert f"the folder {folder} hands over to the same" in found["summary"]


@pytest.mark.parametrize("version, status", [("0.19.0", "warn"), ("0.22.2", "fail")])
def test_a_strangers_folder_is_named_and_fails_where_the_host_would_load_it(
    version: str, status: str, tmp_path: Path, herma: Herma
) -> None:
    made = environment(tmp_path / "env", version=version)
    folder = _plugin(tmp_path / ".hermes/plugins/mine", "def register(ctx): ...\n")

    found = herma("doctor", "--json", "--hermes", str(made)).check("plugin")

    assert found["status"] == status
    assert str(folder) in found["summary"]


def test_a_strangers_package_is_named_and_fails(env: Path, herma: Herma) -> None:
    distribution(env, "summarizer-of-another", "1.0", plugins={"read-summarizer": "another.plugin"})

    found = herma("doctor", "--json").check("plugin")

    assert found["status"] == "fail"
    assert "the package summarizer-of-another (another.plugin)" in found["summary"]


@pytest.mark.usefixtures("env")
def test_a_folder_one_level_deeper_is_named_for_it_is_loaded_as_well(tmp_path: Path, herma: Herma) -> None:
    folder = _plugin(tmp_path / ".hermes/plugins/group/mine", "def register(ctx): ...\n")

    first, second = herma("doctor", "--json").checks("plugin")

    assert first["status"] == "pass"
    assert second["status"] == "fail"
    assert second["summary"].startswith(f"{folder} ")


@pytest.mark.usefixtures("env")
def test_a_folder_whose_name_would_mislead_is_shown_with_escapes(tmp_path: Path, herma: Herma) -> None:
    _plugin(tmp_path / ".hermes/plugins/\u202ereziram\x1b[2J", "def register(ctx): ...\n")

    outcome = herma("doctor")

    assert "plugins/\\u202ereziram\\x1b[2J" in outcome.out
    assert "\u202e" not in outcome.out
    assert "\x1b" not in outcome.out


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize("manifest", ["name: [", "- read-summarizer", "name: other", ""])
def test_a_folder_that_the_host_does_not_take_for_the_plugin_is_passed_over(
    manifest: str, tmp_path: Path, herma: Herma
) -> None:
    folder = _plugin(tmp_path / ".hermes/plugins/other", "")
    (folder / "plugin.yaml").write_text(manifest, encoding="utf-8")

    assert herma("doctor", "--json").check("plugin")["status"] == "pass"
