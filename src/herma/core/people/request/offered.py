"""The list of further tools that a host writes into the description of its tool for finding them, cut to a person's.

Hermes 0.22 puts `- name: what it does` for each tool that is not shown in full, or only the names where there are many.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["FINDER", "only_offered"]

FINDER = "tool_search"

_LISTED = re.compile(r"^- ([\w.:-]+)(?::|$)")
_NAMES = re.compile(r"[\w.:-]+(?:, [\w.:-]+)+")


def only_offered(request: Mapping[str, Any], may: Callable[[str], bool]) -> Mapping[str, Any]:
    """The request without the names of tools that `may` refuses, in that one description; itself where none are there.

    The tools of the request stay: what a model may see is no more than what it may be refused.
    """
    tools = request.get("tools")
    if not isinstance(tools, (list, tuple)):
        return request
    cut = [_cut(tool, may) for tool in tools]
    return request if all(new is old for new, old in zip(cut, tools, strict=True)) else {**request, "tools": cut}


def _cut(tool: Any, may: Callable[[str], bool]) -> Any:
    if not isinstance(tool, Mapping):
        return tool
    inner = tool.get("function")
    if isinstance(inner, Mapping):
        new = _cut(inner, may)
        return tool if new is inner else {**tool, "function": new}
    text = tool.get("description")
    if tool.get("name") != FINDER or not isinstance(text, str):
        return tool
    lines = [_line(line, may) for line in text.split("\n")]
    said = "\n".join(line for line in lines if line is not None)
    return tool if said == text else {**tool, "description": said}


def _line(line: str, may: Callable[[str], bool]) -> str | None:
    listed = _LISTED.match(line)
    if listed:
        return line if may(listed[1]) else None
    if _NAMES.fullmatch(line):
        return ", ".join(name for name in line.split(", ") if may(name)) or None
    return line
