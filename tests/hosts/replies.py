"""What a scripted model says."""

from collections.abc import Iterable, Mapping
from threading import Event
from typing import Any, NamedTuple, Self


class ToolUse(NamedTuple):
    """One tool call. `arguments` as text goes over the wire as it is, so that broken JSON can be sent."""

    name: str
    arguments: Mapping[str, Any] | str


class Usage(NamedTuple):
    """Tokens that the model reports for one reply."""

    prompt: int = 100
    completion: int = 10
    cached: int = 0


class Reply(NamedTuple):
    """One answer of the model: text, tool calls, or a failure when `status` is not 200."""

    text: str = ""
    tools: tuple[ToolUse, ...] = ()
    status: int = 200
    gate: Event | None = None
    usage: Usage = Usage()

    def held(self, gate: Event) -> Self:
        """The same reply, sent when `gate` is set (or when the model is closed)."""
        return self._replace(gate=gate)

    def costing(self, prompt: int, completion: int, *, cached: int = 0) -> Self:
        """The same reply, reporting this usage."""
        return self._replace(usage=Usage(prompt, completion, cached))


def say(text: str) -> Reply:
    """A final answer."""
    return Reply(text=text)


def call(tool: str, /, **arguments: Any) -> Reply:
    """One tool call."""
    return Reply(tools=(ToolUse(tool, arguments),))


def calls(each: Iterable[Reply]) -> Reply:
    """Several tool calls in one message: `calls([call("read_file", path="a"), call("read_file", path="b")])`."""
    return Reply(tools=tuple(use for reply in each for use in reply.tools))


def fail(status: int, text: str = "scripted failure") -> Reply:
    """An HTTP error instead of an answer."""
    return Reply(text=text, status=status)
