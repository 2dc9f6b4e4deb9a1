import pytest
from tests.core.people.policies import MINH, NO_FACTS, member, policy

from herma.core.people.decide import Subject, decide
from herma.core.people.policy import policy_of
from herma.core.people.rule import rule_of
from herma.core.people.rules import Problem, compile_policy, unknown_role
from herma.core.people.tools import TOOLS


def _problems(roles: object, asked: tuple[str, ...] | None = None) -> tuple[Problem, ...]:
    return compile_policy(roles, asked, {})[1]


def _only(roles: object) -> Problem:
    (problem,) = _problems(roles)
    return problem


# --- what the settings make of the roles


@pytest.mark.parametrize("role", ["guest", "member"])
def test_without_settings_every_tool_stands_as_the_table_says(role: str) -> None:
    plain = policy()
    for tool in TOOLS:
        for name in tool.names:
            assert decide(Subject(MINH, role), name, {}, NO_FACTS, plain).effect == getattr(tool, role)


def test_a_tool_named_in_a_list_leaves_the_list_that_it_began_in() -> None:
    changed = policy({"member": {"allow": ["terminal"], "ask": ["web_search"], "never": ["patch"]}})
    assert member("terminal", {}, changed).effect == "allow"
    assert member("web_search", {}, changed).effect == "ask"
    assert member("patch", {}, changed).effect == "never"
    assert member("write_file", {}, changed).effect == "ask"


def test_the_newer_name_of_a_tool_is_as_good_as_the_older_one() -> None:
    changed = policy({"member": {"allow": ["process_manage"]}})
    assert member("process", {}, changed) == member("process_manage", {}, changed)
    assert member("process", {}, changed).effect == "allow"


def test_a_condition_leaves_the_tool_itself_where_it_was() -> None:
    changed = policy({"member": {"allow": ["terminal(git status)"]}})
    assert member("terminal", {"command": "git status"}, changed).effect == "allow"
    assert member("terminal", {"command": "git push"}, changed).effect == "ask"


def test_a_role_of_ones_own_begins_with_looking_and_whoami_alone() -> None:
    own = policy({"kids": {}})
    allowed = {
        tool.name for tool in TOOLS if decide(Subject(MINH, "kids"), tool.name, {}, NO_FACTS, own).effect != "never"
    }
    assert allowed == {"tool_search", "tool_describe", "tool_call", "manyhands_whoami"}


def test_approval_tools_take_the_place_of_what_members_and_ones_own_roles_ask_for() -> None:
    changed, problems = compile_policy(
        {"kids": {"allow": ["clarify"], "ask": ["patch"]}}, ("read_file", "web_search"), {}
    )
    asked = {
        role: {
            tool.name for tool in TOOLS if decide(Subject("", role), tool.name, {}, NO_FACTS, changed).effect == "ask"
        }
        for role in ("member", "kids", "guest", "owner")
    }
    assert asked == {
        "member": {"read_file", "web_search"},
        "kids": {"read_file", "web_search"},
        "guest": set(),
        "owner": set(),
    }
    assert [(problem.key, problem.fatal) for problem in problems] == [("roles.kids.ask", False)]


def test_an_empty_list_of_approval_tools_means_that_nothing_is_asked_for() -> None:
    assert member("terminal", {}, policy(asked=())).effect == "never"


def test_an_empty_list_takes_the_place_of_a_roles_own_asks_too() -> None:
    changed, (problem,) = compile_policy({"member": {"ask": ["todo"]}}, (), {})
    assert not problem.fatal
    assert member("todo", {}, changed).effect == "never"


def test_a_person_has_tools_of_their_own_and_tools_taken_away() -> None:
    own = policy(people={MINH: ("terminal", "read_file", "-web_search")})
    assert member("terminal", {}, own).effect == "allow"
    assert member("read_file", {}, own).effect == "allow"
    assert member("web_search", {}, own).effect == "never"
    assert decide(Subject("telegram:1", "member"), "terminal", {}, NO_FACTS, own).effect == "ask"


# --- what is wrong with settings


def test_a_guest_that_is_made_to_ask_is_a_mistake_and_asks_for_nothing() -> None:
    compiled, (problem,) = compile_policy({"guest": {"ask": ["terminal"]}}, None, {})
    assert (problem.key, problem.fatal) == ("roles.guest.ask", True)
    assert decide(Subject("", "guest"), "terminal", {}, NO_FACTS, compiled).effect == "never"


