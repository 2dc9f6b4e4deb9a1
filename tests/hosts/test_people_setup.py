"""`herma setup --plugin manyhands` in a real home with a real gateway, and `herma remove` from it.

One story a version: set up, the owner claims the bot, set up once more for the host's lists, a stranger speaks, the
doctor looks while the gateway runs, and all of it is taken out again.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
import yaml

from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home
from tests.hosts.homes import Homes
from tests.hosts.model import Request, ScriptedModel, say
from tests.hosts.people_house import ADMISSION, ANNA, CONFIG, OLGA, card_of, claim_code, lane, written

COMMENT = "# my own words about it\n"
SAM = Person("u-sam", "Sam")  # nobody knows Sam


class Done(NamedTuple):
    """What one run of `herma` left behind."""

    code: int
    out: str

    @property
    def host(self) -> Any:
        """What its JSON says of the one host."""
        (found,) = json.loads(self.out)["data"]["hosts"]
        return found

    def checks(self) -> dict[str, tuple[str, str]]:
        """The status and the summary of each check of manyhands, and of the installation."""
        return {check["id"]: (check["status"], check["summary"]) for check in self.host["checks"]}


class Story(NamedTuple):
    """What each part of the story left behind."""

    version: str
    config: bytes
    first: Done
    second: Done
    settings: dict[str, Any]
    told: str
    modelled: list[Request]
    member: Request
    watched: int
    doctor: Done
    status: Done
    after_stop: Done
    removal: Done
    config_after: bytes
    left: list[str]


@pytest.fixture(scope="module")
def story(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """The whole of it."""
    folder = tmp_path_factory.mktemp("folder")
    with ScriptedModel() as model, ExitStack() as stack:
        home = homes.make(hermes, model, config=CONFIG)
        gateway = Gateway(hermes, home, model, cwd=folder, environment=ADMISSION)
        config = home.path / "config.yaml"
        config.write_text(COMMENT + yaml.safe_dump(dict(home.config), sort_keys=False), encoding="utf-8")
        before, there = config.read_bytes(), _names(home)

        first = _herma(hermes, home, "setup", "--yes", "--json", "--plugin", "manyhands")
        code = claim_code(hermes, home, folder)
        stack.enter_context(gateway)
        gateway.exchange(OLGA, f"/many claim {code}", "(?i)owner")
        told = gateway.exchange(SAM, "sam-comes-in", "(?i)invite").text
        modelled = [request for request in model.requests if "sam-comes-in" in written(request)]
        said = gateway.exchange(OLGA, "/many invite member", "join ").text
        gateway.exchange(ANNA, next(line for line in _lines(said) if line.startswith("join ")), "(?i)member")
        model.lane(lane("anna-speaks"), say("anna is answered"))
        gateway.exchange(ANNA, "anna-speaks", "anna is answered")
        (member,) = model.of(lane("anna-speaks"))
        second = _herma(hermes, home, "setup", "--yes", "--json", "--plugin", "manyhands")
        settings = yaml.safe_load(config.read_text(encoding="utf-8"))
        doctor = _herma(hermes, home, "doctor", "--json")
        status = _herma(hermes, home, "status", "--json")
        watched = gateway.pid
        stack.close()
        after_stop = _herma(hermes, home, "doctor", "--json")
        removal = _herma(None, home, "remove", "--yes")
        yield Story(
            hermes.version, before, first, second, settings, told, modelled, member, watched, doctor, status,
            after_stop, removal, config.read_bytes(), sorted(_names(home) - there),
        )  # fmt: skip


def _herma(hermes: Hermes | None, home: Home, command: str, *arguments: str) -> Done:
    chosen = () if hermes is None else ("--hermes", str(hermes.python), "--home", str(home.path))
    surroundings = {"HOME": str(home.user), "PATH": os.defpath}
    line = [sys.executable, "-m", "herma", command, *chosen, *arguments]
    done = subprocess.run(line, env=surroundings, capture_output=True, text=True, check=False, timeout=240)
    assert not done.stderr, done.stderr
    return Done(done.returncode, done.stdout)


def _names(home: Home) -> set[str]:
    """What lies in the home, and in its folder of plugins."""
    return {str(path.relative_to(home.path)) for path in [*home.path.glob("*"), *home.path.glob("plugins/*")]}


def _lines(text: str) -> list[str]:
    return [line.strip(" `*") for line in text.replace(":", "\n").splitlines()]


def _notes(done: Done) -> str:
    return "\n".join(done.host["notes"])


def test_the_plan_says_each_change_with_its_reason(story: Story) -> None:
    assert story.first.code == 0, story.first.out
    notes = _notes(story.first)
    assert "settings.strict_admission becomes true: people come in through manyhands alone" in notes
    assert "gateway.strict becomes true: a reply that names a file" in notes
    assert "display.busy_input_mode becomes queue: what one person writes" in notes
    assert "nobody owns the bot yet" in notes
    assert ("security.approval.transport becomes manyhands" in notes) == (story.version != "0.19.0")
    assert ("this Hermes has no approval transports" in notes) == (story.version == "0.19.0")


def test_the_owner_comes_onto_the_hosts_own_lists_when_there_is_one(story: Story) -> None:
    assert story.second.code == 0, story.second.out
    assert [step["kind"] for step in story.second.host["steps"]] == ["file"]
    extra = story.settings["platforms"]["loopchat"]["extra"]
    assert extra["allow_admin_from"] == extra["group_allow_admin_from"] == [OLGA.id]
    assert set(extra["user_allowed_commands"]) >= {"new", "stop"}
    assert story.settings["plugins"]["entries"]["manyhands"]["settings"] == {"strict_admission": True}


def test_a_stranger_is_refused_and_a_member_served_by_what_setup_alone_made(story: Story) -> None:
    assert "invite code" in story.told
    assert story.modelled == []
    assert card_of(ANNA, "member") in story.member.user_text


def test_the_doctor_is_content_while_the_gateway_runs(story: Story) -> None:
    checks = story.doctor.checks()
    assert {name: found for name, found in checks.items() if found[0] not in ("pass", "skip")} == {}
    assert story.doctor.code == 0
    assert checks["heartbeat"] == ("pass", checks["heartbeat"][1])
    assert checks["heartbeat"][1].startswith(f"gateway {story.watched} is watched")
    assert f" of hermes {story.version}" in checks["surfaces"][1]
    assert checks["owner"] == ("pass", "1 owner, 1 more on the roster")
    assert checks["admission"][1].startswith("strict: ")
    assert checks["transport"][0] == ("skip" if story.version == "0.19.0" else "pass")


def test_a_gateway_that_was_stopped_is_no_failure(story: Story) -> None:
    assert story.after_stop.checks()["heartbeat"][0] in ("pass", "skip")
    assert story.after_stop.code == 0


def test_status_counts_people_asks_and_refusals(story: Story) -> None:
    people = next(system["people"] for system in story.status.host["systems"] if system["name"] == "manyhands")
    assert people["roles"] == {"member": 1, "owner": 1}
    assert (people["asks_waiting"], people["refused_today"], people["paused"]) == (0, 1, False)
    assert people["tokens_today"] == 110


def test_the_removal_gives_the_files_back_and_leaves_people_their_database(story: Story) -> None:
    assert story.removal.code == 0, story.removal.out
    assert story.config_after == story.config
    assert story.config.decode().startswith(COMMENT)
    assert [name for name in story.left if "manyhands" in name or "herma" in name or name.startswith("plugins/")] == []
    assert "plugin-data" in story.left
