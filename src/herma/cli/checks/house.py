"""Checks of the database of people, and of the processes that say in it that they watch the door."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from herma.cli.checks.view import View
from herma.cli.report import Check, Status
from herma.hosts.hermes.configuration import profile
from herma.stores.people.glance import Glance, Sign

__all__ = ["HOUSE"]

_OLD_MS, _DAY_MS = 120_000, 86_400_000
_INSIDE = "."
_GATEWAY = "gateway"
# File systems on which several machines, or a machine and its guest, may have the file open: SQLite's log needs one.
_SHARED = {
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "9p", "ceph", "lustre", "gfs2", "ocfs2", "beegfs", "davfs",
    "virtiofs", "vboxsf", "fuse.sshfs", "fuse.glusterfs", "fuse.davfs2", "fuse.rclone", "fuse.s3fs",
}  # fmt: skip


def _database(view: View) -> Iterator[Check]:
    seen = view.seen
    if view.filesystem in _SHARED:
        summary = f"{seen.path} lies on a shared file system ({view.filesystem}), where SQLite loses writes"
        yield Check("database", Status.FAIL, summary, "set db_path to a file on a disk of this machine")
    if not isinstance(seen, Glance):
        if seen.absent:
            yield Check("database", Status.SKIP, f"{seen.reason}; the first start of Hermes makes it")
        else:
            closed = f"{seen.reason}; nobody but this machine's terminal is served"
            yield Check("database", Status.FAIL, closed, seen.hint)
        return
    if not seen.private:
        hint = f"chmod 600 {seen.path}; the next start of Hermes does it too"
        yield Check("database", Status.WARN, f"others on this machine may read {seen.path}", hint)
    if seen.before:
        summary = f"{seen.path} is of manyhands as it was before Herma: the next start makes a copy and carries it on"
        yield Check("database", Status.PASS, summary)
    elif not _is_of_this_home(view, seen):
        summary = f"{seen.path} belongs to another home or profile; nobody but this machine's terminal is served"
        yield Check("database", Status.FAIL, summary, "set db_path to a file of its own for each home and profile")
    elif seen.private:
        yield Check("database", Status.PASS, f"{seen.path} can be read, and by its owner alone")


def _is_of_this_home(view: View, seen: Glance) -> bool:
    home = os.path.realpath(view.facts.home)
    inside = Path(os.path.realpath(seen.path)).is_relative_to(home)
    return seen.home == (_INSIDE if inside else home) and seen.profile == profile(str(view.facts.home))


def _heartbeat(view: View) -> Iterator[Check]:
    """For each gateway that runs, that it said within two minutes that it watches."""
    signs = [sign for sign in _signs(view) if sign.surface == _GATEWAY]
    of_process = {sign.pid: sign for sign in reversed(_signs(view))}  # the newest of a process last
    for pid in sorted(view.running):
        yield _beat(view, pid, of_process.get(pid))
    fresh = [sign for sign in signs if sign.pid not in view.running and view.now - sign.beat_at <= _OLD_MS]
    for sign in fresh:  # of another machine or container, or stopped a moment ago
        summary = f"gateway {sign.pid} is not to be seen from here, and was watched at {_time(sign.beat_at)}"
        yield Check("heartbeat", Status.PASS, summary)
    if view.running or fresh:
        return
    last = next(iter(signs), None)
    if last is None:
        yield Check("heartbeat", Status.SKIP, "no gateway has been watched here yet")
        return
    recent = " within the last day" if view.now - last.beat_at <= _DAY_MS else ""
    summary = f"no gateway runs on this machine; the last one, {last.pid}, was seen{recent} at {_time(last.beat_at)}"
    yield Check("heartbeat", Status.SKIP, summary)


def _beat(view: View, pid: int, sign: Sign | None) -> Check:
    hint = f"the logs in {view.facts.home / 'logs'} say why; start the gateway anew"
    if sign is None:  # it is watched from the first message on
        summary = f"a gateway runs (process {pid}) and nobody has come to its door through manyhands yet"
        return Check("heartbeat", Status.WARN, summary, f"write to it and look again; if somebody has, {hint}")
    if view.now - sign.beat_at > _OLD_MS:
        summary = f"gateway {pid} runs, and manyhands was last seen in it at {_time(sign.beat_at)}"
        return Check("heartbeat", Status.FAIL, summary, hint)
    return Check("heartbeat", Status.PASS, f"gateway {pid} is watched, last seen at {_time(sign.beat_at)}")


def _surfaces(view: View) -> Iterator[Check]:
    """Which programs of the host have opened the door here. One that never did is not under manyhands."""
    newest: dict[tuple[str, str], Sign] = {}
    for sign in _signs(view):
        newest.setdefault((sign.surface, sign.host), sign)
    if not newest:
        yield Check("surfaces", Status.SKIP, "no program of Hermes has been under manyhands here yet")
        return
    said = (f"{sign.surface} of {sign.host} at {_time(sign.beat_at)}" for sign in newest.values())
    hint = "a program of Hermes that people use and that is not named here is not under manyhands"
    yield Check("surfaces", Status.PASS, f"under manyhands were, last: {'; '.join(said)}", hint)


def _signs(view: View) -> tuple[Sign, ...]:
    return view.seen.signs if isinstance(view.seen, Glance) else ()


def _time(milliseconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S}Z"
    except (OverflowError, ValueError, OSError):
        return "a time that is none"


HOUSE: tuple[Callable[[View], Iterator[Check]], ...] = (_database, _heartbeat, _surfaces)
