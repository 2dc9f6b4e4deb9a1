"""Fixtures of the tests that run real hosts."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts.hermes import VERSIONS, Hermes, find
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel
from tests.hosts.people_house import ANNA, BEN, GUS, House, house


@pytest.fixture(
    scope="session", params=[pytest.param(version, marks=pytest.mark.host(version)) for version in VERSIONS]
)
def hermes(request: pytest.FixtureRequest) -> Hermes:
    """Each installed Hermes. A missing one fails where CI is set and is skipped elsewhere, with the reason."""
    found = find(request.param)
    if not found.available():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(found.missing)
    return found


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    """Makes homes; the templates live as long as the session."""
    return Homes(tmp_path_factory.mktemp("homes"))


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A scripted model of the test's own."""
    with ScriptedModel() as serving:
        yield serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that a host works in."""
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture(scope="session")
def shared_household(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One gateway of a version with a household in it, for all tests that need no other configuration."""
    with house(hermes, homes, tmp_path_factory.mktemp("household")) as made:
        made.join(ANNA, "member")
        made.join(BEN, "member")
        made.join(GUS, "guest")
        yield made


@pytest.fixture
def household(shared_household: House) -> House:
    """The same with a model that has said and heard nothing yet."""
    shared_household.model.clear()
    return shared_household
