"""What setting up would do, told from what is there."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from herma import __version__
from herma.install.changes import Change
from herma.install.detect import Candidate
from herma.install.inspection import Question, inspect
from herma.install.judging import asking
from herma.install.machine import Machine
from herma.install.plan import Plan, Wanted, planned
from herma.install.steps import Aside, File, Package, Step, Tree
from herma.install.systems import SYSTEMS, questions
from tests.install.environment import distribution, environment, launcher, lend

ENABLED = "plugins:\n  enabled: [read-once, read-summarizer]\nread_summarizer:\n  enabled: true\n"

# What these tests set up unless they name something: people are the subject of tests of their own.
READING = ("read-summarizer", "read-once")

Planner = Callable[..., Plan]


@pytest.fixture
def plan(tmp_path: Path, home: Path) -> Planner:
    """Plans for an environment in `tmp_path`, for what reads or the systems named, with these environment variables."""

    def make(env: Path, *names: str, variables: tuple[tuple[str, str], ...] = (), **environ: str) -> Plan:
        machine = Machine(environ, tmp_path, tmp_path / "own", tmp_path / "root")
        candidate = Candidate(env, env / "bin" / "python", "--hermes")
        facts = inspect(candidate, Question(home, *questions()), machine)
        systems = tuple(system for system in SYSTEMS if system.name in (names or READING))
        wanted = Wanted(systems, named=bool(names), variables=variables)
        return planned(candidate, facts, wanted, machine, asking(env / "bin" / "python", machine, home))

    return make


def _kinds(plan: Plan) -> list[type[Step]]:
    return [type(step) for step in plan.steps]


def _plugin(folder: Path, name: str = "read-summarizer") -> Path:
    folder.mkdir(parents=True)
    (folder / "plugin.yaml").write_text(f"name: {name}\n", encoding="utf-8")
    (folder / "__init__.py").write_text("def register(ctx): ...\n", encoding="utf-8")
    return folder


def test_up_to_0_19_the_package_and_the_lines_of_the_configuration_are_all(
    tmp_path: Path, home: Path, plan: Planner
) -> None:
    found = plan(environment(tmp_path / "env", herma=None), PATH="")

    assert found.stops[0].lines == (f"{tmp_path}/env/bin/python -m ensurepip",)
    lend(tmp_path / "env", "pip")
    found = plan(tmp_path / "env", PATH="")
    assert found.stops == ()
    assert _kinds(found) == [Package, File]
    assert found.steps[0] == Package(f"{tmp_path}/env/bin/python", __version__, found=None)
    assert isinstance(found.steps[1], File)
    assert [edit.new for edit in found.steps[1].edits] == [
        "plugins:\n  enabled:\n    - read-summarizer\n    - read-once\n",
        "read_summarizer:\n  enabled: true\n",
    ]
    assert os.listdir(home) == []  # noqa: PTH208 - names


def test_from_0_22_on_each_plugin_is_a_folder_in_the_home_as_well(tmp_path: Path, home: Path, plan: Planner) -> None:
    found = plan(environment(tmp_path / "env", version="0.22.2"))

    assert _kinds(found) == [Tree, Tree, File]
    assert isinstance(found.steps[0], Tree)
    assert found.steps[0].path == str(home / "plugins" / "read-summarizer")
    assert set(found.steps[0].files) >= {"plugin.yaml", "__init__.py"}
    assert found.steps[0].made == (str(home / "plugins"),)


def test_where_all_is_so_already_nothing_has_to_be_done(tmp_path: Path, home: Path, plan: Planner) -> None:
    (home / "config.yaml").write_text(ENABLED, encoding="utf-8")

    found = plan(environment(tmp_path / "env"))

    assert (found.steps, found.stops) == ((), ())


def test_a_uv_on_path_installs_where_there_is_no_pip(tmp_path: Path, plan: Planner) -> None:
    uv = launcher(tmp_path / "bin" / "uv", "#!/bin/sh\n")

    found = plan(environment(tmp_path / "env", herma=None), PATH=str(tmp_path / "bin"))

    assert isinstance(found.steps[0], Package)
    assert found.steps[0].program == str(uv)
    assert found.stops == ()


def test_another_version_is_replaced_and_that_is_said(tmp_path: Path, plan: Planner) -> None:
    env = environment(tmp_path / "env", herma="0.0.1")
    lend(env, "pip")

    found = plan(env)

    assert isinstance(found.steps[0], Package)
    assert (found.steps[0].found, found.steps[0].over) == ("0.0.1", "")
    assert "herma 0.0.1 is replaced there; herma remove will not bring it back" in found.notes


@pytest.mark.parametrize("missing, over", [("RECORD", "repair"), ("entry_points.txt", "reinstall")])
def test_this_version_is_installed_again_where_a_part_of_it_is_missing(
    missing: str, over: str, tmp_path: Path, plan: Planner
) -> None:
    env = environment(tmp_path / "env")
    lend(env, "pip")
    next(env.glob(f"lib/*/site-packages/herma-*/{missing}")).unlink()

    found = plan(env)

    assert isinstance(found.steps[0], Package)
    assert (found.steps[0].found, found.steps[0].over) == (__version__, over)


def test_a_strangers_folder_is_moved_out_of_the_way_where_it_would_win(
    tmp_path: Path, home: Path, plan: Planner
) -> None:
    theirs = _plugin(home / "plugins" / "read-summarizer")
    (home / "config.yaml").write_text(ENABLED, encoding="utf-8")

    found = plan(environment(tmp_path / "env", version="0.22.2"), "read-summarizer")

    assert _kinds(found) == [Aside, Tree]
    assert isinstance(found.steps[0], Aside)
    assert found.steps[0].path == str(theirs)
    assert found.steps[0].to == str(home / "plugins.herma-1.bak" / "read-summarizer")
    assert found.notes[0].startswith(f"{theirs} is also named read-summarizer, and Hermes would load it instead")


def test_a_strangers_folder_stays_where_hermes_passes_it_over(tmp_path: Path, home: Path, plan: Planner) -> None:
    theirs = _plugin(home / "plugins" / "mine")
    (home / "config.yaml").write_text(ENABLED, encoding="utf-8")

    found = plan(environment(tmp_path / "env"), "read-summarizer")

    assert found.steps == ()
    assert found.notes == (f"{theirs} (not Herma's) stays; this Hermes passes it over and loads the installed package",)


@pytest.mark.parametrize("version", ["0.19.0", "0.22.2"])
def test_a_folder_one_level_deeper_is_moved_for_both_load_it_as_well(
    version: str, tmp_path: Path, home: Path, plan: Planner
) -> None:
    theirs = _plugin(home / "plugins" / "group" / "mine")
    (home / "config.yaml").write_text(ENABLED, encoding="utf-8")

    found = plan(environment(tmp_path / "env", version=version), "read-summarizer")

    step = found.steps[0]
    assert isinstance(step, Aside)
    assert (step.path, step.to) == (str(theirs), str(home / "plugins.herma-1.bak" / "group" / "mine"))


def test_another_plugin_in_a_folder_of_the_name_is_not_touched(tmp_path: Path, home: Path, plan: Planner) -> None:
    folder = _plugin(home / "plugins" / "read-summarizer", name="other")

    found = plan(environment(tmp_path / "env", version="0.22.2"), "read-summarizer")

    assert found.stops[0].reason == f"{folder} is there and is no plugin of that name"


@pytest.mark.parametrize("version, stops", [("0.19.0", 1), ("0.22.2", 0)])
def test_a_strangers_package_is_named_and_stops_where_chance_decides(
    version: str, stops: int, tmp_path: Path, home: Path, plan: Planner
) -> None:
    (home / "config.yaml").write_text(ENABLED, encoding="utf-8")
    env = environment(tmp_path / "env", version=version)
    distribution(env, "theirs", "1.0", plugins={"read-summarizer": "their.plugin"})

    found = plan(env, "read-summarizer")

    assert len(found.stops) == stops
    said = found.stops[0].reason if stops else found.notes[0]
    assert said.startswith("the package theirs (their.plugin) is also named read-summarizer")


@pytest.mark.parametrize("named", [(), ("read-once",)])
def test_a_plugin_that_the_person_disabled_stays_off_until_it_is_named(
    named: tuple[str, ...], tmp_path: Path, home: Path, plan: Planner
) -> None:
    text = ENABLED.replace("plugins:\n", "plugins:\n  disabled: [read-once]\n")
    (home / "config.yaml").write_text(text, encoding="utf-8")

    found = plan(environment(tmp_path / "env"), *named)

    if named:
        assert isinstance(found.steps[0], File)
        assert found.steps[0].undo == (Change("list", ("plugins", "disabled"), "read-once"),)
    else:
        assert found.steps == ()
        assert "plugins.disabled lists read-once, so it stays off" in found.notes[-1]


def _link(path: Path) -> None:
    path.with_name("elsewhere.yaml").touch()
    path.symlink_to("elsewhere.yaml")


def _hard_link(path: Path) -> None:
    path.touch()
    path.with_name("second.yaml").hardlink_to(path)


ODD: dict[str, Callable[[Path], object]] = {
    "it is a link to another place": _link,
    "it has a second name": _hard_link,
    "it is not a file": lambda path: path.mkdir(),
    "it is not text in UTF-8": lambda path: path.write_bytes(b"a: \xff\n"),
    "it is larger than 4 MiB": lambda path: path.write_bytes(b"#\n" * 2_100_000),
    "it is not valid YAML near line 2": lambda path: path.write_text("a: 1\n\tb: 2\n"),
    "plugins.enabled is not a list of names": lambda path: path.write_text("plugins: {enabled: [1]}"),
    "plugins.enabled has an anchor": lambda path: path.write_text("plugins: {enabled: &a [b]}"),
}


@pytest.mark.parametrize("why", ODD)
def test_an_odd_configuration_stops_everything_and_the_lines_are_shown(
    why: str, tmp_path: Path, home: Path, plan: Planner
) -> None:
    ODD[why](home / "config.yaml")

    found = plan(environment(tmp_path / "env"))

    (stop,) = found.stops
    assert str(home / "config.yaml") in stop.reason
    assert why in stop.reason
    assert "\n".join(stop.lines) == (
        "plugins:\n  enabled:\n    - read-summarizer\n    - read-once\nread_summarizer:\n  enabled: true"
    )


def test_what_an_administrator_decides_is_not_written_in_vain(tmp_path: Path, plan: Planner) -> None:
    (tmp_path / "managed").mkdir()
    (tmp_path / "managed" / "config.yaml").write_text("plugins: {enabled: [a]}\n", encoding="utf-8")

    found = plan(environment(tmp_path / "env"), HERMES_MANAGED_DIR=str(tmp_path / "managed"))

    assert f"{tmp_path}/managed/config.yaml decides plugins.enabled" in found.stops[0].reason


@pytest.mark.parametrize("by", ["variable", "marker"])
def test_a_home_that_a_package_manager_owns_is_left_to_it(by: str, tmp_path: Path, home: Path, plan: Planner) -> None:
    if by == "marker":
        (home / ".managed").touch()

    found = plan(environment(tmp_path / "env"), **({"HERMES_MANAGED": "NixOS"} if by == "variable" else {}))

    assert "it belongs to NixOS" in found.stops[0].reason


def test_read_once_is_said_to_watch_only_until_its_two_lines_are_asked_for(
    tmp_path: Path, home: Path, plan: Planner
) -> None:
    env = environment(tmp_path / "env")
    (home / "config.yaml").write_text(ENABLED, encoding="utf-8")
    lend(env, "dotenv")
    assert f"{home}/.env needs the lines READ_ONCE_ROOT=FOLDER and READ_ONCE_HITS=1" in plan(env).notes[0]
    (home / ".env").write_text("A='x\nREAD_ONCE_HITS=0\n'\nREAD_ONCE_HITS=0 # no\nKEY=SECRET", encoding="utf-8")

    found = plan(env, variables=(("READ_ONCE_ROOT", f"{tmp_path}/it's $HOME"), ("READ_ONCE_HITS", "1")))

    (step,) = found.steps
    assert isinstance(step, File)
    assert found.notes == ()
    assert step.path == str(home / ".env")
    assert [edit.new for edit in step.edits] == [f"\nREAD_ONCE_ROOT='{tmp_path}/it\\'s $HOME'", "1"]
    assert [edit.old for edit in step.edits] == ["", "0 # no"]
