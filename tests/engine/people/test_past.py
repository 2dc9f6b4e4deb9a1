"""What of a session is one person's: the message that begins a turn is stamped by another clock than the turn."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from tests.engine.people.bot import KITER, LAN, MINH, Bot
from tests.stores.sessions.hosts import HERMES, Hermes

from herma.engine.people.past import past, shown
from herma.stores.sessions.openings import Openings, Row

ROOM = "agent:main:telegram:group:-100"
DIRECT = f"agent:main:telegram:dm:{MINH}"
EVER = 1 << 62

Said = tuple[str, str, int]


def seen(said: Sequence[Said], first_at: int, next_at: int | None) -> list[str]:
    """What a reader of stamps alone shows of it: the texts whose stamps lie within."""
    spans = list(shown([Row(role, at) for _, role, at in said], first_at, next_at))
    return [text for text, _, at in said if any(lo <= at <= hi for lo, hi in spans)]


BEFORE: list[Said] = [("q1", "user", 1_000), ("t1", "tool", 2_000), ("a1", "assistant", 3_000)]
AFTER: list[Said] = [("q3", "user", 7_000), ("a3", "assistant", 9_000)]


@pytest.mark.parametrize("stamp", [3_001, 4_000, 4_999, 5_000, 5_001, 5_100])
def test_the_first_message_is_its_senders_whether_it_is_stamped_before_or_after_the_turn_begins(stamp: int) -> None:
    said = [*BEFORE, ("q2", "user", stamp), ("a2", "assistant", 6_000), *AFTER]
    assert seen(said, 5_000, 8_000) == ["q2", "a2"]
    assert seen(said, 5_000, None) == ["q2", "a2", "q3", "a3"]


def test_a_platform_whose_clock_is_behind_shows_nobody_what_was_said_before() -> None:
    said = [*BEFORE, ("q2", "user", 2_500), ("a2", "assistant", 6_000), *AFTER]
    assert seen(said, 5_000, 8_000) == ["q2", "a2"]


def test_a_message_with_the_stamp_of_somebody_elses_is_left_out() -> None:
    said = [*BEFORE, ("q2", "user", 3_000), ("a2", "assistant", 6_000), *AFTER]
    assert seen(said, 5_000, 8_000) == ["a2"]


def test_a_message_that_came_while_the_last_answer_was_made_is_not_the_persons() -> None:
    said = [*BEFORE, ("q2", "user", 4_000), ("t2", "tool", 6_000), ("a2", "assistant", 7_500), *AFTER]
    assert seen(said, 5_000, 8_000) == ["q2", "t2", "a2"]


def test_an_answer_that_was_stored_after_the_next_turn_began_does_not_let_the_turn_before_in() -> None:
    said = [*BEFORE[:2], ("a1", "assistant", 5_001), ("q2", "user", 5_000), ("a2", "assistant", 6_000), *AFTER]
    assert "q1" not in seen(said, 5_000, 8_000)
    assert "a1" not in seen(said, 5_000, 8_000)
    assert seen([*BEFORE[:2], ("a1", "assistant", 5_001)], 5_000, None) == []
    said = [BEFORE[0], ("a1", "assistant", 5_001), ("q2", "user", 5_000), ("a2", "assistant", 6_000), *AFTER]
    assert seen(said, 5_000, 8_000) == ["q2", "a2"]


def test_the_next_message_is_not_shown_even_where_it_is_stored_before_the_last_answer() -> None:
    said = [*BEFORE, ("q2", "user", 4_000), ("t2", "tool", 6_000), ("q3", "user", 6_500), ("a2", "assistant", 7_000)]
    assert seen([*said, AFTER[1]], 5_000, 8_000) == ["q2", "t2"]


def test_messages_without_an_answer_are_nobody_elses_but_their_senders() -> None:
    said = [*BEFORE, ("q2", "user", 4_000), ("a2", "assistant", 6_000), ("x", "user", 6_500), *AFTER]
    assert seen(said, 5_000, 6_600) == ["q2", "a2"]
    assert seen([*said[:5], ("x", "user", 6_500), ("y", "user", 6_600)], 5_000, None) == ["q2", "a2"]
    assert seen(BEFORE, 5_000, None) == seen([], 5_000, None) == seen([], 5_000, 6_000) == []


def test_a_summary_is_shown_to_nobody_who_may_not_have_heard_what_it_tells() -> None:
    said = [*BEFORE, ("q2", "user", 4_000), ("s", "summary", 5_500), ("a2", "assistant", 6_000), *AFTER]
    assert seen(said, 5_000, 8_000) == ["q2", "a2"]


@pytest.mark.parametrize("skew", [0, 40, 2_000, -30, -2_000])
def test_nobody_is_shown_a_word_from_before_they_came_or_after_they_left(skew: int) -> None:
    """`skew` is how far the platform's clock is behind; turns, lengths, failures and waits are drawn."""
    random = Random(skew)
    for _ in range(300):
        said, turns = _talk(random, skew)
        for person in range(3):
            own = [turn for turn in turns if turn[0] == person]
            if not own:
                continue
            later = [turn for turn in turns if turn[1] > own[-1][1]]
            texts = seen(said, own[0][1], later[0][1] if later else None)
            allowed = {f"{n}" for n, turn in enumerate(turns) if own[0][1] <= turn[1] <= own[-1][1]}
            assert {text.partition(":")[0] for text in texts} <= allowed
            if skew in (0, 40) and len(own) > 1:
                assert f"{turns.index(own[0])}:asks" in texts or turns.index(own[0]) in _unanswered(said, turns)


