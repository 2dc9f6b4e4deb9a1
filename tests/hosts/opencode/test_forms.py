"""The plugin in each form that OpenCode takes: its file, its folder, and as npm lays it out."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hosts.model import ScriptedModel
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.once import run
from tests.hosts.opencode.program import SHIM


def _file(_folder: Path) -> object:
    return (SHIM / "index.js").as_uri()


def _folder(_folder: Path) -> object:
    return str(SHIM)


def _by_npm(folder: Path) -> object:
    placed = folder / "node_modules" / "opencode-hermes"
    shutil.copytree(SHIM, placed)
    return [placed.as_uri(), {"option": "of nobody's"}]


@pytest.mark.parametrize("form", [_file, _folder, _by_npm], ids=["file", "folder", "npm"])
def test_each_form_brings_the_memory(
    people: Callable[..., Household], model: ScriptedModel, tmp_path: Path, form: Callable[[Path], object]
) -> None:
    run(people(plugins=[form(tmp_path)]), "hello")
    (request,) = [request for request in model.requests if not request.aux]
    assert any("`memory` tool" in text for text in request.texts("system")[1:])
    assert "memory" in [tool["function"]["name"] for tool in request.body["tools"]]
