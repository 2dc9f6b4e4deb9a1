"""What was told to one person is not in the turns of others, in each shape of the wire and through the bridge."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.people.request.wires import SHAPES, done, request

from herma.core.people.request import ANSWERED, NotUnderstood, take_out_answers
from herma.core.people.tools import PERSONAL

FACT = "anna is allergic to walnuts"
Call = tuple[str, dict[str, Any], str]  # name, arguments, result


def conversation(
    shape: str, *turns: tuple[str, list[Call]], own: str = "and now?", calls: tuple[Call, ...] = ()
) -> Any:
    """Turns as a host replays them, and the one that is running: its words and the calls that it has made."""
    sent = request(shape, "be kind", [])
    rows = sent["input"] if shape == "responses" else sent["messages"]
    number = 0
    for said, made in (*turns, (own, list(calls))):
        rows.append({"role": "user", "content": said})
        for name, arguments, result in made:
            number += 1
            rows += called(shape, f"c{number}", name, arguments, result)
    return sent


def called(shape: str, key: str, name: str, arguments: dict[str, Any], result: str) -> list[dict[str, Any]]:
    """A call and its result."""
    text = json.dumps(arguments)
    if shape == "responses":
        return [
            {"type": "function_call", "call_id": key, "name": name, "arguments": text},
            {"type": "function_call_output", "call_id": key, "output": result},
        ]
    if shape.startswith("anthropic"):
        return [
            {"role": "assistant", "content": [{"type": "tool_use", "id": key, "name": name, "input": arguments}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": key, "content": result}]},
        ]
    function = {"name": name, "arguments": text}
    content: Any = [{"type": "text", "text": result}] if shape == "chat parts" else result
    return [
        {"role": "assistant", "content": "", "tool_calls": [{"id": key, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": key, "content": content},
    ]


def bridged(name: str, arguments: dict[str, Any], result: str) -> Call:
    """The same call through the host's tool for calling others."""
    return "tool_call", {"calls": [{"name": name, "arguments": arguments}]}, result


RECALLED: Call = ("manyhands_recall", {"query": "walnuts"}, json.dumps({"facts": [FACT]}))
KEPT: Call = ("manyhands_remember", {"text": FACT}, json.dumps({"remembered": FACT}))
READ: Call = ("read_file", {"path": "/tea.md"}, "green tea")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("through", [lambda *call: call, bridged])
def test_what_an_earlier_turn_was_told_is_left_out_and_its_calls_stay(shape: str, through: Any) -> None:
    sent = conversation(shape, ("remember", [through(*KEPT), READ]), ("what do you know?", [through(*RECALLED)]))
    before = copy.deepcopy(sent)

    result = done(take_out_answers(sent, PERSONAL))

    assert "walnuts" not in json.dumps(result)
    assert json.dumps(result).count(ANSWERED) == 2
    assert "green tea" in json.dumps(result)
    assert json.dumps(result).count("c1") == json.dumps(sent).count("c1")
    assert sent == before
    assert done(take_out_answers(result, PERSONAL)) is result


@pytest.mark.parametrize("shape", SHAPES)
def test_what_the_running_turn_was_told_stays(shape: str) -> None:
    sent = conversation(shape, ("hello", [READ]), calls=(RECALLED, bridged(*KEPT)))

    assert done(take_out_answers(sent, PERSONAL)) is sent


@pytest.mark.parametrize("shape", SHAPES)
def test_words_of_nobody_make_all_of_it_earlier(shape: str) -> None:
    sent = conversation(shape, own="", calls=(RECALLED,))
    rows = sent["input"] if shape == "responses" else sent["messages"]
    del rows[next(at for at, row in enumerate(rows) if row.get("role") == "user")]

    assert "walnuts" not in json.dumps(done(take_out_answers(sent, PERSONAL)))


def test_words_behind_results_in_one_message_are_a_new_turn() -> None:
    sent = conversation("anthropic", ("hello", [RECALLED]), own="")
    del sent["messages"][-1]
    sent["messages"][-1]["content"].append({"type": "text", "text": "and ben here"})

    assert FACT not in json.dumps(done(take_out_answers(sent, PERSONAL)))


@pytest.mark.parametrize("broken", ["{", "[" * 100_000, '{"calls": [{"name": "manyhands\\u005frecall"}]}', "{}"])
def test_a_call_of_which_it_cannot_be_told_what_it_reaches_counts_as_one_of_these(broken: str) -> None:
    sent = conversation("chat", ("hello", [("tool_call", {}, FACT)]))
    sent["messages"][-3]["tool_calls"][0]["function"]["arguments"] = broken

    left = json.dumps(done(take_out_answers(sent, PERSONAL)))
    assert (FACT in left) is (broken == "{}")


def test_a_result_that_names_its_tool_needs_no_call() -> None:
    sent = conversation("chat", ("hello", []))
    sent["messages"].insert(2, {"role": "tool", "name": "recall_search", "tool_call_id": "lost", "content": FACT})

    assert FACT not in json.dumps(done(take_out_answers(sent, PERSONAL)))


def test_the_operators_own_are_among_these_tools() -> None:
    assert {"memory", "session_search", "recall_search", "manyhands_recall", "mem0_search"} <= PERSONAL
    assert PERSONAL.isdisjoint({"read_file", "terminal", "web_search", "tool_call"})


@given(
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
@settings(max_examples=100, deadline=None, derandomize=True, database=None)
def test_whatever_stands_in_a_call_nothing_is_raised(odd: Any) -> None:
    message = {"role": "assistant", "content": "", "tool_calls": [odd, {"id": odd, "function": odd}]}
    sent = {"messages": [message, {"role": "user", "content": "hello"}]}

    assert not isinstance(take_out_answers(sent, PERSONAL), NotUnderstood)
    assert isinstance(take_out_answers(odd, PERSONAL), NotUnderstood)
