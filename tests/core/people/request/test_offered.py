"""What a member's model is told of tools that are not shown in full."""

from typing import Any

import pytest

from herma.core.people.request.offered import only_offered

LISTING = """\
Search 4 additional tools that are loaded on demand. Then `tool_describe` loads schemas, and so on.

Every tool listed below exists.

Deferred tool catalog (call schemas via `tool_describe`):
manyhands tools (2):
- manyhands_whoami: Who the person is
- cronjob_manage: Schedules jobs
many tools (3):
cronjob_manage, manyhands_recall, browser_vault"""
CUT = """\
Search 4 additional tools that are loaded on demand. Then `tool_describe` loads schemas, and so on.

Every tool listed below exists.

Deferred tool catalog (call schemas via `tool_describe`):
manyhands tools (2):
- manyhands_whoami: Who the person is
many tools (3):
manyhands_recall"""


def may(name: str) -> bool:
    return name.startswith("manyhands")


def shaped(shape: str, description: str) -> dict[str, Any]:
    other = {"name": "terminal", "description": "- cronjob_manage: is not listed here"}
    tools: list[Any] = [other, {"name": "tool_search", "description": description}]
    if shape == "chat":
        tools = [{"type": "function", "function": tool} for tool in tools]
    return {"model": "m", "tools": tools}


@pytest.mark.parametrize("shape", ["chat", "responses"])
def test_names_that_a_person_may_not_call_are_not_listed_and_all_else_stays(shape: str) -> None:
    request = shaped(shape, LISTING)
    assert only_offered(request, may) == shaped(shape, CUT)
    assert request == shaped(shape, LISTING), "the given request is never changed"


@pytest.mark.parametrize(
    "request_",
    [{}, {"tools": None}, {"tools": "x"}, {"tools": [1, {"name": 5}]}, shaped("chat", CUT), {"tools": []}],
)
def test_where_nothing_has_to_be_cut_the_request_is_the_one_given(request_: dict[str, Any]) -> None:
    assert only_offered(request_, may) is request_
