"""Which host a database belongs to, by its tables alone; and where a host's database lies."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from herma.core.memory.configuration import file_path, read
from herma.stores.sessions import hermes, opencode
from herma.stores.sessions.layout import Layout, columns
from herma.stores.sessions.readonly import NotRead

__all__ = ["HERMES", "OPENCODE", "detect", "locate"]

HERMES, OPENCODE = "hermes", "opencode"

_STATE = "state.db"
_LARGEST = 1_048_576  # bytes of a person's settings
_HOSTS = ((hermes.knows, hermes.Hermes), (opencode.knows, opencode.OpenCode))


def detect(database: sqlite3.Connection) -> Layout:
    """The layout of an opened database; `NotRead` for one that is no known host's."""
    found = columns(database)
    for knows, layout in _HOSTS:
        if knows(found):
            return layout(found)
    raise NotRead("schema")


def locate(host: str, environ: Mapping[str, str], home: Path) -> Path:
    """Where a host keeps its sessions; whether something is there is for whoever opens it.

    `home` is the person's home for `opencode`: HERMES_OPENCODE_SESSIONS_DB, `sessionsDb` of the person's file of
    settings, OPENCODE_DB and XDG_DATA_HOME are followed, in this order. For `hermes` it is the home of Hermes.
    """
    if host == HERMES:
        return home / _STATE
    text = _settings(Path(file_path(environ, home=str(home))))
    return Path(str(read(text, environ, home=str(home)).values["sessionsDb"]))


def _settings(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8-sig")
    except (OSError, ValueError):
        return None
