"""Whether a person sits at a terminal, by the processes above a command."""

from typing import Any

import pytest

from herma.core.people.presence import Process, is_host, unseen

TTY, OTHER = 34_816, 34_817


def process(pid: int, parent: int, name: str, *argv: str, terminal: int = TTY, **more: Any) -> Process:
    return Process(pid, parent, 50, terminal, 50, name, argv or (name,))._replace(**more)


ME = process(50, 40, "herma", "python", "/usr/bin/herma", "people", "approve")
BASH = process(40, 30, "bash", client="10.0.0.7 50022 10.0.0.9 22")
SSHD = process(30, 20, "sshd", "sshd: kiter@pts/0", terminal=0)
ROOT_SSHD = process(20, 1, "sshd", "sshd: kiter [priv]", terminal=0, root=True)
INIT = process(1, 0, "systemd", terminal=0, root=True)
REMOTE = (ME, BASH, SSHD, ROOT_SSHD, INIT)


def why(*chain: Process, all_ids: bool = True) -> str:
    return unseen(chain, all_ids=all_ids)


def test_a_person_who_has_logged_in_from_elsewhere_is_seen() -> None:
    assert why(*REMOTE) == ""


def test_a_person_at_the_console_is_seen() -> None:
    login = process(30, 1, "login", root=True)
    assert why(ME, BASH._replace(client=""), login, INIT) == ""


def test_a_person_at_a_terminal_program_of_the_system_is_seen() -> None:
    terminal = process(30, 20, "gnome-terminal-", terminal=0, program="/usr/libexec/gnome-terminal-server", sealed=True)
    assert why(ME, BASH, terminal, process(20, 1, "systemd", terminal=0), INIT) == ""


def test_a_person_who_became_somebody_else_is_seen_at_the_terminal_before() -> None:
    sudo = process(45, 40, "sudo", terminal=OTHER, root=True)
    shell = BASH._replace(terminal=OTHER)
    assert why(ME._replace(parent=45), sudo, shell, SSHD, ROOT_SSHD, INIT) == ""


def test_a_person_who_entered_a_container_from_outside_is_seen() -> None:
    entered = process(40, 0, "bash")
    assert why(ME, entered) == ""
    assert why(ME._replace(parent=0)) == ""


def test_the_first_process_of_a_namespace_that_anybody_can_make_is_nobody() -> None:
    assert why(ME, process(1, 0, "bash")) != ""
    assert why(ME, process(40, 0, "bash"), all_ids=False) != ""


@pytest.mark.parametrize(
    "host",
    [
        process(35, 30, "hermes"),
        process(35, 30, "python3", "/opt/venv/bin/python3", "/opt/venv/bin/hermes", "gateway", "run"),
        process(35, 30, "python3", "python3", "-m", "hermes_cli.main", "chat"),
        process(35, 30, "python", "python", "-I", "-m", "gateway.run"),
        process(35, 30, "python", "python", "/srv/agent/run_agent.py"),
        process(35, 30, "bash", "/bin/bash", "/home/k/.local/bin/hermes", "chat"),
        process(35, 30, "hermes-acp", "hermes-acp"),
        process(35, 30, "node", "node", "/usr/lib/node_modules/opencode-ai/bin/opencode"),
        process(35, 30, ".opencode", "/x/.opencode", program="/x/.opencode", sealed=True),
        process(35, 30, "x", program="/opt/opencode/bin/opencode"),
    ],
)
def test_nobody_is_seen_below_a_host_wherever_it_stands(host: Process) -> None:
    assert is_host(host)
    assert "below" in why(ME, BASH, host, SSHD, ROOT_SSHD, INIT)
    assert "below" in why(ME, BASH, SSHD, ROOT_SSHD, host, INIT)


@pytest.mark.parametrize(
    "process_",
    [
        BASH,
        SSHD,
        process(35, 30, "vim", "vim", "hermes.md"),
        process(35, 30, "su", "su", "hermes"),
        process(35, 30, "tmux: server", "tmux", "new", "-s", "hermes"),
        process(35, 30, "bash", "bash", "-c", "cd ~/opencode && ls"),
    ],
)
def test_what_only_mentions_a_host_is_none(process_: Process) -> None:
    assert not is_host(process_)


def test_the_command_itself_may_be_the_hosts_own_command_line() -> None:
    me = process(50, 40, "hermes", "python", "/usr/bin/hermes", "manyhands", "approve")
    assert why(me, *REMOTE[1:]) == ""


@pytest.mark.parametrize("name", ["script", "expect", "tmux: server", "screen", "python3", "socat", "sshd"])
def test_a_terminal_that_anything_can_open_is_nobodys(name: str) -> None:
    keeper = process(30, 1, name, terminal=0)
    assert name in why(ME, BASH, keeper, INIT)
    inside = process(35, 30, name, terminal=OTHER)
    assert name in why(ME, BASH._replace(parent=35), inside, SSHD, ROOT_SSHD, INIT)


def test_the_name_of_a_login_alone_vouches_for_nothing() -> None:
    copied = process(30, 1, "sshd", terminal=0, program="/home/k/bin/sshd", sealed=False)
    renamed = process(30, 1, "sshd", terminal=0, program="/usr/bin/python3.11", sealed=True)
    hidden = process(30, 20, "sshd", terminal=0)
    assert all("opened by" in why(ME, BASH, each, INIT) for each in (copied, renamed, hidden))
    assert "opened by" in why(ME, BASH, hidden, process(20, 1, "sshd", terminal=0), INIT)
    assert "opened by" in why(ME, BASH, process(30, 1, "sudo", terminal=0), INIT)


@pytest.mark.parametrize(
    "client", ["127.0.0.1 5 127.0.0.1 22", "::1 5 ::1 22", "10.0.0.9 5 10.0.0.9 22", "::ffff:127.0.0.1 5 x 22", ""]
)
def test_a_login_from_the_machine_itself_is_nobodys(client: str) -> None:
    assert "this machine itself" in why(ME, BASH._replace(client=client), SSHD, ROOT_SSHD, INIT)


def test_without_a_terminal_or_in_the_background_nobody_is_seen() -> None:
    assert "no terminal" in why(ME._replace(terminal=0), *REMOTE[1:])
    assert "background" in why(ME._replace(foreground=40), *REMOTE[1:])


def test_a_process_that_lost_its_parents_is_nobodys() -> None:
    assert "cannot be told" in why(ME._replace(parent=1), INIT._replace(terminal=TTY))
