"""What a host tells us about a finished read, and what we may answer."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from herma.core.reading.page import Page

__all__ = ["Decision", "NeedLines", "Pass", "Replace", "ToolFacts", "ToolResult"]


class ToolResult(NamedTuple):
    """One finished tool call, as the host shows it before the model sees it.

    `call_id` is empty when a script inside a tool made the call. `result` is whatever the host
    holds: usually text. `failed` says that the host counts the call as an error or refused it.
    """

    tool: str
    arguments: Mapping[str, object]
    result: object
    call_id: str
    failed: bool = False


class ToolFacts(NamedTuple):
    """What the host's own schema says about a tool.

    `default_limit` and `most_lines` are the page the host reads when nothing is asked and the most
    it reads at all, in lines. `byte_window` names the two parameters of a tool that reads a window
    of bytes (start, length).
    """

    default_limit: int | None = None
    most_lines: int | None = None
    byte_window: tuple[str, str] | None = None


class Pass(NamedTuple):
    """Leave the result as it is, bit for bit."""

    reason: str


class Replace(NamedTuple):
    """Put `text` in the place of the result.

    `in_part` says that the model gets less of the file than the host returned, which a host that lets
    a file be overwritten only after a full read has to know.
    """

    reason: str
    text: str
    in_part: bool = False


class NeedLines(NamedTuple):
    """Ask again with these lines of the same file, read by the host itself: first line and how many.

    `anew` asks for the text even where the host would answer that it has been read before. `page` is the
    page of the event, handed back with the answer so that it need not be parsed again.
    """

    offset: int
    limit: int
    anew: bool = False
    page: Page | None = None


Decision: TypeAlias = Pass | Replace | NeedLines
