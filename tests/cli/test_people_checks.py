"""What `herma doctor` and `herma status` say of manyhands, from what is in a home."""

import json
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from herma.cli.checks.people import check
from herma.cli.checks.view import View
from herma.core.people.records import Entry
from herma.core.settings import Resolved, resolve
from herma.hosts.hermes import configuration
from herma.install.facts import Facts
from herma.install.house import at
from herma.install.inspection import Question, inspect
from herma.install.machine import Machine
from herma.install.systems import questions
from herma.stores.people.glance import Glance, Sign
from tests.cli.conftest import Herma, Outcome, configure
from tests.cli.folders import tree
from tests.cli.people import NOW, original, people
from tests.install.environment import environment

OWNER = "telegram:111"
MINUTE = 60_000
WHOLE: dict[str, Any] = {
    "plugins": {"enabled": ["manyhands"]},
    "manyhands": {"strict_admission": True},
    "gateway": {"strict": True},
    "display": {"busy_input_mode": "queue"},
    "security": {"approval": {"transport": "manyhands", "transport_fallback": "builtin"}},
    "platforms": {
        "telegram": {"enabled": True, "extra": {"allow_admin_from": [111], "group_allow_admin_from": ["111"]}}
    },
}


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """An environment with Hermes 0.22.2 and Herma, and a home in which all is as setup leaves it."""
    configure(tmp_path, WHOLE)
    return environment(tmp_path / "env", version="0.22.2")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """The same with Hermes 0.19.0."""
    configure(tmp_path, WHOLE)
    return environment(tmp_path / "env", version="0.19.0")


def _home(tmp_path: Path) -> Path:
    return tmp_path / ".hermes"


def _doctor(herma: Herma, env: Path, **environ: str) -> Outcome:
    return herma("doctor", "--json", "--hermes", str(env), **environ)


def _said(outcome: Outcome, identity: str) -> tuple[str, str]:
    found = outcome.check(identity, "manyhands")
    assert found["hint"] or found["status"] not in ("warn", "fail"), found
    return found["status"], found["summary"]


def _now() -> int:
    return time.time_ns() // 1_000_000


def test_a_house_with_an_owner_and_all_that_setup_writes_passes(newer: Path, tmp_path: Path, herma: Herma) -> None:
    with people(_home(tmp_path), (OWNER, "owner"), ("telegram:222", "member"), surface="cli"):
        pass

    outcome = _doctor(herma, newer)

    found = [each for each in outcome.data["hosts"][0]["checks"] if each["status"] not in ("pass", "skip")]
    assert found == []
    assert outcome.code == 0
    assert _said(outcome, "owner") == ("pass", "1 owner, 1 more on the roster")
    assert _said(outcome, "policy")[0] == "pass"
    assert _said(outcome, "surfaces")[1].startswith("under manyhands were, last: cli of hermes 0.22.2 at 2026-11-30")


def test_looking_changes_nothing_in_the_home(newer: Path, tmp_path: Path, herma: Herma) -> None:
    with people(_home(tmp_path), (OWNER, "owner")):
        pass
    before = tree(_home(tmp_path))
    _doctor(herma, newer)
    herma("status", "--hermes", str(newer))
    herma("setup", "--dry-run", "--hermes", str(newer))
    assert tree(_home(tmp_path)) == before


@pytest.mark.parametrize("name", ["GATEWAY_ALLOW_ALL_USERS", "TELEGRAM_ALLOW_ALL_USERS"])
def test_a_host_that_lets_everybody_in_is_warned_of(name: str, newer: Path, herma: Herma) -> None:
    status, summary = _said(_doctor(herma, newer, **{name: "True"}), "allow-all")
    assert status == "warn"
    assert name in summary
    assert _said(_doctor(herma, newer, **{name: "no"}), "allow-all")[0] == "pass"


