"""Whom a real gateway lets in under each policy, beside each way in which the host itself can admit people."""

from pathlib import Path
from threading import Event

from tests.hosts.gateway import Person
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import Request, say
from tests.hosts.people_house import ANNA, BEN, OLGA, House, house, lane

LISTED = Person("u-listed", "Lia")  # on the operator's own list
SAM = Person("u-sam", "Sam")  # nobody knows Sam
_HERS, _HIS = "anna-in-the-room", "ben-in-the-room"


def paired(home: House) -> str:
    """What the host keeps of those it has paired."""
    kept = home.home.path / "platforms" / "pairing" / "loopchat-approved.json"
    return kept.read_text("utf-8") if kept.exists() else ""


def test_a_closed_house_takes_nobody_in_not_even_whom_the_host_has_listed(
    hermes: Hermes, homes: Homes, folder: Path
) -> None:
    environment = {"LOOPCHAT_ALLOWED_USERS": f"{LISTED.id},{OLGA.id}"}
    with house(hermes, homes, folder, settings={"unknown_sender_policy": "closed"}, environment=environment) as home:
        code = home.invite("member")
        for person in (LISTED, SAM):
            home.gateway.exchange(person, f"{person.name}-speaks", "(?i)not taking in")
            home.gateway.say(person, f"join {code}")
        home.many(OLGA, f"add loopchat {LISTED.id} member", "(?i)on the roster")
        home.turn(LISTED, "lia-speaks-now")
        home.many(OLGA, f"remove loopchat:{LISTED.id}", "(?i)off the roster")
        home.gateway.say(LISTED, "Lia-speaks-again")
        home.turn(OLGA, "olga-speaks")
        assert home.sent("Lia-speaks") == home.sent("Sam-speaks") == []
        assert LISTED.id not in paired(home), "what the operator listed is not ours to pair"
        assert [row["role"] for row in home.rows("SELECT role FROM people")] == ["owner"]


def test_an_open_house_lets_strangers_speak_as_guests_and_keeps_none_of_them(
    hermes: Hermes, homes: Homes, folder: Path
) -> None:
    with house(hermes, homes, folder, settings={"unknown_sender_policy": "open"}) as home:
        for chat in (None, "room"):
            word = f"sam-in-{chat}"
            home.turn(SAM, word, chat=chat)
        home.gateway.exchange(SAM, "/yolo", "(?i)not available")
        home.many(SAM, "pause", "only the owner")
        assert SAM.id not in paired(home)
        assert home.rows("SELECT role FROM people WHERE sender_id = ?", SAM.id) == []


def test_an_invite_counts_where_the_host_lets_everybody_in(hermes: Hermes, homes: Homes, folder: Path) -> None:
    with house(hermes, homes, folder, environment={"LOOPCHAT_ALLOW_ALL_USERS": "true"}) as home:
        home.gateway.exchange(SAM, "sam-too-early", "(?i)invite")
        home.join(ANNA, "member")
        home.turn(ANNA, "anna-speaks")
        assert home.sent("sam-too-early") == []
        assert ANNA.id in paired(home)
        home.many(OLGA, "remove Anna", "(?i)off the roster")
        home.gateway.exchange(ANNA, "anna-too-late", "(?i)invite")
        assert home.sent("anna-too-late") == []
        assert ANNA.id not in paired(home)


def test_under_strict_admission_people_come_in_through_us_alone(hermes: Hermes, homes: Homes, folder: Path) -> None:
    with house(hermes, homes, folder, settings={"strict_admission": True}) as home:
        home.join(ANNA, "member")
        home.join(BEN, "member")
        home.turn(ANNA, "anna-in-her-chat")
        requests = while_busy(home)
        assert [request.lane for request in requests] == [lane(_HERS), lane(_HIS)]
        assert OLGA.id in paired(home)
        assert ANNA.id not in paired(home)
        assert BEN.id not in paired(home)


def test_a_second_start_knows_everybody_and_pairs_nobody_anew(hermes: Hermes, homes: Homes, folder: Path) -> None:
    with house(hermes, homes, folder) as home:
        home.join(ANNA, "member")
        before = paired(home)
        home.gateway.restart()
        home.turn(ANNA, "anna-after-the-start")
        home.turn(ANNA, "anna-in-the-room", chat="room")
        home.gateway.exchange(SAM, "sam-after-the-start", "(?i)invite")
        home.turn(OLGA, "olga-after-the-start")
        assert paired(home) == before
        assert home.sent("sam-after") == []


def while_busy(home: House) -> list[Request]:
    """Ben writes while Anna's turn runs in their room; the requests of both turns."""
    gate = Event()
    home.model.lane(lane(_HERS), say(f"{_HERS} is done").held(gate))
    home.model.lane(lane(_HIS), say(f"{_HIS} is done"))
    home.gateway.say(ANNA, _HERS, chat="room")
    home.model.wait_for(lambda request: request.lane == lane(_HERS))
    home.gateway.say(BEN, _HIS, chat="room", while_busy=True)
    gate.set()
    home.gateway.expect("room", f"{_HERS} is done")
    home.gateway.expect("room", f"{_HIS} is done")
    return [each for each in home.model.requests if each.lane in (lane(_HERS), lane(_HIS))]
