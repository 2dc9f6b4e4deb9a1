"""The walk from the root, on real files."""

import os
import socket
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from herma.stores.rooted import LARGEST, Content, Refusal, identity, is_below, read

TEXT = b"alpha\nbeta\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    (made / "a" / "b").mkdir(parents=True)
    (made / "a" / "b" / "notes.txt").write_bytes(TEXT)
    (made / "top.txt").write_bytes(b"top")
    (tmp_path / "outside.txt").write_bytes(b"outside")
    return made


def _content(root: Path, path: Path | str, *, seen: bool = False) -> Content:
    found = read(str(root), str(path), seen=seen)
    assert isinstance(found, Content), found
    return found


def _refused(root: Path | str, path: Path | str, *, seen: bool = False) -> str:
    found = read(str(root), str(path), seen=seen)
    assert isinstance(found, Refusal), found
    return found.reason


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    before = set(Path("/proc/self/fd").iterdir())
    yield
    assert set(Path("/proc/self/fd").iterdir()) == before


@pytest.mark.parametrize("seen", [False, True])
def test_a_file_below_the_root_is_read_with_its_version(root: Path, *, seen: bool) -> None:
    path = root / "a" / "b" / "notes.txt"
    found = path.stat()
    content = _content(root, path, seen=seen)
    assert content.data == TEXT
    assert content.path == str(path)
    assert content.version == (sha256(TEXT).digest(), 11, found.st_mtime_ns, found.st_dev, found.st_ino)


def test_a_file_right_below_the_root_is_read(root: Path) -> None:
    assert _content(root, root / "top.txt").data == b"top"
    assert _content(Path(f"{root}/"), root / "top.txt").data == b"top"


def test_the_root_of_the_machine_can_be_the_root(root: Path) -> None:
    assert _content(Path("/"), root / "top.txt").data == b"top"


@pytest.mark.parametrize("middle", ["a/../a/b/notes.txt", "./a/b/notes.txt", "a//b/notes.txt", "a/b/./notes.txt"])
def test_other_ways_to_write_the_path_lead_to_the_same_file(root: Path, middle: str) -> None:
    assert _content(root, f"{root}/{middle}").path == str(root / "a" / "b" / "notes.txt")


@pytest.mark.parametrize("path", ["../outside.txt", "a/../../outside.txt", "../root-beside/x"])
def test_a_path_that_leaves_the_root_is_outside(root: Path, path: str) -> None:
    assert _refused(root, f"{root}/{path}") == "outside_root"


def test_a_folder_whose_name_begins_like_the_root_is_outside(root: Path) -> None:
    beside = root.parent / "root-beside"
    beside.mkdir()
    (beside / "x").write_bytes(b"x")
    assert _refused(root, beside / "x") == "outside_root"


def test_the_root_itself_is_not_below_the_root(root: Path) -> None:
    assert _refused(root, root) == "outside_root"
    assert _refused(root, f"{root}/") == "outside_root"


def test_a_link_to_a_file_is_a_symlink_even_inside_the_root(root: Path) -> None:
    (root / "link.txt").symlink_to(root / "top.txt")
    (root / "dangling").symlink_to(root / "nowhere")
    (root / "out.txt").symlink_to(root.parent / "outside.txt")
    for name in ("link.txt", "dangling", "out.txt"):
        assert _refused(root, root / name) == "symlink"
        assert _refused(root, root / name, seen=True) == "symlink"


def test_a_linked_folder_that_leads_out_is_outside(root: Path) -> None:
    (root / "out").symlink_to(root.parent)
    assert _refused(root, root / "out" / "outside.txt") == "outside_root"


def test_a_linked_folder_that_stays_inside_leads_to_the_true_file(root: Path) -> None:
    (root / "short").symlink_to(root / "a" / "b")
    content = _content(root, root / "short" / "notes.txt")
    assert content.path == str(root / "a" / "b" / "notes.txt")
    assert content.version == _content(root, root / "a" / "b" / "notes.txt").version


def test_a_root_that_is_a_link_is_followed(root: Path) -> None:
    alias = root.parent / "alias"
    alias.symlink_to(root)
    assert _content(alias, alias / "top.txt").data == b"top"
    assert _content(alias, root / "top.txt").data == b"top"
    assert _content(root, alias / "top.txt").data == b"top"


@pytest.mark.parametrize("bad", ["missing", "top.txt", "top.txt/x"])
def test_a_root_that_is_no_folder_is_invalid(root: Path, bad: str) -> None:
    assert _refused(root / bad, root / bad / "x") == "root_invalid"
    assert _refused(root / bad, "/etc/hostname") == "root_invalid"


@pytest.mark.parametrize("bad", ["relative", "~", "."])
def test_a_root_that_is_not_absolute_is_invalid(root: Path, bad: str) -> None:
    assert _refused(bad, root / "top.txt") == "root_invalid"
    assert _refused(bad, f"{bad}/top.txt") == "root_invalid"


