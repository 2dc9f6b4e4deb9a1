"""Asks: who is asked, who may answer, what bounds them, and what of them is kept."""

from pathlib import Path

import pytest
from tests.engine.people.bot import GAST, KITER, LAN, MINH, OLGA, Bot, bot

from herma.core.people.principal import NOBODY, OPERATOR, Standing
from herma.engine.people.house import Settings

STATUS = {"command": "git status"}


def _ask(at: Bot, sender: str = MINH, command: str = "git status") -> str:
    """The code under which somebody's ask waits."""
    at.says_and_calls(sender, command=command)
    return at.code()


def test_only_an_owner_who_was_asked_decides(at: Bot) -> None:
    code = _ask(at)
    late_owner = at.join("113", "Late", "owner")
    for by, outcome in (
        (at.who(LAN), "refused"),
        (at.who(GAST), "refused"),
        (at.who("999"), "refused"),
        (at.who(MINH), "refused"),
        (at.who(late_owner.sender_id), "refused"),
        (NOBODY, "refused"),
    ):
        assert at.people.asks.approve(code, by=by).outcome == outcome
        assert at.people.asks.deny(code, by=by).outcome == outcome
    refused = [row for row in at.rows("approval") if "not accepted" in row.note]
    assert len(refused) == 12
    assert at.people.asks.approve(code, by=at.who(KITER)).outcome == "approved"


@pytest.mark.parametrize("kind", ["cron", "machine", "subagent", "nested", "unknown"])
def test_no_turn_of_a_program_decides_whoever_it_acts_as(at: Bot, kind: str) -> None:
    code = _ask(at)
    assert at.people.asks.approve(code, by=at.who(KITER)._replace(kind=kind)).outcome == "refused"
    assert [ask.status for ask in at.asks(MINH)] == ["pending"]


def test_an_owner_with_somebody_elses_words_in_the_turn_decides_nothing(at: Bot) -> None:
    code = _ask(at)
    mixed = at.who(KITER)._replace(others=(at.who(LAN),))
    assert at.people.asks.approve(code, by=mixed).outcome == "refused"


def test_an_owner_who_is_none_any_more_decides_nothing(at: Bot) -> None:
    at.join(OLGA, "Olga", "owner")
    at.types(KITER, "whoami")
    code = _ask(at)
    stale = at.who(OLGA)
    at.types(KITER, "role Olga member")
    assert at.people.asks.approve(code, by=stale).outcome == "refused"


def test_the_asker_never_decides_even_as_an_owner_with_the_same_account(at: Bot) -> None:
    code = _ask(at)
    twin = Standing("telegram:111", "owner", "person", account="telegram:222")
    assert at.people.asks.approve(code, by=twin).outcome == "refused"
    own = Standing("telegram:222", "owner", "person", account="telegram:222")
    assert at.people.asks.approve(code, by=own).outcome == "refused"


def test_an_owners_ask_goes_to_the_other_owners_only(at: Bot) -> None:
    at.join(OLGA, "Olga", "owner")
    at.people.asks.park(at.who(KITER), _question(at), epoch=at.people.house.roster().epoch)
    assert [account for account, _chat, _text in at.post.sent] == ["telegram:112"]


def _question(at: Bot):  # type: ignore[no-untyped-def]  # noqa: ANN202 - the value type is the engine's own
    from herma.core.people.digest import ask_digest, canonical  # noqa: PLC0415 - of this test alone
    from herma.engine.people.asks import Question  # noqa: PLC0415 - the same

    digest = ask_digest("telegram:111", "terminal", STATUS, "c", "exact")
    return Question("terminal", canonical(STATUS), digest, "c", "dm-111", f"t{at.numbers}")