@pytest.mark.parametrize("config", [{"dm_policy": "open"}, {"extra": {"allow_from": ["*"]}}])
def test_a_platform_that_is_open_is_warned_of(
    config: Mapping[str, object], newer: Path, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, WHOLE | {"platforms": {"telegram": config}})
    assert _said(_doctor(herma, newer), "allow-all")[0] == "warn"


def test_strict_admission_says_whom_the_host_lets_in_beside_the_owner(
    newer: Path, tmp_path: Path, herma: Herma
) -> None:
    with people(_home(tmp_path), (OWNER, "owner")):
        pass
    paired = _home(tmp_path) / "platforms" / "pairing" / "telegram-approved.json"
    paired.parent.mkdir(parents=True)
    paired.write_text(json.dumps({"111": {}}), encoding="utf-8")
    assert _said(_doctor(herma, newer, TELEGRAM_ALLOWED_USERS="111"), "admission")[0] == "pass"

    paired.write_text(json.dumps({"111": {}, "444": {}}), encoding="utf-8")
    status, summary = _said(_doctor(herma, newer, TELEGRAM_ALLOWED_USERS="111, 222,333"), "admission")

    assert status == "warn"
    assert summary.endswith("by itself: 2 in TELEGRAM_ALLOWED_USERS, 1 paired")


def test_admission_that_is_not_strict_is_explained(newer: Path, tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, {**WHOLE, "manyhands": {}})

    outcome = _doctor(herma, newer, TELEGRAM_ALLOWED_USERS="222")

    assert _said(outcome, "admission") == (
        "pass",
        "not strict: who is on the roster is paired with the host too, and so are 1 in TELEGRAM_ALLOWED_USERS",
    )
    assert "strict_admission: true prevents that" in outcome.check("admission", "manyhands")["hint"]


@pytest.mark.parametrize(
    "configured, switched, status",
    [(False, "", "pass"), (True, "", "warn"), (False, "1", "warn"), (True, "0", "pass")],
)
def test_a_pause_is_warned_of_wherever_it_comes_from(  # noqa: PLR0913 - the parts of one case
    configured: bool,  # noqa: FBT001 - parametrized
    switched: str,
    status: str,
    *,
    newer: Path,
    tmp_path: Path,
    herma: Herma,
) -> None:
    configure(tmp_path, {**WHOLE, "manyhands": {"strict_admission": True, "paused": configured}})
    with people(_home(tmp_path), (OWNER, "owner")) as house, house.store.firm() as unit:
        if switched:
            unit.put_setting("paused", switched)

    assert _said(_doctor(herma, newer), "paused")[0] == status


def test_nobody_owning_a_bot_that_people_can_reach_is_warned_of(newer: Path, tmp_path: Path, herma: Herma) -> None:
    outcome = _doctor(herma, newer)
    assert _said(outcome, "owner")[0] == "warn"
    assert "/many claim" in outcome.check("owner", "manyhands")["hint"]

    configure(tmp_path, {**WHOLE, "platforms": {}})
    assert _said(_doctor(herma, newer), "owner")[0] == "skip"


@pytest.mark.parametrize(
    "block, status, summary",
    [
        ({"roles": {"member": {"allow": ["web_serch"]}}}, "warn", "has web_serch, which is the name of no known tool"),
        ({"roles": {"Kids": {}}}, "fail", "names a role 'Kids'"),
        ({"roles": {"member": {"allow": ["terminal(a | b)"]}}}, "fail", "which is no rule"),
        ({"invite_role": "membr"}, "fail", "invite_role names the role 'membr', which does not exist"),
        ({"max_pending_asks": 0}, "fail", "there is no policy as long as that is so"),
    ],
)
def test_a_policy_that_cannot_be_had_fails_and_a_tool_that_nobody_knows_is_warned_of(  # noqa: PLR0913 - the same
    block: Mapping[str, object], status: str, summary: str, *, newer: Path, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, {**WHOLE, "manyhands": {"strict_admission": True, **block}})

    outcome = _doctor(herma, newer)

    found = {(each["status"], each["summary"]) for each in outcome.checks("policy", "manyhands")}
    assert any(each[0] == status and summary in each[1] for each in found), found
    assert any("nobody but this machine's terminal is served" in each[1] for each in found) == (status == "fail")
    assert outcome.code == (2 if status == "fail" else 1)


