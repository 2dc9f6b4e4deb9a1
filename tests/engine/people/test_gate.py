"""The gate: what runs, what is asked for, what does not run; for whom, how often and how long."""

from pathlib import Path
from typing import Any

import pytest
from tests.engine.people.bot import BAD, GAST, KITER, LAN, MINH, Bot, bot

from herma.core.people import refusals
from herma.core.people.principal import OPERATOR
from herma.core.people.records import Approval
from herma.engine.people.house import Settings
from herma.engine.people.turns import Call, Live

STATUS = {"command": "git status"}
STRANGER = "999"


def test_an_owner_runs_everything_and_each_run_has_its_row(at: Bot) -> None:
    for tool in ("terminal", "write_file", "a_tool_of_next_year"):
        assert at.says_and_calls(KITER, tool, x="y").allowed
        assert at.rows("tool")[-1][:6] == ("tool", "telegram:111", "dm-111", at.rows("tool")[-1].turn_id, tool, 1)


@pytest.mark.parametrize(
    "sender, tool",
    [
        (GAST, "terminal"),
        (GAST, "write_file"),
        (GAST, "manyhands_people"),
        (MINH, "read_file"),
        (MINH, "memory"),
        (MINH, "session_search"),
        (MINH, "execute_code"),
        (MINH, "delegate_task"),
        (MINH, "a_tool_of_next_year"),
        (MINH, "mcp_server_do_it"),
        (BAD, "web_search"),
        (BAD, "manyhands_whoami"),
    ],
)
def test_what_nobody_allowed_is_refused_without_asking_anybody(at: Bot, sender: str, tool: str) -> None:
    verdict = at.says_and_calls(sender, tool)
    assert not verdict.allowed
    assert verdict.message
    assert at.post.sent == []
    last = at.rows("refusal")[-1]
    assert (last.person_id, last.tool, last.allowed) == (f"telegram:{sender}", tool, 0)


@pytest.mark.parametrize("sender, tool", [(GAST, "web_search"), (MINH, "web_search"), (MINH, "manyhands_recall")])
def test_what_a_role_allows_runs_without_asking_anybody(at: Bot, sender: str, tool: str) -> None:
    assert at.says_and_calls(sender, tool, query="weather").allowed
    assert at.post.sent == []


def test_a_refusal_names_the_askers_own_role_and_nothing_of_others(at: Bot) -> None:
    message = at.says_and_calls(GAST, "terminal", **STATUS).message
    assert "as guest" in message
    assert not any(word in message for word in ("member", "Kiter", "Minh", "telegram"))


def test_an_ask_goes_to_the_owners_own_chat_whole_and_the_model_gets_no_code(at: Bot) -> None:
    verdict = at.says_and_calls(MINH, **STATUS)
    assert not verdict.allowed
    [(account, chat, text)] = at.post.sent
    assert (account, chat) == ("telegram:111", "dm-111")
    assert "git status" in text
    assert "Minh" in text
    code = at.code()
    assert code not in verdict.message
    assert code not in at.begin(MINH).context
    assert code not in at.judge(at.begin(MINH), **STATUS).message


def test_a_grant_runs_exactly_what_was_asked_once(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()}")
    assert at.says_and_calls(MINH, **STATUS).allowed
    row = at.rows("tool")[-1]
    assert (row.person_id, row.tool, row.allowed, row.approved) == ("telegram:222", "terminal", 1, 1)
    again = at.says_and_calls(MINH, **STATUS)
    assert not again.allowed
    assert "used up" in again.message
    assert len(at.prompts()) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"command": "rm -rf /"},
        {"command": "git status "},
        {"command": "git  status"},
        {"command": "git status", "timeout": 1},
        {"command": ["git status"]},
        {"command": "GIT STATUS"},
        {},
    ],
)
def test_other_arguments_ask_again(at: Bot, changed: dict[str, Any]) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()}")
    assert not at.says_and_calls(MINH, **changed).allowed
    assert at.says_and_calls(MINH, **STATUS).allowed, "the grant itself is untouched"


