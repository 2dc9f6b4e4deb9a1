"""Past conversations in the real OpenCode: one is held and ended, and a later one's model finds it."""

import json
import shlex
import subprocess
from typing import Any, NamedTuple

import pytest

from herma.core.recall.tool import GUIDANCE, schema
from tests.hosts.model import Reply, Request, ScriptedModel, call, say
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.once import run
from tests.hosts.opencode.program import OpenCode
from tests.hosts.opencode.serving import Serving

SAID = "the blue kite lies in shed 7"
ANSWERED = "Noted: it is between the oars."
MEMORY_GUIDANCE = "`memory` tool"
RULE = "═" * 46
# As models fill in what OpenCode would make them say.
REST = {"session_id": "", "around_message_id": None, "since": "", "until": "", "limit": None}


class Story(NamedTuple):
    """What was asked of the model in the first session and in the later one, and the ids of both."""

    household: Household
    model: ScriptedModel
    earlier: str
    present: str
    first: list[Request]
    later: list[Request]


@pytest.fixture(scope="module")
def story(opencode: OpenCode, shared_model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """A session with a subagent, and in a new process of the host one that looks back at it and is compacted."""
    model = shared_model
    household = Household(tmp_path_factory.mktemp("past"), opencode, model_url=model.url)
    keep = call("memory", target="user", action="add", content="Flies kites.")
    model.lane("AAA", keep, say(ANSWERED))
    model.lane("BBB", call("task", description="look", prompt="SUBQ", subagent_type="general"), say("looked"))
    model.lane("SUBQ", call("bash", command="echo pangolin", description="look"), say("done"))
    found = call("session_search", query="where is the blue kite?", **REST)
    model.lane("CCC", found, _read, _scroll, say("In shed 7."))
    model.lane("DDD", call("session_search", query="pangolin walrus"), call("session_search"), say("nothing"))
    with Serving(household) as server:
        earlier = server.session()
        server.say(earlier, f"AAA {SAID}")
        server.say(earlier, "BBB ask another")
    first = model.requests
    with Serving(household) as server:
        present = server.session()
        server.say(present, "CCC where did I put it?")
        server.say(present, "DDD and the walrus?")
        server.summarize(present)
    return Story(household, model, earlier, present, first, model.requests[len(first) :])


def _answer(request: Request) -> dict[str, Any]:
    """The newest tool result that the model received."""
    found: dict[str, Any] = json.loads(request.last_tool_text)
    return found


def _read(request: Request) -> Reply:
    """A model that reads the session that it found."""
    return call("session_search", session_id=_answer(request)["results"][0]["session_id"])


def _scroll(request: Request) -> Reply:
    """A model that reads on around a message of it."""
    read = _answer(request)
    return call("session_search", session_id=read["session_id"], around_message_id=read["messages"][-1]["message_id"])


def _received(story: Story, lane: str) -> list[Request]:
    """The requests of a lane that ended with a tool's result."""
    return [request for request in story.later if request.lane == lane and request.messages[-1]["role"] == "tool"]


def _own(requests: list[Request]) -> list[Request]:
    return [request for request in requests if not request.aux]


def test_what_was_said_in_an_ended_session_reaches_the_model_fenced_with_its_session_and_link(story: Story) -> None:
    text = _received(story, "CCC")[0].last_tool_text
    assert text.index("[herma data: ") < text.index(SAID) < text.index("[/herma data]")
    (result,) = json.loads(text)["results"]
    assert (result["session_id"], result["link"]) == (story.earlier, f"@session/local/{story.earlier}")
    assert result["directory"] == str(story.household.project)


def test_the_model_reads_the_session_and_scrolls_in_it(story: Story) -> None:
    _, read, scrolled = map(_answer, _received(story, "CCC"))
    assert (read["mode"], read["session_id"]) == ("read", story.earlier)
    texts = [message["text"] for message in read["messages"]]
    assert f"AAA {SAID}" in texts
    assert ANSWERED in texts
    assert scrolled["mode"] == "scroll"
    anchors = [message["message_id"] for message in scrolled["messages"] if message.get("anchor")]
    assert anchors == [read["messages"][-1]["message_id"]]


def test_neither_the_present_session_nor_a_subagents_is_found(story: Story) -> None:
    child = [request for request in story.first if request.lane == "SUBQ"]
    assert "pangolin" in child[-1].last_tool_text
    searched, listed = map(_answer, _received(story, "DDD"))
    assert (searched["success"], searched["results"]) == (True, [])
    assert "in the present one only" in searched["note"]
    assert [result["session_id"] for result in listed["results"]] == [story.earlier]


def test_its_guidance_stands_before_the_blocks_in_every_request_of_the_conversation(story: Story) -> None:
    for request in (*_own(story.first), *_own(story.later)):
        assert "\n".join(request.texts("system")).count(GUIDANCE) == 1
    texts = {"\n".join(request.texts("system")[1:]) for request in _own(story.later)}
    (text,) = texts
    assert text.index(MEMORY_GUIDANCE) < text.index(GUIDANCE) < text.index(RULE) < text.index("Flies kites.")


def test_titles_and_compactions_are_not_told_of_it(story: Story) -> None:
    every = [request for request in (*story.first, *story.later) if request.aux]
    kinds = ("title generator", "context summarization agent")
    assert all(any(kind in request.system_text for request in every) for kind in kinds)
    assert not [request for request in every if GUIDANCE in "\n".join(request.texts("system"))]


def test_the_model_gets_the_tool_with_its_own_schema(story: Story) -> None:
    for request in _own(story.later):
        (found,) = [tool["function"] for tool in request.body["tools"] if tool["function"]["name"] == "session_search"]
        assert found == schema()


def test_the_command_that_a_person_is_shown_resumes_the_session(story: Story) -> None:
    told = subprocess.run(
        [story.household.python, "-m", "herma", "recall", "--host", "opencode", "--limit", "1", "blue", "kite"],
        env=story.household.environment(), cwd=story.household.project, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    (command,) = [line.strip() for line in told.splitlines() if line.strip().startswith("opencode ")]
    program, option, session = shlex.split(command)
    assert (program, option, session) == ("opencode", "--session", story.earlier)
    run(story.household, "EEE go on", session=session)
    request = _own(story.model.requests)[-1]
    assert "EEE go on" in request.user_text
    assert f"AAA {SAID}" in request.texts("user")
    assert request.texts("system") == _own(story.first)[0].texts("system")
