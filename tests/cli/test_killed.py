"""Setting up and removing, killed half way: the next run finishes cleanly."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Herma
from tests.cli.folders import receipts, tree
from tests.install.environment import launcher

# Runs herma, and dies before the n-th time that it would rename a file or make one.
DIES = """
import os, signal, sys
left = int(sys.argv.pop(1))
def watch(event, arguments):
    global left
    if event == "os.rename" or (event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_EXCL):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
from herma.cli.main import main
sys.addaudithook(watch)
sys.exit(main(sys.argv[1:]))
"""

# In the place of pip: kills whoever called it, and itself, before the first file whose path ends in `victim` is there.
PIP_DIES = """
import os, runpy, signal, sys
def watch(event, arguments):
    if event == "open" and str(arguments[0]).endswith({victim!r}) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
del sys.modules["pip"]
sys.path.insert(0, {real!r})
sys.addaudithook(watch)
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""


def _dies(point: int, tmp_path: Path, *arguments: str) -> int:
    command = [sys.executable, "-c", DIES, str(point), *arguments]
    return subprocess.run(command, env={"HOME": str(tmp_path)}, capture_output=True, check=False, timeout=60).returncode


@pytest.mark.parametrize("then_setup", [False, True])
def test_killed_at_any_point_it_is_finished_or_taken_out_by_the_next_run(
    then_setup: bool,  # noqa: FBT001 - parametrized
    ready: Path,
    tmp_path: Path,
    herma: Herma,
) -> None:
    theirs = tmp_path / ".hermes" / "plugins" / "read-once"
    theirs.mkdir(parents=True)
    (theirs / "plugin.yaml").write_text("name: read-once\n", encoding="utf-8")
    before = tree(tmp_path / ".hermes")
    arguments = ("setup", "--yes", "--hermes", str(ready), "--hits", "--read-once-root", "/")
    point = int(then_setup)
    while (code := _dies(point, tmp_path, *arguments)) == -signal.SIGKILL:
        point += 3
        if then_setup:
            again = herma(*arguments)
            assert again.code == 0, (point, again.out)
            assert herma("doctor", "--hermes", str(ready)).code == 0
        removed = herma("remove", "--yes")
        assert removed.code == 0, (point, removed.out)
        assert tree(tmp_path / ".hermes") == before, point
        assert not receipts(tmp_path).exists(), point
    assert code == 0
    assert point > 20


def test_a_removal_that_is_killed_at_any_point_is_finished_by_the_next(
    ready: Path, tmp_path: Path, herma: Herma
) -> None:
    before = tree(tmp_path / ".hermes")
    point, code = 0, -signal.SIGKILL
    while code == -signal.SIGKILL:
        assert herma("setup", "--yes", "--hermes", str(ready), "--hits", "--read-once-root", "/").code == 0
        code = _dies(point, tmp_path, "remove", "--yes")
        point += 2
        removed = herma("remove", "--yes")
        assert removed.code == 0, (point, removed.out)
        assert tree(tmp_path / ".hermes") == before, point
    assert code == 0
    assert point > 6


@pytest.mark.parametrize("victim", ["herma/core/visible.py", "dist-info/entry_points.txt", "dist-info/RECORD"])
@pytest.mark.parametrize("then_setup", [False, True])
def test_killed_while_pip_is_at_it_the_next_run_leaves_nothing_behind(
    victim: str,
    then_setup: bool,  # noqa: FBT001 - parametrized
    fresh: Path,
    tmp_path: Path,
    herma: Herma,
) -> None:
    before = tree(fresh, tmp_path / ".hermes")
    (pip,) = fresh.glob("lib/*/site-packages/pip")
    (tmp_path / "real").mkdir()
    pip.rename(tmp_path / "real" / "pip")
    launcher(pip / "__main__.py", PIP_DIES.format(victim=victim, real=str(tmp_path / "real")))
    (pip / "__init__.py").touch()

    code = _dies(1000, tmp_path, "setup", "--yes", "--hermes", str(fresh))
    shutil.rmtree(pip)
    (tmp_path / "real" / "pip").rename(pip)
    if then_setup:
        again = herma("setup", "--yes", "--hermes", str(fresh))
        assert again.code == 0, again.out
        assert herma("doctor", "--hermes", str(fresh)).code == 0
    removed = herma("remove", "--yes")

    assert code == -signal.SIGKILL
    assert removed.code == 0, removed.out
    assert tree(fresh, tmp_path / ".hermes") == before