def test_who_sits_at_the_machines_own_terminal_may_answer_where_the_setting_says_so(tmp_path: Path) -> None:
    with bot(tmp_path) as at:
        assert at.people.asks.approve(_ask(at), by=OPERATOR).outcome == "approved"
    (tmp_path / "two").mkdir()
    with bot(tmp_path / "two", Settings(local_seat_policy="roster")) as at:
        assert at.people.asks.approve(_ask(at), by=OPERATOR).outcome == "refused"
        assert at.people.asks.approve(at.code(), by=at.people.house.seat()).outcome == "refused"


def test_an_ask_holds_the_approvers_of_its_moment_and_never_the_asker(at: Bot) -> None:
    at.join(OLGA, "Olga", "owner")
    _ask(at)
    [ask] = at.asks(MINH)
    assert ask.approvers == ("telegram:111", "telegram:112", "operator")


def test_a_code_is_good_for_one_answer(at: Bot) -> None:
    code = _ask(at)
    assert at.people.asks.approve(code, by=at.who(KITER)).outcome == "approved"
    assert at.people.asks.approve(code, by=at.who(KITER)).outcome == "unknown"
    assert at.people.asks.deny(code, by=at.who(KITER)).outcome == "unknown"


def test_a_code_that_is_over_is_no_consent_although_nothing_swept_it(at: Bot) -> None:
    code = _ask(at)
    at.clock.pass_by(seconds=120)
    assert at.people.asks.approve(code, by=at.who(KITER)).outcome == "unknown"
    assert at.people.asks.pending() == ()
    assert not at.says_and_calls(MINH, **STATUS).allowed


def test_a_second_ask_of_the_same_person_and_tool_takes_the_place_of_the_first(at: Bot) -> None:
    first = _ask(at, command="ls")
    second = _ask(at, command="pwd")
    assert at.people.asks.approve(first, by=at.who(KITER)).outcome == "unknown"
    assert sorted(ask.status for ask in at.asks(MINH)) == ["pending", "superseded"]
    assert at.people.asks.approve(second, by=at.who(KITER)).outcome == "approved"
    assert not at.says_and_calls(MINH, command="ls").allowed


def test_asks_of_two_people_and_of_two_tools_live_side_by_side(at: Bot) -> None:
    codes = [_ask(at), _ask(at, LAN)]
    at.says_and_calls(MINH, "process", action="list")
    codes.append(at.code())
    assert len(set(codes)) == 3
    assert {at.people.asks.approve(code, by=at.who(KITER)).outcome for code in codes} == {"approved"}


def test_what_one_person_may_have_waiting_is_bounded(at: Bot) -> None:
    for tool in ("terminal", "process", "write_file"):
        at.says_and_calls(MINH, tool, x="y")
    message = at.says_and_calls(MINH, "patch", x="y").message
    assert "too many asks" in message
    assert len(at.prompts()) == 3
    assert at.says_and_calls(MINH, "terminal", x="z").message.startswith("“terminal” needs"), (
        "in the place of the first"
    )
    at.clock.pass_by(seconds=121)
    at.says_and_calls(MINH, "patch", x="y")
    assert len(at.prompts()) == 5


def test_asks_that_each_take_the_place_of_the_last_are_bounded_too(at: Bot) -> None:
    for number in range(40):
        at.says_and_calls(MINH, command=f"echo {number}")
    assert len(at.prompts()) == 24
    at.clock.pass_by(seconds=121)
    at.says_and_calls(MINH, command="later")
    assert len(at.prompts()) == 25


def test_what_everybody_together_may_have_waiting_is_bounded(tmp_path: Path) -> None:
    with bot(tmp_path, Settings(max_pending_asks=1)) as at:
        for number in range(12):
            sender = str(500 + number)
            at.join(sender, f"Member {number}", "member")
            at.says_and_calls(sender, **STATUS)
        assert len(at.prompts()) == 8


