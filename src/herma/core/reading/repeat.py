"""What becomes of a read that may be a repeat."""

from enum import Enum
from typing import NamedTuple

from herma.core.reading.page import answered_before, parse_object
from herma.core.reading.visibility import Mark, mark_of

__all__ = ["NO_MARK", "Entry", "Standing", "Verdict", "Version", "Want", "decide", "replaceable"]

# The mark of an answer that can never be shown to stand in a request.
NO_MARK = Mark(-1, b"", 0)


class Version(NamedTuple):
    """One state of a file: SHA-256 of its bytes, size, time of change in nanoseconds, device and inode."""

    digest: bytes
    size: int
    mtime_ns: int
    device: int
    inode: int


class Entry(NamedTuple):
    """The latest answer with content that a read got, of the file whose true path is `path`.

    `exact` says that it is exactly the window of these bytes; any other answer only serves to know whether
    the host may refer to it. `task` is the host's task that was served.
    """

    mark: Mark
    call_id: str
    path: str
    version: Version
    exact: bool
    task: str


class Want(Enum):
    """What the model should get."""

    NOTE = "the note"
    CONTENT = "content, and not the host's own “unchanged”"
    HOST = "what the host answers by itself"


class Standing(NamedTuple):
    """What is known when a read is about to run.

    `visible` is about the request that produced the call; `short` says that the read was answered without
    content in this turn, and not with content since.
    """

    entry: Entry | None
    version: Version
    visible: bool
    short: bool
    refresh: bool
    hits: bool


class Verdict(NamedTuple):
    """The reason, and what the model should get. Without hits enabled that is always what the host answers."""

    reason: str
    want: Want


_REFRESH = Verdict("refresh", Want.CONTENT)
_FIRST = Verdict("first_read", Want.CONTENT)
_CHANGED = Verdict("changed", Want.CONTENT)
_NOT_VISIBLE = Verdict("not_visible", Want.CONTENT)
_AFTER_NOTE = Verdict("after_note", Want.CONTENT)
_NOT_EXACT = Verdict("not_exact", Want.HOST)
_OBSERVING = Verdict("observing", Want.HOST)
_HIT = Verdict("hit", Want.NOTE)


def decide(standing: Standing) -> Verdict:
    """The first condition that holds decides; only `hit`, when none does, may answer in the host's place.

    A chain and not a table of functions: it runs before every repeated read, beside a few microseconds of file work.
    """
    entry, version, visible, short, refresh, hits = standing
    if refresh or entry is None:
        return _REFRESH if refresh else _FIRST
    if entry.version != version:
        return _CHANGED
    if not visible:
        return _NOT_VISIBLE
    if short:
        return _AFTER_NOTE
    if not entry.exact:
        return _NOT_EXACT
    return _HIT if hits else _OBSERVING


def replaceable(result: object, entry: Entry, path: str) -> bool:
    """True when a note may take the place of the host's answer.

    That is the recorded text, or the host's own answer to a repeated read of `path`, which comes after all gates.
    Anything else is somebody's answer to this call: a veto, a refusal, an error, another plugin's text.
    """
    if not isinstance(result, str):
        return False
    if len(result) == entry.mark.length and mark_of(result) == entry.mark:
        return True
    record = parse_object(result)
    return answered_before(record) and record is not None and record.get("path") == path
