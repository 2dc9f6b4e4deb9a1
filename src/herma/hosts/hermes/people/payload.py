"""What Hermes' payloads say, as plain values."""

from collections.abc import Mapping

from herma.engine.people.turns import Call

__all__ = ["call_of", "text_of", "tokens_of", "word"]


def word(payload: Mapping[str, object], name: str) -> str:
    """A text in a payload; empty for anything else."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def call_of(payload: Mapping[str, object]) -> Call:
    """The ids in a payload."""
    return Call(
        word(payload, "turn_id"), word(payload, "session_id"), word(payload, "task_id"), word(payload, "tool_call_id")
    )


def text_of(message: object) -> str:
    """The text of a user's message, which the host gives as text or as parts."""
    if isinstance(message, str):
        return message
    if not isinstance(message, (list, tuple)):
        return ""
    parts = (part.get("text") for part in message if isinstance(part, Mapping))
    return "\n".join(part for part in parts if isinstance(part, str))


def tokens_of(usage: object) -> int | None:
    """All tokens of a request, as the host reports them; None where it reports none."""
    if not isinstance(usage, Mapping):
        return None
    total = usage.get("total_tokens")
    if isinstance(total, int) and not isinstance(total, bool) and total > 0:
        return total
    parts = [usage.get(name) for name in ("input_tokens", "output_tokens")]
    known = [part for part in parts if isinstance(part, int) and not isinstance(part, bool)]
    return sum(known) if known else None
