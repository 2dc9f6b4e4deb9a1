from tests.contract.people import ANN, BOB, MINUTE, NOW

from herma.core.people.records import Fact, Invite, Message, Session, SharedFact, SpokenIn, Turn
from herma.engine.people.ports import Store, Unit

TURN = Turn("turn-1", "session-1", BOB.person_id, "telegram:2", "person", "member", "m1", "gateway", "", NOW)
SESSION = Session("session-1", "conversation-1", BOB.person_id, 1, "telegram", "chat-1")
INVITE = Invite("a-long-code", "invite", "member", ANN.person_id, NOW, NOW + MINUTE)


def speak(unit: Unit, *speakers: tuple[str, str], session: str = "session-1") -> None:
    for number, (person, account) in enumerate(speakers):
        turn = TURN._replace(turn_id=f"{session}/{number}", session_id=session, person_id=person, account=account)
        unit.add_turn(turn)


def test_a_turn_keeps_its_first_row(store: Store) -> None:
    with store.routine() as unit:
        unit.add_turn(TURN)
        unit.add_turn(TURN._replace(person_id=ANN.person_id))
        assert unit.turn("session-1", "turn-1") == TURN
        assert unit.turn("session-1", "turn-2") is None
        assert unit.turn("session-2", "turn-1") is None


def test_a_person_has_spoken_from_their_first_turn_to_the_next_of_somebody_else(store: Store) -> None:
    with store.routine() as unit:
        unit.put_session(SESSION, NOW)
        for at, who in enumerate((ANN, BOB, ANN, BOB, BOB, ANN)):
            unit.add_turn(TURN._replace(turn_id=f"turn-{at}", person_id=who.person_id, at=NOW + at))
        unit.add_turn(TURN._replace(turn_id="turn-9", session_id="session-2", at=NOW + 9))
        assert unit.spoken(BOB.person_id) == [
            SpokenIn("session-1", "chat-1", NOW + 1, NOW + 5),
            SpokenIn("session-2", "", NOW + 9, None),
        ]
        assert unit.spoken(ANN.person_id) == [SpokenIn("session-1", "chat-1", NOW, None)]
        assert unit.spoken("") == unit.spoken("telegram:2%") == []


def test_what_a_machine_does_in_the_name_of_a_person_is_not_what_they_said(store: Store) -> None:
    with store.routine() as unit:
        unit.add_turn(TURN._replace(kind="cron"))
        unit.add_turn(TURN._replace(turn_id="turn-2", session_id="session-2", parent_turn="turn-1"))
        unit.add_turn(TURN._replace(turn_id="turn-3", session_id="session-3", kind="machine"))
        unit.add_turn(TURN._replace(turn_id="turn-4", session_id="session-4", kind="stranger"))
        assert unit.spoken(BOB.person_id) == []
        unit.add_turn(TURN._replace(turn_id="turn-5", session_id="session-5", kind="seat"))
        assert [each.session_id for each in unit.spoken(BOB.person_id)] == ["session-5"]


def test_the_speakers_of_a_session_are_counted_from_its_turns(store: Store) -> None:
    with store.routine() as unit:
        unit.put_session(SESSION._replace(speakers=7), NOW)
        assert unit.session("session-1") == SESSION._replace(speakers=0)
        speak(unit, (BOB.person_id, "telegram:2"), (BOB.person_id, "discord:22"), ("", ""), ("", "telegram:9"))
        assert unit.session("session-1") == SESSION._replace(speakers=2)
        assert unit.session("session-2") is None


def test_a_session_that_goes_on_after_a_compaction_still_carries_the_words_of_the_one_before(store: Store) -> None:
    with store.routine() as unit:
        unit.put_session(SESSION, NOW)
        speak(unit, (ANN.person_id, "telegram:1"))
        unit.put_session(SESSION._replace(session_id="session-2"), NOW + 1)
        speak(unit, (BOB.person_id, "telegram:2"), session="session-2")
        found = unit.session("session-2")
        assert found is not None
        assert found.speakers == 2
        assert sorted(unit.speakers("session-2")) == [ANN.person_id, BOB.person_id]


def test_the_speakers_of_a_session_are_known_before_it_has_a_row_and_of_no_other_session(store: Store) -> None:
    with store.routine() as unit:
        speak(unit, (BOB.person_id, "telegram:2"), ("", "telegram:9"))
        speak(unit, (ANN.person_id, "telegram:1"), session="session-2")
        assert sorted(unit.speakers("session-1")) == [BOB.person_id, "telegram:9"]
        for session in ("session-1", "session-2"):
            unit.put_session(SESSION._replace(session_id=session, conversation=""), NOW)
        assert unit.speakers("session-2") == [ANN.person_id]
        assert unit.speakers("session-3") == []


def test_a_conversation_is_open_in_its_chat_until_it_is_ended_with_all_its_sessions(store: Store) -> None:
    with store.routine() as unit:
        assert unit.conversation("chat-1") == ""
        unit.put_session(SESSION, NOW)
        unit.put_session(SESSION._replace(session_id="session-2"), NOW + 1)
        unit.put_session(SESSION._replace(session_id="session-3", chat="", conversation="other"), NOW + 2)
        assert (unit.conversation("chat-1"), unit.conversation("chat-2"), unit.conversation("")) == (
            "conversation-1",
            "",
            "",
        )
        assert unit.end_conversation("session-1", NOW + 3) == "conversation-1"
        assert unit.end_conversation("session-2", NOW + 3) == ""
        assert unit.end_conversation("nobody's", NOW + 3) == ""
        assert unit.conversation("chat-1") == ""

        unit.put_session(SESSION, NOW + 4)
        assert unit.conversation("chat-1") == ""
        unit.put_session(SESSION._replace(conversation="conversation-2"), NOW + 5)
        assert unit.conversation("chat-1") == "conversation-2"


