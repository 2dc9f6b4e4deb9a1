"""A conversation of a model with Hermes, as far as read-once sees it.

`Hermes` answers `read_file` as the versions do (their recorded answers are compared elsewhere), with their own memory
of reads: the second of the same is answered with "unchanged", the third with an error, by time of change alone on 0.19.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.core.reading.fake_hermes import DEFAULT_LIMITS, FakeHermes

from herma.core.reading.events import ToolFacts
from herma.engine.counters import Counters
from herma.engine.once import SYSTEM, Once
from herma.engine.reads import Call, OnceSettings

UNCHANGED = "File unchanged since last read."
Key = tuple[str, str, int, int]


class Served(NamedTuple):
    """What the host remembers of a read: the file's state then, and its answers without content since."""

    state: object
    repeats: int = 0


class Hermes:
    """The host's side: files, its memory of reads, and who stands between a call and the tool."""

    def __init__(self, version: str = "0.22.2", *, forgetful: bool = True) -> None:
        self.version = version
        self.forgetful = forgetful
        self.backend: str | None = None
        self.veto: Callable[[str], str | None] = lambda _path: None
        self.transform: Callable[[str], str] = lambda text: text
        self.during: Callable[[], object] = lambda: None
        self.reads = 0
        self._served: dict[Key, Served] = {}
        self._row: dict[str, tuple[Key, int]] = {}

    def facts(self) -> ToolFacts:
        """What this version's schema says."""
        return ToolFacts(DEFAULT_LIMITS[self.version], 2_000)

    def elsewhere(self) -> str | None:
        """What the backend signals say."""
        return self.backend

    def forget(self, task: str) -> bool:
        """Both functions of the host, where it has them."""
        if self.forgetful:
            self.compacted(task)
            self.calm(task)
        return self.forgetful

    def calm(self, task: str) -> bool:
        """The host's start of a new count."""
        if self.forgetful:
            self._row.pop(task, None)
            self._served = {
                key: served._replace(repeats=0) if key[0] == task else served for key, served in self._served.items()
            }
        return self.forgetful

    def compacted(self, task: str) -> None:
        """What the host itself does after it has summarised a conversation."""
        self._served = {key: served for key, served in self._served.items() if key[0] != task}

    def read(self, task: str, arguments: Mapping[str, Any]) -> str:
        """The answer to a read, as JSON."""
        self.reads += 1
        self.during()
        path = str(arguments["path"])
        offset = max(1, int(arguments.get("offset") or 1))
        limit = min(int(arguments.get("limit") or DEFAULT_LIMITS[self.version]), 2_000)
        refusal = self.veto(path)
        if refusal is not None:
            return json.dumps({"error": refusal})
        key = (task, os.path.realpath(path), offset, limit)
        return self.transform(self._repeat(key, path) or self._content(key, path))

    def _repeat(self, key: Key, path: str) -> str | None:
        served = self._served.get(key)
        if served is None or served.state != self._state(path):
            return None
        self._served[key] = served._replace(repeats=served.repeats + 1)
        if served.repeats >= 1:
            text = f"BLOCKED: You have called read_file on this exact region {served.repeats + 2} times"
            return json.dumps({"error": text, "path": path, "already_read": served.repeats + 2})
        note = {"status": "unchanged", "message": UNCHANGED, "path": path, "dedup": True, "content_returned": False}
        return json.dumps(note)

    def _content(self, key: Key, path: str) -> str:
        task, _, offset, limit = key
        page = FakeHermes(Path(path).read_bytes().decode("utf-8", "replace"), self.version).page(offset, limit)
        page["file_size"] = Path(path).stat().st_size
        before, times = self._row.get(task, (key, 0))
        times = times + 1 if before == key else 1
        self._row[task] = (key, times)
        self._served[key] = Served(self._state(path))
        if times >= 4:
            return json.dumps({"error": f"BLOCKED: {times} times in a row", "path": path, "already_read": times})
        if times >= 3:
            page["_warning"] = f"You have read this exact file region {times} times consecutively."
        return json.dumps(page, ensure_ascii=False)

    def _state(self, path: str) -> object:
        found = Path(path).stat()
        if self.version == "0.19.0":
            return found.st_mtime
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