def test_where_the_first_owner_is_not_reached_the_next_is_and_half_of_the_time_later_the_one_after(at: Bot) -> None:
    at.join(OLGA, "Olga", "owner")
    at.join("113", "Otto", "owner")
    at.post.dead["telegram:111"] = "gone"
    _ask_of(at)
    assert [account for account, _chat, _text in at.post.sent] == ["telegram:112"]
    at.clock.pass_by(seconds=60)
    at.people.watch.tick()
    assert [account for account, _chat, _text in at.post.sent] == ["telegram:112", "telegram:113"]
    assert any("not delivered to an owner: gone" in row.note for row in at.rows("approval"))


def _ask_of(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)


def test_an_owner_who_stops_being_one_while_the_ask_is_on_its_way_does_not_get_it(at: Bot) -> None:
    at.join(OLGA, "Olga", "owner")
    _ask_of(at)
    [ask] = at.asks(MINH)
    at.types(KITER, "role Olga member")
    at.post.sent.clear()
    assert not at.people.asks.send(ask, "telegram:112", "text")
    assert not at.people.asks.send(ask, "telegram:222", "text")
    assert at.post.sent == []


@pytest.mark.parametrize("text", ["{0}", "the code is {0}.", "({0})", "/many approve {0}!", "x\n{0}\ny", "“{0}”"])
def test_a_code_that_was_seen_as_text_is_void(at: Bot, text: str) -> None:
    code = _ask(at)
    at.people.void_codes([text.format(code.lower())])
    assert at.people.asks.approve(code, by=at.who(KITER)).outcome == "unknown"
    assert [ask.status for ask in at.asks(MINH)] == ["revoked"]
    assert "was seen in a conversation" in at.says_and_calls(MINH, **STATUS).message


def test_other_words_void_nothing(at: Bot) -> None:
    code = _ask(at)
    at.people.void_codes([f"X{code}Y is another word", ""])
    assert at.people.asks.approve(code, by=at.who(KITER)).outcome == "approved"


def test_the_chat_of_the_asker_is_told_what_became_of_it(at: Bot) -> None:
    at.people.asks.approve(_ask(at), by=at.who(KITER))
    at.people.asks.deny(_ask(at, command="ls"), by=at.who(KITER))
    assert [chat for chat, _text in at.post.told] == ["chat:dm-222", "chat:dm-222"]
    assert "approved" in at.post.told[0][1]
    assert "said no" in at.post.told[1][1]


def test_every_step_of_an_ask_has_its_row(at: Bot) -> None:
    at.people.asks.approve(_ask(at), by=at.who(KITER))
    at.people.asks.deny(_ask(at, command="ls"), by=at.who(KITER))
    notes = [row.note.split(" ", 1)[1] for row in at.rows("approval")]
    assert notes == ["asked", "approved by telegram:111, uses 1", "asked", "denied by telegram:111"]


def test_asks_and_grants_outlive_a_restart(at: Bot) -> None:
    code = _ask(at)
    after = at.restarted()
    assert after.people.asks.approve(code, by=after.who(KITER)).outcome == "approved"
    once_more = after.restarted()
    assert once_more.says_and_calls(MINH, **STATUS).allowed
    assert not once_more.says_and_calls(MINH, **STATUS).allowed
    once_more.close()


def test_nothing_is_parked_by_an_older_roster(at: Bot) -> None:
    epoch = at.people.house.roster().epoch
    at.types(KITER, "role Lan guest")
    parked = at.people.asks.park(at.who(MINH), _question(at), epoch=epoch)
    assert parked.outcome == "changed"
    assert at.post.sent == []


def test_no_code_is_in_anything_that_a_model_reads(at: Bot) -> None:
    code = _ask(at)
    texts = [at.says_and_calls(MINH, **STATUS).message, at.begin(MINH).context, at.begin(KITER).context]
    texts += [str(at.people.tool(name, {}, at.who(KITER))) for name in ("manyhands_whoami", "manyhands_audit")]
    texts += [text for _chat, text in at.post.told]
    texts += [row.note for row in at.rows()]
    assert all(code not in text for text in texts)
