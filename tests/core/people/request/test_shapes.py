"""What a request is seen as, and what is not understood."""

from typing import Any

import pytest
from tests.core.people.request.wires import SHAPES, names, recorded, request

from herma.core.people.request import NotUnderstood, view

ROWS = (("user", "hello"), ("assistant", "calling"), ("tool", "result"), ("user", "and now"))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_conversation_is_the_same_rows_in_every_shape(shape: str) -> None:
    seen = view(request(shape, "be kind", ROWS))

    assert not isinstance(seen, NotUnderstood)
    assert seen.shape == shape.split(maxsplit=1)[0]
    assert "".join(text.text for text in seen.system) == "be kind"
    assert [row.kind for row in seen.rows] == ["user", "assistant", "tool", "user"]
    assert [text.text for text in seen.said()] == ["hello", "and now"]
    assert [text.text for row in seen.rows if row.kind == "tool" for text in row.texts] == ["result"]


@pytest.mark.parametrize("version, name", names())
def test_what_a_real_host_sends_is_understood(version: str, name: str) -> None:
    assert not isinstance(view(recorded(version)[name]), NotUnderstood)


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "text",
        [],
        {},
        {"prompt": "complete this"},
        {"messages": "text"},
        {"messages": [], "input": []},
        {"messages": ["text"]},
        {"messages": [{"content": "no role"}]},
        {"messages": [{"role": "oracle", "content": "who?"}]},
        {"messages": [{"role": "user", "content": 7}]},
        {"messages": [{"role": "user", "content": [7]}]},
        {"messages": [{"role": "user", "content": [{"type": "text"}]}]},
        {"messages": [{"role": "system", "content": [{"type": "image", "source": {}}]}]},
        {"messages": [], "system": [{"type": "image"}]},
        # Bedrock: parts without a type.
        {"messages": [{"role": "user", "content": [{"text": "hello"}]}], "system": [{"text": "notes"}]},
        {"messages": [], "system": [{"text": "notes"}]},
        {"input": ["text"]},
        {"input": [{"type": 7}]},
        {"input": [{"type": "message"}]},
        {"input": [], "instructions": {"text": "notes"}},
    ],
)
def test_a_request_of_another_shape_is_not_understood(odd: Any) -> None:
    assert isinstance(view(odd), NotUnderstood)


def test_pictures_and_calls_are_no_texts_and_no_obstacle() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:"}}
    items = [{"type": "reasoning", "id": "r"}, {"type": "function_call", "call_id": "c"}]
    chat, responses = view({"messages": [{"role": "user", "content": [picture]}]}), view({"input": items})

    assert not isinstance(chat, NotUnderstood)
    assert [row.texts for row in chat.rows] == [()]
    assert not isinstance(responses, NotUnderstood)
    assert responses.said() == []
