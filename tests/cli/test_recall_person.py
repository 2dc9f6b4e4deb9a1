"""`herma recall --person`: what one person of a gateway may find, as a shell finds and erases it."""

from pathlib import Path

import pytest

from herma.core.people.records import Session, Turn
from tests.cli.conftest import Herma
from tests.cli.people import NOW, people
from tests.stores.sessions.hosts import Hermes

ANN, BOB = "telegram:111", "telegram:222"
ROOM = "agent:main:telegram:group:9"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home in which Ann and Bob have a direct chat each and a room together."""
    home = tmp_path / ".hermes"
    home.mkdir()
    with Hermes(home / "state.db") as host, people(home, (ANN, "owner"), (BOB, "member")) as house:
        told = (("dm-ann", ANN), ("dm-bob", BOB), ("room", ANN), ("room", BOB), ("room", ANN))
        for number, (session, who) in enumerate(told):
            chat = ROOM if session == "room" else f"agent:main:telegram:dm:{who[-3:]}"
            at = NOW + number * 10_000
            if not any(session == before for before, _ in told[:number]):
                host.session(session, source="telegram", user_id=who[-3:], started_at=at / 1000)
            with house.store.routine() as unit:
                unit.put_session(Session(session, session, who, 0, "telegram", chat), at)
                unit.add_turn(Turn(f"t{number}", session, who, who, "person", "member", "", "gateway", "", at))
            host.say(session, "user", f"zebra {number} says {who}", timestamp=(at - 5) / 1000)
            host.say(session, "assistant", f"zebra {number} answered", timestamp=(at + 5) / 1000)
    return home


def test_a_person_finds_what_was_said_while_they_were_there(herma: Herma, home: Path) -> None:
    found = herma("recall", "zebra", "--home", str(home), "--person", "222", "--limit", "9", "--json").data
    assert (found["host"], found["person"]) == ("hermes", BOB)
    assert {each["session_id"] for each in found["results"]} == {"dm-bob", "room"}
    texts = {match["text"] for each in found["results"] for match in each["matches"]}
    assert texts <= {f"zebra {number} {end}" for number in (1, 3) for end in ("answered", f"says {BOB}")}
    assert herma("recall", "zebra", "--home", str(home), "--json", "--limit", "9").data["results"][2:]


def test_what_is_erased_for_a_person_is_theirs_alone(herma: Herma, home: Path) -> None:
    outcome = herma("recall", "--home", str(home), "--person", BOB, "--erase", "all")
    assert outcome.out.endswith("taken out of the index: 2 sessions; hermes keeps its own\n")
    assert herma("recall", "zebra", "--home", str(home), "--person", BOB).code == 1
    left = herma("recall", "zebra", "--home", str(home), "--person", ANN, "--json", "--limit", "9").data["results"]
    assert {each["session_id"] for each in left} == {"dm-ann", "room"}


def test_nobody_is_found_by_a_name_that_nobody_has(herma: Herma, home: Path) -> None:
    outcome = herma("recall", "zebra", "--home", str(home), "--person", "Zoe")
    assert outcome.code == 2
    assert "Nobody is called" in outcome.err
    assert "herma people roster" in outcome.err


def test_a_host_with_one_person_has_nobody_to_choose_from(herma: Herma) -> None:
    outcome = herma("recall", "zebra", "--host", "opencode", "--person", "222")
    assert (outcome.code, "leave --person out" in outcome.err) == (2, True)


def test_a_database_of_people_that_is_not_there_is_not_made(herma: Herma, tmp_path: Path) -> None:
    with Hermes(tmp_path / "state.db") as host:
        host.session("s")
    outcome = herma("recall", "zebra", "--home", str(tmp_path), "--person", "222")
    assert outcome.code == 2
    assert "there is no database of people at" in outcome.err
    assert sorted(path.name for path in tmp_path.rglob("*.db")) == ["state.db"]
