"""Who is let in, decided from the sender, the text and what is in force, and from nothing else."""

import pytest

from herma.core.people.doors import HOST_COMMANDS, Arrival, Door, door, many_of
from herma.core.people.principal import Standing

OWNER = Standing("chat:o", "owner", "person", "Olga", "chat:o")
MEMBER = Standing("chat:m", "member", "person", "Minh", "chat:m")
GUEST = Standing("chat:g", "guest", "person", "Gus", "chat:g")
BLOCKED = Standing("chat:b", "blocked", "person", "Bo", "chat:b")
STRANGER = Standing("", "guest", "stranger", account="chat:s")
CODE = "2345-6789-ABCD"
SHUT = (
    "approve",
    "deny",
    "yolo",
    "approvals",
    "resume",
    "sessions",
    "model",
    "memory",
    "rollback",
    "restart",
    "update",
)
POLICIES = ("closed", "invite", "open")


def arrives(text: str = "hello", **more: object) -> Arrival:
    return Arrival(**{"platform": "chat", "sender_id": "s", "text": text, **more})  # type: ignore[arg-type]


def typed(command: str, arguments: str = "", **more: object) -> Arrival:
    return arrives(f"/{command} {arguments}".strip(), command=command, arguments=arguments, **more)


@pytest.mark.parametrize("standing", [OWNER, MEMBER, GUEST])
@pytest.mark.parametrize("policy", POLICIES)
def test_somebody_on_the_roster_comes_in_whatever_holds_for_strangers(standing: Standing, policy: str) -> None:
    assert door(arrives(), standing, policy).action == "pass"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("arrival", [arrives(), typed("many", "whoami"), typed("help"), arrives(f"join {CODE}")])
def test_somebody_blocked_gets_nowhere(arrival: Arrival, policy: str) -> None:
    decided = door(arrival, BLOCKED, policy)
    assert (decided.action, decided.reason) == ("drop", "blocked")
    assert decided.reply


def test_a_stranger_is_told_how_to_come_in_where_invites_count() -> None:
    decided = door(arrives(), STRANGER, "invite")
    assert decided.action == "drop"
    assert "join CODE" in decided.reply


def test_a_closed_house_offers_no_way_in() -> None:
    for arrival in (arrives(), arrives(f"join {CODE}")):
        decided = door(arrival, STRANGER, "closed")
        assert (decided.action, decided.code) == ("drop", "")
        assert "join" not in decided.reply


def test_an_open_house_lets_a_stranger_speak_and_no_more() -> None:
    assert door(arrives(), STRANGER, "open").action == "pass"
    assert door(typed("yolo"), STRANGER, "open").action == "drop"


def test_while_enforcement_is_paused_the_host_decides_about_strangers() -> None:
    assert door(arrives(), STRANGER, "host").action == "pass"
    assert door(arrives(), BLOCKED, "host").action == "drop"


@pytest.mark.parametrize("text", [f"join {CODE}", f"  JOIN   {CODE.lower()} ", "join 23456789abcd"])
@pytest.mark.parametrize("policy", ["invite", "open"])
def test_join_with_a_code_alone_is_a_code(text: str, policy: str) -> None:
    decided = door(arrives(text), STRANGER, policy)
    assert (decided.action, decided.purpose) == ("answer", "invite")
    assert decided.code.strip().replace("-", "").upper() == CODE.replace("-", "")


@pytest.mark.parametrize("text", ["join us for lunch", "join", "please join " + CODE, f"join {CODE} now", "join ABCD"])
def test_a_text_that_begins_with_join_and_holds_no_code_is_a_text(text: str) -> None:
    assert door(arrives(text), MEMBER, "invite") == Door("pass", text=text, literal=True, reason="words")
    assert door(arrives(text), STRANGER, "invite").code == ""


@pytest.mark.parametrize("policy", POLICIES)
def test_a_claim_counts_under_every_policy(policy: str) -> None:
    decided = door(typed("many", f"claim {CODE}"), STRANGER, policy)
    assert (decided.action, decided.code, decided.purpose) == ("answer", CODE, "claim")


def test_an_owner_has_no_use_for_a_code() -> None:
    assert door(arrives(f"join {CODE}"), OWNER, "invite").action == "pass"
    assert door(typed("many", f"claim {CODE}"), OWNER, "invite").many == f"claim {CODE}"


@pytest.mark.parametrize("standing", [OWNER, MEMBER, GUEST])
@pytest.mark.parametrize("busy", [False, True])
def test_many_is_answered_and_never_passed_on(standing: Standing, busy: bool) -> None:  # noqa: FBT001 - a parameter
    decided = door(typed("many", "whoami", busy=busy, own=False), standing, "invite")
    assert (decided.action, decided.many) == ("answer", "whoami")


