"""The memory in the real OpenCode: one story over several sessions and two processes of the host."""

import json
from typing import Any, NamedTuple

import pytest

from herma.core.memory.tool import schema
from herma.stores.memory.places import safe
from tests.hosts.model import Request, ScriptedModel, call, say
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.program import OpenCode
from tests.hosts.opencode.serving import Serving

FACT = "The person drinks tea, never coffee."
LATER = "The build needs Java 21."
HEADER = "USER PROFILE (who the user is)"
GUIDANCE = "`memory` tool"


class Story(NamedTuple):
    """The requests of each part, in order."""

    household: Household
    first: list[Request]
    second: list[Request]
    resumed: list[Request]
    second_resumed: list[Request]
    third: list[Request]
    deleted_gone: bool


@pytest.fixture(scope="module")
def story(opencode: OpenCode, shared_model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """A session that writes, with a subagent and a compaction; one after it; both resumed in a new process."""
    model = shared_model
    household = Household(tmp_path_factory.mktemp("story"), opencode, model_url=model.url)
    write = call("memory", target="user", action="add", content=FACT, old_text="", operations=[])
    model.lane("AAA", write, say("kept"))
    model.lane("BBB", call("task", description="look", prompt="SUBQ", subagent_type="general"), say("looked"))
    model.lane("SUBQ", call("memory", target="memory", action="add", content=LATER), say("sub done"))
    parts: list[list[Request]] = []
    with Serving(household) as server:
        one, two = server.session(), ""
        for text in ("AAA remember it", "BBB ask another", "CCC what now"):
            server.say(one, text)
        server.summarize(one)
        _cut(model, parts)
        two = server.session()
        server.say(two, "DDD who am I")
        _cut(model, parts)
    with Serving(household) as server:
        server.say(one, "EEE go on")
        _cut(model, parts)
        server.say(two, "FFF go on")
        _cut(model, parts)
        three = server.session()
        server.say(three, "GGG start")
        _cut(model, parts)
        kept = _frozen(household, two)
        server.ask("DELETE", f"/session/{two}")
        server.say(three, "HHH after")  # the calls of one process are in order, so the deletion has been heard
        gone = kept and not _frozen(household, two)
    first, second, resumed, second_resumed, third = parts
    return Story(household, first, second, resumed, second_resumed, third, gone)


def _cut(model: ScriptedModel, parts: list[list[Request]]) -> None:
    """Begin a new part: what was asked since the last one."""
    parts.append(model.requests[sum(map(len, parts)) :])


def _frozen(household: Household, session: str) -> bool:
    return (household.memories / ".sessions" / f"{safe(session)}.txt").exists()


def _system(request: Request) -> str:
    return "\n".join(request.texts("system"))


def _memory(request: Request) -> str:
    """Everything behind the host's own system prompt."""
    return "\n".join(request.texts("system")[1:])


def _own(requests: list[Request]) -> list[Request]:
    return [request for request in requests if not request.aux]


def test_what_the_tool_wrote_lies_in_the_file_of_the_person(story: Story) -> None:
    assert (story.household.memories / "USER.md").read_text("utf-8") == FACT
    assert (story.household.memories / "MEMORY.md").read_text("utf-8") == LATER


def test_the_tool_says_what_it_did(story: Story) -> None:
    answers = [json.loads(text) for request in story.first for _, text in request.tool_results() if text[0] == "{"]
    assert {answer["success"] for answer in answers} == {True}


def test_the_session_that_wrote_does_not_see_it_in_its_prompt(story: Story) -> None:
    assert all(FACT not in _system(request) for request in _own(story.first))
    assert all(GUIDANCE in _memory(request) for request in _own(story.first))


def test_the_next_session_sees_it_behind_the_guidance(story: Story) -> None:
    (request,) = _own(story.second)
    text = _memory(request)
    assert HEADER in text
    assert FACT in text
    assert LATER in text
    assert text.index(GUIDANCE) < text.index("═" * 46)


def test_a_subagent_has_the_text_of_its_parent(story: Story) -> None:
    child = [request for request in story.first if request.lane == "SUBQ"]
    parent = [request for request in story.first if request.lane == "BBB"]
    assert len(child) == 2
    assert {_memory(request) for request in child} == {_memory(request) for request in parent}


def test_titles_and_compaction_are_asked_for_without_memory(story: Story) -> None:
    every = [*story.first, *story.second, *story.third]
    titles = [request for request in every if "title generator" in request.system_text]
    summaries = [request for request in every if "context summarization agent" in request.system_text]
    assert titles
    assert summaries
    for request in (*titles, *summaries):
        assert request.aux
        assert len(request.texts("system")) == 1
        assert FACT not in _system(request)


def test_a_session_keeps_its_text_over_turns_and_in_a_new_process(story: Story) -> None:
    assert len({_memory(request) for request in (*_own(story.first), *_own(story.resumed))}) == 1
    assert len({_memory(request) for request in (*_own(story.second), *_own(story.second_resumed))}) == 1


def test_a_session_that_begins_later_has_what_was_written_until_then(story: Story) -> None:
    (request,) = _own(story.third)[:1]
    assert FACT in _memory(request)
    assert LATER in _memory(request)


def test_the_text_of_a_deleted_session_is_dropped(story: Story) -> None:
    assert story.deleted_gone


def test_the_model_gets_the_tool_with_its_own_schema(story: Story) -> None:
    for request in (*_own(story.first), *_own(story.second)):
        found = [tool["function"] for tool in request.body["tools"] if tool["function"]["name"] == "memory"]
        assert found == [_as_sent(schema())]


def _as_sent(wanted: dict[str, Any]) -> dict[str, Any]:
    return {"name": wanted["name"], "description": wanted["description"], "parameters": wanted["parameters"]}


def test_files_and_log_are_for_their_owner_alone(story: Story) -> None:
    ours = [story.household.log, *(p for p in story.household.memories.rglob("*") if p.is_file())]
    assert len(ours) >= 3
    assert {oct(path.stat().st_mode & 0o777) for path in ours} == {"0o600"}
    assert "started: memory in" in story.household.log.read_text("utf-8")
