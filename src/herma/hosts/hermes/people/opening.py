"""Opening the house inside a Hermes process: settings, database, and what is done where either cannot be had."""

import os
import sys
import time
from collections.abc import Mapping

from herma.core.people.conditions import Facts
from herma.core.people.rules import Policy, compile_policy, unknown_role
from herma.core.settings import resolve
from herma.engine.people.house import Mail, Settings, Surroundings
from herma.engine.people.service import People
from herma.engine.people.turns import Turns
from herma.errors import HermaError, SettingError
from herma.hosts.hermes import configuration

__all__ = ["PLUGIN", "database", "host_version", "now", "open_people", "reason_of", "settings", "surface"]

PLUGIN = "manyhands"
_FOLDER = "plugin-data/manyhands"
_FILE = "manyhands.db"


def now() -> int:
    """The time in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def settings(config: Mapping[str, object]) -> Settings:
    """The settings in force. Raises SettingError where one cannot be used: absent policy would be open policy."""
    found = resolve(PLUGIN, configuration.layers(config, PLUGIN, PLUGIN))
    bad = next((problem for problem in found.problems if problem.fatal), None)
    if bad is not None:
        raise SettingError(bad.message, hint=bad.hint)
    made = Settings.of(found.values)
    policy, problems = compile_policy(made.roles, made.approval_tools, {})
    nobody = unknown_role("invite_role", made.invite_role, policy)
    wrong = nobody or next((problem for problem in problems if problem.fatal), None)
    if wrong is not None:
        raise SettingError(wrong.message, hint=wrong.hint)
    return made


def database(made: Settings, home: str) -> str:
    """Where the database lies: the configured place wins over the variable, which wins over the host's data folder."""
    chosen = made.db_path or os.environ.get("MANYHANDS_DB", "")
    return os.path.expanduser(chosen) if chosen else f"{home}/{_FOLDER}/{_FILE}"  # noqa: PTH111 - a hook path


def open_people(home: str, profile: str, *, mail: Mail, turns: Turns) -> People:
    """The service over the database of this home. Raises what stands in the way, with its hint."""
    from herma.stores.people.store import open_store  # noqa: PLC0415 - sqlite3 is not loaded when the host starts

    made = settings(configuration.loaded())
    store = open_store(
        database(made, home),
        clock=now,
        randomness=os.urandom,
        surface=surface(),
        host=host_version(),
        home=home,
        profile=profile,
    )
    return People(store, made, Surroundings(now, os.urandom, mail), resolved_facts, turns)


def surface() -> str:
    """Which program of the host this process is: the gateway, or another one.

    Hermes 0.19 loads its plugins before the gateway's own module, so there its command line has to say it.
    """
    typed = zip(sys.argv[1:], sys.argv[2:], strict=False)
    return "gateway" if "gateway.run" in sys.modules or ("gateway", "run") in typed else "cli"


def host_version() -> str:
    """The host's name and version."""
    version = getattr(sys.modules.get("hermes_cli"), "__version__", "")
    return f"hermes {version or 'unknown'}"


def resolved_facts(policy: Policy, _tool: str, args: object) -> Facts:
    """Where the paths in the arguments lead, for the rules that ask about it; nothing is opened."""
    if not isinstance(args, Mapping) or not policy.folders:
        return Facts()
    written = (*policy.folders, *(text for text in args.values() if isinstance(text, str)))
    return Facts({text: _real(text) for text in written})


def _real(text: str) -> str:
    try:
        return os.path.realpath(os.path.expanduser(text))  # noqa: PTH111 - the same
    except (OSError, ValueError):
        return ""


def reason_of(error: Exception) -> str:
    """Why the house could not be opened, in words for a person; nothing of an error that is not ours."""
    if isinstance(error, HermaError):
        return f"{error}. {error.hint}."
    return f"its state could not be opened ({type(error).__name__})."
