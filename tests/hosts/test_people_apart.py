"""What one person has does not show in what the model gets for another: the provider's requests are the same bytes."""

import json
import re
from collections.abc import Iterator
from functools import reduce

import pytest

from tests.hosts.gateway import Person
from tests.hosts.model import call
from tests.hosts.people_house import OLGA, House, lane

TESS, UDO = Person("u-tess", "Tess"), Person("u-udo", "Udo")
PIN = "udo's pin is 4711"


@pytest.fixture(scope="module")
def two(shared_household: House) -> Iterator[House]:
    """The household with two more members: one who talks, and one who has secrets."""
    shared_household.join(TESS, "member")
    shared_household.join(UDO, "member")
    yield shared_household
    for person in (TESS, UDO):
        shared_household.many(OLGA, f"remove {person.name}", "off the roster")


def conversation(household: House) -> list[str]:
    """The bytes of every request in one conversation of Tess's; the scripted model's call ids are counted anew."""
    household.model.clear()
    household.gateway.exchange(TESS, "/new", ".")
    steps = (
        call("manyhands_recall", query="pin 4711 udo memory safe"),
        call("manyhands_people"),
        call("read_file", path="/etc/hostname"),
    )
    household.turn(TESS, "tess-asks", *steps)
    household.turn(TESS, "tess-goes-on", call("manyhands_recall", query="udo"))
    words = ("tess-asks", "tess-goes-on")
    sent = [json.dumps(request.body) for word in words for request in household.model.of(lane(word))]
    ids = list(dict.fromkeys(re.findall(r"call_\d+_0", sent[-1])))
    return [reduce(lambda text, n: text.replace(ids[n], f"call-{n}"), range(len(ids)), body) for body in sent]


def test_another_persons_secrets_change_no_byte_of_a_conversation(two: House) -> None:
    before = conversation(two)
    two.results(
        UDO,
        "udo-keeps",
        call("manyhands_remember", text=PIN, topic="pin"),
        call("write_file", path=str(two.folder / PIN), content=PIN),
        call("manyhands_recall", query=PIN),
    )
    two.deny(PIN, told=UDO.dm)
    two.turn(UDO, f"udo-says {PIN}")
    notes = two.home.path / "memories" / "MEMORY.md"
    kept = notes.read_text("utf-8")
    notes.write_text(f"{kept}\n§\nthe alarm code is 0815", encoding="utf-8")
    two.turn(OLGA, "olga-says the alarm code is 0815")
    after = conversation(two)
    notes.write_text(kept, encoding="utf-8")
    for earlier, later in zip(before, after, strict=True):
        assert later == earlier


def test_what_is_shared_on_purpose_does_show(two: House) -> None:
    """The comparison sees a difference where there is one."""
    before = conversation(two)
    two.results(UDO, "udo-shares", call("manyhands_share", text="the key is under the mat"))
    after = conversation(two)
    assert after != before
    assert "under the mat" in after[0]
