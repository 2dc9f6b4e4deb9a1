"""Which texts stand in a request."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from herma.core.reading.visibility import index_of, mark_of, seen_in

TEXT = json.dumps({"content": "1|alpha\n2|beta", "total_lines": 2})
OTHER = "x" * len(TEXT)
INDEX = index_of([mark_of(TEXT)])

Wrap = Callable[[Any], dict[str, Any]]


def _chat(content: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "c", "content": content}]}


def _responses(content: Any) -> dict[str, Any]:
    return {"input": [{"type": "message"}, {"type": "function_call_output", "call_id": "c", "output": content}]}


def _anthropic(content: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "c", "content": content}
    return {"system": "s", "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}, block]}]}


SHAPES = pytest.mark.parametrize("wrap", [_chat, _responses, _anthropic])


@SHAPES
def test_a_result_that_is_one_string_is_seen(wrap: Wrap) -> None:
    assert seen_in(wrap(TEXT), INDEX) == {mark_of(TEXT).digest: ("c", TEXT)}


@SHAPES
def test_a_result_in_parts_belongs_to_its_call_too(wrap: Wrap) -> None:
    assert seen_in(wrap([{"type": "text", "text": TEXT}]), INDEX) == {mark_of(TEXT).digest: ("c", TEXT)}


def test_of_equal_results_the_newest_is_meant() -> None:
    messages = [{"role": "tool", "tool_call_id": name, "content": TEXT} for name in ("old", "new")]
    assert seen_in({"messages": messages}, INDEX) == {mark_of(TEXT).digest: ("new", TEXT)}


@pytest.mark.parametrize("name", [{}, {"tool_call_id": None}, {"tool_call_id": 7}])
def test_a_result_without_the_id_of_its_call_is_seen_without_one(name: dict[str, object]) -> None:
    messages = [{"role": "tool", "content": TEXT, **name}]
    assert seen_in({"messages": messages}, INDEX) == {mark_of(TEXT).digest: ("", TEXT)}


@SHAPES
def test_a_result_in_parts_is_seen_where_one_part_is_the_text(wrap: Wrap) -> None:
    assert seen_in(wrap([{"type": "text", "text": "before"}, {"type": "text", "text": TEXT}]), INDEX)


@SHAPES
@pytest.mark.parametrize(
    "content",
    [
        OTHER,
        TEXT[:-1],
        TEXT + " ",
        TEXT[:-1] + "?",
        "",
        None,
        7,
        [TEXT[:5], TEXT[5:]],
        [{"type": "image"}],
        {"text": TEXT},
    ],
)
def test_a_text_that_differs_in_any_way_or_is_divided_is_not_seen(wrap: Wrap, content: object) -> None:
    assert seen_in(wrap(content), INDEX) == {}


@pytest.mark.parametrize(
    "request_body",
    [
        {"messages": [{"role": "user", "content": TEXT}]},
        {"messages": [{"role": "assistant", "content": TEXT}]},
        {"messages": [{"role": "system", "content": [{"type": "text", "text": TEXT}]}]},
        {"input": [{"type": "message", "content": TEXT}]},
        {"input": TEXT},
        {"tools": [{"description": TEXT}]},
    ],
)
def test_a_text_that_is_no_result_of_a_tool_is_not_seen(request_body: dict[str, Any]) -> None:
    assert seen_in(request_body, INDEX) == {}


@pytest.mark.parametrize(
    "request_body", [None, "text", [], {}, {"messages": "x"}, {"messages": [None, 3, [], {}, {"role": "tool"}]}]
)
def test_a_request_of_an_unknown_shape_holds_nothing(request_body: object) -> None:
    assert seen_in(request_body, INDEX) == {}


def test_a_message_of_another_shape_does_not_hide_the_next() -> None:
    body = _chat(TEXT)
    body["messages"][:0] = [{}, None, {"role": "tool"}, {"content": TEXT}]
    assert seen_in(body, INDEX)


@pytest.mark.parametrize(
    "remark", ["\n\n[Subdirectory context discovered: a/AGENTS.md]\nBe brief.\n", "\n\n[hermes note: x]"]
)
def test_a_page_that_the_host_wrote_a_remark_behind_is_still_seen(remark: str) -> None:
    assert seen_in(_chat(TEXT + remark), INDEX)
    assert seen_in(_chat([{"type": "text", "text": TEXT + remark}]), INDEX)


def test_a_remark_behind_another_page_shows_nothing() -> None:
    assert seen_in(_chat("{" + OTHER[1:] + "\n\n[hermes note: x]"), INDEX) == {}


def test_the_request_is_not_touched() -> None:
    for wrap in (_chat, _responses, _anthropic):
        body = wrap([{"type": "text", "text": TEXT}])
        before = copy.deepcopy(body)
        seen_in(body, INDEX)
        assert body == before


def test_texts_of_one_length_are_told_apart() -> None:
    index = index_of([mark_of(TEXT), mark_of(OTHER)])
    assert list(index) == [len(TEXT)]
    assert set(seen_in(_chat(OTHER), index)) == {mark_of(OTHER).digest}


def test_lone_surrogates_are_counted_as_themselves() -> None:
    text = "a\udcff"
    assert seen_in(_chat(text), index_of([mark_of(text)]))


def test_nothing_is_looked_for_without_an_index() -> None:
    assert seen_in(_chat(TEXT), {}) == {}


def test_the_quick_hash_alone_proves_nothing() -> None:
    mark = mark_of(TEXT)
    assert seen_in(_chat(TEXT), {mark.length: {mark.quick: mark_of(OTHER).digest}}) == {}
