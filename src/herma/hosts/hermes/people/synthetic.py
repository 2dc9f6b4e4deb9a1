"""An answer of ours in the form in which the host expects one from its provider's client."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace

from herma.core.people.request.answer import Answer

__all__ = ["as_response"]


def as_response(answer: Answer, api_mode: str) -> SimpleNamespace:
    """The answer as the response of this api mode; of an unknown one as a chat completion, which most modes take."""
    return _FORMS.get(api_mode, _completion)(answer)


def _completion(answer: Answer) -> SimpleNamespace:
    message = SimpleNamespace(role="assistant", content=answer.text, tool_calls=None, reasoning_content=None)
    choice = SimpleNamespace(index=0, message=message, finish_reason="stop")
    return SimpleNamespace(id=answer.id, model=answer.model, usage=None, choices=[choice])


def _response(answer: Answer) -> SimpleNamespace:
    part = SimpleNamespace(type="output_text", text=answer.text)
    item = SimpleNamespace(type="message", id=answer.id, role="assistant", status="completed", content=[part])
    return SimpleNamespace(
        id=answer.id,
        model=answer.model,
        usage=None,
        status="completed",
        error=None,
        incomplete_details=None,
        output=[item],
        output_text=answer.text,
    )


def _message(answer: Answer) -> SimpleNamespace:
    return SimpleNamespace(
        id=answer.id,
        model=answer.model,
        usage=None,
        type="message",
        role="assistant",
        content=[SimpleNamespace(type="text", text=answer.text)],
        stop_reason="end_turn",
        stop_sequence=None,
    )


# Bedrock's client hands completions on, so it needs no form of its own.
_FORMS: Mapping[str, Callable[[Answer], SimpleNamespace]] = {
    "chat_completions": _completion,
    "codex_responses": _response,
    "anthropic_messages": _message,
}
