"""Bringing people in, changing what they may do, taking them out, and what goes with it."""

import re

import pytest
from tests.engine.people.household import CHAT, Household, household

from herma.core.people.principal import OPERATOR, Standing
from herma.core.people.records import Fact, Person, SharedFact
from herma.engine.people.house import Settings
from herma.engine.people.invites import CLAIM_SECONDS, INVITE_SECONDS, WRONG_CODES_A_DAY

CHAT_WITH_WEATHER = CHAT._replace(tools=("mcp_weather",))
CODE = re.compile(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}")


def code_in(answer: str) -> str:
    (code,) = CODE.findall(answer)
    return str(code)


# --- invites


def test_an_invite_lets_one_person_in_once(home: Household) -> None:
    code = code_in(home.types("111", "invite"))
    assert home.joins("444", code.lower(), "Lan").outcome == "joined"
    assert home.role("444") == "member"
    assert home.joins("555", code).outcome == "wrong"
    assert home.role("555") == ""


def test_an_invite_gives_the_role_it_was_made_for(home: Household) -> None:
    home.joins("444", code_in(home.types("111", "invite guest")))
    assert home.role("444") == "guest"
    assert "Did you mean guest?" in home.types("111", "invite gest")
    assert "cannot" in home.types("111", "invite blocked")


def test_an_invite_is_over_after_its_time(home: Household) -> None:
    code = code_in(home.types("111", "invite"))
    home.clock.pass_by(seconds=INVITE_SECONDS)
    assert home.joins("444", code).outcome == "wrong"


def test_an_invite_ends_with_the_authority_of_whoever_made_it(home: Household) -> None:
    code = code_in(home.types("111", "invite owner"))
    home.types(OPERATOR, "role Kiter member")
    assert home.joins("444", code).outcome == "wrong"


def test_no_invite_raises_or_lowers_somebody_who_is_more_than_a_guest(home: Household) -> None:
    code = code_in(home.types("111", "invite guest"))
    assert home.joins("222", code).outcome == "already"
    assert home.joins("111", code).outcome == "already"
    assert (home.role("222"), home.role("111")) == ("member", "owner")
    assert home.joins("444", code).outcome == "joined"


def test_somebody_blocked_cannot_come_back_with_an_invite(home: Household) -> None:
    code = code_in(home.types("111", "invite"))
    home.types("111", "role Gast blocked")
    assert home.joins("333", code).outcome == "shut"
    assert home.role("333") == "blocked"
    assert home.joins("444", code).outcome == "joined"


def test_ten_wrong_codes_in_a_day_end_an_accounts_attempts_and_nobody_elses(home: Household) -> None:
    code = code_in(home.types("111", "invite"))
    outcomes = [home.joins("444", f"AAAA-AAAA-AAA{number}").outcome for number in range(WRONG_CODES_A_DAY)]
    assert outcomes == ["wrong"] * 9 + ["locked"]
    assert home.joins("444", code).outcome == "locked"
    assert len(home.rows("refusal")) == WRONG_CODES_A_DAY
    assert home.joins("555", code).outcome == "joined"


def test_the_attempts_begin_anew_with_the_next_utc_day(home: Household) -> None:
    for _ in range(WRONG_CODES_A_DAY):
        home.joins("444", "AAAA-AAAA-AAAA")
    home.clock.pass_by(hours=24)
    assert home.joins("444", code_in(home.types("111", "invite"))).outcome == "joined"


def test_a_newcomer_whose_name_looks_like_another_is_told_of_with_the_end_of_the_id(home: Household) -> None:
    joined = home.joins("98765", code_in(home.types("111", "invite")), "Кiter")
    assert "…8765" in joined.warning
    assert "telegram:111" in joined.warning
    assert "telegram:111" not in joined.text
    assert home.joins("44", code_in(home.types("111", "invite")), "Lan").warning == ""


