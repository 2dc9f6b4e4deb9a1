import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.people import ANN
from tests.stores.people.house import ROOT, opened

from herma.errors import StoreError


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def careless() -> Iterator[None]:
    """A process that would let everybody read what it makes."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("careless")
def test_a_new_database_is_private_to_its_owner_with_all_that_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "plugin-data" / "manyhands" / "manyhands.db"
    store = opened(path)
    with store.firm() as unit:
        unit.save_person(ANN)

    assert rights(path.parent) == 0o700
    beside = sorted(each.name for each in path.parent.iterdir())
    assert beside == ["manyhands.db", "manyhands.db-shm", "manyhands.db-wal"]
    assert {rights(each) for each in path.parent.iterdir()} == {0o600}
    store.close()


def test_a_database_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    opened(path).close()
    path.chmod(0o644)

    opened(path).close()

    assert rights(path) == 0o600


def test_a_link_in_the_place_of_the_database_is_not_followed(tmp_path: Path) -> None:
    target, path = tmp_path / "elsewhere.db", tmp_path / "people.db"
    path.symlink_to(target)

    with pytest.raises(StoreError, match="symbolic link") as refused:
        opened(path)

    assert refused.value.hint
    assert not target.exists()


def test_a_folder_in_the_place_of_the_database_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no file"):
        opened(tmp_path)


def test_a_path_below_a_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file/people\.db"):
        opened(tmp_path / "file" / "people.db")


_AS_NOBODY = """
import os, sys
from herma.errors import StoreError
from tests.stores.people.house import opened
if os.getuid() == 0:
    os.setuid(65534)
try:
    opened(sys.argv[1])
except StoreError as error:
    print(error, error.hint, sep="|")
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every account of the machine can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.parametrize("databases", [0, 1])
def test_a_folder_that_may_not_be_written_is_an_error_with_a_way_out(open_folder: Path, databases: int) -> None:
    path = open_folder / "people.db"
    if databases:
        opened(path).close()
        path.chmod(0o444 if os.getuid() == 0 else 0o400)
    open_folder.chmod(0o555)
    before = path.read_bytes() if databases else b""

    said = subprocess.run(
        [sys.executable, "-c", _AS_NOBODY, str(path)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"},
        capture_output=True,
        text=True,
        check=True,
    )

    open_folder.chmod(0o755)
    assert "database of people" in said.stdout
    assert said.stdout.strip().partition("|")[2]
    assert [each.name for each in open_folder.iterdir()] == ["people.db"] * databases
    assert (path.read_bytes() if databases else b"") == before


def test_the_database_is_opened_by_nobody_but_sqlite_once_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    first = opened(path)
    watching, opened_by_hand = [True], []

    def watch(event: str, given: tuple[object, ...]) -> None:
        if watching and event == "open":
            opened_by_hand.append(str(given[0]))

    sys.addaudithook(watch)  # it stays for the life of the process, so it looks away afterwards

    second = opened(path)
    with first.firm() as unit:
        unit.save_person(ANN)
    assert ANN.person_id in second.roster().people
    first.close()
    second.close()
    watching.clear()

    assert [name for name in opened_by_hand if name.startswith(str(path))] == []