@pytest.mark.parametrize("policy", ["closed", "invite"])
@pytest.mark.parametrize("arrival", [arrives(is_bot=True), arrives(platform="webhook")])
@pytest.mark.parametrize("standing", [STRANGER, OWNER, MEMBER])
def test_a_program_is_a_stranger_to_whom_nothing_is_said(arrival: Arrival, standing: Standing, policy: str) -> None:
    decided = door(arrival, standing, policy)
    assert (decided.action, decided.reply) == ("drop", "")


def test_a_program_on_the_roster_is_not_its_owner_in_an_open_house() -> None:
    assert door(typed("yolo", is_bot=True), OWNER, "open").action == "drop"
    assert door(typed("many", "pause", is_bot=True), OWNER, "open").many is None
    assert door(arrives("@file:x", is_bot=True), OWNER, "open").action == "rewrite"


def test_a_message_without_a_sender_is_dropped_in_silence() -> None:
    for policy in POLICIES:
        decided = door(arrives(sender_id=""), STRANGER, policy)
        assert (decided.action, decided.reply) == ("drop", "")


@pytest.mark.parametrize("command", [*SHUT, "shrug", "compress", "my-quick-command", "some-skill", "approve_"])
@pytest.mark.parametrize("busy", [False, True])
def test_a_command_that_is_not_on_the_list_is_shut(command: str, busy: bool) -> None:  # noqa: FBT001 - a parameter
    for standing in (MEMBER, GUEST):
        assert door(typed(command, busy=busy), standing, "invite").action == "drop"
    assert door(typed(command, busy=busy), OWNER, "invite").action == "pass"


def test_the_list_of_commands_holds_nothing_that_grants_or_changes() -> None:
    assert HOST_COMMANDS.isdisjoint(SHUT)
    for command in HOST_COMMANDS:
        assert door(typed(command), GUEST, "invite").action == "pass"


def test_read_once_may_be_read_and_not_asked_about_a_path() -> None:
    assert door(typed("read-once", "status"), MEMBER, "invite").action == "pass"
    assert door(typed("read-once", "refresh /etc/passwd"), MEMBER, "invite").action == "drop"


@pytest.mark.parametrize("command", ["stop", "new"])
def test_a_turn_of_somebody_else_is_not_ended(command: str) -> None:
    assert door(typed(command, busy=True, own=False), MEMBER, "invite").action == "drop"
    assert door(typed(command, busy=True, own=True), MEMBER, "invite").action == "pass"
    assert door(typed(command, busy=True, own=False), OWNER, "invite").action == "pass"


def test_a_question_of_the_host_is_for_owners() -> None:
    for standing in (MEMBER, GUEST):
        assert door(arrives("yes", question="approval"), standing, "invite").action == "drop"
        assert door(arrives("yes", question="reload-mcp"), standing, "invite").action == "drop"
    assert door(arrives("yes", question="approval"), OWNER, "invite").action == "pass"


def test_the_confirmation_of_a_command_that_is_open_is_open_once() -> None:
    assert door(arrives("yes", question="new"), MEMBER, "invite").action == "pass"
    assert door(typed("approve", question="new"), MEMBER, "invite").action == "pass"
    assert door(arrives("always", question="new", lasting=True), MEMBER, "invite").action == "drop"


@pytest.mark.parametrize("text", ["see @file:a.txt", "@folder:. @git:3", "@url:http://x", "/home/me @file:x"])
def test_a_reference_to_a_file_is_only_words_but_for_an_owner(text: str) -> None:
    decided = door(arrives(text), MEMBER, "invite")
    assert (decided.action, decided.literal) == ("rewrite", True)
    assert "@file:" not in decided.text
    assert decided.text.replace("@ ", "@") == text
    assert door(arrives(text), OWNER, "invite").action == "pass"


def test_an_answer_names_nobody_and_nothing_that_others_may_do() -> None:
    arrivals = [arrives(), typed("yolo"), typed("stop", busy=True, own=False), arrives(question="approval")]
    for standing in (STRANGER, BLOCKED, GUEST, MEMBER):
        for arrival in arrivals:
            reply = door(arrival, standing, "invite").reply
            assert not any(name in reply for name in ("Olga", "Minh", "admin", "yolo", "member", "terminal"))


@pytest.mark.parametrize(
    "text, rest",
    [
        ("/many", ""),
        ("/many whoami", "whoami"),
        ("  /MANY@bot approve ABCD", "approve ABCD"),
        ("/many\napprove ABCD", "approve ABCD"),
        ("/manyhands", None),
        ("say /many", None),
        ("many", None),
    ],
)
def test_many_is_known_by_its_text(text: str, rest: str | None) -> None:
    assert many_of(text) == rest
