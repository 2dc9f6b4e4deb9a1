"""The wheel that is put into a host: of this very version, and nothing else."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from herma import __version__
from herma.errors import SetupError
from herma.install.wheel import NAME, checked, pack
from tests.hosts.hermes import ROOT


def test_the_wheel_of_the_running_herma_is_what_a_build_makes_and_the_same_each_time(tmp_path: Path) -> None:
    for name in ("built", "again"):
        (tmp_path / name).mkdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "built")]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True, timeout=120)

    packed = pack(tmp_path)

    assert packed.read_bytes() == pack(tmp_path / "again").read_bytes()
    ours, theirs = _files(packed), _files(tmp_path / "built" / NAME)
    assert ours.keys() == theirs.keys()
    assert {name for name in ours if ours[name] != theirs[name]} <= {"RECORD", "WHEEL", "METADATA"}
    assert "herma/install/trees/hermes/read-summarizer/plugin.yaml" in ours


def _files(wheel: Path) -> dict[str, str]:
    with ZipFile(wheel) as archive:
        texts = {name.split(".dist-info/")[-1]: archive.read(name).decode() for name in archive.namelist()}
    texts["entry_points.txt"] = "\n".join(sorted(texts["entry_points.txt"].split()))
    return texts


@pytest.mark.parametrize(
    "make, why",
    [
        (lambda path: path.with_name("other.whl").touch(), "there is no "),
        (lambda path: path.write_bytes(b"no zip"), "is not a wheel"),
        (lambda path: _wheel(path, "herma", "9.9"), f"is of herma 9.9, and this is herma {__version__}"),
        (lambda path: _wheel(path, "another", __version__), "is of another "),
    ],
)
def test_another_wheel_is_refused(make: Callable[[Path], object], why: str, tmp_path: Path) -> None:
    make(tmp_path / "w.whl")

    with pytest.raises(SetupError, match=why) as caught:
        checked(tmp_path / "w.whl")

    assert "--from" in caught.value.hint


def _wheel(path: Path, name: str, version: str) -> None:
    with ZipFile(path, "w") as archive:
        archive.writestr("x.dist-info/METADATA", f"Name: {name}\nVersion: {version}\n")
