"""One conversation in the three shapes of the wire, the prompts of both hosts, and what real hosts sent."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.hosts.hermes import VERSIONS

from herma.core.people.request import NotUnderstood, Rewritten, view

GOLDEN = Path(__file__).parents[3] / "golden"
SHAPES = ("chat", "responses", "anthropic", "anthropic blocks", "chat parts")
RULE = "═" * 46
SIGN = "\n§\n"


def recorded(version: str) -> dict[str, Any]:
    """The requests that a real host of this version sent, by name."""
    found: dict[str, Any] = json.loads((GOLDEN / f"people-{version}.json").read_text(encoding="utf-8"))
    return found


def names() -> list[tuple[str, str]]:
    """Every recording as (version, name)."""
    return [(version, name) for version in VERSIONS for name in recorded(version)]


def request(shape: str, system: str, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """`rows` of (role, text) behind a system prompt, as a host would send them; `tool` rows are results."""
    return {"model": "m", **_BUILDERS[shape](system, rows)}


def _chat(system: str, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {
        "messages": [{"role": "system", "content": system}, *({"role": role, "content": text} for role, text in rows)]
    }


def _chat_parts(system: str, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    half = len(system) // 2
    parts = [{"type": "text", "text": system[:half], "cache_control": {}}, {"type": "text", "text": system[half:]}]
    said = [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in rows]
    return {"messages": [{"role": "system", "content": parts}, *said]}


def _responses(system: str, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    items = [
        {"type": "function_call_output", "call_id": "c", "output": text}
        if role == "tool"
        else {"role": role, "content": [{"type": "input_text", "text": text}]}
        for role, text in rows
    ]
    return {"instructions": system, "input": items}


def _anthropic(system: str, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for role, text in rows:
        block = {"type": "text", "text": text}
        if role == "tool":
            block = {"type": "tool_result", "tool_use_id": "c", "content": text}
        side = "assistant" if role == "assistant" else "user"
        if messages and messages[-1]["role"] == side:
            messages[-1]["content"].append(block)
        else:
            messages.append({"role": side, "content": [block]})
    return {"system": system, "messages": messages}


def _anthropic_blocks(system: str, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {**_anthropic(system, rows), "system": [{"type": "text", "text": system, "cache_control": {}}]}


_BUILDERS = {
    "chat": _chat,
    "chat parts": _chat_parts,
    "responses": _responses,
    "anthropic": _anthropic,
    "anthropic blocks": _anthropic_blocks,
}


def block(title: str, entries: Sequence[str]) -> str:
    """The operator's notes of one kind as both hosts write them."""
    content = SIGN.join(entries)
    return f"{RULE}\n{title} [7% — {len(content):,}/2,200 chars]\n{RULE}\n{content}" if entries else ""


def prompt(  # noqa: PLR0913 - the parts of a prompt
    version: str,
    notes: Sequence[str] = (),
    profile: Sequence[str] = (),
    *,
    before: str = "You are an agent.\n\n# Skills\n- tea",
    provider: str = "",
    sections: str = "",
) -> str:
    """A system prompt as a host of this version puts it together."""
    profile_line = "Active Hermes profile: default. Others live elsewhere."
    container = (
        f"<!-- hermes-plugin-sections:start -->\n{sections}\n<!-- hermes-plugin-sections:end -->" if sections else ""
    )
    first = (before, profile_line) if version == VERSIONS[0] else (before,)
    after = () if version == VERSIONS[0] else (container, profile_line)
    blocks = (block("MEMORY (your personal notes)", notes), block("USER PROFILE (who the user is)", profile))
    date = "Conversation started: Tuesday, December 01, 2026\nModel: m"
    context = "## Current Session Context\n\n**User:** Bob"
    parts = (*first, *blocks, provider, *after, date, context)
    return "\n\n".join(part.strip() for part in parts if part.strip())


def done(result: Rewritten | NotUnderstood) -> Mapping[str, Any]:
    """The request that came out; a refusal to understand fails the test."""
    assert isinstance(result, Rewritten), result
    return result.request


def system_text(sent: object) -> str:
    """The whole system prompt of a request."""
    seen = view(sent)
    assert not isinstance(seen, NotUnderstood), seen
    return "".join(text.text for text in seen.system)


def said(sent: object) -> list[str]:
    """What people said in a request, oldest first."""
    seen = view(sent)
    assert not isinstance(seen, NotUnderstood), seen
    return [text.text for text in seen.said()]
