"""What the doors keep: who is told how often, where somebody can be reached alone, who the host has to let in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.people.household import Household, household

from herma.core.people.doors import Arrival
from herma.core.people.principal import OPERATOR
from herma.engine.people.change import Hand
from herma.engine.people.doors import Doors
from herma.engine.people.house import Settings
from herma.engine.people.invites import invite
from herma.errors import StoreError


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Household]:
    with household(tmp_path) as made:
        yield made


def arrives(sender: str, text: str = "hello", **more: object) -> Arrival:
    values = {"platform": "telegram", "sender_id": sender, "text": text, "chat": f"chat-{sender}", **more}
    return Arrival(**values)  # type: ignore[arg-type]


def address(home: Household, sender: str) -> str:
    with home.store.routine() as unit:
        return unit.address(f"telegram:{sender}")


def code(home: Household, role: str = "member") -> str:
    return invite(Hand(home.house, OPERATOR), role)[0]


def test_a_stranger_is_told_once_an_hour_and_each_time_is_a_row(home: Household) -> None:
    doors = Doors(home.house)
    said = [doors.arrive(arrives("999")).reply for _ in range(5)]
    assert [bool(reply) for reply in said] == [True, False, False, False, False]
    home.clock.pass_by(hours=1)
    assert doors.arrive(arrives("999")).reply
    assert [row.note for row in home.rows("refusal")] == [
        "at the door: not on the roster; 4 more since the row before",
        "at the door: not on the roster",
    ]


def test_a_room_full_of_strangers_is_told_once(home: Household) -> None:
    doors = Doors(home.house)
    said = [doors.arrive(arrives(str(n), chat="room", chat_kind="group")).reply for n in range(900, 910)]
    assert [bool(reply) for reply in said] == [True] + [False] * 9


def test_somebody_who_floods_the_door_is_not_answered_for_ever(home: Household) -> None:
    doors = Doors(home.house)
    said = [doors.arrive(arrives("222", "/yolo", command="yolo")) for _ in range(100)]
    assert {each.action for each in said} == {"drop"}
    assert sum(bool(each.reply) for each in said) == 20
    assert len(home.rows("refusal")) == 20


def test_a_code_lets_its_sender_in_at_the_host_too(home: Household) -> None:
    decided = Doors(home.house).arrive(arrives("999", f"join {code(home)}"))
    assert (decided.action, decided.enrol, decided.code) == ("answer", True, "")
    assert home.role("999") == "member"
    assert address(home, "999") == "chat-999"


def test_a_wrong_code_is_counted_and_ten_end_it(home: Household) -> None:
    doors, right = Doors(home.house), code(home)
    said = [doors.arrive(arrives("999", "join 2222-2222-2222")) for _ in range(20)]
    assert "not valid" in said[0].reply
    assert "Too many" in said[9].reply
    assert said[19].reply == ""
    assert not any(each.enrol for each in said)
    assert doors.arrive(arrives("999", f"join {right}")).enrol is False
    assert home.role("999") == ""


def test_under_strict_admission_the_host_learns_of_nobody_and_lets_each_message_in(tmp_path: Path) -> None:
    with household(tmp_path, Settings(strict_admission=True)) as home:
        doors = Doors(home.house)
        joined = doors.arrive(arrives("999", f"join {code(home)}"))
        assert (joined.action, joined.enrol) == ("answer", False)
        assert doors.arrive(arrives("999")).admit
        assert doors.admitted() == {"telegram:111"}
        assert not doors.arrive(arrives("998")).admit


def test_otherwise_the_host_has_to_know_everybody_who_is_not_blocked(home: Household) -> None:
    doors = Doors(home.house)
    assert doors.admitted() == {"telegram:111", "telegram:222", "telegram:333"}
    home.types("111", "role Gast blocked")
    assert doors.admitted() == {"telegram:111", "telegram:222"}
    assert not doors.arrive(arrives("222")).admit


def test_a_guest_of_an_open_house_is_let_in_for_each_message(tmp_path: Path) -> None:
    with household(tmp_path, Settings(unknown_sender_policy="open")) as home:
        decided = Doors(home.house).arrive(arrives("999"))
        assert (decided.action, decided.admit, decided.enrol) == ("pass", True, False)
        assert home.role("999") == ""


def test_while_paused_strangers_are_the_hosts_matter_and_not_ours(home: Household) -> None:
    home.types("111", "pause")
    decided = Doors(home.house).arrive(arrives("999"))
    assert (decided.action, decided.admit) == ("pass", False)


def test_the_chat_of_a_direct_message_is_where_its_sender_is_reached(home: Household) -> None:
    doors = Doors(home.house)
    doors.arrive(arrives("222", chat="room", chat_kind="group"))
    assert address(home, "222") == ""
    doors.arrive(arrives("222"))
    assert address(home, "222") == "chat-222"
    doors.arrive(arrives("222", chat="another"))
    assert address(home, "222") == "another"


def test_a_chat_in_which_two_have_written_is_nobodys_own(home: Household) -> None:
    doors = Doors(home.house)
    doors.arrive(arrives("111", chat="both"))
    assert address(home, "111") == "both"
    doors.arrive(arrives("999", chat="both"))
    assert address(home, "111") == ""
    doors.arrive(arrives("111", chat="both"))
    assert address(home, "111") == ""


def test_a_person_who_comes_back_is_reached_again(home: Household) -> None:
    doors = Doors(home.house)
    doors.arrive(arrives("222"))
    home.types("111", "remove Minh")
    assert address(home, "222") == ""
    doors.arrive(arrives("222", f"join {code(home)}"))
    assert address(home, "222") == "chat-222"


def test_owners_are_warned_of_a_name_that_looks_like_somebody_elses(home: Household) -> None:
    doors = Doors(home.house)
    doors.arrive(arrives("111"))
    decided = doors.arrive(arrives("999", f"join {code(home)}", name="Мinh"))
    assert "looks like" in decided.warning
    doors.warn(decided.warning)
    assert home.mail.sent == [("telegram:111", decided.warning)]


def test_a_store_that_fails_is_not_answered_with_a_pass(home: Household) -> None:
    doors = Doors(home.house)
    home.store.close()
    with pytest.raises(StoreError):
        doors.arrive(arrives("222"))
