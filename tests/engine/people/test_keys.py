"""The keys of a terminal, with real processes below real terminals and a host that is one by name."""

import os
import pty
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from subprocess import PIPE, run
from typing import TextIO, cast

import pytest

from herma.engine.people.keys import Keys, word
from herma.stores.processes import all_ids, chain

PROBE = """\
import os, sys
from herma.engine.people.keys import Keys
keys = Keys(sys.stdin, sys.stdout, os.urandom)
print("WHY", keys.unseen() or "somebody", flush=True)
print("BELOW", keys.below() or "nothing", flush=True)
"""
LAUNCH = """\
import subprocess, sys
sys.exit(subprocess.call(sys.argv[1:]))
"""


@pytest.fixture
def probe(tmp_path: Path) -> list[str]:
    path = tmp_path / "probe.py"
    path.write_text(PROBE, encoding="utf-8")
    return [sys.executable, str(path)]


@pytest.fixture
def hermes(tmp_path: Path) -> list[str]:
    """Starts what stands behind it, as a process that is called hermes."""
    path = tmp_path / "bin" / "hermes"
    path.parent.mkdir()
    path.write_text(LAUNCH, encoding="utf-8")
    return [sys.executable, str(path)]


def said(command: list[str], what: str = "WHY") -> str:
    """What the probe says when it is started with pipes."""
    done = run(command, stdin=PIPE, capture_output=True, text=True, timeout=60, check=False)
    return _line(done.stdout, what)


