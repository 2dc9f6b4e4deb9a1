"""`herma setup`, with the real pip in environments that pass for Hermes."""

import fcntl
import json
import os
import pty
import select
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from herma.install.wheel import NAME, pack
from tests.cli.conftest import MINE, Herma, configure
from tests.cli.folders import receipts, tree
from tests.install.environment import environment, launcher

OURS = "  - read-summarizer\n  - read-once\n  - manyhands\n  - recall\n"
ADMISSION = "  entries:\n    manyhands:\n      settings:\n        strict_admission: true\n"
GATEWAY = "gateway:\n  strict: true\ndisplay:\n  busy_input_mode: queue\n"
TRANSPORT = "security:\n  approval:\n    transport_fallback: builtin\n    transport: manyhands\n"


def test_what_is_set_up_is_all_that_is_taken_out_again(fresh: Path, tmp_path: Path, herma: Herma) -> None:
    before = tree(fresh, tmp_path / ".hermes")

    first = herma("setup", "--yes", "--hermes", str(fresh))
    config = tmp_path / ".hermes" / "config.yaml"
    changed = config.read_text()
    doctor = herma("doctor", "--hermes", str(fresh))
    second = herma("setup", "--hermes", str(fresh))
    (receipt,) = receipts(tmp_path).iterdir()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [*config.parent.glob("*"), receipt]}
    removed = herma("remove", "--yes")

    assert first.code == 0
    begun = MINE.replace("plugins:\n", "plugins:\n" + ADMISSION)
    assert changed == begun + OURS + "read_summarizer:\n  enabled: true\n" + GATEWAY + TRANSPORT
    assert doctor.code == 0, doctor.out
    assert second.code == 0
    assert "nothing to do: all of it is so already" in second.out
    assert modes["config.yaml"] == 0o640
    assert modes["config.yaml.herma-1.bak"] == modes[receipt.name] == 0o600
    assert removed.code == 0
    assert tree(fresh, tmp_path / ".hermes") == before
    assert not receipts(tmp_path).parent.exists()


def test_it_can_be_set_up_once_more_after_it_was_removed(fresh: Path, tmp_path: Path, herma: Herma) -> None:
    wheel = pack(tmp_path)

    for _ in range(2):
        outcome = herma("setup", "--yes", "--hermes", str(fresh), "--from", str(wheel))
        assert outcome.code == 0, outcome.out
        assert herma("doctor", "--hermes", str(fresh)).code == 0
        assert herma("remove", "--yes").code == 0
    outcome = herma("remove", "--yes")

    assert outcome.code == 0
    assert outcome.out == f"nothing to undo: there is no receipt of a setup in {receipts(tmp_path)}\n"


def test_a_herma_that_was_installed_is_packed_into_the_same_wheel(fresh: Path, tmp_path: Path, herma: Herma) -> None:
    herma("setup", "--yes", "--hermes", str(fresh))
    (tmp_path / "again").mkdir()
    program = "import sys, pathlib; from herma.install.wheel import pack; pack(pathlib.Path(sys.argv[1]))"

    subprocess.run([fresh / "bin" / "python", "-I", "-c", program, tmp_path / "again"], check=True, timeout=60)

    assert (tmp_path / "again" / NAME).read_bytes() == pack(tmp_path).read_bytes()


def test_without_a_terminal_the_plan_is_shown_and_nothing_done(ready: Path, tmp_path: Path, herma: Herma) -> None:
    before = tree(tmp_path)

    for more, code in (((), 1), (("--dry-run",), 0), (("--json",), 1), (("--json", "--dry-run"), 0)):
        outcome = herma("setup", "--hermes", str(ready), *more)
        assert outcome.code == code
        assert "config.yaml" in outcome.out
        assert "SECRET" not in outcome.out
    assert "add --yes to do it" in herma("setup", "--hermes", str(ready)).out
    assert tree(tmp_path) == before


@pytest.mark.parametrize("answer, code", [(b"n\n", 1), (b"\x04", 1), (b"yes\n", 0)])
def test_a_person_at_a_terminal_is_asked(answer: bytes, code: int, ready: Path, tmp_path: Path) -> None:
    before = tree(tmp_path / ".hermes")
    person, terminal = pty.openpty()
    command = [sys.executable, "-m", "herma", "setup", "--hermes", str(ready)]
    with subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, env={"HOME": str(tmp_path)}, start_new_session=True
    ) as process:
        os.close(terminal)
        assert b"[y/N]" in _read_until(person, b"[y/N]")
        os.write(person, answer)
        said = _read_until(person, None)
        assert process.wait(60) == code
    os.close(person)

    assert (b"nothing was done" in said) == bool(code)
    assert (tree(tmp_path / ".hermes") == before) == bool(code)


