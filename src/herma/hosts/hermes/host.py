"""The port through which a decision asks the running Hermes."""

from collections.abc import Mapping
from typing import Protocol

from herma.core.reading.events import NeedLines, ToolFacts
from herma.hosts.hermes import tracker

__all__ = ["Context", "HermesHost"]

# Parameter names of tools that read a window of bytes: where it starts, and how long it is.
_BYTE_WINDOWS = (
    ("byte_offset", "byte_limit"),
    ("byte_offset", "byte_length"),
    ("offset_bytes", "limit_bytes"),
    ("start_byte", "byte_count"),
)
_UNKNOWN = ToolFacts()


class Context(Protocol):
    """The part of Hermes' plugin context that we use."""

    def register_hook(self, hook_name: str, callback: object) -> object:
        """Register a hook callback."""
        ...

    def dispatch_tool(self, tool_name: str, args: dict[str, object], **kwargs: object) -> object:
        """Call a tool of the host, without hooks or middleware."""
        ...


class HermesHost:
    """One tool call's view of the host. `facts_seen` is shared between calls: schemas do not change."""

    def __init__(self, context: Context, task_id: object, facts_seen: dict[str, ToolFacts]) -> None:
        self._context = context
        self._task_id = task_id
        self._facts_seen = facts_seen

    def facts(self, tool: str) -> ToolFacts:
        """What the host's schema says about `tool`; nothing known where it has none."""
        found = self._facts_seen.get(tool)
        if found is None:
            found = self._facts_seen[tool] = _facts_of(_schema(tool))
        return found

    def read_lines(self, path: object, wanted: NeedLines) -> str | None:
        """These lines through the host's own read_file, so that its deny list, redaction and backend hold.

        The task is the call's own, for a relative path means what it meant in that call.
        """
        if wanted.anew:
            tracker.forget(self._task_id)
        arguments: dict[str, object] = {"path": path, "offset": wanted.offset, "limit": wanted.limit}
        answer = self._context.dispatch_tool("read_file", arguments, task_id=self._task_id)
        return answer if isinstance(answer, str) else None

    def shown_in_part(self, path: object) -> None:
        """The host lets a file be overwritten once it has returned all of it; what was left out has not been seen."""
        tracker.mark_partial(self._task_id, path)


def _schema(tool: str) -> Mapping[str, object]:
    from tools.registry import registry  # noqa: PLC0415 - exists only inside the host

    found = registry.get_schema(tool)
    return found if isinstance(found, Mapping) else {}


def _facts_of(schema: Mapping[str, object]) -> ToolFacts:
    parameters = schema.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    if not isinstance(properties, Mapping):
        return _UNKNOWN
    limit = properties.get("limit")
    limit = limit if isinstance(limit, Mapping) else {}
    window = next((pair for pair in _BYTE_WINDOWS if all(name in properties for name in pair)), None)
    return ToolFacts(_number(limit.get("default")), _number(limit.get("maximum")), window)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
