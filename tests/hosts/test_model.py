import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.hosts.model import Reply, Request, ScriptedModel, ToolUse, call, calls, fail, say

TOOLS = [{"type": "function", "function": {"name": "read_file"}}]


def requested(model: ScriptedModel, method: str, path: str, body: str | None = None) -> Iterator[HTTPResponse]:
    address = urlsplit(model.url)
    with closing(HTTPConnection(address.hostname or "", address.port, timeout=30)) as connection:
        connection.request(method, f"{address.path}/{path}", body)
        with connection.getresponse() as response:
            yield response


@contextmanager
def asked(model: ScriptedModel, body: dict[str, Any]) -> Iterator[HTTPResponse]:
    yield from requested(model, "POST", "chat/completions", json.dumps(body))


def whole(model: ScriptedModel, text: str, *, system: str = "", tools: bool = True) -> dict[str, Any]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": text}]
    with asked(model, {"messages": messages, "tools": TOOLS if tools else []}) as response:
        answer: dict[str, Any] = json.load(response)
        return answer


def words(model: ScriptedModel, text: str, *, system: str = "", tools: bool = True) -> str:
    said: str = whole(model, text, system=system, tools=tools)["choices"][0]["message"]["content"]
    return said


def streamed(model: ScriptedModel, text: str) -> list[dict[str, Any]]:
    body = {
        "messages": [{"role": "user", "content": text}],
        "tools": TOOLS,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    with asked(model, body) as response:
        events = response.read().decode().split("\n\n")
    assert events[-2:] == ["data: [DONE]", ""]
    return [json.loads(event.removeprefix("data: ")) for event in events[:-2]]


def test_a_streamed_answer_is_whole_when_its_pieces_are_joined(model: ScriptedModel) -> None:
    model.replies(say("Grüße, all of it.").costing(1000, 7))

    *pieces, usage = streamed(model, "go")

    deltas = [piece["choices"][0]["delta"] for piece in pieces]
    assert "".join(delta.get("content", "") for delta in deltas) == "Grüße, all of it."
    assert sum("content" in delta and bool(delta["content"]) for delta in deltas) == 2
    assert pieces[-1]["choices"][0]["finish_reason"] == "stop"
    assert usage["usage"]["prompt_tokens"] == 1000
    assert usage["choices"] == []


def test_streamed_tool_calls_carry_their_names_once_and_their_arguments_in_pieces(model: ScriptedModel) -> None:
    model.replies(calls([call("read_file", path="a"), call("read_file", path="b")]))

    *pieces, last, _ = streamed(model, "go")

    parts = [part for piece in pieces for part in piece["choices"][0]["delta"].get("tool_calls", ())]
    arguments = [
        json.loads("".join(part["function"]["arguments"] for part in parts if part["index"] == index))
        for index in (0, 1)
    ]
    assert arguments == [{"path": "a"}, {"path": "b"}]
    assert [part["function"]["name"] for part in parts if "id" in part] == ["read_file", "read_file"]
    assert len({part["id"] for part in parts if "id" in part}) == 2
    assert last["choices"][0]["finish_reason"] == "tool_calls"


def test_an_answer_that_is_not_streamed_is_one_body(model: ScriptedModel) -> None:
    model.replies(Reply(tools=(ToolUse("read_file", "{broken"),)), say("done"))

    first, second = whole(model, "go"), whole(model, "on")

    assert first["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == "{broken"
    assert second["choices"][0]["message"]["content"] == "done"
    assert second["usage"]["total_tokens"] == 110


def test_a_failure_has_its_status_and_its_text(model: ScriptedModel) -> None:
    model.replies(fail(503, "busy"))

    with asked(model, {"messages": [], "tools": TOOLS}) as response:
        assert response.status == 503
        assert json.load(response)["error"]["message"] == "busy"


def test_the_models_are_listed(model: ScriptedModel) -> None:
    [listed] = [json.load(response) for response in requested(model, "GET", "models")]

    assert [each["id"] for each in listed["data"]] == ["scripted"]


def test_a_lane_is_looked_for_in_the_newest_message_before_the_system_prompt(model: ScriptedModel) -> None:
    model.lane("alice", say("to alice"), default=say("alice again"))
    model.lane("bob", default=say("to bob"))
    model.replies(say("to nobody"))
    model.aux(say("a title"))

    assert words(model, "Bob here", system="talking to Alice") == "to bob"
    assert words(model, "hello", system="talking to Alice") == "to alice"
    assert words(model, "hello", system="talking to Alice") == "alice again"
    assert words(model, "hello") == "to nobody"
    assert words(model, "hello, Alice", tools=False) == "a title"
    assert [each.lane for each in model.requests] == ["bob", "alice", "alice", "main", "aux"]
    assert model.left() == {}


def test_a_reply_may_be_a_function_of_the_request(model: ScriptedModel) -> None:
    model.replies(lambda request: say(request.user_text.upper()))

    assert words(model, "quiet") == "QUIET"


def test_an_error_in_a_function_is_raised_when_the_model_is_closed() -> None:
    def broken(request: Request) -> Reply:
        raise LookupError(request.user_text)

    def conversation() -> None:
        with ScriptedModel() as model:
            model.replies(broken)
            with asked(model, {"messages": [{"role": "user", "content": "why"}], "tools": TOOLS}) as response:
                assert response.status == 400

    with pytest.raises(LookupError, match="why"):
        conversation()


def test_a_script_that_is_used_up_says_so(model: ScriptedModel) -> None:
    model.lane("alice")

    assert "Nothing is scripted for lane 'alice'" in words(model, "alice")


def test_a_held_reply_waits_and_its_request_is_on_record_meanwhile(model: ScriptedModel) -> None:
    gate, answers = Event(), list[str]()
    model.replies(say("at last").held(gate))
    client = Thread(target=lambda: answers.append(words(model, "slow")))
    client.start()

    assert model.wait_for(lambda request: request.user_text == "slow", timeout=30).n == 1
    assert answers == []
    gate.set()
    client.join(timeout=30)
    assert answers == ["at last"]


def test_closing_releases_a_held_reply() -> None:
    answers = list[str]()
    with ScriptedModel() as model:
        model.replies(say("let go").held(Event()))
        client = Thread(target=lambda: answers.append(words(model, "slow")))
        client.start()
        model.wait_for(lambda request: request.user_text == "slow", timeout=30)
    client.join(timeout=30)

    assert answers == ["let go"]


def test_waiting_for_what_never_comes_tells_what_came(model: ScriptedModel) -> None:
    model.replies(say("hello"))
    words(model, "good morning")

    with pytest.raises(AssertionError, match="good morning"):
        model.wait_for(lambda request: request.user_text == "good night", timeout=0.01)
