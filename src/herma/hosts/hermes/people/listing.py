"""What Hermes 0.22 lists when a model looks for tools, cut down to what the person of the turn may call or ask for."""

import json
from collections.abc import Callable

__all__ = ["TOOLS", "only"]

TOOLS = ("tool_search", "tool_describe")


def only(result: str, may: Callable[[str], bool]) -> str | None:
    """The result without tools that are not for this person; None where it holds none of those or is no listing."""
    try:
        answer = json.loads(result)
    except ValueError:
        return None
    tools = answer.get("tools") if isinstance(answer, dict) else None
    if not isinstance(tools, dict):
        return None
    shut = {name for name in tools if not may(name)}
    found = answer.get("results")
    groups = [group for group in found if isinstance(group, dict)] if isinstance(found, list) else []
    for group in groups:
        matches = group.get("matches")
        if isinstance(matches, list):
            shut |= {name for name in matches if isinstance(name, str) and not may(name)}
    sources = [group.pop("available_sources", None) for group in groups]
    if not shut and not any(sources):
        return None
    answer["tools"] = {name: tool for name, tool in tools.items() if name not in shut}
    for group in groups:
        if isinstance(group.get("matches"), list):
            group["matches"] = [name for name in group["matches"] if name not in shut]
    if "total_available" in answer:
        answer["total_available"] = len(answer["tools"])
    return json.dumps(answer, ensure_ascii=False)