def test_another_tool_person_or_conversation_asks_again(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()}")
    assert not at.says_and_calls(MINH, "process", **STATUS).allowed
    assert not at.says_and_calls(LAN, **STATUS).allowed
    assert not at.says_and_calls(MINH, room="room", **STATUS).allowed
    assert not at.says_and_calls(GAST, **STATUS).allowed


def test_the_order_of_the_arguments_does_not_matter(at: Bot) -> None:
    at.says_and_calls(MINH, "write_file", path="a", content="b")
    at.types(KITER, f"approve {at.code()}")
    assert at.says_and_calls(MINH, "write_file", content="b", path="a").allowed


def test_a_later_session_of_the_same_chat_is_the_same_conversation_and_after_new_it_is_not(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()} uses=3")
    compacted = at.begin(MINH, session_id="dm-222-compacted", task_id="dm-222-compacted")
    assert at.judge(compacted, **STATUS).allowed
    at.people.starts.ended("dm-222-compacted")
    after = at.judge(at.begin(MINH, session_id="dm-222-new", task_id="dm-222-new"), **STATUS)
    assert not after.allowed


def test_a_grant_ends_at_its_deadline(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()}")
    at.clock.pass_by(seconds=120)
    late = at.says_and_calls(MINH, **STATUS)
    assert not late.allowed
    assert "time for that ran out" in late.message


def test_a_grant_of_several_uses_runs_as_often_and_as_long_as_the_approver_said(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()} uses=2 for=1h")
    at.clock.pass_by(seconds=3_599)
    assert at.says_and_calls(MINH, **STATUS).allowed
    assert at.says_and_calls(MINH, **STATUS).allowed
    assert not at.says_and_calls(MINH, **STATUS).allowed


def _ended(at: Bot, end: str) -> None:
    """Bring the newest ask to this end."""
    if end == "denied":
        at.types(KITER, f"deny {at.code()}")
    elif end == "expired":
        at.clock.pass_by(seconds=121)
        at.people.watch.tick()
    elif end == "superseded":
        at.says_and_calls(MINH, command="ls")
    elif end == "revoked":
        at.people.asks.revoke(person_id="telegram:222", reason="for the test")
    elif end == "spent":
        at.types(KITER, f"approve {at.code()}")
        assert at.says_and_calls(MINH, **STATUS).allowed
    elif end == "lapsed":
        at.types(KITER, f"approve {at.code()}")
        at.clock.pass_by(seconds=121)


@pytest.mark.parametrize("end", ["expired", "superseded", "revoked", "spent", "lapsed"])
def test_each_end_of_an_ask_is_told_in_its_own_words_at_the_next_try(at: Bot, end: str) -> None:
    at.says_and_calls(MINH, **STATUS)
    _ended(at, end)
    message = at.says_and_calls(MINH, **STATUS).message
    assert refusals.ENDS[end].format(tool="“terminal”") in message
    assert sum(text.format(tool="“terminal”") in message for text in refusals.ENDS.values()) == 1
    assert "asked for anew" in message


def test_the_words_for_the_ends_are_all_different() -> None:
    assert len(set(refusals.ENDS.values())) == len(refusals.ENDS) >= 8


