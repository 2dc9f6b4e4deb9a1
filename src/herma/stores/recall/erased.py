"""What was erased from an index and may not come back with the next look at the host, or with a new index.

One line of JSON a span: a session and two times, and no words.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from herma.core.recall.whose import Span
from herma.errors import StoreError

__all__ = ["add", "load"]


def load(path: Path) -> tuple[Span, ...]:
    """All that was erased beside the index at `path`. Raises `StoreError` where that cannot be told."""
    place = _place(path)
    try:
        text = place.read_text("utf-8")
        return tuple(
            Span(str(session), int(first), int(last)) for session, first, last in map(json.loads, text.splitlines())
        )
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        hint = "put it right or take it away; nothing is indexed until then"
        raise StoreError(f"the list of what was erased, {place}, cannot be read", hint=hint) from error


def add(path: Path, spans: Iterable[Span]) -> None:
    """Write down that these are erased, on the disk before anything else is done."""
    lines = "".join(f"{json.dumps(span)}\n" for span in spans)
    handle = os.open(_place(path), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    with open(handle, "ab") as opened:  # noqa: PTH123 - a descriptor
        opened.write(lines.encode())
        opened.flush()
        os.fsync(opened.fileno())


def _place(path: Path) -> Path:
    return Path(f"{path}.erased")
