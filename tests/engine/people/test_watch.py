"""What happens by itself, with nothing but the clock."""

from tests.engine.people.bot import KITER, MINH, OLGA, Bot

from herma.engine.people.starts import TurnStart

STATUS = {"command": "git status"}


def test_silence_is_no_consent_and_the_asker_is_told(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.clock.pass_by(seconds=119)
    at.people.watch.tick()
    assert [ask.status for ask in at.asks(MINH)] == ["pending"]
    at.clock.pass_by(seconds=1)
    at.people.watch.tick()
    assert [ask.status for ask in at.asks(MINH)] == ["expired"]
    assert "Nobody answered in time" in at.post.told[-1][1]
    assert at.rows("approval")[-1].approved == 0
    assert not at.says_and_calls(MINH, **STATUS).allowed


def test_an_ask_ends_once_however_often_somebody_looks(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.clock.pass_by(hours=1)
    for _ in range(3):
        at.people.watch.tick()
    assert len(at.post.told) == 1
    assert len([row for row in at.rows("approval") if "expired" in row.note]) == 1


def test_a_second_owner_is_asked_when_half_of_the_time_is_over_and_not_before(at: Bot) -> None:
    at.join(OLGA, "Olga", "owner")
    at.says_and_calls(MINH, **STATUS)
    at.clock.pass_by(seconds=59)
    at.people.watch.tick()
    assert [account for account, _chat, _text in at.post.sent] == ["telegram:111"]
    at.clock.pass_by(seconds=1)
    for _ in range(3):
        at.people.watch.tick()
    assert [account for account, _chat, _text in at.post.sent] == ["telegram:111", "telegram:112"]
    assert "after 60 seconds" in at.post.sent[-1][2]
    at.types(OLGA, f"approve {at.code('telegram:112')}")
    assert at.says_and_calls(MINH, **STATUS).allowed


def test_of_an_ask_that_was_answered_no_second_owner_hears(at: Bot) -> None:
    at.join(OLGA, "Olga", "owner")
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"deny {at.code()}")
    at.clock.pass_by(seconds=90)
    at.people.watch.tick()
    assert [account for account, _chat, _text in at.post.sent] == ["telegram:111"]


def test_what_waits_when_a_process_ends_runs_out_in_the_next(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    after = at.restarted()
    after.clock.pass_by(seconds=121)
    after.people.watch.tick()
    assert [ask.status for ask in after.asks(MINH)] == ["expired"]
    after.close()


def test_it_wants_to_be_called_again_when_something_is_due_and_at_least_every_second(at: Bot) -> None:
    assert at.people.watch.tick() == 1_000
    at.says_and_calls(MINH, **STATUS)
    at.clock.at += 59_700
    assert at.people.watch.tick() == 300
    at.clock.at += 60_290
    assert 50 <= at.people.watch.tick() <= 1_000


def test_a_clock_that_is_set_back_wakes_no_grant(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()}")
    at.people.asks.revoke(person_id="telegram:222", reason="for the test")
    at.clock.pass_by(hours=-2)
    assert not at.says_and_calls(MINH, **STATUS).allowed


def test_it_shows_that_this_process_lives(at: Bot) -> None:
    at.people.watch.tick()
    with at.store.routine() as unit:
        (beat,) = unit.execute("SELECT max(beat_at) FROM writers").fetchone()
    assert beat == at.clock()


def test_an_answer_given_where_no_chat_is_reached_arrives_when_the_gateway_looks(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.post.roomless = True
    at.types(KITER, f"approve {at.code()}")
    assert at.post.told == []
    at.post.roomless = False
    for _ in range(3):
        at.people.watch.tick()
    assert [text for _chat, text in at.post.told if "approved" in text] == [text for _chat, text in at.post.told]
    assert len(at.post.told) == 1


def test_owners_hear_once_of_a_job_whose_maker_is_not_known_even_when_they_are_not_reached_at_first(at: Bot) -> None:
    at.post.dead["telegram:111"] = "away"
    for _ in range(3):
        started = at.begin("", "the job", platform="cron", job="j1")
        at.people.instead(started.live, TurnStart(started.live.turn_id, "s", job="j1"))
        assert started.live.standing.role == "guest"
    assert at.post.sent == []
    at.post.dead.clear()
    for _ in range(3):
        at.people.watch.tick()
    assert ["j1" in text for _account, _chat, text in at.post.sent] == [True]