class Conversation:
    """One session. `messages` are the results that a request holds, `named` the latest call that each came from.

    A turn has one task and any number of requests.
    """

    def __init__(  # noqa: PLR0913 - what a conversation runs on
        self,
        once: Once,
        hermes: Hermes,
        root: Path,
        *,
        session: str = "session",
        fork: str = "",
        hits: bool = True,
        renews_task: bool = False,
    ) -> None:
        self.once = once
        self.hermes = hermes
        self.settings = OnceSettings(str(root), hits)
        self.session = session
        self.task = session
        self.messages: list[str] = []
        self.named: dict[str, str] = {}
        self.sent: list[str] = []
        self._fork = fork
        self._renews_task = renews_task
        self._turns = 0
        self._calls = 0
        self._request = ""
        self.next_turn()

    @property
    def turn(self) -> str:
        """The id of the turn."""
        return f"{self.session}{self._fork}:{self._turns}"

    def next_turn(self) -> None:
        """The person writes again."""
        self._turns += 1
        if self._renews_task:
            self.task = f"{self.session}-task-{self._turns}"

    def ask(self) -> None:
        """Sends a request with all messages; what the model calls next comes out of it."""
        self._calls += 1
        self._request = f"{self.turn}:api:{self._calls}"
        self.sent = list(self.messages)
        messages = [
            {"role": "tool", "tool_call_id": self.named.get(text, "altered"), "content": text} for text in self.sent
        ]
        self.once.saw(self.session, self.task, self._request, {"messages": messages})

    def call(self, path: Path | str, **arguments: Any) -> Call:
        """The call of a read that the latest request has led to."""
        self._calls += 1
        return Call(
            {"path": str(path), **arguments},
            self.session,
            self.task,
            self.turn,
            self._request,
            f"{self.session}{self._fork}-call-{self._calls}",
            may_answer=self.hermes.version == "0.19.0",
        )

    def run(self, call: Call) -> str:
        """What the model gets for a call: the plugin around the host, as its middleware does it."""
        if call.may_answer and (refusal := self.hermes.veto(str(call.arguments["path"]))) is not None:
            return json.dumps({"error": refusal})  # the gate ran before the middleware
        plan = self.once.before(call, self.settings, self.hermes)
        if isinstance(plan, str):
            return plan
        result = self.hermes.read(call.task, call.arguments)
        text = result if plan is None else str(self.once.after(plan, result, self.hermes))
        if is_content(text):
            self.named[text] = call.call_id
        return text

    def read(self, path: Path | str, **arguments: Any) -> str:
        """Asks the model, which reads a file; the result is in the next request."""
        self.ask()
        text = self.run(self.call(path, **arguments))
        self.messages.append(text)
        return text

    def compact(self) -> None:
        """The host replaces every result by a line, and forgets its own record."""
        self.messages = [f"[read_file] a result of {len(text)} characters" for text in self.messages]
        self.hermes.compacted(self.task)


class Bench(NamedTuple):
    """A service of its own with its counters, and a folder as its root."""

    counters: Counters
    once: Once
    root: Path

    def talk(self, hermes: Hermes | None = None, **more: Any) -> Conversation:
        """A conversation on it."""
        return Conversation(self.once, hermes or Hermes(), self.root, **more)

    def reasons(self) -> dict[str, int]:
        """What was counted."""
        return self.counters.reasons(SYSTEM)


def bench(root: Path) -> Bench:
    """A fresh service."""
    counters = Counters()
    return Bench(counters, Once(counters), root)


def is_note(text: str) -> bool:
    """True for the note."""
    return text.startswith("You have this already: ")


def is_content(text: str) -> bool:
    """True for a page of the host with something in it."""
    return text.startswith("{") and "content" in json.loads(text)
