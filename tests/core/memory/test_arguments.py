"""What models send, and what is made of it."""

import pytest

from herma.core.memory.arguments import Request, request
from herma.core.memory.operations import ACTIONS, Operation
from herma.core.memory.targets import TARGETS
from herma.core.memory.tool import schema

EMPTY = {"content": "", "old_text": "", "operations": []}


def test_one_change_is_one_operation() -> None:
    assert request({"target": "user", "action": "add", "content": "x"}) == Request(
        "user", (Operation("add", "x"),), batch=False
    )


@pytest.mark.parametrize("target", [{}, {"target": None}, {"target": ""}])
def test_without_a_target_the_notes_are_meant(target: dict[str, object]) -> None:
    found = request({**target, "action": "remove", "old_text": "x"})
    assert isinstance(found, Request)
    assert found.target == "memory"


@pytest.mark.parametrize("nothing", ["", None, []])
def test_empty_texts_lists_and_nulls_count_as_absent(nothing: object) -> None:
    found = request({"target": "memory", "action": "add", "content": "x", "old_text": nothing, "operations": nothing})
    assert found == Request("memory", (Operation("add", "x"),), batch=False)
    listed = request(
        {**EMPTY, "action": nothing, "operations": [{"action": "remove", "old_text": "x", "content": nothing}]}
    )
    assert listed == Request("memory", (Operation("remove", "", "x"),), batch=True)


def test_a_list_of_operations_wins_over_a_single_one() -> None:
    found = request({"action": "remove", "old_text": "x", "operations": [{"action": "add", "content": "y"}]})
    assert found == Request("memory", (Operation("add", "y"),), batch=True)


def test_a_list_that_came_as_text_is_read() -> None:
    found = request({"operations": '[{"action": "add", "content": "y"}]'})
    assert found == Request("memory", (Operation("add", "y"),), batch=True)


@pytest.mark.parametrize(
    "arguments,words",
    [
        ({}, "specify action (add|replace|remove|demote) or a non-empty operations[]"),
        ({"operations": []}, "specify action"),
        ({"target": "weird", "action": "add"}, "invalid target 'weird'"),
        ({"target": 5, "action": "add"}, "invalid target 5"),
        ({"action": "zap"}, "unknown action 'zap': use add|replace|remove|demote"),
        ({"action": 5}, "action must be a text, not int"),
        ({"action": "add", "content": {"text": "x"}}, "content must be a text, not dict"),
        ({"operations": "nonsense"}, "operations must be a list of objects"),
        ({"operations": {"action": "add"}}, "operations must be a list of objects"),
        ({"operations": ["add"]}, "operation 1 is not an object"),
        ({"operations": [{"action": "add", "content": "x"}, {"action": "zap"}]}, "operation 2: unknown action 'zap'"),
        ({"operations": [{"content": "x"}]}, "operation 1: unknown action ''"),
        ({"operations": [{"action": "add", "target": "user"}]}, "operation 1 is for another target"),
    ],
)
def test_what_cannot_be_understood_is_said_in_words(arguments: dict[str, object], words: str) -> None:
    found = request(arguments)
    assert isinstance(found, str)
    assert words in found


def test_the_schema_names_what_is_required_and_every_choice() -> None:
    told = schema()
    parameters = told["parameters"]
    assert told["name"] == "memory"
    assert isinstance(parameters, dict)
    assert parameters["required"] == ["target"]
    properties = parameters["properties"]
    assert set(properties) == {"target", "action", "content", "old_text", "operations"}
    assert properties["target"]["enum"] == list(TARGETS) == ["memory", "user"]
    assert properties["action"]["enum"] == list(ACTIONS) == ["add", "replace", "remove", "demote"]
    item = properties["operations"]["items"]
    assert set(item["properties"]) == {"action", "content", "old_text"}
    assert item["required"] == ["action"]
