"""Whether a person sits at a terminal, as far as a process's ancestors show it.

Whoever owns the operating system's account owns Herma's files, and no check changes that. This one keeps a model that
was given a shell from doing with a command line what only a person may: it refuses below a host, and wherever the
terminal was not opened by a login, a terminal program or somebody who entered a container from outside.
"""

from collections.abc import Sequence
from typing import NamedTuple

from herma.core.people.replies import quoted

__all__ = ["Process", "below", "is_host", "unseen"]


class Process(NamedTuple):
    """One process. `terminal` is the device number of its controlling terminal, 0 without one.

    `program` is the file it runs, empty where that may not be seen; `sealed` says that only root can change that file,
    `root` that it runs with root's rights. `client` is SSH_CONNECTION from its environment, None if not to be seen.
    """

    pid: int
    parent: int
    group: int
    terminal: int
    foreground: int
    name: str
    argv: tuple[str, ...] = ()
    program: str = ""
    sealed: bool = False
    root: bool = False
    client: str | None = None


_HOSTS = ("hermes", "opencode")
_MODULES = frozenset(("hermes", "hermes_cli", "gateway", "run_agent", "acp_adapter", "tui_gateway", "batch_runner"))
_SCRIPTS = frozenset(("run_agent", "gateway/run", "batch_runner", "hermes_cli/main"))
_INTERPRETERS = ("python", "pypy", "node", "bun", "deno", "sh", "bash", "dash", "zsh", "ksh", "env", "uv", "uvx")
_SUFFIXES = (".py", ".pyw", ".js", ".mjs", ".cjs", ".exe", ".sh")

_SSH = frozenset(("sshd", "sshd-session", "dropbear"))
_LOGINS = _SSH | {"login"}
_TERMINALS = frozenset(
    (
        "alacritty",
        "foot",
        "ghostty",
        "gnome-terminal-server",
        "kgx",
        "kitty",
        "konsole",
        "lxterminal",
        "mate-terminal",
        "ptyxis-agent",
        "qterminal",
        "tilix",
        "urxvt",
        "wezterm-gui",
        "xfce4-terminal",
        "xterm",
    )
)
# With root's rights these may open a terminal of their own for the command they run; the person sits at the one before.
_ELEVATORS = frozenset(("sudo", "su", "doas"))


def unseen(chain: Sequence[Process], *, all_ids: bool) -> str:
    """Why no person can be seen at the terminal of `chain[0]`; empty where one can.

    `chain` goes from the process itself up to the first one whose parent is not here. `all_ids` says that this is no
    namespace of users that anybody can make for themselves.
    """
    host = below(chain)
    if host:
        return host
    here = chain[0]
    if not here.terminal:
        return "it has no terminal of its own"
    if here.foreground != here.group:
        return "it runs in the background"
    return _opened(chain, all_ids=all_ids)


def below(chain: Sequence[Process]) -> str:
    """Which host `chain[0]` runs below, as a reason; empty for none. What it is itself does not count."""
    host = next((each for each in chain[1:] if is_host(each)), None)
    return f"it runs below {quoted(host.name)} (process {host.pid})" if host else ""


def is_host(process: Process) -> bool:
    """Whether this is a host: by its name, by the file it runs, or by what an interpreter runs in it."""
    return any(map(_names_host, (process.name, process.program, *_started(process.argv))))


def _opened(chain: Sequence[Process], *, all_ids: bool) -> str:
    """Why it cannot be told who opened the terminal, following it upwards; empty where it can."""
    terminal = chain[0].terminal
    for below, each, above in zip(chain, chain[1:], (*chain[2:], None), strict=False):
        if _is_login(each, above):
            return _from_here(below) if each.name in _SSH else ""
        if each.terminal == terminal:
            continue
        if each.name not in _ELEVATORS or not each.root or not each.terminal:
            by = f"{quoted(each.name)} (process {each.pid})"
            return f"its terminal was opened by {by}, which anything can type into"
        terminal = each.terminal
    last = chain[-1]
    if last.parent == 0 and last.pid != 1 and all_ids:  # from outside of this container
        return ""
    return "it cannot be told who opened its terminal"


def _is_login(process: Process, above: Process | None) -> bool:
    """Whether this opens terminals for people, as root vouches for it: by file, by rights, or by its parent's."""
    if process.program:
        return process.sealed and _base(process.program) in _LOGINS | _TERMINALS
    vouched = process.root or (above is not None and above.root and above.name in _LOGINS)
    return process.name in _LOGINS and vouched


def _from_here(shell: Process) -> str:
    """Why a remote login does not count: it came from this very machine, where a program can log in too."""
    if shell.client is None:
        return ""
    client, _, rest = shell.client.partition(" ")
    server = rest.split(" ")[1] if rest.count(" ") else ""
    own = client in ("", "::1", server) or client.startswith(("127.", "::ffff:127."))
    return "it was logged in from this machine itself" if own else ""


def _started(argv: Sequence[str]) -> list[str]:
    """What a command line starts: its program, and where that is an interpreter, the script or module."""
    if not argv:
        return []
    started = [argv[0]]
    if _base(argv[0]).startswith(_INTERPRETERS):
        rest = list(argv[1:])
        if "-m" in rest[:-1]:
            module = rest[rest.index("-m") + 1]
            started.append("hermes" if module.partition(".")[0] in _MODULES else module)
        started += [word for word in rest if not word.startswith("-")][:1]
    return started


def _names_host(text: str) -> bool:
    base = _base(text)
    for suffix in _SUFFIXES:
        text, base = text.removesuffix(suffix), base.removesuffix(suffix)
    named = any(base == host or base.startswith((f"{host}-", f"{host}_")) for host in _HOSTS)
    return named or any(text == script or text.endswith(f"/{script}") for script in _SCRIPTS)


def _base(path: str) -> str:
    return path.rpartition("/")[2].lstrip(".-").casefold()
