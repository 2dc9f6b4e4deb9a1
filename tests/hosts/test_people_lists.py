"""A gateway that nobody owns yet, under each way in which a host may let people in: nobody reaches the model by it."""

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel, call, say

LISTED, OTHER = Person("u-listed", "Lia"), Person("u-other", "Olo")
ALLOWLIST = {"LOOPCHAT_ALLOW_ALL_USERS": "", "LOOPCHAT_ALLOWED_USERS": LISTED.id}
EVERYBODY = {"LOOPCHAT_ALLOW_ALL_USERS": "true"}


CLOSED, UNINVITED = "not taking in", "were invited"


class Way(NamedTuple):
    """A policy for those who are not on the roster, what the host itself is told, and what people hear."""

    policy: str
    admission: dict[str, str]
    refusal: str


WAYS = {
    "closed-allowlist": Way("closed", ALLOWLIST, CLOSED),
    "invite-everybody": Way("invite", EVERYBODY, UNINVITED),
    "invite-allowlist": Way("invite", ALLOWLIST, UNINVITED),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_whom_the_host_lets_in_is_still_not_on_the_roster(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path, way: Way
) -> None:
    settings = {"plugins": {"entries": {"manyhands": {"settings": {"unknown_sender_policy": way.policy}}}}}
    home = homes.make(hermes, model, enabled=("manyhands",), config=settings)
    model.replies(default=say("the model answered"))
    with Gateway(hermes, home, model, cwd=folder, shared_groups=True, environment=way.admission) as gateway:
        gateway.exchange(LISTED, "a listed person speaks in a room", way.refusal, chat="list-room")
        gateway.say(LISTED, "and again")
        gateway.exchange(OTHER, "somebody else speaks", way.refusal)
    assert model.requests == []


def test_an_open_door_lets_a_listed_person_in_as_a_guest(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    settings = {"plugins": {"entries": {"manyhands": {"settings": {"unknown_sender_policy": "open"}}}}}
    home = homes.make(hermes, model, enabled=("manyhands",), config=settings)
    model.replies(call("read_file", path="/etc/hostname"), say("the model answered"))
    with Gateway(hermes, home, model, cwd=folder, environment=ALLOWLIST) as gateway:
        gateway.exchange(LISTED, "a listed person speaks", "the model answered")
    assert '"error"' in model.requests[-1].last_tool_text