@pytest.mark.parametrize(
    "roles,key",
    [
        ([], "roles"),
        ("member", "roles"),
        ({"": {}}, "roles"),
        ({"Kids": {}}, "roles"),
        ({"kíds": {}}, "roles"),
        ({None: {}}, "roles"),
        ({7: {}}, "roles"),
        ({"owner": {"never": ["terminal"]}}, "roles.owner"),
        ({"blocked": {"allow": ["terminal"]}}, "roles.blocked"),
        ({"kids": ["terminal"]}, "roles.kids"),
        ({"kids": {"alow": ["terminal"]}}, "roles.kids.alow"),
        ({"kids": {7: ["terminal"]}}, "roles.kids.7"),
        ({"kids": {"allow": "terminal"}}, "roles.kids.allow"),
        ({"kids": {"allow": [7]}}, "roles.kids.allow"),
        ({"kids": {"allow": [""]}}, "roles.kids.allow"),
        ({"kids": {"never": ["terminal("]}}, "roles.kids.never"),
        ({"kids": {"never": ["ter*minal"]}}, "roles.kids.never"),
        ({"kids": {"never": ["two words"]}}, "roles.kids.never"),
        ({"kids": {"allow": ["-terminal"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["terminal*(ls)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["cronjob*(action=list)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["terminal()"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["terminal(git status; ls)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["terminal(git\nstatus)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["terminal(LESS=x git log)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["write_file(notes/**)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["write_file(~/notes)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["write_file(/srv/../etc)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["write_file(/srv/*.txt)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["write_file(path=/srv)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["web_extract(host=Example.org)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["web_extract(host=example.org/x)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["cronjob(list)"]}}, "roles.kids.allow"),
        ({"kids": {"allow": ["cronjob(action=)"]}}, "roles.kids.allow"),
    ],
)
def test_what_cannot_be_read_is_a_fatal_problem_at_its_place(roles: object, key: str) -> None:
    problem = _only(roles)
    assert (problem.key, problem.fatal) == (key, True)
    assert problem.hint


def test_a_list_that_is_misspelt_gets_the_nearest_name() -> None:
    assert _only({"kids": {"nver": ["terminal"]}}).hint == "did you mean never?"


@pytest.mark.parametrize("effect", ["allow", "ask", "never"])
@pytest.mark.parametrize("item,near", [("terminl", "terminal"), ("browsr_*", "browser_"), ("qqqqqqqq", "")])
def test_a_tool_that_nobody_knows_is_said_with_the_nearest_name_and_its_rule_stands(
    effect: str, item: str, near: str
) -> None:
    compiled, (problem,) = compile_policy({"kids": {effect: [item]}}, None, {})
    assert (problem.key, problem.fatal) == (f"roles.kids.{effect}", False)
    assert near in problem.hint
    assert "the rule stands" in problem.hint
    assert decide(Subject("", "kids"), item.replace("*", "x"), {}, NO_FACTS, compiled).effect == effect


def test_a_tool_that_a_plugin_or_a_server_has_brought_is_known() -> None:
    roles = {"kids": {"allow": ["notes_search", "mcp_files_*"]}}
    assert len(_problems(roles)) == 2
    assert compile_policy(roles, None, {}, known=("notes_search", "mcp_files_read"))[1] == ()


def test_a_bad_tool_of_one_person_is_said_and_switches_nothing_off() -> None:
    compiled, (problem,) = compile_policy(None, None, {MINH: ("two words", "-read_file")})
    assert not problem.fatal
    assert member("web_search", {}, compiled).effect == "allow"
    assert member("read_file", {}, compiled) == ("never", "person:/never/read_file", "rule")


def test_a_role_that_a_setting_names_has_to_exist() -> None:
    own = policy({"kids": {}})
    assert unknown_role("invite_role", "kids", own) is None
    assert unknown_role("invite_role", "guest", own) is None
    problem = unknown_role("invite_role", "kid", own)
    assert problem is not None
    assert problem.fatal
    assert problem.hint == "did you mean kids?"


# --- the version


def test_the_version_is_the_same_for_the_same_rules_in_any_order() -> None:
    one = policy({"a": {"allow": ["patch", "terminal(ls)"]}, "b": {}}, people={"x:1": ("patch", "todo"), "x:2": ()})
    two = policy({"b": {}, "a": {"allow": ["terminal(ls)", "patch"]}}, people={"x:1": ("todo", "patch", "todo")})
    assert one.version == two.version
    assert len(one.version) == 64


def test_every_difference_in_the_rules_is_another_version() -> None:
    versions = {
        policy(*args, **kwargs).version  # type: ignore[arg-type] # the parts are those of `policy`
        for args, kwargs in [
            ((), {}),
            (({"kids": {"allow": ["patch"]}},), {}),
            (({"kids": {"never": ["patch"]}},), {}),
            (({"kids": {"allow": ["patch(mode=replace)"]}},), {}),
            (({"cooks": {"allow": ["patch"]}},), {}),
            ((), {"people": {"kids": ("patch",)}}),
            ((), {"people": {"kids": ("-patch",)}}),
            ((), {"asked": ("patch",)}),
        ]
    }
    assert len(versions) == 8


def test_a_rule_of_a_role_and_the_same_of_a_person_are_two_versions() -> None:
    of_role, of_person = (rule_of("kids", "allow", "patch", personal=personal) for personal in (False, True))
    assert policy_of(["kids"], [of_role]).version != policy_of(["kids"], [of_person]).version


def test_ten_thousand_people_with_tools_of_their_own_are_no_trouble() -> None:
    crowd = policy(people={f"telegram:{n}": ("patch", "-web_search") for n in range(10_000)})
    assert decide(Subject("telegram:9999", "guest"), "patch", {}, NO_FACTS, crowd).effect == "allow"


def test_the_policy_names_the_folders_whose_real_place_has_to_be_known() -> None:
    own = policy({"kids": {"allow": ["write_file(/srv/shared/**)", "read_file(/etc/motd)"]}})
    assert own.folders == ("/etc/motd", "/srv/shared")