def _read_until(descriptor: int, end: bytes | None) -> bytes:
    said = b""
    while end is None or end not in said:
        if not select.select([descriptor], [], [], 60)[0]:
            raise TimeoutError(said)
        try:
            said += (more := os.read(descriptor, 4096))
        except OSError:  # how Linux says that the other side has closed
            break
        if not more:
            break
    return said


def test_the_json_says_what_was_planned_and_what_became_of_it(ready: Path, tmp_path: Path, herma: Herma) -> None:
    setup = herma("setup", "--yes", "--json", "--hermes", str(ready))
    removed = herma("remove", "--yes", "--json")

    assert json.loads(setup.out)["schema"] == "herma/setup/1"
    (host,) = setup.data["hosts"]
    assert (host["state"], host["problem"], host["stops"]) == ("done", None, [])
    assert [step["kind"] for step in host["steps"]] == ["tree", "tree", "tree", "tree", "file"]
    assert host["steps"][4]["path"] == str(tmp_path / ".hermes" / "config.yaml")
    assert json.loads(removed.out)["schema"] == "herma/remove/1"
    (host,) = removed.data["hosts"]
    assert host["state"] == "done"
    assert [action["kind"] for action in host["actions"]] == ["PutBack", "TakeOut", "TakeOut", "TakeOut", "TakeOut"]


def test_an_odd_configuration_is_refused_with_the_lines_to_paste_and_nothing_is_changed(
    fresh: Path, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, "plugins: [\n")
    before = tree(fresh, tmp_path / ".hermes")

    outcome = herma("setup", "--yes", "--hermes", str(fresh))

    assert outcome.code == 1
    assert "          plugins:\n            enabled:\n              - read-summarizer\n" in outcome.out
    assert "nothing was done: the stop comes first" in outcome.out
    assert tree(fresh, tmp_path / ".hermes") == before
    assert not receipts(tmp_path).exists()


def test_both_lines_of_read_once_are_written_and_taken_out(ready: Path, tmp_path: Path, herma: Herma) -> None:
    env = tmp_path / ".hermes" / ".env"
    env.write_text("KEY=SECRET\n", encoding="utf-8")
    folder = tmp_path / "my files"
    folder.mkdir()

    outcome = herma("setup", "--yes", "--hermes", str(ready), "--read-once-root", str(folder), "--hits")
    text, mode = env.read_text(), stat.S_IMODE(env.stat().st_mode)
    check = herma("doctor", "--json", "--hermes", str(ready)).check("hits", "read-once")
    herma("remove", "--yes")

    assert outcome.code == 0, outcome.out
    assert "SECRET" not in outcome.out
    assert text == f"KEY=SECRET\nREAD_ONCE_ROOT='{folder}'\nREAD_ONCE_HITS=1\n"
    assert mode == 0o644
    assert check["summary"] == f"repeated reads below {folder} may be answered with a note"
    assert env.read_text() == "KEY=SECRET\n"
    assert not env.with_name(".env.herma-1.bak").exists()


