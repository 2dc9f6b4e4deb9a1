"""Fixtures of the tests of what is translated for Hermes."""

from pathlib import Path

import pytest
from tests.hermes.stand_in import Host, Plugged, plug


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("".join(f"line {n} of the notes\n" for n in range(40)), encoding="utf-8")
    return path


@pytest.fixture(params=["0.19.0", "0.22.2"])
def host(request: pytest.FixtureRequest) -> Host:
    return Host(request.param)


@pytest.fixture
def on(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugged:
    """The plugin, with hits below the test's folder."""
    monkeypatch.setenv("READ_ONCE_ROOT", str(tmp_path))
    monkeypatch.setenv("READ_ONCE_HITS", "1")
    monkeypatch.delenv("READ_ONCE_NOTICE", raising=False)
    monkeypatch.delenv("TERMINAL_ENV", raising=False)
    return plug(host, monkeypatch)