def test_the_database_does_not_hold_the_codes_that_it_opens_for(home: Household) -> None:
    code = code_in(home.types("111", "invite")).replace("-", "")
    with home.store.routine() as unit:
        assert all(code not in each.code.upper() for each in unit.invites(now=home.clock()))


# --- ownership


def test_a_claim_begins_at_the_local_seat_and_makes_the_account_that_sends_the_code_owner(home: Household) -> None:
    code = code_in(home.types(OPERATOR, "claim"))
    assert "owner" in home.types("999", f"claim {code}")
    assert home.role("999") == "owner"
    assert any(row.note.startswith("OWNERSHIP: claimed by telegram:999") for row in home.rows("policy"))
    assert "not valid" in home.types("998", f"claim {code}")


@pytest.mark.parametrize("sender_id", ["111", "222", "999"])
def test_a_claim_without_a_code_is_for_the_local_seat_alone(home: Household, sender_id: str) -> None:
    answer = home.types(sender_id, "claim")
    assert "the machine itself" in answer
    assert not CODE.search(answer)


def test_a_claim_code_makes_no_owner_of_the_seat_or_of_what_no_hand_typed(home: Household) -> None:
    code = code_in(home.types(OPERATOR, "claim"))
    for kind in ("cron", "subagent", "machine", "nested"):
        speaker = home.house.standing("telegram", "222")._replace(kind=kind)
        assert "counts from the chat account" in home.types(speaker, f"claim {code}")
    assert "counts from the chat account" in home.types(OPERATOR, f"claim {code}")
    assert home.role("222") == "member"


def test_a_claim_code_is_no_invite_and_an_invite_is_no_claim(home: Household) -> None:
    claim, invite = code_in(home.types(OPERATOR, "claim")), code_in(home.types("111", "invite"))
    assert home.joins("444", claim).outcome == "wrong"
    assert "not valid" in home.types("555", f"claim {invite}")


def test_a_claim_code_lives_for_minutes(home: Household) -> None:
    code = code_in(home.types(OPERATOR, "claim"))
    home.clock.pass_by(seconds=CLAIM_SECONDS)
    assert "not valid" in home.types("999", f"claim {code}")


def test_wrong_claim_codes_are_counted_like_wrong_invites(home: Household) -> None:
    for _ in range(WRONG_CODES_A_DAY):
        home.types("999", "claim AAAA-AAAA-AAAA")
    assert "No code is accepted" in home.types("999", f"claim {code_in(home.types(OPERATOR, 'claim'))}")


def test_the_last_owner_neither_demotes_nor_removes_themselves(home: Household) -> None:
    assert "last owner" in home.types("111", "role Kiter member")
    assert "last owner" in home.types("111", "remove telegram:111")
    home.types("111", "role Minh owner")
    assert "is member now" in home.types("111", "role Kiter member")
    assert "last owner" in home.types("222", "remove Minh")


# --- the roster


def test_an_account_is_added_once_and_under_its_own_id(home: Household) -> None:
    assert "telegram:444" in home.types("111", "add telegram 444")
    assert home.role("444") == "member"
    assert "belongs to “Minh” (telegram:222)" in home.types("111", "add telegram 222 owner")
    assert "Did you mean member?" in home.types("111", "add telegram 445 menber")
    assert "An account is" in home.types("111", "add tele:gram 446")
    assert "An account is" in home.types("111", 'add telegram "4 46"')


def test_unknown_names_roles_and_tools_are_answered_with_the_nearest(home: Household) -> None:
    assert "Did you mean “Minh”?" in home.types("111", "role Mih guest")
    assert "Did you mean owner?" in home.types("111", "role Minh ownr")
    assert "Did you mean web_search?" in home.types("111", "tools Minh add web_serch")