def test_what_was_denied_is_refused_for_an_hour_without_a_message(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    _ended(at, "denied")
    at.post.sent.clear()
    at.clock.pass_by(seconds=3_599)
    message = at.says_and_calls(MINH, **STATUS).message
    assert "said no to exactly this" in message
    assert at.post.sent == []
    assert not at.says_and_calls(MINH, command="ls").allowed
    assert len(at.post.sent) == 1, "something else may be asked"
    at.clock.pass_by(seconds=2)
    at.says_and_calls(MINH, **STATUS)
    assert len(at.post.sent) == 2


def test_an_ask_that_reaches_nobody_is_denied_and_listed(at: Bot) -> None:
    at.post.dead["telegram:111"] = "the platform did not take it"
    verdict = at.says_and_calls(MINH, **STATUS)
    assert refusals.undeliverable("terminal") == verdict.message
    [ask] = at.asks(MINH)
    assert ask.status == "undeliverable"
    assert "Could not be delivered" in at.types(KITER, "approve")
    at.post.dead.clear()
    assert "counts as denied" in at.says_and_calls(MINH, **STATUS).message


def test_before_an_owner_has_written_there_is_no_chat_to_ask_in(tmp_path: Path) -> None:
    with bot(tmp_path) as at:
        at.join("111", "Kiter", "owner", reachable=False)
        with at.store.firm() as unit:
            unit.remove_person("telegram:111")
        at.join("112", "Olga", "owner", reachable=False)
        assert "could not be delivered" in at.says_and_calls(MINH, **STATUS).message
        assert at.post.sent == []


def test_without_an_owner_nobody_is_asked_and_nothing_is_approved(at: Bot) -> None:
    with at.store.firm() as unit:
        unit.remove_person("telegram:111")
    message = at.says_and_calls(MINH, **STATUS).message
    assert "no owner who could be asked" in message
    assert at.asks(MINH) == []


def test_the_same_call_twice_is_one_ask(at: Bot) -> None:
    at.says_and_calls(MINH, **STATUS)
    message = at.says_and_calls(MINH, **STATUS).message
    assert "waits for an owner's answer" in message
    assert len(at.prompts()) == 1
    assert at.rows("approval")[-1].note == "not asked: waiting"


def test_what_is_too_long_to_judge_is_not_asked(at: Bot) -> None:
    message = at.says_and_calls(MINH, command="x" * 10_000).message
    assert "too long for a person to judge" in message
    assert at.post.sent == []
    assert at.asks(MINH) == []


def test_somebody_muted_is_refused_without_a_message(at: Bot) -> None:
    at.types(KITER, "mute Minh for=1h")
    message = at.says_and_calls(MINH, **STATUS).message
    assert "does not want to be asked" in message
    assert at.post.sent == []
    assert at.rows("refusal")[-1].note == "not asked: muted"
    at.clock.pass_by(hours=2)
    at.says_and_calls(MINH, **STATUS)
    assert len(at.prompts()) == 1


def test_arguments_without_an_exact_form_are_refused(at: Bot) -> None:
    for odd in (float("nan"), {1: 2}, object(), b"x"):
        assert not at.says_and_calls(MINH, command=odd).allowed
    assert not at.people.gate.judge(at.call(at.begin(MINH)), "terminal", None).allowed
    assert at.post.sent == []


def test_a_role_change_a_removal_and_a_block_bind_in_the_middle_of_a_turn(at: Bot) -> None:
    for line, tool in (("role Minh guest", "manyhands_recall"), ("role Minh blocked", "web_search")):
        turn = at.begin(MINH)
        assert at.judge(turn, tool).allowed
        at.types(KITER, line)
        assert not at.judge(turn, tool).allowed
        at.types(KITER, "role Minh member")
    turn = at.begin(MINH)
    at.types(KITER, "remove Minh")
    assert not at.judge(turn, "web_search").allowed


def test_an_owner_who_is_none_any_more_loses_their_running_turn(at: Bot) -> None:
    at.join("112", "Olga", "owner")
    turn = at.begin("112")
    assert at.judge(turn).allowed
    at.types(KITER, "role Olga guest")
    assert not at.judge(turn).allowed


def test_a_tool_that_was_taken_from_a_member_is_an_owners_again(at: Bot) -> None:
    at.types(KITER, "tools Minh remove terminal")
    assert not at.says_and_calls(MINH).allowed
    at.types(KITER, "role Minh owner")
    assert at.says_and_calls(MINH).allowed
    at.types(KITER, "role Minh member")
    assert not at.says_and_calls(MINH).allowed


def test_a_stranger_who_is_blocked_in_the_middle_of_a_turn_is_shut_out(tmp_path: Path) -> None:
    with bot(tmp_path, Settings(unknown_sender_policy="open")) as at:
        turn = at.begin(STRANGER)
        assert at.judge(turn, "web_search").allowed
        at.join(STRANGER, "Pest", "blocked")
        assert not at.judge(turn, "web_search").allowed


@pytest.mark.parametrize(
    "line", ["role Minh guest", "remove Minh", "tools Minh remove terminal", "budget Minh 5", "pause"]
)
def test_what_was_asked_for_or_granted_does_not_outlive_a_change(at: Bot, line: str) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()}")
    at.says_and_calls(MINH, "process", action="list")
    open_code = at.code()
    at.types(KITER, line)
    assert {ask.status for ask in at.asks(MINH)} == {"revoked"}
    assert "Nothing waits under that code" in at.types(KITER, f"approve {open_code}")
    if line == "pause":
        at.types(KITER, "resume")
    assert not at.says_and_calls(MINH, **STATUS).allowed


