"""What passes between a host and read-once: a call, the settings, the plan for a read, and the host's port."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from herma.core.reading.events import ToolFacts
from herma.core.reading.repeat import Entry, Want
from herma.core.reading.request import ReadKey
from herma.engine.scopes import Scope
from herma.stores.rooted import Content

__all__ = ["Call", "OnceSettings", "Plan", "Reads"]


class OnceSettings(NamedTuple):
    """The variables that decide about reads, as they were when the call came."""

    root: str = ""
    hits: bool = False


class Call(NamedTuple):
    """One call of `read_file`. `request` is the id of the request to the model that produced it.

    `child` and `remote` are what the host says of the call itself: that it is a subagent's, or of another
    backend. `may_answer` says that every gate of the host has let this very call through already.
    """

    arguments: Mapping[str, object]
    session: str
    task: str
    turn: str
    request: str
    call_id: str
    child: bool = False
    remote: bool = False
    may_answer: bool = False


class Reads(Protocol):
    """What the service asks of the host about its reads."""

    def facts(self) -> ToolFacts:
        """What the host's schema says about `read_file`."""
        ...

    def elsewhere(self) -> str | None:
        """The id of the reason why reads may not be of local files, or None."""
        ...

    def forget(self, task: str) -> bool:
        """Make the host answer the task's next reads with content. False where it cannot be made to."""
        ...

    def calm(self, task: str) -> bool:
        """Keep the host from refusing a repeated read. False where it cannot be kept from it."""
        ...


class Plan(NamedTuple):
    """What was decided before a read that the host is asked for."""

    call: Call
    root: str
    key: ReadKey
    content: Content
    scope: Scope
    entry: Entry | None
    reason: str
    want: Want