def test_a_name_that_two_people_have_lists_their_ids_to_the_owner(home: Household) -> None:
    with home.store.firm() as unit:
        unit.save_person(Person("discord:9", "discord", "9", "minh", "", "guest"))
    answer = home.types("111", "remove Minh")
    assert "telegram:222" in answer
    assert "discord:9" in answer
    assert home.role("222") == "member"
    assert "off the roster" in home.types("111", "remove discord:9")


@pytest.mark.parametrize("name", ["Kiter", "kiter", "Кiter", "K\u200biter", "Klter", "telegram:111", "x" * 41, "  "])
def test_no_name_is_given_that_could_be_taken_for_another_or_for_an_id(home: Household, name: str) -> None:
    before = home.person("333")
    home.types("111", f'name Gast "{name}"')
    assert home.person("333") == before


def test_a_refused_look_alike_shows_the_end_of_the_id_it_looks_like(home: Household) -> None:
    assert "ends in …111" in home.types("111", "name Gast Кiter")


def test_a_person_keeps_their_asks_over_a_new_name(home: Household) -> None:
    ask = home.asking(command="ls")
    assert "is called “Minh Anh” now" in home.types("111", 'name Minh "Minh Anh"')
    assert home.approval(ask).status == "pending"


def test_tools_are_given_taken_and_set(home: Household) -> None:
    def tools() -> tuple[str, ...]:
        person = home.person("222")
        assert person is not None
        return person.tools

    home.types("111", "tools Minh add read_file web_extract")
    assert tools() == ("read_file", "web_extract")
    home.types("111", "tools Minh remove read_file")
    assert tools() == ("web_extract", "-read_file")
    assert "not among" in home.types("222", "why read_file")
    home.types("111", "tools Minh add read_file")
    assert tools() == ("web_extract", "read_file")
    home.types("111", "tools Minh patch")
    assert tools() == ("patch",)


def test_tools_that_only_the_running_host_knows_can_be_given(home: Household) -> None:
    assert "no tool “mcp_weather”" in home.types("111", "tools Minh add mcp_weather")
    assert "may use “mcp_weather”" in home.types("111", "tools Minh add mcp_weather", where=CHAT_WITH_WEATHER)


def test_nobody_is_given_every_tool_at_once(home: Household) -> None:
    assert "Name the tools" in home.types("111", "tools Minh add *")
    assert "no matter of a list" in home.types("111", "tools Kiter remove terminal")


def test_a_budget_is_a_whole_number_of_tokens(home: Household) -> None:
    assert "50,000 tokens a day" in home.types("111", "budget Minh 50_000")
    for wrong in ("-1", "1.5", "many", "٣", "9" * 40):
        assert "Usage" in home.types("111", f"budget Minh {wrong}")
    person = home.person("222")
    assert person is not None
    assert person.daily_tokens == 50_000


def test_a_muted_person_is_muted_until_then(home: Household) -> None:
    home.types("111", "mute Minh for=2h")
    person = home.person("222")
    assert person is not None
    assert person.muted_until == home.clock() + 7_200_000
    assert "Usage" in home.types("111", "mute Minh for=soon")
    home.types("111", "mute Minh for=0s")
    person = home.person("222")
    assert person is not None
    assert person.muted_until == 0


# --- what a change takes with it


CHANGES = ("role Minh guest", "tools Minh add read_file", "budget Minh 5", "remove Minh", "mute Minh", "pause")


@pytest.mark.parametrize("line", CHANGES)
def test_a_change_voids_what_waited_and_what_was_granted_in_the_same_moment(home: Household, line: str) -> None:
    waiting, granted, others = (
        home.asking(command="ls"),
        home.asking(tool="patch", path="a"),
        home.asking("333", path="b"),
    )
    home.types("111", f"approve {granted.code}")
    epoch = home.house.roster().epoch
    home.types("111", line)
    assert home.house.roster().epoch > epoch
    assert [home.approval(each).status for each in (waiting, granted)] == ["revoked", "revoked"]
    assert not home.spends(granted)
    assert home.approval(others).status == ("revoked" if line == "pause" else "pending")