def test_a_change_between_the_judgement_and_the_ask_is_judged_anew(at: Bot) -> None:
    turn, asked = at.begin(MINH), at.people.asks.last

    def removed_meanwhile(*about: object) -> Approval | None:
        at.people.asks.last = asked  # type: ignore[method-assign]
        at.types(KITER, "remove Minh")
        return asked(*about)  # type: ignore[arg-type]

    at.people.asks.last = removed_meanwhile  # type: ignore[assignment,method-assign]
    assert not at.judge(turn, **STATUS).allowed
    assert at.post.sent == []
    assert at.asks(MINH) == []


def test_paused_everything_runs_with_a_row_and_somebody_blocked_stays_out(at: Bot) -> None:
    at.types(KITER, "pause")
    assert at.says_and_calls(GAST, "terminal", **STATUS).allowed
    assert "paused" in at.rows("tool")[-1].note
    assert not at.says_and_calls(BAD, "terminal", **STATUS).allowed
    assert at.people.may_not_speak("telegram:444")
    assert not at.people.may_not_speak("telegram:999")
    at.types(KITER, "resume")
    assert not at.says_and_calls(GAST, "terminal", **STATUS).allowed


def test_paused_in_the_configuration_holds_until_it_is_resumed(tmp_path: Path) -> None:
    with bot(tmp_path, Settings(paused=True)) as at:
        assert at.says_and_calls(GAST, "terminal").allowed
        at.types(KITER, "resume")
        assert not at.says_and_calls(GAST, "terminal").allowed


def test_in_a_turn_that_was_refused_nothing_runs(at: Bot) -> None:
    turn = at.begin(STRANGER)
    assert turn.refusal
    assert at.judge(turn, "web_search").message == turn.refusal


def test_words_of_another_lower_the_turn_to_the_least_and_the_trail_says_so(at: Bot) -> None:
    turn = at.begin(KITER, room="room")
    assert at.judge(turn).allowed
    at.people.steered(turn.live.turn_id, ("telegram:333",))
    assert not at.judge(turn, **STATUS).allowed
    assert at.judge(turn, "web_search", query="x").allowed
    assert at.post.sent == []
    assert any("words of telegram:333 came into this turn" in row.note for row in at.rows("policy"))
    assert "with telegram:333" in at.rows("tool")[-1].note


def test_an_owners_turn_with_a_members_words_asks_as_the_member(at: Bot) -> None:
    turn = at.begin(KITER, room="room")
    at.people.steered(turn.live.turn_id, ("telegram:222",))
    assert not at.judge(turn, **STATUS).allowed
    [ask] = at.asks(MINH)
    assert ask.person_id == "telegram:222"
    assert "telegram:222" not in ask.approvers
    at.types(KITER, f"approve {at.code()}")
    assert at.judge(turn, **STATUS).allowed


def test_words_of_nobody_known_make_a_turn_a_guests(at: Bot) -> None:
    turn = at.begin(KITER, room="room")
    at.people.steered(turn.live.turn_id, ("",))
    assert not at.judge(turn, **STATUS).allowed


