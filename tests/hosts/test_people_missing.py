"""The tree of manyhands in a real Hermes whose environment has no package `herma`: nobody gets in without it."""

import json
from pathlib import Path

import pytest

from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import ROOT, Hermes
from tests.hosts.home import Home
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel, call, say
from tests.hosts.turn import run_turn

TREE = ROOT / "integrations" / "hermes" / "manyhands"
HOW = "pip install herma"
SAM = Person("u-sam", "Sam")

# Loaded by the host's Python as it starts: the module cannot be had, and no distribution says that herma is there.
AWAY = """
import importlib.metadata as metadata
import sys


class Away:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == {module!r} or name.startswith({module!r} + "."):
            raise {error}


found = metadata.MetadataPathFinder.find_distributions


def without(*arguments, **named):
    return (each for each in found(*arguments, **named) if each.metadata["Name"] != "herma")


sys.meta_path.insert(0, Away)
metadata.MetadataPathFinder.find_distributions = without
"""


def _without(folder: Path, module: str, error: str) -> dict[str, str]:
    """The variables with which a host fails at `module`."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(AWAY.format(module=module, error=error), encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


@pytest.fixture
def absent(tmp_path: Path) -> dict[str, str]:
    """The variables with which a host finds no herma."""
    return _without(tmp_path / "absent", "herma", "ModuleNotFoundError(f'No module named {name!r}', name=name)")


@pytest.fixture
def home(hermes: Hermes, homes: Homes, model: ScriptedModel) -> Home:
    """A home with the tree in it, enabled, and a host that would let everybody do everything."""
    return homes.make(hermes, model, plugins=(TREE,), config={"approvals": {"mode": "off"}})


def test_a_chat_is_told_how_to_install_it_and_the_model_hears_nothing(
    hermes: Hermes, home: Home, model: ScriptedModel, folder: Path, absent: dict[str, str]
) -> None:
    with Gateway(hermes, home, model, cwd=folder, environment=absent) as gateway:
        for text, chat in (("sam-comes-in", None), ("sam-is-in-a-room", "room")):
            assert "herma" in gateway.exchange(SAM, text, HOW, chat=chat).text
    assert model.requests == []


def test_the_machines_own_terminal_works_as_before(
    hermes: Hermes, home: Home, model: ScriptedModel, folder: Path, absent: dict[str, str]
) -> None:
    (folder / "note.txt").write_text("what the operator wrote\n", encoding="utf-8")
    model.replies(call("read_file", path=str(folder / "note.txt")), say("it was read"))
    turn = run_turn(hermes, home, "read it", cwd=folder, environment=absent)
    [(_, text)] = model.requests[-1].tool_results()
    assert "what the operator wrote" in json.loads(text)["content"]
    assert "it was read" in turn.stdout


def test_a_turn_that_the_terminal_begins_elsewhere_may_call_nothing(
    hermes: Hermes, home: Home, model: ScriptedModel, folder: Path, absent: dict[str, str]
) -> None:
    """A call from inside a script carries no turn, so nothing says that it is the terminal's."""
    mark = folder / "mark.txt"
    code = f"from hermes_tools import terminal\nprint(terminal('touch {mark}'))\n"
    model.replies(call("execute_code", code=code), say("it was tried"))
    run_turn(hermes, home, "try it", cwd=folder, environment=absent)
    [(_, text)] = model.requests[-1].tool_results()
    assert HOW in text
    assert not mark.exists()


def test_a_package_that_breaks_is_as_good_as_none(
    hermes: Hermes, home: Home, model: ScriptedModel, folder: Path, tmp_path: Path
) -> None:
    broken = _without(tmp_path / "broken", "herma.hosts.hermes.manyhands", "RuntimeError('half of it is missing')")
    with Gateway(hermes, home, model, cwd=folder, environment=broken) as gateway:
        assert "RuntimeError" in gateway.exchange(SAM, "sam-comes-in", HOW).text
    assert model.requests == []