def said_on_terminal(command: list[str]) -> str:
    """What it says as the leader of a new terminal of its own."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)  # noqa: S606 - it replaces the fork that pty made
    with os.fdopen(terminal, "rb", buffering=0) as stream:
        told = b""
        while True:
            try:
                more = stream.read(4_096)
            except OSError:  # how a terminal ends on Linux
                break
            if not more:
                break
            told += more
    os.waitpid(pid, 0)
    return _line(told.decode())


def _line(text: str, what: str = "WHY") -> str:
    (line,) = [each for each in text.splitlines() if each.startswith(f"{what} ")]
    return line.removeprefix(f"{what} ").strip()


def test_a_command_below_a_host_is_nobodys(probe: list[str], hermes: list[str]) -> None:
    assert "it runs below" in said([*hermes, *probe])


def test_a_hosts_own_terminal_is_told_from_one_below_a_host(probe: list[str], hermes: list[str]) -> None:
    assert said([*hermes, *probe], "BELOW").startswith("it runs below")
    assert said(probe, "BELOW") == "nothing"


def test_a_terminal_that_was_opened_below_a_host_is_still_below_it(probe: list[str], hermes: list[str]) -> None:
    assert "below" in said_on_terminal([*hermes, *probe])


@pytest.mark.skipif(which("script") is None, reason="this machine has no script")
def test_script_below_a_host_is_still_below_it(probe: list[str], hermes: list[str]) -> None:
    assert "below" in said([*hermes, "script", "-qec", " ".join(probe), "/dev/null"])


@pytest.mark.skipif(which("setsid") is None, reason="this machine has no setsid")
def test_a_session_of_its_own_below_a_host_is_still_below_it(probe: list[str], hermes: list[str]) -> None:
    assert "below" in said([*hermes, "setsid", "--wait", *probe])


def test_a_terminal_that_a_program_opened_is_nobodys(probe: list[str]) -> None:
    assert "opened by" in said_on_terminal(probe)


@pytest.mark.skipif(which("script") is None, reason="this machine has no script")
def test_a_terminal_that_script_opened_is_nobodys(probe: list[str]) -> None:
    assert "opened by “script”" in said(["script", "-qec", " ".join(probe), "/dev/null"])


@pytest.mark.skipif(which("setsid") is None, reason="this machine has no setsid")
def test_a_command_without_a_terminal_is_nobodys(probe: list[str]) -> None:
    assert "no terminal" in said(["setsid", "--wait", *probe])


def test_a_command_that_outlived_its_host_is_nobodys(probe: list[str], tmp_path: Path) -> None:
    result, orphaned = tmp_path / "said", tmp_path / "hermes"
    os.mkfifo(result)
    # The command begins when somebody opens the pipe for reading, and by then its host has ended.
    shell = ["sh", "-c", f'exec "$@" > {result}', "sh"]
    orphaned.write_text(
        f"import subprocess, sys\nsubprocess.Popen({shell!r} + sys.argv[1:], start_new_session=True)\n",
        encoding="utf-8",
    )
    run([sys.executable, str(orphaned), *probe], timeout=60, check=True)
    assert "no terminal" in _line(result.read_text(encoding="utf-8"))


def test_where_nothing_can_be_read_of_what_runs_above_nobody_is_seen(tmp_path: Path) -> None:
    assert "cannot be seen" in Keys(sys.stdin, sys.stdout, os.urandom, tmp_path).unseen()


# --- what is read of processes


def test_the_chain_goes_from_this_process_to_the_first(tmp_path: Path) -> None:
    found = chain(os.getpid())
    assert (found[0].pid, found[0].parent) == (os.getpid(), os.getppid())
    assert found[-1].parent == 0
    assert found[0].argv
    assert chain(os.getpid(), tmp_path) == []
    assert not all_ids(tmp_path)


def _folder(proc: Path, pid: int, name: str, parent: int) -> None:
    folder = proc / str(pid)
    folder.mkdir(parents=True)
    folder.joinpath("stat").write_text(f"{pid} ({name}) S {parent} {pid} {pid} 34816 {pid} 0", encoding="utf-8")


def test_a_name_with_brackets_and_blanks_hides_nothing(tmp_path: Path) -> None:
    _folder(tmp_path, 9, "a) S 1 (b", 0)
    (found,) = chain(9, tmp_path)
    assert (found.name, found.parent, found.terminal) == ("a) S 1 (b", 0, 34_816)


def test_a_parent_that_is_gone_leaves_no_chain_at_all(tmp_path: Path) -> None:
    _folder(tmp_path, 9, "x", 8)
    assert chain(9, tmp_path) == []


# --- the word


class Typist:
    """Stands in for the screen: as soon as it was shown something, what `types` makes of it is typed at the keys."""

    encoding = "utf-8"

    def __init__(self, keys: int, types: Callable[[str], str]) -> None:
        self._keys, self._types, self._shown = keys, types, ""

    def write(self, text: str) -> int:
        """Show a text."""
        self._shown += text
        return len(text)

    def flush(self) -> None:
        """Let the person type."""
        os.write(self._keys, self._types(self._shown).encode())


@pytest.fixture
def terminal() -> Iterator[tuple[int, TextIO]]:
    """A terminal: the side at which a person types, and the one that a program reads."""
    typing, device = pty.openpty()
    with os.fdopen(device, encoding="utf-8") as stdin:
        yield typing, stdin
    os.close(typing)


def means_it(terminal: tuple[int, TextIO], types: Callable[[str], str]) -> bool:
    """Whether the person at this terminal is taken to mean it who types that."""
    typing, stdin = terminal
    screen = cast("TextIO", Typist(typing, types))
    return Keys(stdin, screen, lambda size: bytes(range(size))).confirmed("pause: switch enforcement off.")


def shown_word(text: str) -> str:
    """The word that a person is asked for."""
    return text.partition("Type ")[2].partition(" ")[0]


def test_a_person_who_types_the_word_that_is_shown_means_it(terminal: tuple[int, TextIO]) -> None:
    assert means_it(terminal, lambda shown: f" {shown_word(shown).upper()} \n")


@pytest.mark.parametrize("typed", ["y\n", "yes\n", "\n", "\x04"])
def test_anything_else_is_no(terminal: tuple[int, TextIO], typed: str) -> None:
    assert not means_it(terminal, lambda _shown: typed)


def test_what_was_typed_before_the_word_was_shown_does_not_count(terminal: tuple[int, TextIO]) -> None:
    os.write(terminal[0], f"{word(lambda size: bytes(range(size)))}\n".encode())
    termios.tcdrain(terminal[0])
    assert not means_it(terminal, lambda _shown: "no\n")


def test_the_word_is_another_one_every_time() -> None:
    assert len({word(os.urandom) for _ in range(50)}) > 45
    assert word(os.urandom).isalpha()
