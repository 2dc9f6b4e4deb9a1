"""The curated memory as a service: the tool, the frozen text of a session, and what a host should log.

Every function takes the person first: there is no memory that is not somebody's.
"""

import json
import os
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import RLock

from herma.core.memory import answers, blocks, configuration, tool
from herma.core.memory.arguments import Request, request
from herma.core.memory.journal import Origin
from herma.core.memory.operations import Applied, Failure, apply, most_losses
from herma.core.memory.settings import SYSTEM
from herma.core.memory.targets import TARGETS
from herma.core.settings import Problem, Resolved
from herma.engine.counters import Counters
from herma.engine.guard import Feature, Guard, Kind
from herma.errors import HermaError, MemoryFailure
from herma.stores.memory.files import look, text_of
from herma.stores.memory.places import folder_of
from herma.stores.memory.store import Done, Store

__all__ = ["Memory", "load_settings", "local_person", "open_memory"]

_MOST_SESSIONS = 1_024
_WRITER = json.JSONEncoder(ensure_ascii=False, check_circular=False)

_FAILED = json.dumps(answers.complaint("The memory could not be used; nothing was saved. Go on without it."))


def local_person() -> str:
    """The operating-system user of this process: the person of a host that has one user only."""
    import pwd  # noqa: PLC0415 - asked once

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"uid{os.geteuid()}"


def load_settings(environ: Mapping[str, str], *, home: str) -> Resolved:
    """The settings in force, from the person's file and these variables. Nothing raises; problems are in it."""
    path = configuration.file_path(environ, home=home)
    try:
        data = look(path).data
        text = None if data is None else text_of(path, data)
    except HermaError as error:
        found = configuration.read(None, environ, home=home, place=path)
        problem = Problem(path, str(error), "the defaults hold until it is put right", fatal=False)
        return found._replace(problems=(problem, *found.problems))
    return configuration.read(text, environ, home=home, place=path)


def open_memory(settings: Resolved, clock: Callable[[], float], *, owner: str | None = None) -> "Memory":
    """The memory that these settings describe, as `load_settings` gives them.

    `clock` gives seconds since the epoch. `owner` is the person whose files lie in `memoryRoot` itself, the
    operating-system user unless another is named; anybody else has a folder below it. Nothing is opened or made here.
    """
    values = settings.values
    root, mine = Path(str(values["memoryRoot"])), owner or local_person()
    limits = {"memory": values["memoryCharLimit"], "user": values["userCharLimit"]}

    def store_of(person: str) -> Store:
        return Store(folder_of(root, person, owner=mine), person, clock)

    return Memory(store_of, {name: int(str(limit)) for name, limit in limits.items()})


