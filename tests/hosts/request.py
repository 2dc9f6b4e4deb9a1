"""What a host sent to the model."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


def text_of(content: Any) -> str:
    """The text of a message's content, which is a string or a list of parts."""
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


class Request(NamedTuple):
    """One recorded request: its number from 1, the lane that answered it, and the body as it came.

    `aux` marks a request without tools: titles, summaries and other side work of the host.
    """

    n: int
    lane: str
    stream: bool
    aux: bool
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages as the host sent them."""
        return list(self.body.get("messages") or [])

    def texts(self, role: str) -> list[str]:
        """The texts of one role, oldest first."""
        return [text_of(message.get("content")) for message in self.messages if message.get("role") == role]

    @property
    def user_text(self) -> str:
        """The newest user message, or an empty string."""
        return next(reversed(self.texts("user")), "")

    @property
    def system_text(self) -> str:
        """The system prompt, or an empty string."""
        return next(iter(self.texts("system")), "")

    def tool_results(self) -> list[tuple[str, str]]:
        """Every tool result in the request as (tool_call_id, text), oldest first."""
        return [
            (str(message.get("tool_call_id", "")), text_of(message.get("content")))
            for message in self.messages
            if message.get("role") == "tool"
        ]

    @property
    def last_tool_text(self) -> str:
        """The newest tool result, or an empty string."""
        return next((text for _, text in reversed(self.tool_results())), "")

    @property
    def tool_names(self) -> list[str]:
        """The tools that the model is offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools") or []]

    def prompts(self) -> Iterator[str]:
        """Where a lane is looked for: the newest user message, the older ones, then the system prompt."""
        yield from reversed(self.texts("user"))
        yield self.system_text
