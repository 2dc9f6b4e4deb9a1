"""The record of what was set up."""

import fcntl
import os
import stat
from pathlib import Path

import pytest

from herma.errors import ReceiptError
from herma.install.changes import Change
from herma.install.edits import Edit
from herma.install.machine import Machine
from herma.install.receipt import Receipt, Receipts
from herma.install.steps import Aside, File, Package, Step, Tree

STEPS: tuple[Step, ...] = (
    Package("/env/bin/python", "1.0", found=None, program="/bin/uv", wheel="/w.whl", over="repair"),
    Aside("/home/plugins/a", "/home/plugins.herma-1.bak/a", made=("/home/plugins.herma-1.bak",)),
    Tree("a", "/home/plugins/a", {"plugin.yaml": "00"}, made=("/home/plugins",)),
    File(
        "/home/config.yaml",
        "yaml",
        before=None,
        after="11",
        edits=(Edit(0, "", "é\n"), Edit(3, "false", "true")),
        undo=(Change("unlist", ("plugins", "enabled"), "a"), Change("drop", ("a", "b"), only_if="true")),
        backup="/home/config.yaml.herma-1.bak",
    ),
)


@pytest.fixture
def receipts(tmp_path: Path) -> Receipts:
    """The receipts of somebody who has none yet."""
    return Receipts(Machine({}, tmp_path, tmp_path))


def test_every_kind_of_step_is_read_as_it_was_written(receipts: Receipts) -> None:
    receipt = Receipt("/env", "/env/bin/python")
    for step in STEPS:
        receipt = receipt.begun(step).done()
    receipt = receipt.begun(STEPS[0])

    with receipts.alone():
        receipts.write(receipt)

    assert receipts.all() == [receipt]
    assert receipts.of(Path("/env")) == receipt
    assert receipts.of(Path("/other")) is None
    assert [entry.done for entry in receipt.entries] == [True, True, True, True, False]


def test_only_its_owner_can_read_it(receipts: Receipts, tmp_path: Path) -> None:
    with receipts.alone():
        receipts.write(Receipt("/env", "/env/bin/python").begun(STEPS[0]))

    assert receipts.folder == tmp_path / ".local" / "state" / "herma" / "receipts"
    assert stat.S_IMODE(receipts.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(receipts.path("/env").stat().st_mode) == 0o600


def test_one_without_steps_is_deleted_and_leaves_no_folder(receipts: Receipts) -> None:
    receipt = Receipt("/env", "/env/bin/python").begun(STEPS[0])
    with receipts.alone():
        receipts.write(receipt)
    with receipts.alone():
        receipts.write(receipt.without([STEPS[0]]))

    assert not receipts.folder.parent.exists()


def test_another_folder_for_state_is_taken_if_it_is_a_whole_path(tmp_path: Path) -> None:
    assert Receipts(Machine({"XDG_STATE_HOME": "/s"}, tmp_path, tmp_path)).folder == Path("/s/herma/receipts")
    assert Receipts(Machine({"XDG_STATE_HOME": "s"}, tmp_path, tmp_path)).folder.is_relative_to(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": "herma/receipt/1", "entries": [{"kind": "other", "done": true}]}', "\xff"]
)
def test_one_that_cannot_be_read_is_an_error_with_its_path(text: str, receipts: Receipts) -> None:
    receipts.folder.mkdir(parents=True)
    (receipts.folder / "hermes-1.json").write_text(text, encoding="latin-1")

    with pytest.raises(ReceiptError, match=r"hermes-1\.json cannot be read") as caught:
        receipts.all()

    assert "by hand" in caught.value.hint


def test_one_of_another_version_is_not_guessed_at(receipts: Receipts) -> None:
    receipts.folder.mkdir(parents=True)
    (receipts.folder / "hermes-1.json").write_text('{"schema": "herma/receipt/2"}', encoding="utf-8")

    with pytest.raises(ReceiptError, match="another version"):
        receipts.all()


def test_two_at_a_time_are_refused(receipts: Receipts) -> None:
    receipts.folder.mkdir(parents=True)
    lock = os.open(receipts.folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)

    with pytest.raises(ReceiptError, match="another herma"), receipts.alone():
        pass

    os.close(lock)
    with receipts.alone():
        pass


def test_what_a_run_left_that_was_cut_off_is_cleared_up(receipts: Receipts) -> None:
    receipts.folder.mkdir(parents=True)
    (receipts.folder / ".hermes-1.json.herma-tmp").touch()

    with receipts.alone():
        pass

    assert not receipts.folder.exists()