def test_a_turn_with_two_people_may_do_what_both_may(at: Bot) -> None:
    turn = at.begin(MINH, room="room")
    at.people.steered(turn.live.turn_id, ("telegram:333",))
    assert not at.judge(turn, "manyhands_recall").allowed
    assert "more than one person" in at.judge(turn, "manyhands_recall").message
    assert at.people.gate.may_ever(turn.live.standing, "web_search")
    assert not at.people.gate.may_ever(turn.live.standing, "terminal")


def test_a_call_without_any_identity_is_a_guests(at: Bot) -> None:
    message = at.judge(Call(tool_call_id="c")).message
    assert "no identity" in message
    assert at.judge(Call(tool_call_id="c"), "web_search").allowed


def test_unknown_sessions_are_the_operators_only_where_the_setting_says_so(tmp_path: Path) -> None:
    with bot(tmp_path, Settings(unknown_session_policy="operator")) as at:
        assert at.judge(Call(tool_call_id="c")).allowed


def test_a_call_of_an_unknown_turn_in_a_known_session_is_the_machines(at: Bot) -> None:
    at.begin(MINH, room="room")
    call = Call("unknown", "room", "room", "c")
    message = at.judge(call, **STATUS).message
    assert "begun by the program" in message
    assert not at.judge(call, "web_search").allowed
    assert at.post.sent == []


def test_in_a_session_of_owners_alone_the_machine_acts_as_they_do_and_with_a_strangers_word_in_it_it_does_not(
    tmp_path: Path,
) -> None:
    with bot(tmp_path, Settings(unknown_sender_policy="open")) as at:
        at.begin(KITER, room="room")
        call = Call("review", "room", "room", "c")
        assert at.judge(call).allowed
        at.begin(STRANGER, room="room")
        assert not at.judge(call).allowed


def test_a_script_that_outlives_its_turn_in_a_room_gains_nothing_from_the_owner_who_speaks_next(at: Bot) -> None:
    at.begin(MINH, room="room")
    at.begin(KITER, room="room")
    assert not at.judge(Call(task_id="room")).allowed
    at.begin(KITER, room="owners")
    assert at.judge(Call(task_id="owners")).allowed


def test_a_script_inside_a_tool_acts_as_its_turn_only_for_owners(at: Bot) -> None:
    at.begin(KITER)
    nested = Call(task_id="dm-111")
    assert at.judge(nested).allowed
    at.begin(MINH)
    message = at.judge(Call(task_id="dm-222"), "web_search").message
    assert "script inside another tool" in message
    assert not at.judge(Call(task_id="nobody's")).allowed
    assert at.post.sent == []


def test_a_subagent_asks_for_the_person_of_its_turn(at: Bot) -> None:
    turn = at.begin(MINH)
    at.turns.child("child", turn.live.turn_id)
    child = at.begin("", session_id="child", task_id="child", platform="subagent", chat="", alone=False)
    assert child.live.standing.person_id == "telegram:222"
    assert not at.judge(child, **STATUS).allowed
    at.types(KITER, f"approve {at.code()}")
    assert at.judge(child, **STATUS).allowed
    assert not at.judge(child, "read_file").allowed


def test_a_subagent_of_nobody_is_a_guest(at: Bot) -> None:
    at.begin(KITER)
    child = at.begin("", session_id="orphan", task_id="orphan", platform="subagent", chat="", alone=False)
    assert not at.judge(child).allowed


def test_a_job_has_the_rights_its_maker_has_now(at: Bot) -> None:
    with at.store.firm() as unit:
        unit.put_job("j1", "telegram:111", at.clock())
        unit.put_job("j2", "telegram:222", at.clock())
        unit.put_job("j3", "telegram:224", at.clock())

    def run(job: str) -> bool:
        turn = at.begin("", session_id=f"cron_{job}", task_id="", platform="cron", job=job, chat="")
        return at.judge(turn).allowed

    assert run("j1")
    assert not run("j2"), "nobody is there to wait for an answer"
    assert at.post.sent == []
    assert not run("j3")
    assert not run("unknown")
    at.join("112", "Olga", "owner")
    at.types("112", "role Kiter member")
    assert not run("j1")


