"""Fixtures of the tests that run the real OpenCode."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.hosts.model import ScriptedModel
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.program import VERSION, OpenCode, find


@pytest.fixture(scope="session", params=[pytest.param(VERSION, marks=pytest.mark.host(VERSION))])
def opencode() -> OpenCode:
    """The installed OpenCode. A missing one fails where CI is set and is skipped elsewhere, with the reason."""
    found = find()
    if found.missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(found.missing)
    return found


@pytest.fixture(scope="module")
def shared_model() -> Iterator[ScriptedModel]:
    """One scripted model for the tests of a file."""
    with ScriptedModel() as serving:
        yield serving


@pytest.fixture
def household(opencode: OpenCode, model: ScriptedModel, tmp_path: Path) -> Household:
    """A person with the plugin, and the test's own model."""
    return Household(tmp_path / "person", opencode, model_url=model.url)


@pytest.fixture
def people(opencode: OpenCode, model: ScriptedModel, tmp_path: Path) -> Callable[..., Household]:
    """Makes more of them."""
    numbers = count(1)

    def make(**more: object) -> Household:
        return Household(tmp_path / f"person-{next(numbers)}", opencode, model_url=model.url, **more)  # type: ignore[arg-type] # handed on

    return make
