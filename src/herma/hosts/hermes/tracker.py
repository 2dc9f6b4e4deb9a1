"""Hermes' own memory of reads, which answers a repeated read with "unchanged" and a third with an error.

The host keys it on file and window and does not know whether the text is still there for the model to
see. Where it would point at text that the model cannot see, we let it forget first. The two functions are
looked up in the modules that the running host has loaded: `tools.file_tools` on 0.19,
`tools.file_tools_read_tracking` on 0.22. The first alone still ends in the host's error at the fourth read.

The host also remembers which files a task has read in full, and warns (0.19) or refuses (0.22) when a file
is overwritten that was read in part. It counts what its tool returned; what was left out of a result the
model has not seen, so we say so in `tools.file_state`, which both versions have.
"""

import os
import sys

__all__ = ["available", "calm", "forget", "mark_partial"]

_MODULES = ("tools.file_tools_read_tracking", "tools.file_tools")


def available() -> bool:
    """Whether the running host can be made to forget and be kept calm, as far as its modules are loaded."""
    modules = [sys.modules.get(name) for name in _MODULES]
    return all(any(hasattr(each, name) for each in modules) for name in ("reset_file_dedup", "notify_other_tool_call"))


def forget(task_id: object) -> bool:
    """Let the next read of this task return content. False where this host has no such functions."""
    return _call("reset_file_dedup", task_id) and calm(task_id)


def calm(task_id: object) -> bool:
    """Start the host's count of repeats again, so that it does not end in an error. False where it cannot."""
    return _call("notify_other_tool_call", task_id)


def mark_partial(task_id: object, path: object) -> int:
    """Tell the host that of these files only a part was seen; returns how many it knows by this path.

    A relative path is looked for at the end of the host's own: only the host knows its working directory.
    """
    state = sys.modules.get("tools.file_state")
    known, record = getattr(state, "known_reads", None), getattr(state, "record_read", None)
    if not callable(known) or not callable(record) or not isinstance(path, str):
        return 0
    task = str(task_id or "default")
    matching = [found for found in known(task) if _names(path, str(found))]
    for found in matching:
        record(task, found, partial=True)
    return len(matching)


def _names(path: str, resolved: str) -> bool:
    expanded = os.path.normpath(os.path.expanduser(path))  # noqa: PTH111 - a Path would cost its import on the hook path
    if os.path.isabs(expanded):  # noqa: PTH117
        return resolved in (expanded, os.path.realpath(expanded))
    below = [part for part in expanded.split("/") if part not in (os.curdir, os.pardir)]
    return bool(below) and resolved.endswith("/" + "/".join(below))


def _call(name: str, task_id: object) -> bool:
    for module in _MODULES:
        found = getattr(sys.modules.get(module), name, None)
        if callable(found):
            found(task_id)
            return True
    return False