def test_the_maker_of_a_job_stays_its_maker(store: Store) -> None:
    with store.routine() as unit:
        assert unit.job("job-1") == ""
        unit.put_job("job-1", BOB.person_id, NOW)
        unit.put_job("job-1", ANN.person_id, NOW + 1)
        assert unit.job("job-1") == BOB.person_id


def test_a_code_lets_one_account_in_before_its_time_is_over(store: Store) -> None:
    with store.firm() as unit:
        unit.put_invite(INVITE)
        unit.put_invite(INVITE._replace(code="another", kind="claim", created_at=NOW + 1))
        assert [invite.code for invite in unit.invites(now=NOW + 1)] == ["a-long-code", "another"]
        assert not unit.use_invite("a-long-code", account="telegram:9", now=NOW + MINUTE)
        assert unit.use_invite("a-long-code", account="telegram:9", now=NOW + 2)
        assert not unit.use_invite("a-long-code", account="telegram:9", now=NOW + 3)
        assert not unit.use_invite("no such code", account="telegram:9", now=NOW + 3)
        assert [invite.code for invite in unit.invites(now=NOW + 4)] == ["another"]
        assert unit.invites(now=NOW + MINUTE) == []


def test_wrong_codes_are_counted_by_account_and_day(store: Store) -> None:
    with store.routine() as unit:
        assert unit.wrong_codes("telegram:9", "2026-01-01") == 0
        assert [unit.wrong_code("telegram:9", "2026-01-01") for _ in range(3)] == [1, 2, 3]
        assert unit.wrong_code("telegram:9", "2026-01-02") == 1
        assert unit.wrong_codes("telegram:9", "2026-01-01") == 3
        assert unit.wrong_codes("telegram:8", "2026-01-01") == 0


def test_facts_of_one_person_are_read_newest_first_and_by_nobody_else(store: Store) -> None:
    with store.routine() as unit:
        first = unit.add_fact(Fact(0, BOB.person_id, "tea", "green", NOW, "chat"))
        second = unit.add_fact(Fact(0, BOB.person_id, "tea", "black", NOW + 1))
        unit.add_fact(Fact(0, ANN.person_id, "tea", "none", NOW))
        assert unit.facts(BOB.person_id) == [
            Fact(second, BOB.person_id, "tea", "black", NOW + 1),
            Fact(first, BOB.person_id, "tea", "green", NOW, "chat"),
        ]
        assert not unit.remove_fact(ANN.person_id, first)
        assert unit.remove_fact(BOB.person_id, first)
        assert not unit.remove_fact(BOB.person_id, first)
        assert [fact.fact_id for fact in unit.facts(BOB.person_id)] == [second]
        unit.add_fact(Fact(0, BOB.person_id, "tea", "white", NOW))
        assert [fact.text for fact in unit.facts(BOB.person_id, limit=1)] == ["white"]
        assert unit.facts("") == []


def test_a_shared_fact_is_confirmed_or_taken_away_by_a_number_that_no_other_ever_has(store: Store) -> None:
    with store.routine() as unit:
        number = unit.add_shared(SharedFact(0, "the gate code is 7", BOB.person_id, NOW))
        assert unit.confirm_shared(number, by=ANN.person_id)
        assert unit.shared() == [SharedFact(number, "the gate code is 7", BOB.person_id, NOW, ANN.person_id)]
        assert unit.remove_shared(number)
        assert not unit.remove_shared(number)
        assert not unit.confirm_shared(number, by=ANN.person_id)
        assert unit.add_shared(SharedFact(0, "another", BOB.person_id, NOW)) > number


def test_tokens_add_up_by_person_and_day(store: Store) -> None:
    with store.routine() as unit:
        assert unit.tokens(BOB.person_id, "2026-01-01") == 0
        for person, day, tokens, so_far in (
            (BOB, "2026-01-01", 40, 40),
            (BOB, "2026-01-01", 2, 42),
            (BOB, "2026-01-02", 1, 1),
            (ANN, "2026-01-01", 5, 5),
        ):
            unit.add_tokens(person.person_id, day, tokens)
            assert unit.tokens(person.person_id, day) == so_far
        assert unit.tokens(BOB.person_id, "2026-01-01") == 42


def test_a_message_waits_until_it_is_delivered_or_its_time_is_over(store: Store) -> None:
    message = Message("m2", ANN.person_id, "ask", "a1", "Bob asks", NOW + 1, NOW + MINUTE)
    with store.firm() as unit:
        unit.put_message(message)
        unit.put_message(message._replace(message_id="m1", created_at=NOW))
        unit.put_message(message._replace(message_id="m3", created_at=NOW + 2))
        assert [each.message_id for each in unit.waiting(now=NOW + 3)] == ["m1", "m2", "m3"]
        unit.delivered("m1", now=NOW + 3)
        unit.delivered("m3", now=NOW + 3, error="no such chat")
        assert unit.waiting(now=NOW + 4) == [message]
        assert unit.waiting(now=NOW + MINUTE) == []
