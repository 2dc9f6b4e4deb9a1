"""What an installation's plugins saved, counted in the host's own transcripts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import localtime, strftime

from herma.core.reading.saved import Saved, saved
from herma.stores import transcripts
from herma.stores.transcripts import DATABASE, REASONS, Counted, Unread

__all__ = ["Found", "count", "data", "lines", "source", "source_data"]

Found = Counted[Saved] | Unread


def count(home: Path) -> Found:
    """What can be told from the transcripts of a Hermes home; nothing there is written."""
    return transcripts.read(home, saved)


def source(found: Found) -> str:
    """What the counts are from, and how far back they go."""
    if isinstance(found, Unread):
        return f"nothing in {DATABASE}: {REASONS[found.reason]}"
    since = f", since {_day(found.since)}" if found.since else ""
    newest = "the newest " if found.messages == transcripts.MOST else ""
    return f"{newest}{_many(found.messages, 'message')} in {DATABASE}{since}"


def source_data(found: Found) -> dict[str, object]:
    """The same as JSON has it; times in seconds since 1970."""
    if isinstance(found, Unread):
        return {"problem": {"reason": found.reason, "message": f"{DATABASE}: {REASONS[found.reason]}"}}
    return {"problem": None, "messages": found.messages, "most": transcripts.MOST, "since": found.since}


def lines(system: str, found: Found) -> list[str]:
    """The line about one system; none where nothing could be counted, or of a system that saves nothing."""
    return [] if isinstance(found, Unread) or system not in _LINES else [_LINES[system](found.value)]


def data(system: str, found: Found) -> Mapping[str, object] | None:
    """The same as JSON has it, in tokens; None where there is no such line."""
    return None if isinstance(found, Unread) or system not in _DATA else _DATA[system](found.value)


def _once(found: Saved) -> str:
    if not found.notes:
        return "nothing: no note was given"
    unmatched = f", {found.unmatched} of them for a result that is not there" if found.unmatched else ""
    return (
        f"{_many(found.notes, 'note')}{unmatched}: {found.not_sent:,} tokens not sent, less {found.for_notes:,} for "
        f"notes and {found.fetched_again:,} fetched again: {found.net:,} net, {found.method}"
    )


def _summarizer(found: Saved) -> str:
    if not found.shortened:
        return "nothing: no result was shortened"
    return f"not counted: {_many(found.shortened, 'result')} shortened, and what would have been sent is not stored"


def _once_data(found: Saved) -> Mapping[str, object]:
    counts = {name: value for name, value in found._asdict().items() if name != "shortened"}
    return {**counts, "net": found.net, "method": found.method}


def _summarizer_data(found: Saved) -> Mapping[str, object]:
    return {"shortened": found.shortened, "net": None}


_LINES: Mapping[str, Callable[[Saved], str]] = {"read-once": _once, "read-summarizer": _summarizer}
_DATA: Mapping[str, Callable[[Saved], Mapping[str, object]]] = {
    "read-once": _once_data,
    "read-summarizer": _summarizer_data,
}


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _day(seconds: float) -> str:
    try:
        return strftime("%Y-%m-%d", localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return "a time that is none"
