"""One file, read whole and replaced whole."""

import os
import stat
from pathlib import Path

import pytest

from herma.errors import Unreadable
from herma.stores.memory import files
from herma.stores.memory.files import LARGEST, Bytes


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _put(path: Path, data: bytes) -> None:
    found = files.look(str(path))
    real = files.true_path(str(path))
    assert files.put(files.draft(real, data, found), real, new=found.data is None)


def test_a_missing_file_has_no_bytes(tmp_path: Path) -> None:
    assert files.look(str(tmp_path / "x")) == Bytes(None)


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "x"
    _put(path, b"data")
    assert path.read_bytes() == b"data"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert _names(tmp_path) == ["x"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o400])
def test_the_mode_of_a_file_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(mode)
    _put(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "real"
    target.write_bytes(b"old")
    path = tmp_path / "x"
    path.symlink_to(target)
    _put(path, b"new")
    assert path.is_symlink()
    assert target.read_bytes() == b"new"
    assert _names(target.parent) == ["real"]


def test_a_link_that_leads_nowhere_is_no_missing_file(tmp_path: Path) -> None:
    (tmp_path / "x").symlink_to(tmp_path / "gone")
    with pytest.raises(Unreadable, match="leads nowhere"):
        files.look(str(tmp_path / "x"))


def test_what_is_no_file_is_said_so_and_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(Unreadable, match="is not a file"):
            files.look(str(tmp_path / name))


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "x").open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(Unreadable, match="larger than 1 MiB"):
        files.look(str(tmp_path / "x"))


def test_what_is_not_text_says_at_which_byte() -> None:
    with pytest.raises(Unreadable, match=r"not text in UTF-8 \(byte 4\)"):
        files.text_of("MEMORY.md", b"abc\xff")


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert files.text_of("x", b"\xef\xbb\xbfabc") == "abc"


def test_a_file_that_came_meanwhile_is_not_replaced_by_a_new_one(tmp_path: Path) -> None:
    path = str(tmp_path / "x")
    place = files.draft(path, b"ours", Bytes(None))
    (tmp_path / "x").write_bytes(b"theirs")
    assert not files.put(place, path, new=True)
    assert (tmp_path / "x").read_bytes() == b"theirs"


def test_a_draft_that_a_killed_process_left_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / ".x.herma-tmp").write_bytes(b"half")
    _put(tmp_path / "x", b"whole")
    assert (tmp_path / "x").read_bytes() == b"whole"
    assert _names(tmp_path) == ["x"]
