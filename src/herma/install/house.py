"""Where an installation keeps its people, and what is to be seen of them and of the gateways that serve them."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from herma.core.setting import Value
from herma.core.settings import resolve
from herma.hosts.hermes import configuration
from herma.install.facts import Facts
from herma.install.systems import PEOPLE
from herma.stores.people import place
from herma.stores.people.glance import Glance, Unseen, glance

__all__ = ["at", "database", "filesystem", "house", "running"]

VARIABLE = "MANYHANDS_DB"
_MOUNTS = Path("/proc/self/mountinfo")


def house(facts: Facts, now: int) -> Glance | Unseen:
    """What is in the database of this installation's people; `now` is in epoch milliseconds."""
    found = resolve(PEOPLE, configuration.layers(facts.config.values, PEOPLE, PEOPLE))
    return glance(database(facts, found.values), now)


def database(facts: Facts, values: Mapping[str, Value]) -> Path:
    """Where it lies: the setting wins over the variable, which wins over the host's folder for data."""
    named = values["db_path"] or facts.variables.get(VARIABLE, "").strip()
    return Path(str(named)).expanduser() if named else place.default(facts.home)


def running(home: Path, pids: Iterable[int]) -> frozenset[int]:
    """The gateways that run on this machine now, of those of a home's own note and of `pids`."""
    noted = _noted(home / "gateway.pid")
    return frozenset(pid for pid in {*pids, *noted} if _is_gateway(pid))


def filesystem(path: Path) -> str:
    """The type of the file system below a path, as Linux names it; empty where it cannot be told."""
    try:
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return at(os.path.realpath(path), mounts)


def at(path: str, mounts: str) -> str:
    """The same from the text of a mountinfo: of the mounts that hold the path the innermost one, the last of equals."""
    best, kind = "", ""
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        fields = left.split()
        point = fields[4].replace("\\040", " ") if len(fields) > 4 else ""  # noqa: PLR2004 - the fifth field
        holds = point and (path == point or path.startswith(point.rstrip("/") + "/"))
        if holds and right and len(point) >= len(best):
            best, kind = point, right.split()[0]
    return kind


def _noted(path: Path) -> list[int]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    pid = said.get("pid") if isinstance(said, dict) else said
    return [pid] if isinstance(pid, int) and not isinstance(pid, bool) else []


def _is_gateway(pid: int) -> bool:
    """Whether the process is there and, where that can be told, is a gateway: numbers are given again."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it is there and somebody else's
    try:
        return b"gateway" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return True
