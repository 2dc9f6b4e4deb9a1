import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.environments import keys, node, pristine, stamps
from scripts.environments.catalog import DEV, ENVIRONMENTS, PACKAGED
from scripts.environments.debian import Rights, demand, shortage
from scripts.environments.folders import cache_folder, draft_of, prune
from scripts.environments.ground import ROOT, Ground
from scripts.environments.interpreter import Python, chosen, probe
from scripts.environments.plan import Step, plan
from scripts.environments.programs import surroundings
from scripts.environments.relocation import SHEBANG_LIMIT, relocated, shebang
from scripts.environments.stamps import UNSETTLED, Stamp
from scripts.environments.trouble import Trouble, diagnosis

PYTHON = Python("/usr/bin/python3", "3.11.2", "/usr", "linux-x86_64", can_make_environments=True)
PINS = "# a comment\nrich==15.0.0 \\\n    --hash=sha256:00\n"
WANTED = Stamp("key", "/clone/.envs/dev", "source")


# --- when an environment is built anew


def test_a_key_changes_with_a_pin_a_hash_and_the_interpreter() -> None:
    key = keys.environment_key(PINS, PYTHON)

    others = {
        keys.environment_key(PINS.replace("15.0.0", "15.0.1"), PYTHON),
        keys.environment_key(PINS.replace("sha256:00", "sha256:01"), PYTHON),
        keys.environment_key(PINS + "tomlkit==0.15.2\n", PYTHON),
        keys.environment_key(PINS, PYTHON._replace(version="3.11.3")),
        keys.environment_key(PINS, PYTHON._replace(prefix="/opt/python")),
        keys.environment_key(PINS, PYTHON._replace(platform="linux-aarch64")),
    }

    assert len(others - {key}) == 6


def test_a_key_stays_when_only_comments_blank_lines_or_the_name_of_the_command_change() -> None:
    same = keys.environment_key("\n# another\n\n" + PINS.replace("# a comment\n", ""), PYTHON)

    assert same == keys.environment_key(PINS, PYTHON._replace(executable="/usr/bin/python3.11"))


@pytest.mark.parametrize(
    "cached,placed,steps",
    [
        (None, None, (Step.BUILD, Step.COPY, Step.INSTALL)),
        (WANTED, None, (Step.COPY, Step.INSTALL)),
        (WANTED._replace(key="other"), None, (Step.BUILD, Step.COPY, Step.INSTALL)),
        (None, WANTED, ()),
        (WANTED, WANTED._replace(source="older"), (Step.INSTALL,)),
        (WANTED, WANTED._replace(key="other"), (Step.COPY, Step.INSTALL)),
        (WANTED, WANTED._replace(place="/moved/.envs/dev"), (Step.COPY, Step.INSTALL)),
        (WANTED, WANTED._replace(source=UNSETTLED), (Step.COPY, Step.INSTALL)),
    ],
    ids=["nothing", "cached", "other-pins", "current", "new-source", "old-copy", "moved-clone", "cut-short"],
)
def test_the_plan_does_what_is_missing_and_no_more(
    cached: Stamp | None, placed: Stamp | None, steps: tuple[Step, ...]
) -> None:
    assert plan(WANTED, cached=cached, placed=placed) == steps


def test_an_environment_without_a_stamp_or_without_its_python_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    assert stamps.read(tmp_path) is None
    (tmp_path / stamps.NAME).write_text('{"key": ', encoding="utf-8")
    assert stamps.read(tmp_path) is None
    stamps.write(tmp_path, WANTED)
    assert stamps.read(tmp_path) == WANTED
    (tmp_path / "bin" / "python").unlink()
    (tmp_path / "bin" / "python").symlink_to("/no/such/python")
    assert stamps.read(tmp_path) is None


# --- folders that appear whole


def test_a_build_that_fails_leaves_nothing_and_the_old_folder_in_place(tmp_path: Path) -> None:
    final = tmp_path / "dev"
    final.mkdir()
    (final / "old").touch()

    with pytest.raises(FileNotFoundError), draft_of(final) as draft:
        shutil.copytree(tmp_path / "absent", draft, dirs_exist_ok=True)

    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")] == ["dev", "dev/old"]


def test_a_build_clears_what_a_killed_run_left_and_takes_its_place(tmp_path: Path) -> None:
    (tmp_path / ".dev.killed").mkdir()
    (tmp_path / ".dev.killed" / "half").touch()

    with draft_of(tmp_path / "dev") as draft:
        (draft / "new").touch()

    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")] == ["dev", "dev/new"]


def test_pruning_keeps_the_most_recently_used(tmp_path: Path) -> None:
    for age, name in enumerate(("dev-new", "dev-used", "dev-old", "other-older")):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1_000_000 - age, 1_000_000 - age))

    prune(tmp_path, "dev-*", keep=2)

    assert {path.name for path in tmp_path.iterdir()} == {"dev-new", "dev-used", "other-older"}


