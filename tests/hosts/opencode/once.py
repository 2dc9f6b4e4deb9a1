"""One turn of the real `opencode run`, in a process of its own."""

import re
import subprocess
from collections.abc import Mapping
from typing import NamedTuple

from tests.hosts.failure import report
from tests.hosts.opencode.household import Household


class Ran(NamedTuple):
    """What a run printed."""

    stdout: str
    stderr: str


def begin(
    household: Household, *words: str, session: str | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start a turn; `session` continues one."""
    resumed = ["--session", session] if session else []
    return subprocess.Popen(
        [str(household.opencode.path), "run", *resumed, *words],
        cwd=household.project, env=household.environment(environment), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def finish(running: subprocess.Popen[str], *, timeout: float = 120) -> Ran:
    """Wait for its end; a run that fails is an `AssertionError` with what it said."""
    try:
        ran = Ran(*running.communicate(timeout=timeout))
    finally:
        if running.poll() is None:
            running.kill()
            running.communicate()
    if running.returncode:
        raise report(f"opencode run ended with code {running.returncode}", ran.stdout, ran.stderr)
    return Ran(_plain(ran.stdout), _plain(ran.stderr))


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def run(
    household: Household, *words: str, session: str | None = None, environment: Mapping[str, str] | None = None
) -> Ran:
    """One turn from beginning to end."""
    return finish(begin(household, *words, session=session, environment=environment))