def _talk(random: Random, skew: int) -> tuple[list[Said], list[tuple[int, int]]]:
    """What three people said in a room, in the order of storing, and their turns as (person, at)."""
    now, said, turns = 100_000, list[Said](), list[tuple[int, int]]()
    for number in range(random.randint(1, 8)):
        now += random.randint(100, 3_000)
        stamp = now - skew + random.choice((0, 0, 1))
        now += random.choice((0, 1, 5, 700))
        turns.append((random.randrange(3), now))
        said.append((f"{number}:asks", "user", stamp))
        for step in range(random.choice((0, 1, 1, 3))):
            now += random.randint(3, 900)
            said.append((f"{number}:{step}", random.choice(("tool", "assistant")), now))
    return said, turns


def _unanswered(said: Sequence[Said], turns: Sequence[object]) -> set[int]:
    answered = {int(text.partition(":")[0]) for text, role, _ in said if role != "user"}
    return set(range(len(turns))) - answered


@pytest.fixture(params=HERMES)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hermes]:
    with Hermes(tmp_path / "state.db", request.param) as made:
        yield made


def exchange(at: Bot, host: Hermes, sender: str, session: str, chat: str, **more: object) -> None:
    """A turn of somebody's, kept and stored as the host does it: its message, the turn, its answer."""
    host.say(session, "user", f"{sender} says")
    at.clock.at = host.now * 1_000
    at.begin(sender, room=session, **{"chat": chat, "alone": ":dm:" in chat, **more})  # type: ignore[arg-type] # of a start
    host.say(session, "assistant", f"{sender} hears")


def of(at: Bot, host: Hermes, person: str, room: str | None = None) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for session, lo, hi in past(at.store, lambda: Openings(host.path), person, room=room):
        found.setdefault(session, []).append((lo, hi))
    return found


def test_a_direct_chat_is_a_persons_as_a_whole_and_of_a_room_what_they_heard(at: Bot, host: Hermes) -> None:
    for session in ("dm-1", "room-1"):
        host.session(session)
    exchange(at, host, MINH, "dm-1", DIRECT)
    exchange(at, host, LAN, "room-1", ROOM)
    exchange(at, host, MINH, "room-1", ROOM)
    exchange(at, host, LAN, "room-1", ROOM)
    found = of(at, host, f"telegram:{MINH}")
    assert found["dm-1"] == [(-EVER, EVER)]
    [(lo, hi)] = found["room-1"]
    rows = host.database.execute("SELECT content FROM messages WHERE timestamp * 1000 BETWEEN ? AND ?", [lo, hi])
    assert [text for (text,) in rows] == [f"{MINH} says", f"{MINH} hears"]
    assert of(at, host, f"telegram:{MINH}", room=ROOM) == {"room-1": [(lo, hi)]}
    assert of(at, host, f"telegram:{MINH}", room="agent:main:telegram:group:-200") == {}


def test_without_a_person_or_with_a_room_that_is_not_known_there_is_nothing(at: Bot, host: Hermes) -> None:
    host.session("dm-1", source="telegram", user_id="", chat_type="dm")
    exchange(at, host, MINH, "dm-1", "")
    assert of(at, host, "") == of(at, host, f"telegram:{MINH}", room="") == of(at, host, f"telegram:{LAN}") == {}


def test_a_conversation_that_an_owner_takes_up_elsewhere_is_a_shared_one_from_then_on(at: Bot, host: Hermes) -> None:
    host.session("dm-1")
    exchange(at, host, MINH, "dm-1", DIRECT)
    exchange(at, host, KITER, "dm-1", f"agent:main:telegram:dm:{KITER}")
    [(_, hi)] = of(at, host, f"telegram:{MINH}")["dm-1"]
    [(lo, _)] = of(at, host, f"telegram:{KITER}")["dm-1"]
    assert hi < lo


def test_the_terminal_is_the_operators_and_another_place_without_a_chat_is_not(at: Bot, host: Hermes) -> None:
    for session in ("shell", "other"):
        host.session(session)
    exchange(at, host, "", "shell", "", platform="cli", alone=True)
    exchange(at, host, MINH, "other", "", alone=True)
    assert of(at, host, "operator") == {"shell": [(-EVER, EVER)]}
    [(lo, _)] = of(at, host, f"telegram:{MINH}")["other"]
    assert lo > 0


def test_direct_chats_from_before_turns_were_kept_are_whose_the_host_says_they_were(at: Bot, host: Hermes) -> None:
    host.session("old-dm", source="telegram", user_id=MINH, chat_type="dm")
    host.session("old-room", source="telegram", user_id=MINH, chat_type="group")
    host.session("old-other", source="telegram", user_id=LAN, chat_type="dm")
    host.session("elsewhere", source="discord", user_id=MINH, chat_type="dm")
    host.session("known", source="telegram", user_id=MINH, chat_type="dm")
    exchange(at, host, LAN, "known", ROOM)
    assert of(at, host, f"telegram:{MINH}") == {"old-dm": [(-EVER, EVER)]}
    assert of(at, host, f"telegram:{MINH}", room=ROOM) == {}
