import pytest

from herma.core.people.commands import argv_of
from herma.core.people.conditions import BadCondition, Facts, condition_of

STATUS = {"command": "git status"}


def _holds(tool: str, text: str, args: dict[str, object], **resolved: str) -> bool | None:
    return condition_of(tool, text).holds(args, Facts(resolved))


# --- one plain command


@pytest.mark.parametrize(
    "command,argv",
    [
        ("git status", ("git", "status")),
        ("  git   status ", ("git", "status")),
        ("git 'status'", ("git", "status")),
        ('git "status"', ("git", "status")),
        ("gi't' stat\"us\"", ("git", "status")),
        ("git commit -m 'two words; $HOME `id` \\'", ("git", "commit", "-m", "two words; $HOME `id` \\")),
        ('echo "two words; it\'s > | &"', ("echo", "two words; it's > | &")),
        ("echo '' \"\"", ("echo", "", "")),
        ("make CC=gcc", ("make", "CC=gcc")),
        ("./run --to=a@b.org:/x,y+z%20", ("./run", "--to=a@b.org:/x,y+z%20")),
        ("echo 'é–漢'", ("echo", "é–漢")),
    ],
)
def test_a_plain_command_is_understood_as_the_words_that_the_program_gets(command: str, argv: tuple[str, ...]) -> None:
    assert argv_of(command) == argv


@pytest.mark.parametrize(
    "command",
    [
        "",
        "   ",
        None,
        7,
        ["git", "status"],
        "git status;rm -rf /",
        "cd /tmp && git status",
        "git status || id",
        "git status | sh",
        "git status & id",
        "git status\nid",
        "git status\rid",
        "git\tstatus",
        "git status > /etc/passwd",
        "git status < x",
        "git $(id)",
        "git `id`",
        "git ${IFS}status",
        "git$IFS'status'",
        'git "$(id)"',
        'git "`id`"',
        'git "\\status"',
        'git "!!"',
        "git sta\\tus",
        "git status # harmless",
        "git stat?s",
        "git *",
        "git [s]tatus",
        "git {status,push}",
        "git ~/x",
        "git status^",
        "(git status)",
        "! git status",
        "GIT_PAGER=id git status",
        "PATH=/tmp:$PATH",
        "x+=1",
        "git\u00a0status",
        "git\u2003status",
        "git\u3000status",
        "git\u2028status",
        "git status\u200b",
        "git stаtus",
        "git 'status",
        'git "status',
        "git 'a\nb'",
        "git 'a\x1b[0m'",
        "git 'a\x85b'",
        "git 'status\x00'",
        "a" * 5_000,
    ],
)
def test_a_command_that_a_shell_would_do_more_with_is_not_understood(command: object) -> None:
    assert argv_of(command) is None


def test_a_hostile_command_costs_no_more_than_its_length() -> None:
    assert argv_of("a" * 4_095 + ";") is None
    assert argv_of("''" * 2_000 + ";") is None
    assert argv_of("a " * 2_000 + "'") is None


@pytest.mark.parametrize(
    "command,holds",
    [
        ("git status", True),
        (" git  'status'", True),
        ("git -C /tmp status", False),
        ("git -c core.pager=id status", False),
        ("git --exec-path=/tmp status", False),
        ("git status --porcelain", False),
        ("git stat", False),
        ("git statusx", False),
        ("Git status", False),
        ("./git status", False),
        ("/usr/bin/git status", False),
        ("env git status", False),
        ("env -S 'git status'", False),
        ("timeout 5 git status", False),
        ("sh -c 'git status'", False),
        ("'git status'", False),
        ("git", False),
        ("git status; id", None),
        ("cd x && git status", None),
        ("git $(echo status)", None),
        ("git${IFS}status", None),
        ("git\u00a0status", None),
    ],
)
def test_a_command_in_a_rule_is_exactly_its_words(command: str, *, holds: bool | None) -> None:
    assert _holds("terminal", "git status", {"command": command}) is holds


@pytest.mark.parametrize(
    "more", [{"workdir": "/tmp"}, {"background": True}, {"pty": True}, {"env": {"PATH": "/tmp"}}, {"next_year": "x"}]
)
def test_an_argument_that_could_change_the_run_leaves_a_command_unproved(more: dict[str, object]) -> None:
    assert _holds("terminal", "git status", {**STATUS, **more}) is None


