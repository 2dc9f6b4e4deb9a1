"""The commands on the real programs."""

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import ON, Herma
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home
from tests.hosts.model import ScriptedModel, say
from tests.hosts.turn import run_turn

# The host's own loader says what it loads under a name, and how it came by it.
LOADED = """
import sys
from hermes_cli.plugins import PluginManager
manager = PluginManager()
manager.discover_and_load()
found = manager._plugins["read-summarizer"]
sys.stdout.write(f"loaded {found.manifest.source} {found.enabled}")
"""


@pytest.fixture
def home(hermes: Hermes, tmp_path: Path) -> Home:
    """A home that no host has been started in."""
    return Home(tmp_path, hermes, model_url="http://127.0.0.1:9").configure(ON)


def _tree(folder: Path) -> dict[str, tuple[int, str]]:
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in sorted(folder.rglob("*"))
    }


def test_a_home_with_both_switches_on_passes_and_is_left_as_it_was(hermes: Hermes, home: Home, herma: Herma) -> None:
    before = _tree(home.folder)

    outcome = herma("doctor", "--json", PATH=str(hermes.python.parent), HERMES_HOME=str(home.path))

    (found,) = outcome.data["hosts"]
    assert {check["id"]: check["status"] for check in found["checks"] if check["status"] not in ("pass", "skip")} == {}
    assert outcome.code == 0
    assert found["hermes_version"].startswith(hermes.version)
    assert found["found_by"] == "PATH"
    assert _tree(home.folder) == before


def test_a_broken_file_is_named_with_its_line_by_the_readers_of_both(hermes: Hermes, home: Home, herma: Herma) -> None:
    (home.path / "config.yaml").write_text("a: 1\nb: [SECRET\n", encoding="utf-8")

    outcome = herma("doctor", "--json", "--hermes", str(hermes.python), "--home", str(home.path))

    assert outcome.check("config")["summary"] == f"{home.path}/config.yaml is not valid YAML near line 3"
    assert "SECRET" not in outcome.out
    assert os.listdir(home.path) == ["config.yaml"]  # noqa: PTH208 - names


def test_which_of_two_plugins_is_loaded_is_what_the_host_does(hermes: Hermes, home: Home, herma: Herma) -> None:
    folder = home.path / "plugins" / "read-summarizer"
    folder.mkdir(parents=True)
    (folder / "plugin.yaml").write_text("name: read-summarizer\nversion: 1.0.0\n", encoding="utf-8")
    (folder / "__init__.py").write_text("def register(ctx):\n    pass\n", encoding="utf-8")

    found = herma("doctor", "--json", "--hermes", str(hermes.python), "--home", str(home.path)).check("plugin")
    loaded = subprocess.run(
        [hermes.python, "-c", LOADED], env=home.environment(), capture_output=True, text=True, check=True, timeout=120
    ).stdout

    folder_is_loaded = loaded.endswith("loaded user True")
    assert folder_is_loaded or loaded.endswith("loaded entrypoint True")
    assert found["status"] == ("fail" if folder_is_loaded else "warn")
    assert str(folder) in found["summary"]


def test_a_warning_of_the_plugin_in_a_real_turn_is_counted(
    hermes: Hermes, home: Home, model: ScriptedModel, herma: Herma
) -> None:
    bad = {"read_summarizer": {"enabled": True, "head_lines": "many"}}
    home.configure(bad).configure({"model": {"base_url": model.url}})
    model.replies(say("done"))
    run_turn(hermes, home, "hello", cwd=home.user, timeout=240)

    outcome = herma("doctor", "--json", "--hermes", str(hermes.python), "--home", str(home.path))

    assert outcome.check("not-saved")["status"] == "warn"
    assert "1 warning about read-summarizer" in outcome.check("not-saved")["summary"]
    assert outcome.check("settings")["status"] == "fail"
    assert outcome.code == 2
