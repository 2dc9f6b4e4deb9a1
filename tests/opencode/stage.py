"""Node, playing OpenCode to the plugin."""

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import pytest

from tests.hosts.opencode.program import SHIM

_DOUBLE = Path(__file__).parent / "double.mjs"
_SECONDS = 60


class Reply(NamedTuple):
    """What an act returned, and how many milliseconds it took."""

    result: Any
    ms: float


class Stage:
    """One process of the double; `command` is what HERMA_COMMAND names, and `plugin` another copy of the file."""

    def __init__(self, home: Path, *, command: str | None = None, plugin: Path | None = None) -> None:
        node = shutil.which("node")
        if node is None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no node on PATH")
        environment = {
            "HOME": str(home),
            "PATH": os.defpath,
            "HERMA_COMMAND": sys.executable if command is None else command,
            "PLUGIN": (plugin or SHIM / "index.js").as_uri(),
        }
        self._errors = home / "stderr"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [node, str(_DOUBLE), "run"],
                env=environment, cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
            )  # fmt: skip
        self._rest = b""

    def __enter__(self) -> Self:
        """It runs already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def act(self, act: str, /, **given: object) -> Any:
        """What an act returns."""
        return self.timed(act, given).result

    def timed(self, act: str, given: Mapping[str, object]) -> Reply:
        """The same with its time. An exception is a failure of the test: no hook may throw."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({**given, "act": act}).encode() + b"\n")
        reply = json.loads(self._line())
        assert "thrown" not in reply, reply["thrown"]
        return Reply(reply["result"], reply["ms"])

    def lines(self) -> list[str]:
        """What a person has seen of the plugin on stderr."""
        return [line for line in self._errors.read_text("utf-8").splitlines() if line.startswith("herma: ")]

    def _line(self) -> bytes:
        pipe = self._process.stdout
        assert pipe is not None
        while b"\n" not in self._rest:
            assert select.select([pipe], [], [], _SECONDS)[0], "the double does not answer"
            block = os.read(pipe.fileno(), 65_536)
            assert block, self._errors.read_text("utf-8")
            self._rest += block
        line, _, self._rest = self._rest.partition(b"\n")
        return line
