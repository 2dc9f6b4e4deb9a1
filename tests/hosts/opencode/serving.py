"""The real `opencode serve`, driven over its HTTP interface.

with Serving(household) as server:
    session = server.session()
    server.say(session, "hello")
"""

import json
import os
import re
import select
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

from tests.hosts import process
from tests.hosts.failure import report, tail
from tests.hosts.opencode.household import PROVIDER, Household
from tests.hosts.wire import MODEL

START_SECONDS = 90
TURN_SECONDS = 90
_LISTENING = re.compile(rb"listening on (http://[\w.:]+)")


class Serving:
    """One running server; leaving the block kills it with all that it started."""

    def __init__(self, household: Household, *, environment: Mapping[str, str] | None = None) -> None:
        self._household = household
        self._environment = household.environment(environment)
        self._open = build_opener(ProxyHandler({})).open
        self.errors = household.folder / "serve.err"

    def __enter__(self) -> Self:
        """Starts it and waits until it listens."""
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [str(self._household.opencode.path), "serve", "--port", "0", "--hostname", "127.0.0.1"],
                cwd=self._household.project, env=self._environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
            )  # fmt: skip
        self.url = self._listening()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it."""
        self.end()

    def end(self) -> None:
        """Kill it, without a chance to say good-bye."""
        process.kill(self.process)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def session(self, *, directory: Path | None = None, parent: str | None = None) -> str:
        """A new session's id."""
        body = {"parentID": parent} if parent else {}
        return str(self.ask("POST", "/session", body, directory=directory)["id"])

    def say(self, session: str, text: str, *, directory: Path | None = None) -> str:
        """One turn, waited for to its end; the text of the answer. A turn that is lost is an `AssertionError`."""
        body = {"parts": [{"type": "text", "text": text}]}
        answer = self.ask("POST", f"/session/{session}/message", body, directory=directory)
        if answer["info"].get("error"):
            raise report(f"the turn was lost: {answer['info']['error']}", tail(self.errors))
        return "".join(part["text"] for part in answer["parts"] if part["type"] == "text")

    def summarize(self, session: str) -> None:
        """Compact the session now."""
        self.ask("POST", f"/session/{session}/summarize", {"providerID": PROVIDER, "modelID": MODEL})

    def ask(self, method: str, path: str, body: object = None, *, directory: Path | None = None) -> Any:
        """One request to the server; its answer as data."""
        headers = {"Content-Type": "application/json"}
        if directory is not None:
            headers["x-opencode-directory"] = quote(str(directory))
        data = None if body is None else json.dumps(body).encode()
        with self._open(Request(self.url + path, data, headers, method=method), timeout=TURN_SECONDS) as answer:  # noqa: S310 - a loopback address
            text = answer.read()
        return json.loads(text) if text else None

    def _listening(self) -> str:
        pipe, said, until = self.process.stdout, b"", time.monotonic() + START_SECONDS
        assert pipe is not None
        while not (found := _LISTENING.search(said)):
            left = until - time.monotonic()
            block = b""
            if left > 0 and select.select([pipe], [], [], left)[0]:
                block = os.read(pipe.fileno(), 4096)
            if not block:
                self.end()
                raise report("opencode serve did not start", said.decode(errors="replace"), tail(self.errors))
            said += block
        return found.group(1).decode()
