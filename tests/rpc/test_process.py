"""The real `herma rpc`, as hosts start it."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from herma import __version__
from herma.errors import SidecarError
from herma.rpc.client import Process

COMMAND = [sys.executable, "-I", "-m", "herma", "rpc"]


@pytest.fixture
def sidecar(tmp_path: Path) -> Iterator[Process]:
    with Process(COMMAND, environ={"HOME": str(tmp_path)}) as process:
        yield process


def test_it_says_who_it_is_and_brings_its_tools(sidecar: Process) -> None:
    about = sidecar.call("hello", {"protocol": 1})
    assert isinstance(about, dict)
    assert (about["protocol"], about["herma"]) == (1, __version__)
    assert [tool["name"] for tool in about["tools"]] == ["memory", "session_search"]


def test_it_leaves_when_its_stdin_ends(tmp_path: Path) -> None:
    with Process(COMMAND, environ={"HOME": str(tmp_path)}) as process:
        process.call("hello", {"protocol": 1})
        assert process.close() == 0


def test_an_interrupt_at_the_terminal_of_the_host_does_not_end_it(sidecar: Process) -> None:
    sidecar.call("hello", {"protocol": 1})
    os.kill(sidecar.pid, signal.SIGINT)
    assert sidecar.call("hello", {"protocol": 1})


def test_one_that_stands_still_is_given_up_at_the_deadline(sidecar: Process) -> None:
    sidecar.call("hello", {"protocol": 1})
    os.kill(sidecar.pid, signal.SIGSTOP)
    with pytest.raises(SidecarError, match="in time"):
        sidecar.call("hello", {"protocol": 1}, seconds=0.2)
    with pytest.raises(SidecarError, match="in time"):  # the pipe is full before the line is in it
        sidecar.call("system", {"session": "s", "base": "x" * 900_000}, seconds=0.2)
    os.kill(sidecar.pid, signal.SIGCONT)
    sidecar.close()


def test_a_program_that_ends_or_is_not_there_is_an_error_with_its_reason(tmp_path: Path) -> None:
    with Process(["/bin/false"], environ={}) as process, pytest.raises(SidecarError, match="exit code 1"):
        process.call("hello", {})
    with pytest.raises(SidecarError, match="cannot be started"):
        Process([str(tmp_path / "nothing")], environ={})


def test_looking_writes_nothing(sidecar: Process, tmp_path: Path) -> None:
    sidecar.call("hello", {"protocol": 1, "look": True})
    assert list(tmp_path.iterdir()) == []
