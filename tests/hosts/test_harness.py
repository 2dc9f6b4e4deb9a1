import hashlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pytest

from tests.hosts.command import run_command
from tests.hosts.failure import HostError
from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home, merged
from tests.hosts.homes import Homes
from tests.hosts.model import Reply, Request, ScriptedModel, call, calls, say
from tests.hosts.observed import OBSERVER, OTHERTOOLS, Observed
from tests.hosts.sharing import piece_of_work
from tests.hosts.turn import run_turn

ALICE, BOB, CAROL = Person("u-1", "Alice"), Person("u-2", "Bob"), Person("u-3", "Carol")
CODE = "from hermes_tools import read_file\nprint('inner', read_file('letters.txt')['content'])\n"


class House(NamedTuple):
    """One gateway for many tests, with everything that they look at."""

    gateway: Gateway
    model: ScriptedModel
    observed: Observed


@pytest.fixture(scope="module")
def shared_house(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    write_letters(folder)
    observed = Observed(folder / "observed.jsonl")
    config = {"approvals": {"mode": "off"}, "display": {"busy_input_mode": "queue"}}
    with ScriptedModel() as model:
        home = homes.make(hermes, model, plugins=[OBSERVER, OTHERTOOLS], config=config)
        environment = observed.environment(text=True)
        with Gateway(hermes, home, model, cwd=folder, shared_groups=True, environment=environment) as gateway:
            yield House(gateway, model, observed)


@pytest.fixture
def house(shared_house: House) -> House:
    shared_house.model.clear()
    return shared_house


def write_letters(folder: Path) -> None:
    (folder / "letters.txt").write_text("alpha\nbeta\n", encoding="utf-8")
    (folder / "greek.txt").write_text("gamma\n", encoding="utf-8")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def answer_with_the_content(request: Request) -> Reply:
    return say(json.loads(request.last_tool_text)["content"])


def test_a_turn_reads_a_file_and_another_process_resumes_it(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    write_letters(folder)
    observed = Observed(folder / "observed.jsonl")
    home = homes.make(hermes, model, plugins=[OBSERVER])
    read = call("read_file", path="letters.txt")
    model.replies(read, answer_with_the_content, read, lambda request: say(request.last_tool_text))

    first = run_turn(hermes, home, "read", cwd=folder, environment=observed.environment())
    second = run_turn(
        hermes,
        home,
        "again",
        cwd=folder,
        resume=first.session_id,
        environment=observed.environment(veto="letters"),
    )

    assert "1|alpha\n2|beta" in first.stdout
    assert all(request.stream for request in model.requests)
    [content, vetoed] = [text for _, text in model.requests[-1].tool_results()]
    assert json.loads(vetoed) == {"error": "The observer vetoes letters.txt."}
    assert second.session_id == first.session_id
    assert model.requests[-1].texts("user") == ["read", "again"]
    [seen] = observed.events("transform_tool_result", tool="read_file")
    assert (seen["sha256"], seen["length"], "text" in seen) == (digest(content), len(content), False)
    assert {each["session_id"] for each in observed.events("on_session_end")} == {first.session_id}


def test_three_people_have_lanes_by_their_names_in_direct_chats_and_in_a_group(house: House) -> None:
    for person in (ALICE, BOB, CAROL):
        house.model.lane(person.name, default=say(f"hello {person.name}"))

    house.gateway.exchange(ALICE, "good morning", "hello Alice")
    house.gateway.exchange(BOB, "good morning", "hello Bob")
    house.gateway.exchange(CAROL, "good morning", "hello Carol", chat="lounge")
    house.gateway.exchange(ALICE, "good morning", "hello Alice", chat="lounge")

    assert [each.lane for each in house.model.requests] == ["Alice", "Bob", "Carol", "Alice"]
    assert house.model.requests[0].user_text == "good morning"
    assert house.model.requests[3].texts("user") == ["[Carol] good morning", "[Alice] good morning"]


def test_a_message_to_a_busy_session_waits_for_its_turn(house: House) -> None:
    gate = Event()
    house.model.lane("slow", say("slow is done").held(gate))
    house.model.lane("quick", say("quick is done"))

    house.gateway.say(ALICE, "slow", chat="workshop")
    house.model.wait_for(lambda request: request.lane == "slow")
    house.gateway.say(BOB, "quick", chat="workshop", while_busy=True)
    assert house.model.of("quick") == []
    gate.set()
    slow = house.gateway.expect("workshop", "slow is done")
    quick = house.gateway.expect("workshop", "quick is done")

    assert slow.n < quick.n
    assert [each.lane for each in house.model.requests] == ["slow", "quick"]


def test_parallel_calls_come_back_in_their_order_with_the_bytes_that_the_hooks_saw(house: House) -> None:
    house.model.lane(
        "both",
        calls(
            [
                call("read_file", path="letters.txt"),
                call("read_file", path="greek.txt"),
                call("Read", path="greek.txt"),
                call("read_path", path="letters.txt", byte_offset=2, byte_limit=3),
            ]
        ),
        say("read them all"),
    )

    house.gateway.exchange(BOB, "both", "read them all")

    results = house.model.requests[-1].tool_results()
    letters, greek, plain, window = (text for _, text in results)
    assert "1|alpha\\n2|beta" in letters
    assert "1|gamma" in greek
    assert (plain.strip(), window) == ("gamma", "pha")
    for call_id, text in results[:2]:
        [seen] = house.observed.events("transform_tool_result", tool_call_id=call_id)
        assert (seen["sha256"], seen["text"]) == (digest(text), text)
        assert house.observed.events("tool_execution", tool_call_id=call_id)


def test_code_that_the_model_runs_reads_through_the_hosts_tools(house: House) -> None:
    house.model.lane("compute", call("execute_code", code=CODE), say("computed"))

    house.gateway.exchange(CAROL, "compute", "computed")

    assert "inner 1|alpha\n2|beta" in json.loads(house.model.requests[-1].last_tool_text)["output"]
    [inner] = [each for each in house.observed.events("transform_tool_result") if each["tool_call_id"] == ""]
    assert (inner["tool"], inner["turn_id"]) == ("read_file", "")


def test_silence_is_judged_by_what_came_before_the_sentinel(house: House) -> None:
    house.model.lane("Alice", default=say("an answer"))
    house.model.lane("sentinel", default=say("still here"))
    house.gateway.say(ALICE, "a question")

    with pytest.raises(HostError, match="should have been silent in 'dm-u-1' and said 'an answer'"):
        house.gateway.nothing_before(ALICE, "sentinel", "still here")

    house.gateway.expect(ALICE.dm, "an answer")
    house.gateway.nothing_before(ALICE, "sentinel", "still here")


def test_an_expectation_that_is_not_met_shows_both_sides(house: House) -> None:
    house.model.lane("Bob", say("something else"))
    house.gateway.say(BOB, "a plea")
    house.model.wait_for(lambda request: request.lane == "Bob")

    with pytest.raises(HostError, match=r"(?s)did not say 'the words'.*asked of the model.*a plea.*agent\.log"):
        house.gateway.expect(BOB.dm, "the words", timeout=0.01)

    house.gateway.expect(BOB.dm, "something else")


def test_a_person_who_answers_at_once_interrupts_nothing(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    model.replies(default=lambda request: say(f"to {request.user_text}"))
    home = homes.make(hermes, model)

    with Gateway(hermes, home, model, cwd=folder) as gateway:
        answers = [gateway.exchange(ALICE, text, f"to {text}") for text in ("one", "two", "three", "four", "five")]

        assert gateway.messages == answers


def test_a_gateway_that_is_killed_fails_whoever_waits_at_once_with_its_log(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    home = homes.make(hermes, model)
    with Gateway(hermes, home, model, cwd=folder) as gateway:
        os.kill(gateway.pid, signal.SIGKILL)

        with pytest.raises(HostError, match=r"(?s)ended with code -9.*gateway\.log.*Gateway"):
            gateway.expect(ALICE.dm, "anything", timeout=600)
        with pytest.raises(HostError, match="ended with code -9"):
            gateway.exchange(ALICE, "anybody there?", "anything", timeout=600)


def test_a_command_prints_its_version_and_ends_with_its_own_code(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    home = homes.make(hermes, model)

    version = run_command(hermes, home, ["--version"], cwd=folder)
    unknown = run_command(hermes, home, ["plugins", "no-such-command"], cwd=folder)

    assert (version.code, hermes.version in version.stdout) == (0, True)
    assert unknown.code == 2


def test_a_turn_that_fails_shows_what_the_program_said(model: ScriptedModel, folder: Path) -> None:
    elsewhere = Hermes("0.0.0", Path(sys.executable))
    home = Home(folder / "home", elsewhere, model_url=model.url)

    with pytest.raises(HostError, match=r"(?s)exit code 1.*No module named"):
        run_turn(elsewhere, home, "go", cwd=folder)
    assert "without Hermes 0.0.0" in elsewhere.missing


def test_a_turn_that_does_not_end_is_ended(model: ScriptedModel, folder: Path) -> None:
    endless = folder / "endless"
    endless.write_text("#!/bin/sh\necho begun\nexec tail -f /dev/null\n", encoding="utf-8")
    endless.chmod(0o700)
    stuck = Hermes("0.0.0", endless)

    with pytest.raises(HostError, match=r"(?s)did not end within 0\.5 s.*begun"):
        run_turn(stuck, Home(folder / "home", stuck, model_url=model.url), "go", cwd=folder, timeout=0.5)


def test_a_home_adds_plugins_to_those_that_are_enabled_and_keeps_the_rest(model: ScriptedModel, folder: Path) -> None:
    home = Home(folder / "home", Hermes("0.22.2", Path(sys.executable)), model_url=model.url)

    home.add_plugin(OBSERVER).enable("read-summarizer", "observer").configure({"approvals": {"timeout": 5}})

    written = json.loads((home.path / "config.yaml").read_text(encoding="utf-8"))
    assert written["plugins"]["enabled"] == ["observer", "read-summarizer"]
    assert written["approvals"] == {"mode": "manual", "timeout": 5}
    assert (home.path / "plugins" / "observer" / "plugin.yaml").is_file()


def test_a_host_inherits_nothing_that_could_reach_out(
    model: ScriptedModel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_HOME", "/elsewhere")
    monkeypatch.setenv("OPENAI_API_KEY", "somebody's")
    home = Home(folder / "home", Hermes("0.19.0", Path(sys.executable)), model_url=model.url)

    environment = home.environment({"EXTRA": "1"})

    assert environment["HERMES_HOME"] == str(home.path)
    assert "OPENAI_API_KEY" not in environment
    assert environment["EXTRA"] == "1"
    assert environment["HTTPS_PROXY"].startswith("http://127.0.0.1:")


def test_the_tests_of_one_version_are_one_piece_of_work_and_so_is_a_file() -> None:
    assert piece_of_work("tests/hosts/test_a.py::test_x[0.19.0]") == "hermes-0.19.0"
    assert piece_of_work("tests/hosts/test_b.py::test_y[small-0.19.0]") == "hermes-0.19.0"
    assert piece_of_work("tests/hosts/test_b.py::test_y[0.22.2-small]") == "hermes-0.22.2"
    assert piece_of_work("tests/hosts/opencode/test_d.py::test_v[1.18.33-file]") == "opencode-1.18.33"
    assert piece_of_work("tests/core/test_c.py::test_z[small]") == "tests/core/test_c.py"


def test_merging_replaces_everything_but_mappings() -> None:
    base = {"a": {"b": 1, "c": [1]}, "d": {"e": 1}}

    assert merged(base, {"a": {"c": [2]}, "d": 3}) == {"a": {"b": 1, "c": [2]}, "d": 3}
    assert base == {"a": {"b": 1, "c": [1]}, "d": {"e": 1}}
