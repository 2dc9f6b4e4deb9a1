"""The sidecar of one process, put together: settings, memory, past, log, person."""

from collections.abc import Callable, Mapping
from pathlib import Path

from herma.engine.memory import load_settings, local_person, open_memory
from herma.hosts.opencode.log import Log
from herma.hosts.opencode.past import open_past
from herma.hosts.opencode.sidecar import Sidecar
from herma.rpc.server import Method

__all__ = ["methods"]


def methods(environ: Mapping[str, str], home: Path, clock: Callable[[], float]) -> Mapping[str, Method]:
    """What `herma rpc` answers with. `clock` gives seconds since the epoch."""
    settings = load_settings(environ, home=str(home))
    log = Log(Path(str(settings.values["log"])), clock)
    memory = open_memory(settings, clock)
    past = open_past(Path(str(settings.values["sessionsDb"])), environ=environ, home=home)
    return Sidecar(memory, past, local_person(), log, settings).methods()
