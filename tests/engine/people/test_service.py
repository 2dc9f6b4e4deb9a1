"""The service as a whole: what a host asks of it beside turns and calls."""

from pathlib import Path

import pytest
from tests.engine.people.bot import BAD, GAST, KITER, MINH, Bot, bot

from herma.engine.people.house import Settings
from herma.engine.people.turns import Call


def test_a_running_turn_has_the_rights_of_this_moment(at: Bot) -> None:
    standing = at.begin(MINH).live.standing
    assert at.people.now(standing) == standing
    at.types(KITER, "role Minh guest")
    assert at.people.now(standing).role == "guest"
    at.types(KITER, "remove Minh")
    assert at.people.now(standing).role == "blocked"


def test_who_stands_beside_others_has_the_rights_of_this_moment_too(at: Bot) -> None:
    turn = at.begin(KITER, room="room")
    at.people.steered(turn.live.turn_id, ("telegram:222",))
    at.types(KITER, "role Minh blocked")
    assert at.people.now(turn.live.standing).others[0].role == "blocked"


def test_words_are_mixed_in_and_said_once(at: Bot) -> None:
    turn = at.begin(KITER, room="room")
    for _ in range(3):
        at.people.steered(turn.live.turn_id, ("telegram:222", "telegram:111"))
    assert [other.person_id for other in turn.live.standing.others] == ["telegram:222"]
    assert len([row for row in at.rows("policy") if "came into this turn" in row.note]) == 1
    assert at.people.steered("no such turn", ("telegram:222",)) is None


@pytest.mark.parametrize(
    "account, shut", [(f"telegram:{BAD}", True), ("telegram:999", True), (f"telegram:{GAST}", False), ("", False)]
)
def test_whose_words_must_not_reach_the_model(at: Bot, account: str, shut: bool) -> None:  # noqa: FBT001 - a parameter
    assert at.people.may_not_speak(account) is shut


def test_where_strangers_may_speak_their_words_stand(tmp_path: Path) -> None:
    with bot(tmp_path, Settings(unknown_sender_policy="open")) as at:
        assert not at.people.may_not_speak("telegram:999")
        assert at.people.may_not_speak(f"telegram:{BAD}")


def test_a_tool_answers_for_the_person_of_the_call(at: Bot) -> None:
    turn = at.begin(MINH)
    answer = at.people.tool("manyhands_whoami", {}, at.people.standing(at.call(turn)))
    assert "Minh" in str(answer)
    assert "Minh" not in str(at.people.tool("manyhands_whoami", {}, at.people.standing(Call())))


def test_the_whole_trail_of_a_busy_day_verifies(at: Bot, tmp_path: Path) -> None:
    from herma.core.people.verify import verify  # noqa: PLC0415 - of this test alone
    from herma.stores.people.reading import Trail  # noqa: PLC0415 - the same

    at.says_and_calls(MINH, command="ls")
    at.types(KITER, f"approve {at.code()}")
    at.says_and_calls(MINH, command="ls")
    at.says_and_calls(GAST, command="ls")
    at.close()
    with Trail(tmp_path / "people.db") as trail:
        report = verify(trail.writers(), trail.rows(), trail.salts())
    assert report.intact
    assert report.rows == 7