def test_the_seat_runs_what_it_likes_and_is_nobody_where_the_setting_says_so(tmp_path: Path) -> None:
    with bot(tmp_path) as at:
        seat = at.begin("", platform="cli", session_id="cli", chat="")
        assert seat.live.standing == OPERATOR
        assert at.judge(seat).allowed
    (tmp_path / "two").mkdir()
    with bot(tmp_path / "two", Settings(local_seat_policy="roster")) as at:
        assert not at.judge(at.begin("", platform="cli", session_id="cli", chat="")).allowed


def test_a_call_that_names_our_own_files_is_refused_to_everybody(at: Bot) -> None:
    for sender in (KITER, MINH, GAST):
        call = at.call(at.begin(sender))
        verdict = at.people.gate.judge(call, "read_file", {"path": "x"}, own_state=True)
        assert not verdict.allowed
        assert "holds for everybody" in verdict.message
        assert "own files" in at.rows("refusal")[-1].note


# what becomes of a call after it was allowed


def _granted(at: Bot, **args: Any) -> Call:
    """A call of Minh's that ran by an approval."""
    at.says_and_calls(MINH, **args)
    at.types(KITER, f"approve {at.code()}")
    call = at.call(at.begin(MINH))
    assert at.judge(call, **args).allowed
    return call


def test_an_approval_comes_back_once_where_something_else_stopped_the_call(at: Bot) -> None:
    call = _granted(at, **STATUS)
    at.people.gate.ended(call, "terminal", STATUS, blocked=True)
    assert "returned" in at.rows("approval")[-1].note
    assert "was given back" in at.begin(MINH).context
    again = at.call(at.begin(MINH), tool_call_id=call.tool_call_id)
    assert at.judge(again, **STATUS).allowed
    at.people.gate.ended(again, "terminal", STATUS, blocked=True)
    assert not at.says_and_calls(MINH, **STATUS).allowed


def test_a_call_that_ran_gives_nothing_back(at: Bot) -> None:
    call = _granted(at, **STATUS)
    at.people.gate.ended(call, "terminal", STATUS, blocked=False)
    at.people.gate.ended(call, "terminal", STATUS, blocked=True)
    assert not at.says_and_calls(MINH, **STATUS).allowed


@pytest.mark.parametrize("ran", [{"command": "rm -rf /"}, {"command": "git status", "background": True}, None])
def test_arguments_that_were_changed_after_the_approval_are_said_loudly_and_void_what_is_open(
    at: Bot, ran: object
) -> None:
    at.says_and_calls(MINH, **STATUS)
    at.types(KITER, f"approve {at.code()} uses=3")
    call = at.call(at.begin(MINH))
    assert at.judge(call, **STATUS).allowed
    at.people.gate.ended(call, "terminal", ran, blocked=False)
    assert any("CHANGED after it was approved" in row.note for row in at.rows("approval"))
    assert not at.says_and_calls(MINH, **STATUS).allowed


def test_numbers_that_a_host_read_out_of_texts_are_no_change(at: Bot) -> None:
    call = _granted(at, command="x", timeout="5", background="true")
    at.people.gate.ended(call, "terminal", {"command": "x", "timeout": 5, "background": True}, blocked=False)
    assert not any("CHANGED" in row.note for row in at.rows("approval"))


def test_a_turn_without_an_id_gives_its_authority_to_nobody(at: Bot) -> None:
    at.begin(KITER, turn_id="", session_id="s", task_id="t")
    assert not at.judge(Call("", "other", "", "c")).allowed
    assert not at.judge(Call(task_id="elsewhere")).allowed
    assert not at.judge(Call("unknown", "other", "other", "c")).allowed
    assert at.turns.parent("other") is None
    assert at.turns.turn("") is None


def test_a_turn_that_is_forgotten_is_one_without_authority(at: Bot) -> None:
    turn = at.begin(KITER, room="room")
    for number in range(5_000):
        at.turns.begin(Live(f"t{number}", f"s{number}", OPERATOR), task_id="")
    at.begin(MINH, room="room")
    assert not at.judge(turn).allowed
