"""The database of people of a home, as a command finds and opens it: by the line, the settings, the variable."""

import os
import time
from pathlib import Path

from herma import __version__
from herma.core.settings import resolve
from herma.engine.people.house import Settings
from herma.errors import SettingError
from herma.hosts.hermes import configuration
from herma.install.asking import TIME_LIMIT
from herma.install.detect import find
from herma.install.inspection import Question, inspect
from herma.install.machine import Machine
from herma.stores.people.place import default
from herma.stores.people.store import SqliteStore, open_store

__all__ = ["database", "now", "opened", "settings"]

_PLUGIN = "manyhands"
_VARIABLE = "MANYHANDS_DB"


def settings(machine: Machine, home: Path, hermes: str | None) -> tuple[Settings, list[str]]:
    """The settings in force in this home, as its host reads them; without a host the defaults, with a warning."""
    question = Question(home, ((_PLUGIN, _PLUGIN),), (_VARIABLE,), time_limit=TIME_LIMIT)
    candidate = next(iter(find(machine, hermes)), None)
    if candidate is None:
        return Settings(), ["no Hermes was found, so the settings are taken to be the defaults"]
    values = inspect(candidate, question, machine).config.values
    found = resolve(_PLUGIN, configuration.layers(values, _PLUGIN, _PLUGIN))
    bad = next((problem for problem in found.problems if problem.fatal), None)
    if bad is not None:
        raise SettingError(bad.message, hint=bad.hint)
    return Settings.of(found.values), []


def database(machine: Machine, home: Path, found: Settings, named: str | None) -> Path:
    """Named on the line, else as the plugin finds it: the setting, the variable, the host's folder for data."""
    path = named or found.db_path or machine.environ.get(_VARIABLE, "").strip()
    return Path(path).expanduser() if path else default(home)


def opened(path: Path, home: Path) -> SqliteStore:
    """It, open; made where there is none. Raises `StoreError`."""
    return open_store(
        path,
        clock=now,
        randomness=os.urandom,
        surface="shell",
        host=f"herma {__version__}",
        home=str(home),
        profile=configuration.profile(str(home)),
    )


def now() -> int:
    """Epoch milliseconds."""
    return time.time_ns() // 1_000_000
