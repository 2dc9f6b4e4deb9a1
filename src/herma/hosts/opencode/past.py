"""Past conversations of OpenCode for its model: opened at the first question, and never waited for very long."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from herma.core.recall import tool

if TYPE_CHECKING:
    from herma.engine.recall import Recall

__all__ = ["Past", "open_past"]

# The plugin gives the text of any session two seconds, and ends a sidecar that does not answer.
_SECONDS = 1.5
_NOT_YET = json.dumps(
    {
        "success": False,
        "error": "Past conversations are still being read into their index. That goes on by itself: "
        "go on without them, and ask again in a minute.",
    }
)


def open_past(database: Path, *, environ: Mapping[str, str], home: Path) -> "Past":
    """The past in OpenCode's `database`, whether that is there already or not. Nothing is opened or made here."""

    def begin() -> "Recall":
        # These cost more than the whole start of a sidecar, and many a conversation never asks.
        from herma.engine.recall import Host, open_recall  # noqa: PLC0415
        from herma.stores.recall.place import place_of  # noqa: PLC0415
        from herma.stores.sessions.detect import OPENCODE  # noqa: PLC0415
        from herma.stores.sessions.reader import open_sessions  # noqa: PLC0415

        index = place_of(database, OPENCODE, environ=environ, home=home)
        host = Host(OPENCODE, link="@session/local/{}".format)
        return open_recall(lambda: open_sessions(database), index, host, spans=None)

    return Past(begin)


class Past:
    """The tool `session_search` of one OpenCode. `begin` makes the service behind it, at the first question."""

    def __init__(self, begin: Callable[[], "Recall"], *, seconds: float = _SECONDS) -> None:
        self._begin = begin
        self._seconds = seconds
        self._recall: Recall | None = None
        self._asking: Thread | None = None

    def tool_schema(self) -> dict[str, object]:
        """`{"name", "description", "parameters"}` of the tool."""
        return tool.schema()

    def tool(self, person: str, *, session: str, arguments: Mapping[str, object]) -> str:
        """The answer as JSON text. Where there is none in time it says so, and the index is made ready meanwhile."""
        recall = self._recall = self._recall or self._begin()
        until = monotonic() + self._seconds
        answers: list[str] = []
        if self._idle(until):
            # It leaves with the process, in the middle of a transaction too: the index is a cache.
            self._asking = Thread(
                target=lambda: answers.append(recall.tool(person, session=session, arguments=arguments)), daemon=True
            )
            self._asking.start()
            self._idle(until)
        return answers[0] if answers else _NOT_YET

    def warnings(self) -> tuple[str, ...]:
        """What has gone wrong since the last call, for the log."""
        return self._recall.warnings() if self._recall else ()

    def _idle(self, until: float) -> bool:
        """Whether no question is being answered any more, at that time at the latest."""
        if self._asking is None:
            return True
        self._asking.join(max(0.0, until - monotonic()))
        return not self._asking.is_alive()