class Memory:
    """One memory, for every person and session of a process. Every method may be called from several threads."""

    def __init__(self, store_of: Callable[[str], Store], limits: Mapping[str, int]) -> None:
        self._store_of = store_of
        self.limits: Mapping[str, int] = dict(limits)
        self._stores: dict[str, Store] = {}
        self._rendered: dict[str, tuple[list[bytes | None], str]] = {}
        self._frozen: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._failures: OrderedDict[tuple[str, str], tuple[str, int]] = OrderedDict()
        self._standing: set[str] = set()
        self._waiting: list[str] = []
        self._guard = Guard(Counters())
        self._lock = RLock()

    def tool(self, person: str, *, session: str, turn: str, arguments: Mapping[str, object]) -> str:
        """The answer of the `memory` tool as JSON text: always an object with `success`. Never raises."""
        feature = Feature(SYSTEM, Kind.PERMISSION, _FAILED)
        return self._guard.run(feature, partial(self._tool, person, session, turn, arguments))

    def tool_schema(self) -> dict[str, object]:
        """`{"name", "description", "parameters"}` of the tool; `parameters` is a JSON schema, `required` included."""
        return tool.schema()

    def change(self, person: str, wanted: Request, origin: Origin) -> Done:
        """Carry out a request. A pass in the background may lose only so much of a list.

        Raises `MemoryFailure` where the file cannot be read or written.
        """

        def decide(entries: tuple[str, ...]) -> Applied | Failure:
            losses = most_losses(entries) if origin.by == "background" else None
            return apply(entries, wanted.operations, limit=self.limits[wanted.target], losses=losses)

        return self.store(person).change(wanted.target, decide, origin)

    def system(self, person: str, *, session: str, parent: str | None = None) -> str:
        """The text for the session's own requests, guidance and then blocks: the same bytes each time. Never raises.

        The first call of a session freezes it. A child session has its parent's. "" only where memory cannot be had.
        """
        feature = Feature(SYSTEM, Kind.ECONOMY, "")
        return self._guard.run(feature, partial(self._system, person, session, parent))

    def session_started(self, person: str, *, session: str, parent: str | None = None) -> None:
        """Freeze the session's text, unless it has been already. Never raises."""
        self.system(person, session=session, parent=parent)

    def session_deleted(self, person: str, *, session: str) -> None:
        """Forget the session's frozen text. Never raises."""
        self._guard.run(Feature(SYSTEM, Kind.ECONOMY, None), partial(self._forget, person, session))

    def turn_started(self, person: str, *, session: str) -> None:
        """A new message of the person: failed attempts are counted anew. Never raises."""
        with self._lock:
            self._failures.pop((person, session), None)

    def warnings(self) -> tuple[str, ...]:
        """What has gone wrong since the last call, for the host's log: each line once while it stays true."""
        with self._lock:
            found, self._waiting = tuple(self._waiting), []
            return found

    def store(self, person: str) -> Store:
        """The files of this person."""
        with self._lock:
            if person not in self._stores:
                self._stores[person] = self._store_of(person)
            return self._stores[person]

    def snapshot(self, person: str) -> str:
        """The text that a session which began now would get."""
        store = self.store(person)
        try:
            raw = [store.raw(name).data for name in TARGETS]
        except MemoryFailure:
            return self._render(person, store)
        kept = self._rendered.get(person)
        if kept is not None and kept[0] == raw:
            return kept[1]
        text = self._render(person, store)
        with self._lock:
            self._rendered[person] = (raw, text)
        return text

    def _render(self, person: str, store: Store) -> str:
        """Scan and lay out both lists, and record what was changed by hand."""
        return blocks.frozen([self._block(person, store, name) for name in TARGETS])

    def _block(self, person: str, store: Store, name: str) -> str:
        """The block of one list, or the sentence that stands for it where its file cannot be read."""
        subject = f"{person}: {TARGETS[name].file}"
        try:
            entries = store.entries(name)
        except MemoryFailure as error:
            self._warn(subject, str(error))
            return blocks.unreadable(name, "it is not the text that it should be")
        self._settle(subject)
        try:
            store.notice(name)
        except MemoryFailure as error:
            self._warn(f"{person}: journal", str(error))
        return blocks.block(name, entries, self.limits)

    def _tool(self, person: str, session: str, turn: str, arguments: Mapping[str, object]) -> str:
        wanted = request(arguments)
        if isinstance(wanted, str):
            answer = answers.complaint(wanted)
        else:
            answer = self._answer(person, wanted, Origin("tool", session, turn))
        if answer["success"]:
            self.turn_started(person, session=session)
        else:
            failures = self._count(person, session, turn)
            answer = answer if failures <= answers.MOST_FAILURES else answers.given_up(failures)
        return _WRITER.encode(answer).encode("utf-8", "backslashreplace").decode("utf-8")

    def _answer(self, person: str, wanted: Request, origin: Origin) -> dict[str, object]:
        limit = self.limits[wanted.target]
        try:
            done = self.change(person, wanted, origin)
        except MemoryFailure as error:
            self._warn(f"{person}: {TARGETS[wanted.target].file}", str(error))
            return answers.complaint(f"Nothing was saved: {error}. Tell the person: {error.hint}.")
        if isinstance(done.outcome, Failure):
            return answers.failed(wanted, done.outcome, done.before, limit)
        return answers.saved(wanted, done.before, done.outcome, limit)

    def _count(self, person: str, session: str, turn: str) -> int:
        """One more failed attempt in this turn."""
        with self._lock:
            known, failures = self._failures.pop((person, session), (turn, 0))
            failures = failures + 1 if known == turn else 1
            self._failures[person, session] = (turn, failures)
            if len(self._failures) > _MOST_SESSIONS:
                self._failures.popitem(last=False)
            return failures

    def _system(self, person: str, session: str, parent: str | None) -> str:
        if not session:
            return self.snapshot(person)
        key = (person, session)
        with self._lock:
            text = self._frozen.get(key)
            if text is None:
                text = self._freeze(person, session, parent)
                self._frozen[key] = text
                if len(self._frozen) > _MOST_SESSIONS:
                    self._frozen.popitem(last=False)
            return text

    def _freeze(self, person: str, session: str, parent: str | None) -> str:
        kept = self.store(person).snapshots
        text = kept.get(session)
        if text is not None:
            return text
        text = self._system(person, parent, None) if parent and parent != session else self.snapshot(person)
        try:
            return kept.freeze(session, text)
        except OSError as error:
            self._warn(f"{person}: sessions", f"the text of a session could not be kept: {error.strerror}")
            return text

    def _forget(self, person: str, session: str) -> None:
        with self._lock:
            self._frozen.pop((person, session), None)
            self._failures.pop((person, session), None)
        if session:
            self.store(person).snapshots.drop(session)

    def _warn(self, subject: str, text: str) -> None:
        line = f"{subject}: {text}"
        with self._lock:
            if line not in self._standing:
                self._standing.add(line)
                self._waiting.append(line)

    def _settle(self, subject: str) -> None:
        """What was wrong with this is put right; if it goes wrong again, that is said again."""
        with self._lock:
            self._standing = {line for line in self._standing if not line.startswith(f"{subject}: ")}