def test_folders_pipes_and_sockets_are_not_regular(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for name in ("a", "pipe", "socket"):
            assert _refused(root, root / name) == "not_regular"
            assert _refused(root, root / name, seen=True) == "not_regular"


def test_a_pipe_is_not_opened_before_its_kind_is_known(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe")
    opened: list[object] = []
    real = os.open

    def watched(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        opened.append(path)
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", watched)
    assert _refused(root, root / "pipe") == "not_regular"
    assert opened == [str(root)]


def test_one_mebibyte_is_read_and_one_byte_more_is_too_large(root: Path) -> None:
    (root / "big").write_bytes(b"x" * LARGEST)
    assert len(_content(root, root / "big").data) == LARGEST
    (root / "big").write_bytes(b"x" * (LARGEST + 1))
    assert _refused(root, root / "big") == "too_large"


def test_an_empty_file_is_read(root: Path) -> None:
    (root / "empty").write_bytes(b"")
    assert _content(root, root / "empty").data == b""


@pytest.mark.parametrize("path", ["missing.txt", "missing/x", "a/missing/x", "top.txt/x", "a/b/notes.txt/x/y"])
@pytest.mark.parametrize("seen", [False, True])
def test_what_is_not_there_cannot_be_looked_at(root: Path, path: str, *, seen: bool) -> None:
    assert _refused(root, root / path, seen=seen) == "stat_failed"


def test_a_name_that_is_too_long_cannot_be_looked_at(root: Path) -> None:
    assert _refused(root, root / ("x" * 300)) == "stat_failed"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_file_without_permission_cannot_be_opened(root: Path) -> None:
    (root / "top.txt").chmod(0)
    assert _refused(root, root / "top.txt") == "open_failed"


def test_a_file_that_cannot_be_opened_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refusing(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "top.txt":
            raise PermissionError(13, "no")
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refusing)
    assert _refused(root, root / "top.txt") == "open_failed"


def test_a_file_that_cannot_be_read_to_its_end_has_no_hash(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> bytes:
        raise OSError(5, "input/output error")

    monkeypatch.setattr(os, "read", failing)
    assert _refused(root, root / "top.txt") == "hash_failed"


@pytest.mark.parametrize("change", [b"top, and more", b"", b"TOP"])
def test_a_file_that_changes_while_it_is_read_is_named(
    root: Path, monkeypatch: pytest.MonkeyPatch, change: bytes
) -> None:
    real = os.read
    path = root / "top.txt"

    def changing(file: int, size: int) -> bytes:
        data = real(file, size)
        path.write_bytes(change)
        os.utime(path, ns=(1, 1))
        return data

    monkeypatch.setattr(os, "read", changing)
    assert _refused(root, path) == "changed_during_hash"


def test_short_reads_are_put_together(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.read
    monkeypatch.setattr(os, "read", lambda file, size: real(file, min(size, 4)))
    assert _content(root, root / "a" / "b" / "notes.txt").data == TEXT


@pytest.mark.parametrize("name", [".env", ".env.local", "auth.json", "vault", "pairing"])
def test_what_bears_the_name_of_a_credential_is_never_opened(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (root / name).mkdir()
    (root / name / "x").write_bytes(b"secret")
    (root / "file").mkdir()
    (root / "file" / name).write_bytes(b"secret")
    (root / "innocent").symlink_to(root / name)

    def never(*_: object, **__: object) -> int:
        raise AssertionError("opened")

    monkeypatch.setattr(os, "open", never)
    assert _refused(root, root / "file" / name) == "credential_path"
    if name in ("vault", "pairing"):
        assert _refused(root, root / name / "x") == "credential_path"


def test_the_true_path_of_a_linked_folder_may_bear_the_name(root: Path) -> None:
    (root / "vault").mkdir()
    (root / "vault" / "x").write_bytes(b"secret")
    (root / "innocent").symlink_to(root / "vault")
    assert _refused(root, root / "innocent" / "x") == "credential_path"


def test_a_folder_that_becomes_a_link_on_the_way_is_not_followed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is swapped for a link out of the root after the true path was found and before it is opened."""
    secret = root.parent / "elsewhere"
    secret.mkdir()
    (secret / "notes.txt").write_bytes(b"outside")
    real = os.open

    def swapping(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "b":
            (root / "a" / "b").rename(root / "a" / "moved")
            (root / "a" / "b").symlink_to(secret)
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", swapping)
    found = read(str(root), str(root / "a" / "b" / "notes.txt"))
    assert found in (Refusal("outside_root"), Refusal("stat_failed"))


def test_identity_finds_hard_links_and_follows_links_and_opens_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.link(root / "top.txt", root / "hard.txt")
    (root / "link.txt").symlink_to(root / "top.txt")

    def never(*_: object, **__: object) -> int:
        raise AssertionError("opened")

    monkeypatch.setattr(os, "open", never)
    true, inode = identity(str(root / "link.txt"))
    assert true == str(root / "top.txt")
    assert inode is not None
    assert identity(str(root / "hard.txt")) == (str(root / "hard.txt"), inode)
    assert identity(str(root / "missing")) == (str(root / "missing"), None)


def test_below_is_about_how_a_path_is_written() -> None:
    assert is_below("/r", "/r/a/b")
    assert is_below("/r/", "/r/a")
    for path in ("/r", "/rx/a", "/r/../a", "/r//a", "a", None, 7):
        assert not is_below("/r", path)