def test_calls_of_nobody_with_the_operators_rights_are_warned_of(newer: Path, tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, {**WHOLE, "manyhands": {"strict_admission": True, "unknown_session_policy": "operator"}})
    assert _said(_doctor(herma, newer), "unknown-session")[0] == "warn"


@pytest.mark.parametrize(
    "path, value, identity, status",
    [
        (("gateway", "strict"), False, "attachments", "fail"),
        (("display", "busy_input_mode"), "steer", "busy", "warn"),
        (("security", "approval", "transport"), "slack", "transport", "warn"),
        (("security", "approval", "transport_fallback"), "", "transport", "warn"),
        (("memory", "provider"), "mem0", "memory-provider", "warn"),
        (("platforms", "telegram", "extra", "group_allow_admin_from"), ["7"], "admin-lists", "warn"),
    ],
)
def test_each_door_of_the_host_that_stands_open_is_named(  # noqa: PLR0913 - the same
    path: tuple[str, ...], value: object, identity: str, status: str, *, newer: Path, tmp_path: Path, herma: Herma
) -> None:
    with people(_home(tmp_path), (OWNER, "owner")):
        pass
    config = json.loads(json.dumps(WHOLE))
    block = config
    for key in path[:-1]:
        block = block.setdefault(key, {})
    block[path[-1]] = value
    configure(tmp_path, config)

    found, _ = _said(_doctor(herma, newer), identity)

    assert found == status


def test_the_older_host_is_said_to_have_no_transport_and_to_hide_what_titles_cost(older: Path, herma: Herma) -> None:
    outcome = _doctor(herma, older)

    assert _said(outcome, "transport") == (
        "skip",
        "this Hermes has no approval transports: what manyhands lets run, the host asks about in the chat itself",
    )
    assert "budgets do not count them" in _said(outcome, "usage")[1]


# The database


def test_a_database_that_is_not_there_yet_is_no_failure(newer: Path, herma: Herma) -> None:
    status, summary = _said(_doctor(herma, newer), "database")
    assert status == "skip"
    assert "the first start of Hermes makes it" in summary


def test_a_database_that_is_damaged_newer_or_somebody_elses_fails(newer: Path, tmp_path: Path, herma: Herma) -> None:
    with people(_home(tmp_path), (OWNER, "owner")) as house:
        path = house.path
    for statement, said in (
        ("UPDATE meta SET home = '/elsewhere'", "belongs to another home or profile"),
        ("UPDATE meta SET home = '.', profile = 'work'", "belongs to another home or profile"),
        ("UPDATE meta SET version = 99", "has layout 99"),
    ):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
        status, summary = _said(_doctor(herma, newer), "database")
        assert (status, said in summary) == ("fail", True), summary
    path.write_bytes(b"no database" * 99)
    status, summary = _said(_doctor(herma, newer), "database")
    assert status == "fail"
    assert "nobody but this machine's terminal is served" in summary
    assert _said(_doctor(herma, newer), "owner")[0] == "skip"


def test_a_database_that_others_may_read_is_warned_of(newer: Path, tmp_path: Path, herma: Herma) -> None:
    with people(_home(tmp_path), (OWNER, "owner")) as house:
        path = house.path
    path.chmod(0o644)
    outcome = _doctor(herma, newer)
    assert _said(outcome, "database")[0] == "warn"
    assert outcome.check("database", "manyhands")["hint"].startswith(f"chmod 600 {path}")


