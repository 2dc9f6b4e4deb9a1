"""What setting up manyhands would do to a host's own settings, told from what is there."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from herma.install.changes import Change
from herma.install.detect import Candidate
from herma.install.edits import applied, reverted
from herma.install.inspection import Question, inspect
from herma.install.judging import asking
from herma.install.machine import Machine
from herma.install.plan import Plan, Wanted, planned
from herma.install.steps import Aside, File, Tree
from herma.install.systems import SYSTEMS, questions
from tests.cli.people import NOW, original, people
from tests.install.environment import environment

OWNER = "telegram:111"
SO_ALREADY = """\
plugins:
  enabled: [manyhands]
manyhands:
  strict_admission: true
gateway: {strict: true}
display: {busy_input_mode: queue}
security: {approval: {transport: manyhands, transport_fallback: builtin}}
platforms:
  telegram:
    enabled: true
    extra:
      allow_admin_from: [111]   # a number, as people write it
      group_allow_admin_from: "7, 111"
      user_allowed_commands: [new]
      group_user_allowed_commands: []
"""

Planner = Callable[..., Plan]


@pytest.fixture
def plan(tmp_path: Path, home: Path) -> Planner:
    """Plans manyhands alone for an environment of this version, over a configuration."""

    def make(config: str = "", *, version: str = "0.22.2", **environ: str) -> Plan:
        (home / "config.yaml").write_text(config, encoding="utf-8")
        env = tmp_path / f"env-{version}"
        if not env.exists():
            environment(env, version=version)
        machine = Machine(environ, tmp_path, tmp_path / "own", tmp_path / "root")
        candidate = Candidate(env, env / "bin" / "python", "--hermes")
        facts = inspect(candidate, Question(home, *questions()), machine)
        systems = tuple(system for system in SYSTEMS if system.name == "manyhands")
        wanted = Wanted(systems, now=NOW)
        return planned(candidate, facts, wanted, machine, asking(env / "bin" / "python", machine, home))

    return make


def _step(plan: Plan) -> File:
    (found,) = [step for step in plan.steps if isinstance(step, File)]
    return found


def _after(plan: Plan, before: str = "") -> object:
    return yaml.safe_load(applied(before, _step(plan).edits))


def _notes(plan: Plan) -> str:
    return "\n".join(plan.notes)


def test_it_proposes_admission_attachments_and_turns_and_the_newer_host_its_transport(plan: Planner) -> None:
    common = {
        "plugins": {
            "enabled": ["manyhands"],
            "entries": {"manyhands": {"settings": {"strict_admission": True}}},
        },
        "gateway": {"strict": True},
        "display": {"busy_input_mode": "queue"},
    }
    transport = {"security": {"approval": {"transport": "manyhands", "transport_fallback": "builtin"}}}

    older, newer = plan(version="0.19.0"), plan(version="0.22.2")

    assert _after(older) == common
    assert _after(newer) == common | transport
    assert "this Hermes has no approval transports" in _notes(older)
    assert "this Hermes has no approval transports" not in _notes(newer)


def test_each_change_is_named_with_its_reason(plan: Planner) -> None:
    found = plan()

    changed = {
        "plugins.entries.manyhands.settings.strict_admission becomes true: people come in through manyhands alone",
        "gateway.strict becomes true: a reply that names a file of this machine does not send it",
        "display.busy_input_mode becomes queue: what one person writes while another's turn runs",
        "security.approval.transport becomes manyhands: commands that the host finds dangerous",
        "security.approval.transport_fallback becomes builtin: at this machine's own terminal",
    }
    assert {start for start in changed if any(note.startswith(start) for note in found.notes)} == changed


def test_what_is_so_already_is_left_alone(home: Path, plan: Planner) -> None:
    with people(home, (OWNER, "owner")):
        pass

    found = plan(SO_ALREADY)

    assert [type(step) for step in found.steps] == [Tree]
    assert found.stops == ()


def test_what_a_person_chose_stays_and_is_said_but_for_files_that_any_reply_could_send(plan: Planner) -> None:
    config = (
        "plugins:\n  enabled: [manyhands]\n  entries: {manyhands: {settings: {strict_admission: false}}}\n"
        "display:\n  busy_input_mode: steer\ngateway:\n  strict: false  # why not\n"
        "security:\n  approval: {transport: slack, transport_fallback: builtin}\n"
    )

    found = plan(config)

    after = applied(config, _step(found).edits)
    assert after == config.replace("strict: false  # why not", "strict: true  # why not")
    for said in (
        "settings.strict_admission is false and stays so; with true, people come in",
        "display.busy_input_mode is steer and stays so; with queue, what one person writes",
        "security.approval.transport is slack and stays so; with manyhands, commands",
    ):
        assert said in _notes(found)


def test_the_owner_comes_onto_the_hosts_lists_and_nobody_loses_what_everybody_may_type(
    home: Path, plan: Planner
) -> None:
    with people(home, (OWNER, "owner"), ("matrix:@olga:example.org", "owner"), ("telegram:222", "member")):
        pass
    config = "platforms:\n  telegram:\n    enabled: true\n    extra:\n      allow_admin_from:\n        - 7\n"

    found = plan(config)

    after = _after(found, config)
    assert isinstance(after, dict)
    telegram = after["platforms"]["telegram"]["extra"]
    matrix = after["platforms"]["matrix"]["extra"]
    assert telegram["allow_admin_from"] == [7, "111"]
    assert telegram["group_allow_admin_from"] == ["111"]
    assert matrix["allow_admin_from"] == matrix["group_allow_admin_from"] == ["@olga:example.org"]
    assert telegram["user_allowed_commands"] == ["new", "read-once", "start", "stop"]
    assert after["platforms"]["telegram"]["enabled"] is True
    assert reverted(applied(config, _step(found).edits), _step(found).edits) == config


def test_a_list_below_the_platform_itself_is_added_to_where_it_stands(home: Path, plan: Planner) -> None:
    with people(home, (OWNER, "owner")):
        pass
    config = "platforms:\n  telegram:\n    allow_admin_from: ['7']\n"

    after = _after(plan(config), config)

    assert isinstance(after, dict)
    assert after["platforms"]["telegram"]["allow_admin_from"] == ["7", "111"]
    assert "allow_admin_from" not in after["platforms"]["telegram"]["extra"]


def test_a_list_that_is_a_text_is_left_with_what_to_add(home: Path, plan: Planner) -> None:
    with people(home, (OWNER, "owner")):
        pass

    found = plan("platforms:\n  telegram:\n    extra: {allow_admin_from: '7,8'}\n")

    assert "platforms.telegram.extra.allow_admin_from is no list; add 111 to it" in _notes(found)
    assert found.stops == ()


@pytest.mark.parametrize("account", ["tele gram:111", "telegram:1 1", "telegram:1\u202e1"])
def test_an_account_that_no_list_can_hold_is_said(account: str, home: Path, plan: Planner) -> None:
    with people(home, (account, "owner")):
        pass

    found = plan()

    assert "is not one that can be put on the host's admin lists" in _notes(found)
    assert "\u202e" not in _notes(found)
    assert "platforms" not in str(_after(found))


def test_without_an_owner_it_says_how_to_become_one(plan: Planner) -> None:
    assert "nobody owns the bot yet, so in chats it answers nobody: `hermes chat`, then `/many claim`" in _notes(plan())


@pytest.mark.parametrize("pinned, said", [("true", ""), ("false", "decides gateway.strict: it is false")])
def test_what_an_administrator_decides_is_said_and_stops_nothing(
    pinned: str, said: str, tmp_path: Path, plan: Planner
) -> None:
    (tmp_path / "managed").mkdir()
    (tmp_path / "managed" / "config.yaml").write_text(f"gateway: {{strict: {pinned}}}\n", encoding="utf-8")

    found = plan(HERMES_MANAGED_DIR=str(tmp_path / "managed"))

    assert found.stops == ()
    assert "gateway" not in str(_after(found))
    assert said in _notes(found)


@pytest.mark.parametrize("version, moved", [("0.22.2", True), ("0.19.0", False)])
def test_the_original_is_named_and_its_database_carried_on(
    version: str,
    moved: bool,  # noqa: FBT001 - parametrized
    home: Path,
    plan: Planner,
) -> None:
    theirs = home / "plugins" / "manyhands"
    theirs.mkdir(parents=True)
    (theirs / "plugin.yaml").write_text("name: manyhands\nversion: 0.6.0\n", encoding="utf-8")
    (theirs / "__init__.py").write_text("from . import hooks\n\n\ndef register(ctx): ...\n", encoding="utf-8")
    database = original(home)
    before = database.read_bytes()

    found = plan("plugins: {enabled: [manyhands]}\n", version=version)

    assert any(isinstance(step, Aside) and step.path == str(theirs) for step in found.steps) == moved
    loads = f"{theirs} is also named manyhands, and Hermes would load it instead"
    passes = f"{theirs} (not Herma's) stays; this Hermes passes it over"
    assert (loads if moved else passes) in _notes(found)
    assert f"{database} is of manyhands as it was before Herma; it is carried on" in _notes(found)
    assert (
        Change("list", ("platforms", "telegram", "extra", "allow_admin_from"), "111")._replace(what="unlist")
        in _step(found).undo
    ), "its owner is known before it is carried on"
    assert database.read_bytes() == before


def test_herma_in_a_folder_of_its_own_is_known_by_its_tree(home: Path, plan: Planner) -> None:
    theirs = home / "plugins" / "manyhands"
    theirs.mkdir(parents=True)
    (theirs / "plugin.yaml").write_text("name: manyhands\n", encoding="utf-8")
    (theirs / "__init__.py").write_text(
        "try:\n    from herma.hosts.hermes.manyhands import register\nexcept Exception:\n    pass\n", encoding="utf-8"
    )

    found = plan(SO_ALREADY, version="0.19.0")

    assert f"{theirs} (Herma's) stays" in _notes(found)


def test_a_database_that_cannot_be_used_is_said(home: Path, plan: Planner) -> None:
    path = home / "plugin-data" / "manyhands" / "manyhands.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 99)

    assert "cannot be read as a database" in _notes(plan())


def test_the_lines_to_paste_are_all_of_it(plan: Planner) -> None:
    found = plan("a: 1\n\tb: 2\n", version="0.22.2")

    (stop,) = found.stops
    assert yaml.safe_load("\n".join(stop.lines)) == _after(plan())
