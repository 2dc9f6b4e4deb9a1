"""The sidecar processes of a host, as the system shows them."""

import os
import select
import signal
from contextlib import suppress
from pathlib import Path


def sidecars_of(host: int) -> list[int]:
    """The processes that the host started and that answer its plugin."""
    return [pid for pid in _children(host) if b"\0rpc\0" in _command(pid)]


def wait_for_end(pid: int, *, timeout: float = 20) -> bool:
    """Block until a process is gone; whether it is."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], timeout)[0])
    finally:
        os.close(descriptor)


def kill(pid: int) -> None:
    """Kill it and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    assert wait_for_end(pid)


def _children(host: int) -> list[int]:
    listed = (path.read_text() for path in Path(f"/proc/{host}/task").glob("*/children"))
    return sorted({int(pid) for text in listed for pid in text.split()})


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
