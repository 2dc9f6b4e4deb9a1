"""The frozen texts of sessions."""

import os
import stat
from pathlib import Path

import pytest

from herma.stores.memory.snapshots import MOST, Snapshots


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def kept(tmp_path: Path) -> Snapshots:
    """An empty folder of them."""
    return Snapshots(tmp_path / "sessions")


def test_a_text_comes_back_byte_for_byte(kept: Snapshots) -> None:
    text = "═\r\n§ 日本 🙂\n"
    assert kept.freeze("ses_1", text) == text
    assert kept.get("ses_1") == text


def test_an_empty_text_is_a_text(kept: Snapshots) -> None:
    kept.freeze("ses_1", "")
    assert kept.get("ses_1") == ""
    assert kept.get("ses_2") is None


def test_the_first_text_stays(kept: Snapshots) -> None:
    kept.freeze("ses_1", "first")
    assert kept.freeze("ses_1", "second") == "first"
    assert kept.get("ses_1") == "first"


def test_it_is_for_its_owner_alone(kept: Snapshots, tmp_path: Path) -> None:
    kept.freeze("ses_1", "x")
    assert stat.S_IMODE((tmp_path / "sessions").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "sessions" / "ses_1.txt").stat().st_mode) == 0o600


def test_a_dropped_session_is_forgotten_and_dropping_again_is_fine(kept: Snapshots, tmp_path: Path) -> None:
    kept.freeze("ses_1", "x")
    kept.drop("ses_1")
    kept.drop("ses_1")
    assert kept.get("ses_1") is None
    assert _names(tmp_path / "sessions") == []


def test_a_session_with_a_hostile_name_stays_in_the_folder(kept: Snapshots, tmp_path: Path) -> None:
    kept.freeze("../../escape", "x")
    assert kept.get("../../escape") == "x"
    assert _names(tmp_path) == ["sessions"]


def test_of_too_many_the_ones_longest_unused_go(kept: Snapshots, tmp_path: Path) -> None:
    for n in range(MOST):
        kept.freeze(f"s{n}", "x")
        os.utime(tmp_path / "sessions" / f"s{n}.txt", (n, n))
    assert kept.get("s0") == "x"  # and so it is the last one used
    kept.freeze("new", "x")
    assert len(_names(tmp_path / "sessions")) == MOST
    assert [kept.get(name) for name in ("s0", "s1", "s2", "new")] == ["x", None, "x", "x"]


def test_a_damaged_text_counts_as_none(kept: Snapshots, tmp_path: Path) -> None:
    kept.freeze("ses_1", "x")
    (tmp_path / "sessions" / "ses_1.txt").write_bytes(b"\xff")
    assert kept.get("ses_1") is None
