"""Fixtures of the tests of setting up."""

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home without a file in it."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"
