"""The chat-completions wire format, streamed and whole."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.hosts.replies import Reply, ToolUse

MODEL = "scripted"


def models() -> dict[str, Any]:
    """The answer to `GET /models`."""
    return {"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "tests"}]}


def error(reply: Reply) -> dict[str, Any]:
    """The body of a failed request."""
    return {"error": {"message": reply.text, "type": "scripted_failure", "code": reply.status}}


def whole(reply: Reply, n: int) -> dict[str, Any]:
    """The body of an answer that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.tools:
        message["tool_calls"] = _calls(reply, n)
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply)}
    return {**_head(n, "chat.completion"), "choices": [choice], "usage": _usage(reply)}


def streamed(reply: Reply, n: int, *, usage: bool) -> Iterator[bytes]:
    """The server-sent events of an answer; text and arguments come in two pieces, as they do from a real model."""
    for delta in _deltas(reply, n):
        yield _event(n, {"index": 0, "delta": delta, "finish_reason": None})
    yield _event(n, {"index": 0, "delta": {}, "finish_reason": _finish(reply)})
    if usage:
        yield _line({**_head(n, "chat.completion.chunk"), "choices": [], "usage": _usage(reply)})
    yield b"data: [DONE]\n\n"


def _deltas(reply: Reply, n: int) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    yield from ({"content": piece} for piece in _halves(reply.text))
    for index, use in enumerate(_calls(reply, n)):
        arguments = use["function"]["arguments"]
        yield {"tool_calls": [{**use, "index": index, "function": {**use["function"], "arguments": ""}}]}
        for piece in _halves(arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _calls(reply: Reply, n: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{n}_{index}",
            "type": "function",
            "function": {"name": use.name, "arguments": _arguments(use)},
        }
        for index, use in enumerate(reply.tools)
    ]


def _arguments(use: ToolUse) -> str:
    return use.arguments if isinstance(use.arguments, str) else json.dumps(use.arguments, ensure_ascii=False)


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]


def _finish(reply: Reply) -> str:
    return "tool_calls" if reply.tools else "stop"


def _head(n: int, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{n}", "object": kind, "created": 1_700_000_000 + n, "model": MODEL}


def _usage(reply: Reply) -> dict[str, Any]:
    prompt, completion, cached = reply.usage
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _event(n: int, choice: Mapping[str, Any]) -> bytes:
    return _line({**_head(n, "chat.completion.chunk"), "choices": [choice]})


def _line(record: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(record, ensure_ascii=False).encode() + b"\n\n"