def test_arguments_that_change_nothing_leave_a_command_as_it_is() -> None:
    more: dict[str, object] = {"timeout": 30, "workdir": "", "background": False, "pty": None, "watch_patterns": []}
    assert _holds("terminal", "git status", {**STATUS, **more}) is True


def test_a_call_without_a_command_cannot_be_evaluated() -> None:
    assert _holds("terminal", "git status", {}) is None
    assert _holds("terminal", "git status", {"command": ["git", "status"]}) is None


# --- a path


@pytest.mark.parametrize(
    "real,holds",
    [
        ("/srv/shared/a", True),
        ("/srv/shared/a/b/c.md", True),
        ("/srv/shared", True),
        ("/srv/sharedx", False),
        ("/srv/shared-old/a", False),
        ("/srv", False),
        ("/", False),
        ("/etc/passwd", False),
        ("/SRV/shared/a", False),
        ("/srv/shared/../etc", None),
        ("/srv/shared/./a", None),
        ("/srv/shared//a", None),
        ("/srv/shared/a/", None),
        ("srv/shared/a", None),
        ("/srv/shared/a\x00b", None),
        ("", None),
    ],
)
def test_a_folder_in_a_rule_holds_what_really_lies_below_it(real: str, *, holds: bool | None) -> None:
    assert _holds("write_file", "/srv/shared/**", {"path": "p", "content": "x"}, p=real) is holds


def test_a_path_without_the_two_stars_is_that_one_file() -> None:
    assert _holds("read_file", "/etc/motd", {"path": "p"}, p="/etc/motd") is True
    assert _holds("read_file", "/etc/motd", {"path": "p"}, p="/etc/motd/x") is False


def test_every_path_is_below_the_root() -> None:
    assert _holds("read_file", "/**", {"path": "p"}, p="/etc/motd") is True


def test_a_path_whose_real_place_is_not_known_cannot_be_evaluated() -> None:
    assert _holds("read_file", "/srv/**", {"path": "/srv/a"}, other="/srv/a") is None
    assert _holds("read_file", "/srv/**", {}, p="/srv/a") is None
    assert _holds("read_file", "/srv/**", {"path": ["p"]}, p="/srv/a") is None


def test_a_folder_that_is_a_link_means_the_place_that_it_leads_to() -> None:
    condition = condition_of("read_file", "/srv/secret/**")
    facts = Facts({"p": "/data/secret/a", "/srv/secret": "/data/secret"})
    assert condition.holds({"path": "p"}, facts) is True
    assert condition.holds({"path": "p"}, Facts({"p": "/data/secret/a"})) is False
    assert condition.holds({"path": "p"}, Facts({"p": "/data/secret/a", "/srv/secret": "odd"})) is None


@pytest.mark.parametrize(
    "tool,more,holds",
    [
        ("read_file", {"offset": 1, "limit": 20}, True),
        ("write_file", {"content": "x", "cross_profile": False}, True),
        ("write_file", {"content": "x", "cross_profile": True}, None),
        ("patch", {"mode": "replace", "old_string": "a", "new_string": "b", "replace_all": True}, True),
        ("patch", {"old_string": "a", "new_string": "b"}, True),
        ("patch", {"mode": "patch", "patch": "*** Update File: /etc/passwd"}, None),
        ("patch", {"mode": "patch"}, None),
        ("patch", {"patch": "*** Update File: /etc/passwd"}, None),
        ("search_files", {"pattern": "x", "target": "content"}, True),
        ("search_files", {"pattern": "../*", "target": "files"}, None),
        ("search_files", {"pattern": "x", "file_glob": "../*"}, None),
    ],
)
def test_an_argument_that_could_lead_elsewhere_leaves_a_path_unproved(
    tool: str, more: dict[str, object], *, holds: bool | None
) -> None:
    assert _holds(tool, "/srv/**", {"path": "p", **more}, p="/srv/a") is holds


# --- a host


