"""The recall plugin: one tool that finds each person's own past conversations in a gateway that people share.

Whose call it is says manyhands, in the same process; without it nobody's past can be known, and nothing is opened.
Nothing is opened before the first question either, and no hook waits for it.
"""

import atexit
import json
import logging
import os
from collections.abc import Mapping
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from herma.app import Runtime, runtime
from herma.core.people.tools import RECALL
from herma.engine.guard import Feature, Guard, Kind
from herma.hosts.hermes import configuration

if TYPE_CHECKING:
    from herma.engine.people.past import Spans
    from herma.engine.recall import Recall
    from herma.hosts.hermes.people.past import Asker

__all__ = ["PLUGIN", "register"]

PLUGIN = "recall"
NEEDS = "manyhands"

_log = logging.getLogger("herma")

(_TOOL,) = RECALL
_NUDGE = """\
When they refer to something from before, or when what you need may have been said already, search first and ask only \
for what is not found. In a room that several people share only that room's past is searched."""
_FAILED = "Past conversations could not be searched. Go on without them."
_ALONE = f"past conversations can be searched only where {NEEDS} says whose they are, and it is not in force here"
_ROOM = "this room alone, for everybody in it can read what is found here; other conversations only in a direct chat"


class RecallContext(Protocol):
    """The part of Hermes' plugin context that this plugin uses."""

    def register_tool(self, **kwargs: object) -> object:
        """Register a tool."""
        ...


def register(ctx: RecallContext) -> None:
    """Register with Hermes."""
    from herma.core.recall.tool import schema  # noqa: PLC0415 - only its words are needed, and only here

    home = configuration.home()
    shared = runtime(home, configuration.profile(home))
    plugin = shared.part(PLUGIN, lambda: Past(shared))
    told = schema()
    about = f"{told['description']}\n\n{_NUDGE}"
    ctx.register_tool(
        name=_TOOL,
        toolset=PLUGIN,
        schema={**told, "name": _TOOL, "description": about},
        handler=plugin.handle,
        check_fn=plugin.is_available,
        description=about,
    )


class Past:
    """The tool of one home and profile. Thread-safe; nothing raises."""

    def __init__(self, shared: Runtime) -> None:
        self._shared = shared
        self._guard = Guard(shared.counters)
        self._lock = RLock()
        self._recall: Recall | None = None
        self._answering = 0
        self._asking: ContextVar[_Question | None] = ContextVar("herma_recall_question", default=None)

    def is_available(self) -> bool:
        """Whether it can be known here whose past is whose."""
        return self._shared.known(NEEDS) is not None

    def handle(self, args: Any = None, **_payload: Any) -> str:
        """The answer to the person of the call that runs on this thread."""
        closed: Feature[str] = Feature(PLUGIN, Kind.PERMISSION, _refused(_FAILED))
        return self._guard.run(closed, partial(self._answer, args if isinstance(args, Mapping) else {}))

    def close(self) -> None:
        """Let go of the index. Where a question is being answered it leaves with the process: it is a cache."""
        with self._lock:
            if self._recall is not None and not self._answering:
                self._recall.close()
                self._recall = None

    def _answer(self, args: Mapping[str, object]) -> str:
        from herma.hosts.hermes.people.calling import CALLING  # noqa: PLC0415 - not when the host starts
        from herma.hosts.hermes.people.household import Household  # noqa: PLC0415 - the same
        from herma.hosts.hermes.people.past import asker  # noqa: PLC0415 - the same

        household = self._shared.known(NEEDS)
        if not isinstance(household, Household):
            return _refused(_ALONE)
        found = asker(household, CALLING.get())
        if isinstance(found, str):
            return _refused(found)
        answer = self._searched(found, args)
        return answer if found.room is None else f'{{"searched": {json.dumps(_ROOM)}, {answer[1:]}'

    def _searched(self, asker: "Asker", args: Mapping[str, object]) -> str:
        with self._lock:
            recall = self._opened()
            self._answering += 1
        token = self._asking.set(_Question(asker, self._database))
        try:
            answer = recall.tool(asker.person_id, session=asker.session_id, arguments=args)
        finally:
            self._asking.reset(token)
            with self._lock:
                self._answering -= 1
        for line in recall.warnings():
            _log.warning("%s: %s", PLUGIN, line)
        return answer

    def _spans(self, person_id: str) -> "Spans":
        """What the question that runs on this thread may look into: of nobody but the one who asks it."""
        question = self._asking.get()
        return question.spans() if question is not None and question.asker.person_id == person_id else []

    @property
    def _database(self) -> Path:
        return Path(self._shared.home, "state.db")

    def _opened(self) -> "Recall":
        from herma.engine.recall import Host, open_recall  # noqa: PLC0415 - not when the host starts
        from herma.stores.recall.place import place_of  # noqa: PLC0415 - the same
        from herma.stores.sessions.detect import HERMES  # noqa: PLC0415 - the same
        from herma.stores.sessions.reader import open_sessions  # noqa: PLC0415 - the same

        if self._recall is None:
            index = place_of(self._database, HERMES, environ=os.environ, home=Path.home())
            host = Host(HERMES, frame=NEEDS)
            self._recall = open_recall(lambda: open_sessions(self._database), index, host, spans=self._spans)
            atexit.register(self.close)
        return self._recall


class _Question:
    """One call: what it may look into is found out once, when the index is up to date."""

    def __init__(self, asker: "Asker", database: Path) -> None:
        self.asker = asker
        self._database = database
        self._spans: Spans | None = None

    def spans(self) -> "Spans":
        """As `past` says it."""
        from herma.stores.sessions.openings import Openings  # noqa: PLC0415 - not when the host starts

        if self._spans is None:
            self._spans = self.asker.spans(lambda: Openings(self._database))
        return self._spans


def _refused(why: str) -> str:
    return json.dumps({"success": False, "error": why}, ensure_ascii=False)
