"""Turns that no person makes, in a real gateway: subagents, scheduled jobs and the host's own review of a chat."""

import json
from collections.abc import Iterator

import pytest

from tests.hosts.gateway import Person
from tests.hosts.hermes import Hermes
from tests.hosts.model import call, say
from tests.hosts.people_house import GUS, OLGA, House, lane

CRON = {"0.19.0": "cronjob", "0.22.2": "cronjob_manage"}
CLEO = Person("u-cleo", "Cleo")


@pytest.fixture
def cleo(household: House) -> Iterator[Person]:
    """A member who may delegate and schedule, and read files, beyond what members may."""
    household.join(CLEO, "member")
    household.many(OLGA, "tools Cleo add delegate_task cronjob read_file", "delegate_task")
    yield CLEO
    household.many(OLGA, "remove Cleo", "off the roster")


def test_a_subagent_may_do_what_its_parent_may_and_no_more(household: House, cleo: Person) -> None:
    note, mark = household.folder / "child.txt", household.folder / "child-mark.txt"
    note.write_text("child text\n", encoding="utf-8")
    household.model.lane("ASYNC DELEGATION", say("the delegation is over"))
    steps = (call("read_file", path=str(note)), call("terminal", command=f"touch {mark}"))
    household.model.lane(lane("child-goal"), *steps, say("the child is done"))
    household.turn(cleo, "cleo-delegates", call("delegate_task", goal="child-goal", context="none"))
    household.gateway.expect(cleo.dm, "the delegation is over")
    read, touched = [text for _, text in household.model.of(lane("child-goal"))[-1].tool_results()]
    assert "child text" in read
    assert '"error"' in touched
    assert not mark.exists()
    [row] = household.trail(cleo, kind="tool", tool="read_file")
    assert "subagent" in row["note"]


def test_a_subagent_of_the_owner_may_do_what_the_owner_may(household: House) -> None:
    mark = household.folder / "owner-child.txt"
    household.model.lane("ASYNC DELEGATION", say("the delegation is over"))
    household.model.lane(lane("owner-goal"), call("terminal", command=f"touch {mark}"), say("the child is done"))
    household.turn(OLGA, "olga-delegates", call("delegate_task", goal="owner-goal", context="none"))
    household.gateway.expect(OLGA.dm, "the delegation is over")
    assert mark.exists()


def test_a_job_runs_with_the_rights_its_creator_has_now(household: House, cleo: Person, hermes: Hermes) -> None:
    note, mark = household.folder / "job.txt", household.folder / "job-mark.txt"
    note.write_text("job text\n", encoding="utf-8")
    steps = (call("read_file", path=str(note)), call("terminal", command=f"touch {mark}"))
    household.model.lane(lane("job-prompt"), *steps, say("the job is done"))
    tool = CRON[hermes.version]
    create = call(tool, action="create", schedule="every 1h", prompt="job-prompt", name="cleo's job")
    [made] = household.results(cleo, "cleo-schedules", create)
    job = json.loads(made)["job_id"]
    household.turn(cleo, "cleo-runs", call(tool, action="run", job_id=job))
    household.gateway.expect(cleo.dm, "the job is done")
    read, touched = [text for _, text in household.model.of(lane("job-prompt"))[-1].tool_results()]
    assert "job text" in read
    assert '"error"' in touched
    assert not mark.exists()
    household.many(OLGA, "tools Cleo remove read_file", "read_file")
    household.model.lane(lane("job-prompt"), *steps, say("the job is done"))
    household.turn(cleo, "cleo-runs-again", call(tool, action="run", job_id=job))
    household.gateway.expect(cleo.dm, "the job is done")
    assert '"error"' in household.model.of(lane("job-prompt"))[-1].tool_results()[0][1]


def test_a_job_without_a_known_creator_is_a_guests(household: House, hermes: Hermes) -> None:
    """As one that was made before manyhands was there: only the host's own file knows it."""
    mark = household.folder / "orphan.txt"
    household.model.lane(lane("orphan-prompt"), call("terminal", command=f"touch {mark}"), say("the orphan is done"))
    tool = CRON[hermes.version]
    create = call(tool, action="create", schedule="every 1h", prompt="nothing", name="orphan", deliver="local")
    [made] = household.results(OLGA, "olga-schedules", create)
    stored = household.home.path / "cron" / "jobs.json"
    copied = json.loads(stored.read_text("utf-8"))
    job = next(each for each in copied["jobs"] if each["id"] == json.loads(made)["job_id"])
    copied["jobs"].append({**job, "id": "0123456789ab", "name": "orphan", "prompt": "orphan-prompt", "origin": None})
    stored.write_text(json.dumps(copied), encoding="utf-8")
    household.turn(OLGA, "olga-runs", call(tool, action="run", job_id="0123456789ab"))
    request = household.model.wait_for(lambda each: each.lane == lane("orphan-prompt") and each.tool_results())
    assert '"error"' in request.last_tool_text
    assert not mark.exists()


def test_a_guest_starts_no_subagent_and_no_job(household: House, hermes: Hermes) -> None:
    results = household.results(
        GUS,
        "gus-machines",
        call("delegate_task", goal="gus-goal", context="none"),
        call(CRON[hermes.version], action="create", schedule="every 1h", prompt="x", name="gus's job"),
    )
    assert all('"error"' in text for text in results)
    assert household.sent("gus-goal is done") == []
