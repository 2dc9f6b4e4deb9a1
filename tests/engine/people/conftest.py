"""What the tests of the people service share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.people.bot import Bot, bot
from tests.engine.people.household import Household, household


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Household]:
    """A house with an owner, a member and a guest."""
    with household(tmp_path) as made:
        yield made


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Bot]:
    """A whole bot with everybody in it."""
    with bot(tmp_path) as made:
        yield made
