"""read-summarizer in the real gateway: several people, later turns, and code that the model runs."""

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.huge import Huge, make
from tests.hosts.model import ScriptedModel, call, say

ALICE, BOB = Person("u-1", "Alice"), Person("u-2", "Bob")
MARK = "... [read-summarizer: "
CODE = "from hermes_tools import read_file\npage = read_file('batch-a.log')\nprint('inner', len(page['content']))\n"


class House(NamedTuple):
    """A gateway with the plugin on, its model, and the files that people ask about."""

    gateway: Gateway
    model: ScriptedModel
    files: Mapping[str, Huge]


@pytest.fixture(scope="module")
def shared_house(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    files = make(folder)
    config = {"approvals": {"mode": "off"}, "read_summarizer": {"enabled": True}}
    with ScriptedModel() as model:
        home = homes.make(hermes, model, enabled=["read-summarizer"], config=config)
        with Gateway(hermes, home, model, cwd=folder) as gateway:
            yield House(gateway, model, files)


@pytest.fixture
def house(shared_house: House) -> House:
    shared_house.model.clear()
    return shared_house


def test_two_people_each_get_the_start_and_the_end_of_the_same_log(house: House) -> None:
    for person in (ALICE, BOB):
        house.model.lane(person.name, call("read_file", path="server.log"), say(f"read for {person.name}"))
        house.gateway.exchange(person, "how did it end?", f"read for {person.name}")

    for person in (ALICE, BOB):
        content = json.loads(house.model.of(person.name)[-1].last_tool_text)["content"].split("\n")
        assert content[200].startswith(MARK)
        assert content[-1] == f"6000|{house.files['server.log'].lines[-1]}"


def test_what_was_sent_is_never_rewritten_in_a_later_request(house: House) -> None:
    house.model.lane(
        "Alice",
        call("read_file", path="open-ended.log"),
        call("read_file", path="open-ended.log", offset=201, limit=100),
        say("first answer"),
        call("read_file", path="wide.txt"),
        say("second answer"),
        say("third answer"),
    )
    for n, answer in enumerate(("first", "second", "third")):
        house.gateway.exchange(ALICE, f"question {n}", f"{answer} answer", chat="archive")

    requests = house.model.of("Alice")
    assert len(requests) == 6
    for earlier, later in itertools.pairwise(requests):
        sent = [message for message in earlier.messages if message["role"] != "system"]
        again = [message for message in later.messages if message["role"] != "system"][: len(sent)]
        assert [message.get("content") for message in again] == [message.get("content") for message in sent]
    assert sum(MARK in text for _, text in requests[-1].tool_results()) == 2


def test_code_that_the_model_runs_gets_every_byte(house: House) -> None:
    house.model.lane("compute", call("execute_code", code=CODE), say("computed"))

    house.gateway.exchange(BOB, "compute", "computed", chat="lab")

    printed = json.loads(house.model.requests[-1].last_tool_text)["output"]
    lines = house.files["batch-a.log"].lines
    length = int(printed.split("inner ")[1].split()[0])
    gutters = [f"{n}|{line}" for n, line in enumerate(lines, 1)]
    assert length >= len("\n".join(gutters[:500]))


def test_a_file_that_was_shown_in_part_is_not_overwritten_as_if_it_had_been_seen(house: House) -> None:
    """Both hosts return all of this file in pages; 0.22 in a single one, after which it would let a write pass."""
    file = house.files["sent-whole.txt"]
    overwrite = call("write_file", path="sent-whole.txt", content="all that I have seen\n")
    house.model.lane("overwrite", call("read_file", path="sent-whole.txt"), overwrite, say("tried"))

    house.gateway.exchange(ALICE, "overwrite it", "tried", chat="desk")

    shown, written = (text for _, text in house.model.requests[-1].tool_results())
    assert MARK in shown
    assert "partial view" in written
    if "error" in json.loads(written):
        assert file.path.read_text("utf-8") == file.text
