"""One at a time, and never for ever."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from herma.errors import Conflict
from herma.stores.memory.lock import alone

HOLDS = """
import sys
from herma.stores.memory.lock import alone
with alone(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def _holder(path: Path) -> subprocess.Popen[str]:
    held = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert held.stdout is not None
    assert held.stdout.readline() == "held\n"
    return held


def test_a_lock_that_another_process_keeps_is_a_conflict_after_a_while(tmp_path: Path) -> None:
    holder = _holder(tmp_path / "lock")
    with pytest.raises(Conflict, match=r"held .* for 0\.1 seconds"), alone(str(tmp_path / "lock"), patience=0.1):
        pytest.fail("the lock was had twice")
    holder.kill()
    holder.communicate(timeout=30)


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    holder = _holder(tmp_path / "lock")
    holder.kill()
    holder.communicate(timeout=30)
    with alone(str(tmp_path / "lock"), patience=0.1):
        pass


def test_the_lock_file_is_private_and_its_folder_is_made(tmp_path: Path) -> None:
    with alone(str(tmp_path / "new" / "lock")):
        pass
    assert stat.S_IMODE((tmp_path / "new" / "lock").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