@pytest.mark.parametrize(
    "environ,folder",
    [
        ({"HERMA_DEV_CACHE": "/big/disk", "XDG_CACHE_HOME": "/xdg"}, "/big/disk"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/herma-dev"),
        ({}, str(Path.home() / ".cache" / "herma-dev")),
    ],
    ids=["named", "xdg", "default"],
)
def test_the_cache_is_where_the_person_says(environ: dict[str, str], folder: str) -> None:
    assert cache_folder(environ) == Path(folder).resolve()


# --- a copy that stands on its own


def test_a_script_gets_the_python_of_its_new_place_and_keeps_the_rest() -> None:
    script = b'#!/cache/.dev.x/bin/python3.11\nprint("/cache/.dev.xy", "/cache/.dev.x/lib")\n'

    moved = relocated(script, old="/cache/.dev.x", new="/clone/.envs/dev")

    assert moved == b'#!/clone/.envs/dev/bin/python3.11\nprint("/cache/.dev.xy", "/clone/.envs/dev/lib")\n'


def test_the_python_of_the_machine_stays() -> None:
    script = b"#!/usr/bin/python3\n"

    assert relocated(script, old="/cache/dev", new="/clone/.envs/dev") == script


@pytest.mark.parametrize("place", ["/with space/dev", "/long" * 40, "/short/dev"])
def test_a_shebang_survives_places_that_kernels_do_not_take(place: str) -> None:
    there = relocated(shebang("/cache/dev/bin/python") + b"pass\n", old="/cache/dev", new=place)

    assert len(there.splitlines()[0]) < SHEBANG_LIMIT
    assert b" space" not in there.splitlines()[0]
    assert relocated(there, old=place, new="/cache/dev") == b"#!/cache/dev/bin/python\npass\n"


def test_a_clone_takes_a_copy_from_the_cache_and_clears_what_killed_runs_left_there(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    shutil.copy(ROOT / DEV.requirements, tmp_path / DEV.requirements)
    ground = Ground(tmp_path, tmp_path / "cache", PYTHON)
    entry = ground.entry(DEV)
    (entry / "bin").mkdir(parents=True)
    (entry / "bin" / "python").symlink_to(sys.executable)
    (entry / "pyvenv.cfg").touch()
    stamps.write(entry, ground.wanted(DEV)._replace(place=str(entry)))
    rubble = ground.cache / ".dev-killed.x"
    rubble.mkdir()

    assert ground.steps(DEV) == (Step.COPY, Step.INSTALL)
    pristine.provide(ground, DEV)

    assert ground.steps(DEV) == (Step.INSTALL,)
    assert not rubble.exists()


@pytest.mark.parametrize("name", ["clone", "a clone", "clone" * 30])
def test_a_copied_script_runs_the_python_of_the_copy(tmp_path: Path, name: str) -> None:
    entry, place = tmp_path / "cache" / "dev-key", tmp_path / name / "dev"
    (entry / "bin").mkdir(parents=True)
    (entry / "bin" / "python").symlink_to(sys.executable)
    (entry / "pyvenv.cfg").write_text(f"command = python -m venv {entry}\n", encoding="utf-8")
    tool = entry / "bin" / "tool"
    tool.write_bytes(shebang(str(entry / "bin" / "python")) + b"import sys; print(sys.executable)\n")
    tool.chmod(0o755)
    os.utime(entry / "pyvenv.cfg", (1_000_000, 1_000_000))
    module = entry / "module.py"
    module.touch()
    os.utime(module, (1_000_000, 1_000_000))
    stamps.write(entry, Stamp("key", str(entry)))

    pristine.copy(entry, place)

    said = subprocess.run([place / "bin" / "tool"], capture_output=True, text=True, check=True, timeout=30).stdout
    assert said.strip() == str(place / "bin" / "python")
    assert str(place) in (place / "pyvenv.cfg").read_text(encoding="utf-8")
    assert (place / "module.py").stat().st_mtime == 1_000_000
    assert stamps.read(place) == Stamp("key", str(place))


# --- our own package in it


def test_the_package_is_installed_again_when_a_source_changes_appears_or_is_renamed(tmp_path: Path) -> None:
    source = tmp_path / "src" / "herma" / "core.py"
    source.parent.mkdir(parents=True)
    seen = set()
    for change in (
        lambda: source.write_text("1", encoding="utf-8"),
        lambda: source.write_text("2", encoding="utf-8"),
        lambda: source.rename(source.with_name("heart.py")),
        lambda: (tmp_path / "README.md").write_text("3", encoding="utf-8"),
    ):
        change()
        seen.add(keys.source_digest(tmp_path, PACKAGED))

    assert len(seen) == 4


def test_bytecode_and_files_that_are_not_packaged_change_nothing(tmp_path: Path) -> None:
    before = keys.source_digest(tmp_path, PACKAGED)
    (tmp_path / "src" / "__pycache__").mkdir(parents=True)
    (tmp_path / "src" / "__pycache__" / "core.pyc").touch()
    (tmp_path / "notes.md").touch()

    assert keys.source_digest(tmp_path, PACKAGED) == before


def test_an_editable_installation_is_not_repeated_for_code_alone() -> None:
    assert "src" not in DEV.sources


# --- what a bare machine lacks


def test_without_venv_a_person_who_is_not_root_is_told_the_exact_command() -> None:
    missing, packages = shortage(PYTHON._replace(version="3.12.3", can_make_environments=False))

    with pytest.raises(Trouble, match=r"`sudo apt-get update && sudo apt-get install -y python3\.12-venv`"):
        demand(missing, packages, Rights(root=False, apt=True))


def test_root_on_debian_is_asked_nothing() -> None:
    demand(*shortage(None), Rights(root=True, apt=True))


def test_a_machine_without_apt_is_not_told_to_use_it() -> None:
    with pytest.raises(Trouble) as told:
        demand(*shortage(PYTHON), Rights(root=True, apt=False))

    assert "apt" not in str(told.value)
    assert "HERMA_PYTHON" in told.value.hint


@pytest.mark.parametrize("version,suits", [("3.10.13", False), ("3.11.2", True), ("3.13.0", True), ("3.14.0", False)])
def test_a_python_suits_if_the_project_and_both_hosts_run_on_it(version: str, suits: bool) -> None:  # noqa: FBT001
    assert PYTHON._replace(version=version).suits is suits


def test_the_named_interpreter_is_taken_and_a_wrong_one_is_not_replaced() -> None:
    assert chosen({"HERMA_PYTHON": sys.executable}) == probe(sys.executable)
    with pytest.raises(Trouble, match="HERMA_PYTHON=/no/such/python does not start"):
        chosen({"HERMA_PYTHON": "/no/such/python"})


# --- what goes wrong


@pytest.mark.parametrize(
    "output,message",
    [
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM", "differs from its pinned hash"),
        ("WARNING: Retrying (Retry(total=4\nERROR: No matching distribution found for rich", "cannot be reached"),
        ("ERROR: No matching distribution found for rich==0", "does not serve a pinned release"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("herma 0.1 requires rich, which is not installed.", "herma 0.1 requires rich, which is not installed."),
        ("  OSError: Readme file does not exist: README.md\n\nhint: See above.\n", "file does not exist: README.md"),
        ("", "failed without a word"),
    ],
    ids=["hash", "network", "release", "disk", "pip-check", "traceback", "silence"],
)
def test_a_failure_is_one_line_that_names_the_file_and_the_log(output: str, message: str) -> None:
    line = str(diagnosis(output, subject="requirements/dev.txt", log=Path("/clone/dev.log")))

    assert line.startswith("requirements/dev.txt: ")
    assert message in line
    assert "/clone/dev.log" in line
    assert "\n" not in line


def test_an_index_that_is_down_ends_the_build_with_its_name_and_no_rubble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements").mkdir()
    shutil.copy(ROOT / DEV.requirements, tmp_path / DEV.requirements)
    for name in ("EXTRA_INDEX_URL", "FIND_LINKS"):
        monkeypatch.delenv(f"PIP_{name}", raising=False)
    python = probe(sys.executable)
    assert python

    with socket.socket() as deaf:  # bound, so that nobody else listens there either
        deaf.bind(("127.0.0.1", 0))
        index = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        for name, value in (("INDEX_URL", index), ("RETRIES", "1"), ("CONFIG_FILE", os.devnull)):
            monkeypatch.setenv(f"PIP_{name}", value)
        with pytest.raises(Trouble, match=r"^requirements/dev\.txt: the package index cannot be reached"):
            pristine.build(Ground(tmp_path, tmp_path / "cache", python), DEV)

    assert not list((tmp_path / "cache").iterdir())


def test_a_callers_settings_cannot_send_an_installation_elsewhere() -> None:
    kept = surroundings({"PYTHONPATH": "/x", "PIP_TARGET": "/x", "VIRTUAL_ENV": "/x", "PATH": "/bin", "PIP_CERT": "c"})

    assert "/x" not in kept.values()
    assert (kept["PATH"], kept["PIP_CERT"]) == ("/bin", "c")


def test_the_command_says_its_trouble_in_one_line_and_fails() -> None:
    command = [sys.executable, "-m", "scripts.environments", "check"]
    environ = {**os.environ, "HERMA_PYTHON": "/no/such/python"}

    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "HERMA_PYTHON" in done.stderr


def test_every_environment_has_its_pinned_file() -> None:
    assert {path.stem for path in (ROOT / "requirements").glob("*.txt")} == set(ENVIRONMENTS)


def test_without_npm_opencode_is_left_out_with_a_line_and_ci_does_not_accept_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(node, "ROOT", tmp_path)
    (program,) = node.PROGRAMS.values()
    pins = tmp_path / "requirements" / program.folder
    pins.mkdir(parents=True)
    (pins / node.LOCK).write_text("{}", encoding="utf-8")
    bare = {"PATH": str(tmp_path), "HERMA_DEV_CACHE": str(tmp_path / "cache")}
    node.ensure(program, bare)
    assert "there is no npm on PATH" in capsys.readouterr().err
    assert node.verdict(program)
    with pytest.raises(Trouble, match="there is no npm on PATH"):
        node.ensure(program, {**bare, "CI": "1"})