def test_the_database_is_looked_for_where_the_plugin_keeps_it(newer: Path, tmp_path: Path, herma: Herma) -> None:
    elsewhere, wins = tmp_path / "a.db", tmp_path / "b.db"
    assert str(elsewhere) in _said(_doctor(herma, newer, MANYHANDS_DB=str(elsewhere)), "database")[1]
    configure(tmp_path, {**WHOLE, "manyhands": {"db_path": str(wins)}})
    assert str(wins) in _said(_doctor(herma, newer, MANYHANDS_DB=str(elsewhere)), "database")[1]


def test_a_database_of_the_original_is_said_to_be_carried_on(newer: Path, tmp_path: Path, herma: Herma) -> None:
    original(_home(tmp_path))
    outcome = _doctor(herma, newer)
    assert "as it was before Herma" in _said(outcome, "database")[1]
    assert _said(outcome, "owner")[0] == "pass"


MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /srv/share rw - nfs4 server:/share rw
31 30 0:41 / /srv/share/here rw - ext4 /dev/sdb1 rw
32 22 0:42 / /srv/with\\040blank rw - cifs //server/a rw
"""


@pytest.mark.parametrize(
    "path, kind",
    [
        ("/home/me/manyhands", "ext4"),
        ("/srv/share/manyhands", "nfs4"),
        ("/srv/share", "nfs4"),
        ("/srv/shared", "ext4"),
        ("/srv/share/here/x", "ext4"),
        ("/srv/with blank/x", "cifs"),
    ],
)
def test_the_file_system_is_that_of_the_innermost_mount(path: str, kind: str) -> None:
    assert at(path, MOUNTS) == kind


# Checks of what only a running machine has, on a view that is made here


@pytest.fixture
def view(newer: Path, tmp_path: Path) -> View:
    """A house with nobody in it, five minutes after midnight."""
    machine = Machine({}, home=tmp_path, prefix=tmp_path / "own", root=tmp_path / "root")
    facts = inspect(_candidate(newer), Question(_home(tmp_path), *questions()), machine)
    seen = Glance(_home(tmp_path) / "plugin-data" / "manyhands.db", private=True, home=".", profile="default")
    return View(facts, _resolved(facts), seen, NOW, frozenset())


def _candidate(env: Path) -> Any:
    from herma.install.detect import Candidate  # noqa: PLC0415 - its only use

    return Candidate(env, env / "bin" / "python", "--hermes")


def _resolved(facts: Facts) -> Resolved:
    return resolve("manyhands", configuration.layers(facts.config.values, "manyhands", "manyhands"))


def _of(view: View, identity: str) -> list[tuple[str, str]]:
    return [(each.status.value, each.summary) for each in check(view) if each.id == identity]


def _sign(pid: int, *, ago: int, surface: str = "gateway", host: str = "hermes 0.22.2") -> Sign:
    return Sign(surface, host, pid, NOW - 10 * ago, NOW - ago, None)


def _with(view: View, *signs: Sign, running: tuple[int, ...] = ()) -> View:
    assert isinstance(view.seen, Glance)
    return view._replace(seen=view.seen._replace(signs=signs), running=frozenset(running))


@pytest.mark.parametrize(
    "signs, running, status, summary",
    [
        ((), (), "skip", "no gateway has been watched here yet"),
        ((), (7,), "warn", "a gateway runs (process 7) and nobody has come to its door through manyhands yet"),
        ((_sign(7, ago=MINUTE),), (7,), "pass", "gateway 7 is watched"),
        ((_sign(7, ago=3 * MINUTE),), (7,), "fail", "gateway 7 runs, and manyhands was last seen in it at 2026-11-30"),
        ((_sign(8, ago=MINUTE),), (7,), "warn", "a gateway runs (process 7) and nobody has come to its door"),
        ((_sign(7, ago=MINUTE),), (), "pass", "gateway 7 is not to be seen from here"),
        ((_sign(7, ago=3 * MINUTE),), (), "skip", "no gateway runs on this machine; the last one, 7, was seen within"),
        ((_sign(7, ago=1_500 * MINUTE),), (), "skip", "no gateway runs on this machine; the last one, 7, was seen at"),
    ],
)
def test_a_gateway_that_runs_has_to_have_been_watched_within_two_minutes(
    signs: tuple[Sign, ...], running: tuple[int, ...], status: str, summary: str, view: View
) -> None:
    found = _of(_with(view, *signs, running=running), "heartbeat")
    assert found[0][0] == status, found
    assert found[0][1].startswith(summary), found


def test_each_gateway_is_judged_by_its_own_newest_sign(view: View) -> None:
    signs = (_sign(8, ago=MINUTE), _sign(7, ago=3 * MINUTE), _sign(8, ago=9 * MINUTE))
    found = _of(_with(view, *signs, running=(7, 8)), "heartbeat")
    assert [status for status, _ in found] == ["fail", "pass"]


def test_the_programs_that_were_under_manyhands_are_named_once_each(view: View) -> None:
    cli = [_sign(n, ago=n, surface="cli", host="hermes 0.19.0") for n in (5, 6)]
    [(status, summary)] = _of(_with(view, _sign(7, ago=4), *cli), "surfaces")
    assert status == "pass"
    assert summary.count("cli of hermes 0.19.0") == summary.count("gateway of hermes 0.22.2") == 1


@pytest.mark.parametrize("kind, fails", [("nfs4", True), ("fuse.sshfs", True), ("ext4", False), ("", False)])
def test_a_database_on_a_shared_file_system_fails(
    kind: str,
    fails: bool,  # noqa: FBT001 - parametrized
    view: View,
) -> None:
    found = _of(view._replace(filesystem=kind), "database")
    assert (found[0][0] == "fail") == fails


# Status


def test_status_tells_people_asks_and_the_day_in_two_lines(newer: Path, tmp_path: Path, herma: Herma) -> None:
    now = _now()
    with people(_home(tmp_path), (OWNER, "owner"), ("telegram:222", "member"), now=now) as house:
        with house.store.firm() as unit:
            unit.audit(Entry("refusal", "telegram:222", tool="terminal", allowed=0))
            unit.audit(Entry("refusal", tool="terminal", allowed=0))
            unit.add_tokens("telegram:222", time.strftime("%Y-%m-%d", time.gmtime(now / 1000)), 3_400)
        lines = herma("status", "--hermes", str(newer)).out.splitlines()
        (found,) = herma("status", "--json", "--hermes", str(newer)).data["hosts"]

    assert "  manyhands: on" in lines
    assert "    people          1 member, 1 owner; 0 asks wait; enforcement is on" in lines
    assert "    today           1 refused, 3,400 tokens (UTC day)" in lines
    system = next(each for each in found["systems"] if each["name"] == "manyhands")
    assert system["people"] == {
        "problem": None,
        "database": str(_home(tmp_path) / "plugin-data" / "manyhands" / "manyhands.db"),
        "carried_on": True,
        "roles": {"member": 1, "owner": 1},
        "paused": False,
        "asks_waiting": 0,
        "refused_today": 1,
        "tokens_today": 3_400,
    }
    assert {each["name"] for each in system["settings"]} >= {"strict_admission", "roles"}


def test_status_says_loudly_that_enforcement_is_off(newer: Path, tmp_path: Path, herma: Herma) -> None:
    with people(_home(tmp_path), (OWNER, "owner")) as house, house.store.firm() as unit:
        unit.put_setting("paused", "1")
    assert "ENFORCEMENT IS OFF" in herma("status", "--hermes", str(newer)).out


def test_status_does_not_call_a_policy_that_cannot_be_read_off(newer: Path, tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, {**WHOLE, "manyhands": {"max_pending_asks": 0}})
    out = herma("status", "--hermes", str(newer)).out
    assert "  manyhands: shut to all but this machine's terminal\n" in out


def test_status_shows_only_the_settings_that_somebody_set(newer: Path, herma: Herma) -> None:
    out = herma("status", "--hermes", str(newer)).out
    assert "    strict_admission true  (manyhands)" in out
    assert "max_pending_asks" not in out