def test_a_home_that_has_no_files_yet_gets_private_ones_and_loses_them_again(
    ready: Path, tmp_path: Path, herma: Herma
) -> None:
    home = tmp_path / "a" / "home"

    herma("setup", "--yes", "--hermes", str(ready), "--home", str(home), "--hits", "--read-once-root", "/")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
    removed = herma("remove", "--yes")

    assert modes == {".env": 0o600, "config.yaml": 0o600, "plugins": 0o700}
    assert removed.code == 0, removed.out
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("options", [("--read-once-root", "/nowhere"), ("--plugin", "read-summarizer", "--hits")])
def test_options_that_cannot_be_meant_are_errors(options: tuple[str, ...], ready: Path, herma: Herma) -> None:
    outcome = herma("setup", "--yes", "--hermes", str(ready), *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert "hint: " in outcome.err


def test_uv_does_it_where_there_is_no_pip(tmp_path: Path, herma: Herma) -> None:
    """The program in uv's place passes its arguments on to pip, which knows the same words but for a few."""
    configure(tmp_path, MINE)
    env = environment(tmp_path / "env", herma=None)
    before = tree(env, tmp_path / ".hermes")
    uv = launcher(
        tmp_path / "bin" / "uv",
        '#!/bin/sh\necho "$@" >> "$(dirname "$0")/said"\n'
        '[ "$1 $2 $3 $5" = "--no-config --offline pip --python" ] || exit 3\n'
        'action=$4; python=$6; shift 6; [ $action = install ] || set -- --yes "$@"\n'
        f'exec {sys.executable} -m pip --python "$python" $action "$@"\n',
    )

    outcome = herma("setup", "--yes", "--hermes", str(env), PATH=str(uv.parent) + ":/usr/bin:/bin")
    installed = list(env.glob("lib/*/site-packages/herma"))
    removed = herma("remove", "--yes", PATH="/usr/bin:/bin")

    assert outcome.code == 0, outcome.out
    assert installed
    assert removed.code == 0, removed.out
    assert tree(env, tmp_path / ".hermes") == before
    first, second = (uv.parent / "said").read_text().splitlines()
    assert f"pip install --python {env}/bin/python --no-index --no-deps " in first
    assert second == f"--no-config --offline pip uninstall --python {env}/bin/python herma"


def test_an_installer_that_fails_is_quoted_and_nothing_else_is_done(fresh: Path, tmp_path: Path, herma: Herma) -> None:
    (pip,) = fresh.glob("lib/*/site-packages/pip")
    pip.unlink()
    launcher(pip / "__main__.py", "import sys\nsys.exit('no room \\x1b[2J left')\n")
    (pip / "__init__.py").touch()
    before = tree(tmp_path / ".hermes")

    outcome = herma("setup", "--yes", "--hermes", str(fresh))
    removed = herma("remove", "--yes")

    assert outcome.code == 2
    assert "could not do it: no room \\x1b[2J left" in outcome.out
    assert removed.code == 0
    assert "nothing of herma came to be installed there" in removed.out
    assert tree(tmp_path / ".hermes") == before


def test_a_second_run_at_the_same_time_is_refused(ready: Path, tmp_path: Path, herma: Herma) -> None:
    receipts(tmp_path).mkdir(parents=True)
    lock = os.open(receipts(tmp_path), os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)

    outcome = herma("setup", "--yes", "--hermes", str(ready))
    os.close(lock)

    assert outcome.code == 2
    assert "another herma is setting up or removing right now" in outcome.out
    assert herma("setup", "--yes", "--hermes", str(ready)).code == 0


def test_two_environments_that_share_a_home_are_set_up_one_after_the_other(
    ready: Path, tmp_path: Path, herma: Herma
) -> None:
    older = environment(tmp_path / ".local" / "pipx" / "venvs" / "hermes-agent")
    before = tree(tmp_path / ".hermes")

    outcome = herma("setup", "--yes", "--json", PATH=str(ready / "bin"))

    newer, other = outcome.data["hosts"]
    assert [step["kind"] for step in newer["steps"]] == ["tree", "tree", "tree", "tree", "file"]
    assert (other["environment"], other["state"], other["steps"]) == (str(older), "nothing", [])
    stay = [note for note in other["notes"] if "this Hermes passes it over" in note]
    assert len(stay) == 4
    assert herma("remove", "--yes").code == 0
    assert tree(tmp_path / ".hermes") == before


def test_a_machine_without_hermes_is_an_error(herma: Herma) -> None:
    outcome = herma("setup", "--yes", "--json")

    assert outcome.code == 2
    assert outcome.data["hosts"] == []
    assert outcome.err.startswith("error: no Hermes Agent was found")


def test_a_plugin_that_needs_another_is_put_in_only_beside_it(ready: Path, tmp_path: Path, herma: Herma) -> None:
    named = ("setup", "--yes", "--hermes", str(ready), "--plugin", "recall")
    before = tree(tmp_path / ".hermes")

    alone = herma(*named)
    untouched = tree(tmp_path / ".hermes") == before
    both = herma(*named, "--plugin", "manyhands")
    enabled = yaml.safe_load((tmp_path / ".hermes" / "config.yaml").read_text())["plugins"]["enabled"]
    removed = herma("remove", "--yes")

    assert "recall does nothing without manyhands: add --plugin manyhands" in alone.out
    assert (alone.code, untouched) == (0, True)
    assert "does nothing without" not in both.out
    assert enabled == ["other", "manyhands", "recall"]
    assert removed.code == 0
    assert tree(tmp_path / ".hermes") == before


def test_a_plugin_is_not_proposed_where_the_one_that_it_needs_is_switched_off(
    ready: Path, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, "plugins:\n  enabled: [manyhands]\n  disabled: [manyhands]\n")

    outcome = herma("setup", "--yes", "--hermes", str(ready))

    written = yaml.safe_load((tmp_path / ".hermes" / "config.yaml").read_text())["plugins"]
    assert "recall" not in written["enabled"]
    assert "read-once" in written["enabled"]
    assert "recall does nothing without manyhands" in outcome.out