def test_what_an_owner_approved_ends_with_that_owner(home: Household) -> None:
    home.types("111", "role Gast owner")
    ask = home.asking(command="ls")
    home.types("111", f"approve {ask.code}")
    home.types("333", "role Kiter member")
    assert not home.spends(ask)


def test_a_refused_change_voids_nothing(home: Household) -> None:
    ask = home.asking(command="ls")
    home.types("111", "role Minh mamber")
    home.types("222", "role Minh owner")
    assert home.approval(ask).status == "pending"


def test_removing_deletes_the_person_and_their_facts_and_keeps_the_trail(home: Household) -> None:
    with home.store.routine() as unit:
        unit.add_fact(Fact(0, "telegram:222", "", "likes tea", 1))
        unit.add_fact(Fact(0, "telegram:333", "", "likes coffee", 1))
        unit.add_shared(SharedFact(0, "never confirmed", "telegram:222", 1))
        unit.add_shared(SharedFact(0, "confirmed", "telegram:222", 1, confirmed_by="telegram:111"))
    home.types("222", "pause")
    assert "1 fact went with them" in home.types("111", "remove Minh")
    assert home.role("222") == ""
    with home.store.routine() as unit:
        assert list(unit.facts("telegram:222")) == []
        assert len(unit.facts("telegram:333")) == 1
        assert [each.text for each in unit.shared()] == ["confirmed"]
    assert any(row.tool == "/many pause" and row.person_id == "telegram:222" for row in home.rows("refusal"))
    assert "not on the roster" in home.types("222", "roster")


def test_every_change_is_a_row_of_whoever_typed_it(home: Household) -> None:
    for line in (
        "invite",
        "add telegram 444",
        "role Minh guest",
        "tools Minh add patch",
        "budget Minh 5",
        "remove Minh",
    ):
        home.types("111", line)
        (row, *_) = home.rows("policy")
        assert (row.person_id, row.tool, row.session_id) == ("telegram:111", f"/many {line.split()[0]}", "s-1")


def test_roles_of_ones_own_can_be_given(home: Household, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert "no role" in home.types("111", "role Minh cook")
    configured = Settings(roles={"cook": {"allow": ["web_extract"]}})
    with household(tmp_path_factory.mktemp("cook"), configured) as kitchen:
        assert "is cook now" in kitchen.types("111", "role Minh cook")
        assert "“web_extract”" in kitchen.types("222", "whoami")


# --- pause


def test_pause_and_resume_leave_a_loud_row_and_void_all_that_was_open(home: Household) -> None:
    ask = home.asking(command="ls")
    assert "PAUSED" in home.types("111", "pause")
    assert home.house.paused()
    assert home.rows("policy")[0].note.startswith("PAUSED")
    assert home.approval(ask).status == "revoked"
    later = home.asking(command="ls")
    assert "already" in home.types("111", "pause")
    assert home.approval(later).status == "pending"
    assert "on again" in home.types("111", "resume")
    assert not home.house.paused()
    assert home.approval(later).status == "revoked"
    assert [row.note[:7] for row in home.rows("policy")] == ["RESUMED", "PAUSED:"]


def test_a_pause_does_not_make_anybody_owner(home: Household) -> None:
    home.types("111", "pause")
    for line in ("resume", "invite", "approve AAAA", "role Minh owner"):
        assert "only the owner" in home.types("222", line)


def test_a_pause_of_the_configuration_ends_with_resume(tmp_path_factory: pytest.TempPathFactory) -> None:
    with household(tmp_path_factory.mktemp("paused"), Settings(paused=True)) as home:
        assert home.house.paused()
        home.types("111", "resume")
        assert not home.house.paused()


def test_a_standing_that_was_made_up_changes_nothing(home: Household) -> None:
    forged = Standing("telegram:999", "owner", "person", account="telegram:999")
    assert "only the owner" in home.types(forged, "role Gast owner")
