"""`herma remove`: what was set up goes, and what others did since stays."""

import os
import shutil
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import MINE, Herma
from tests.cli.folders import receipts, tree
from tests.install.environment import distribution


def test_a_strangers_plugin_is_moved_aside_and_back(ready: Path, tmp_path: Path, herma: Herma) -> None:
    theirs = tmp_path / ".hermes" / "plugins" / "read-once"
    theirs.mkdir(parents=True)
    (theirs / "plugin.yaml").write_text("name: read-once\n", encoding="utf-8")
    (theirs / "__init__.py").write_text("def register(ctx): ...\n", encoding="utf-8")
    before = tree(tmp_path / ".hermes")

    herma("setup", "--yes", "--hermes", str(ready))
    ours = (theirs / "__init__.py").read_text()
    aside = (tmp_path / ".hermes" / "plugins.herma-1.bak" / "read-once" / "__init__.py").read_text()
    removed = herma("remove", "--yes")

    assert "from herma" in ours
    assert aside == "def register(ctx): ...\n"
    assert removed.code == 0, removed.out
    assert tree(tmp_path / ".hermes") == before


def test_what_a_host_wrote_anew_keeps_all_but_our_lines(ready: Path, tmp_path: Path, herma: Herma) -> None:
    config = tmp_path / ".hermes" / "config.yaml"
    herma("setup", "--yes", "--hermes", str(ready))
    data = yaml.safe_load(config.read_text()) | {"_config_version": 30}
    config.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")

    removed = herma("remove", "--yes")

    assert removed.code == 0
    assert "only our lines, as others changed it since" in removed.out
    assert yaml.safe_load(config.read_text()) == yaml.safe_load(MINE) | {"_config_version": 30}
    assert (config.parent / "config.yaml.herma-1.bak").read_text() == MINE
    assert yaml.safe_load((config.parent / "config.yaml.herma-2.bak").read_text()) == data


def test_what_cannot_be_taken_back_for_certain_is_named_and_tried_again_later(
    ready: Path, tmp_path: Path, herma: Herma
) -> None:
    config = tmp_path / ".hermes" / "config.yaml"
    herma("setup", "--yes", "--hermes", str(ready))
    good = config.read_text()
    config.write_text(good + "more: [\n", encoding="utf-8")

    first = herma("remove", "--yes")
    left = config.read_text()
    config.write_text(good + "more: []\n", encoding="utf-8")
    second = herma("remove", "--yes")

    assert first.code == 1
    assert f"leave: {config} is not changed: it is not valid YAML" in first.out
    assert "  stays:   - read-summarizer\n" in first.out
    assert left == good + "more: [\n"
    assert not (config.parent / "plugins").exists()
    assert second.code == 0
    assert config.read_text() == MINE + "more: []\n"


def test_a_file_that_a_person_wrote_into_our_folder_stays(ready: Path, tmp_path: Path, herma: Herma) -> None:
    herma("setup", "--yes", "--hermes", str(ready))
    folder = tmp_path / ".hermes" / "plugins" / "read-once"
    (folder / "__init__.py").write_text("changed\n", encoding="utf-8")

    removed = herma("remove", "--yes")

    assert removed.code == 1
    assert f"stays: {folder}/__init__.py" in removed.out
    assert os.listdir(folder) == ["__init__.py"]  # noqa: PTH208 - names
    assert herma("remove", "--yes").code == 0


def test_an_environment_that_is_gone_does_not_keep_its_home_from_being_put_back(
    fresh: Path, tmp_path: Path, herma: Herma
) -> None:
    before = tree(tmp_path / ".hermes")
    herma("setup", "--yes", "--hermes", str(fresh))
    shutil.rmtree(fresh)

    removed = herma("remove", "--yes", "--hermes", str(fresh))

    assert removed.code == 0, removed.out
    assert "is not there any more" in removed.out
    assert tree(tmp_path / ".hermes") == before


def test_a_herma_that_came_since_is_not_uninstalled(fresh: Path, herma: Herma) -> None:
    herma("setup", "--yes", "--hermes", str(fresh))
    next(fresh.glob("lib/*/site-packages/herma-*.dist-info")).rename(fresh / "gone")
    distribution(fresh, "herma", "9.9")

    removed = herma("remove", "--yes")

    assert removed.code == 0
    assert "herma 9.9 stays there: it is not what setup installed" in removed.out
    assert list(fresh.glob("lib/*/site-packages/herma"))


@pytest.mark.parametrize("between", ["", "mine: 1  # added by hand\n"])
def test_two_setups_are_taken_back_together_around_what_was_added_between(
    between: str, ready: Path, tmp_path: Path, herma: Herma
) -> None:
    config = tmp_path / ".hermes" / "config.yaml"
    first = herma("setup", "--yes", "--hermes", str(ready), "--plugin", "read-summarizer")
    config.write_text(config.read_text() + between, encoding="utf-8")
    second = herma("setup", "--yes", "--hermes", str(ready))
    enabled = yaml.safe_load(config.read_text())["plugins"]["enabled"]

    removed = herma("remove", "--yes")

    assert (first.code, second.code, removed.code) == (0, 0, 0)
    assert enabled == ["other", "read-summarizer", "read-once", "manyhands", "recall"]
    assert config.read_text() == MINE + between
    assert ("byte for byte" in removed.out) == (not between)


@pytest.mark.parametrize("named", ["link", "real"])
def test_one_installation_can_be_named_by_any_path_that_leads_to_it(
    named: str, ready: Path, tmp_path: Path, herma: Herma
) -> None:
    (tmp_path / "link").symlink_to(ready)
    paths = {"link": str(tmp_path / "link"), "real": str(ready)}
    herma("setup", "--yes", "--hermes", paths["link"])

    other = herma("remove", "--yes", "--hermes", str(tmp_path / "elsewhere"))
    removed = herma("remove", "--yes", "--hermes", paths[named])

    assert "nothing to undo" in other.out
    assert "done: nothing that setup did is left" in removed.out
    assert not receipts(tmp_path).exists()
