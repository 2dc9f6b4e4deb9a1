"""Making calls: to a process over its stdin and stdout, or to the same methods in this process."""

import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from itertools import count
from types import TracebackType
from typing import Protocol, Self

from herma.errors import SidecarError
from herma.rpc.server import Method, answered
from herma.rpc.wire import LONGEST, Call, Fault, line_of, result_of

__all__ = ["Connection", "Process", "Twin"]

_HINT = "run `herma doctor --host opencode`"
_BLOCK = 65_536


class Connection(Protocol):
    """Something that answers calls. Both kinds speak the same bytes."""

    def call(self, method: str, parameters: Mapping[str, object], *, seconds: float = 5) -> object:
        """The result. Raises `SidecarError` where there is none within that time."""
        ...


class Twin:
    """The methods themselves, reached over the wire's lines without a process."""

    def __init__(self, methods: Mapping[str, Method]) -> None:
        self._methods = methods
        self._ids = count(1)

    def call(self, method: str, parameters: Mapping[str, object], *, seconds: float = 5) -> object:  # noqa: ARG002 - the same promise; nothing here waits
        """The result of a method of this process."""
        number = next(self._ids)
        return _result(answered(line_of(Call(method, parameters, number)), self._methods), number)


class Process:
    """A sidecar that this process starts; leaving the block closes its stdin, and kills it if it stays."""

    def __init__(self, command: Sequence[str], *, environ: Mapping[str, str]) -> None:
        """Starts `command`. Raises `SidecarError` where that is impossible."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - a list of arguments, no shell
                list(command), env=dict(environ), cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, bufsize=0,
            )  # fmt: skip
        except OSError as error:
            raise SidecarError(f"{command[0]} cannot be started: {error.strerror}", hint=_HINT) from None
        self._ids = count(1)
        self._rest = b""

    def __enter__(self) -> Self:
        """The process is running already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it."""
        self.close()

    @property
    def pid(self) -> int:
        """Which process it is."""
        return self._process.pid

    def call(self, method: str, parameters: Mapping[str, object], *, seconds: float = 5) -> object:
        """The result. Raises `SidecarError` for a fault, and where none comes within that time."""
        number = next(self._ids)
        line = line_of(Call(method, parameters, number))
        if len(line) > LONGEST:
            raise SidecarError("the call is longer than a line may be", hint=_HINT)
        until = time.monotonic() + seconds
        self._send(line, until)
        while True:
            found = result_of(self._line(until))
            if isinstance(found, Fault) or found[0] == number:
                return _checked(found)

    def close(self, seconds: float = 5) -> int:
        """Close its stdin and wait for its end; the exit code, which is that of a kill where it did not leave."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _send(self, line: bytes, until: float) -> None:
        pipe = self._process.stdin
        assert pipe is not None  # noqa: S101 - it was asked for above
        os.set_blocking(pipe.fileno(), False)
        while line:
            self._wait(pipe.fileno(), until, writing=True)
            try:
                line = line[os.write(pipe.fileno(), line) :]
            except BlockingIOError:
                continue
            except OSError:
                raise SidecarError(self._ended(), hint=_HINT) from None

    def _line(self, until: float) -> bytes:
        pipe = self._process.stdout
        assert pipe is not None  # noqa: S101 - the same
        while b"\n" not in self._rest:
            self._wait(pipe.fileno(), until, writing=False)
            block = os.read(pipe.fileno(), _BLOCK)
            if not block:
                raise SidecarError(self._ended(), hint=_HINT)
            self._rest += block
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _wait(self, descriptor: int, until: float, *, writing: bool) -> None:
        sides: tuple[list[int], list[int]] = ([], [descriptor]) if writing else ([descriptor], [])
        left = until - time.monotonic()
        if left <= 0 or not any(select.select(*sides, [], left)):
            raise SidecarError("the sidecar did not answer in time", hint=_HINT)

    def _ended(self) -> str:
        try:
            return f"the sidecar ended with exit code {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            return "the sidecar closed its pipes"


def _result(line: bytes, number: int) -> object:
    found = result_of(line)
    if not isinstance(found, Fault) and found[0] != number:
        raise SidecarError("the answer is that of another call", hint=_HINT)
    return _checked(found)


def _checked(found: tuple[object, object] | Fault) -> object:
    if isinstance(found, Fault):
        raise SidecarError(f"the sidecar answered: {found.message}", hint=_HINT)
    return found[1]