@pytest.mark.parametrize(
    "addresses,holds",
    [
        (["https://example.org/x"], True),
        (["http://EXAMPLE.org"], True),
        (["https://example.org:8443/x?y#z", "https://example.org."], True),
        ("https://example.org/", True),
        (["https://example.org/", "https://evil.example/"], False),
        (["https://sub.example.org/"], False),
        (["https://example.org.evil.example/"], False),
        (["https://evilexample.org/"], False),
        (["https://evil.example/https://example.org/"], False),
        ([], None),
        (["https://example.org@evil.example/"], None),
        (["https://example.org\\@evil.example/"], None),
        (["https://example.org%2f@evil.example/"], None),
        (["https://example.org\n.evil.example/"], None),
        (["https://еxample.org/"], None),
        (["//example.org/"], None),
        (["file:///etc/passwd"], None),
        (["https://example.org/\u200b"], None),
        (["https://example.org/", 7], None),
        (None, None),
        ({"url": "https://example.org"}, None),
    ],
)
def test_a_host_in_a_rule_is_the_host_of_every_address(addresses: object, *, holds: bool | None) -> None:
    assert _holds("web_extract", "host=example.org", {"urls": addresses}) is holds


def test_a_browser_is_told_its_address_under_another_name() -> None:
    assert _holds("browser_navigate", "host=example.org", {"url": "https://example.org/"}) is True
    assert _holds("browser_navigate", "host=example.org", {"urls": ["https://example.org/"]}) is None


# --- values


@pytest.mark.parametrize(
    "text,args,holds",
    [
        ("action=list", {"action": "list"}, True),
        ("action=list", {"action": "list", "more": "x"}, True),
        ("action=list", {"action": "LIST"}, False),
        ("action=list", {"action": "create"}, False),
        ("action=list", {}, None),
        ("action=list", {"action": None}, None),
        ("action=list", {"action": ["list"]}, None),
        ("limit=5", {"limit": 5}, True),
        ("limit=5", {"limit": "5"}, True),
        ("limit=5", {"limit": 6}, False),
        ("limit=5", {"limit": 5.0}, None),
        ("limit=1", {"limit": True}, False),
        ("all=true", {"all": True}, True),
        ("all=true", {"all": False}, False),
        ("all=false", {"all": False}, True),
        ("all=1", {"all": True}, False),
        ("a=1, b=2", {"a": 1, "b": 2}, True),
        ("a=1,b=2", {"a": 1, "b": 3}, False),
        ("a=1,b=2", {"a": 1}, None),
        ("a=1,b=2", {"b": 3}, False),
        ("a=x=y", {"a": "x=y"}, True),
        ("host=example.org", {"host": "example.org"}, True),
    ],
)
def test_a_value_in_a_rule_is_that_value(text: str, args: dict[str, object], *, holds: bool | None) -> None:
    assert _holds("cronjob", text, args) is holds


@pytest.mark.parametrize(
    "tool,text",
    [
        ("terminal", ""),
        ("terminal", "a; b"),
        ("terminal", "A=1 b"),
        ("write_file", "relative"),
        ("write_file", "~/x"),
        ("write_file", "./x"),
        ("write_file", "/a/../b"),
        ("write_file", "/a//b"),
        ("write_file", "/a/"),
        ("write_file", "/a/*"),
        ("write_file", "/a/?"),
        ("write_file", "/a/[b]"),
        ("write_file", "path=/a"),
        ("write_file", "content=x,path=/a"),
        ("web_extract", "host=EXAMPLE.org"),
        ("web_extract", "host=example.org:443"),
        ("web_extract", "host=*.example.org"),
        ("web_extract", "example.org"),
        ("cronjob", ""),
        ("cronjob", "list"),
        ("cronjob", "=list"),
        ("cronjob", "action="),
        ("cronjob", "action=list,"),
        ("cronjob", "act ion=list"),
    ],
)
def test_what_is_no_condition_of_a_tool_is_said(tool: str, text: str) -> None:
    with pytest.raises(BadCondition):
        condition_of(tool, text)


def test_a_folder_may_be_written_with_or_without_more_slashes_before_its_stars() -> None:
    assert _holds("read_file", "/**", {"path": "p"}, p="/") is True
    assert _holds("write_file", "content=x", {"content": "x", "path": "p"}) is True
