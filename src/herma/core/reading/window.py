"""Whether a host's answer is exactly the window of a file that was asked for.

Hosts number lines as `N|text`. They differ at the end of a file: Hermes 0.19 shows one more, empty line
after a last line feed and counts line feeds; 0.22 shows and counts lines. Both are exact. What was
redacted, converted, cut or commented on is not.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from herma.core.reading.page import answered_before, parse_object
from herma.core.reading.request import ReadKey

__all__ = ["EXACT", "examine"]

EXACT = "exact"

_PAGE = ("content", "total_lines", "file_size")
_CUT = ("truncated_lines", "next_offset")
_REFUSALS: tuple[tuple[str, Callable[[dict[str, object]], bool]], ...] = (
    ("host_stub", answered_before),
    ("error_result", lambda record: bool(record.get("error")) or record.get("success") is False),
    ("truncated", lambda record: bool(record.get("truncated")) or any(name in record for name in _CUT)),
)


def examine(result: object, data: bytes, key: ReadKey) -> str:
    """`exact`, or the id of the reason why `result` does not stand for the window `key` of `data`."""
    if not isinstance(result, str):
        return "not_text"
    window = _window(data, key)
    if window is not None and result in window.bare:
        return EXACT
    record = parse_object(result)
    if record is None:
        return EXACT if window is not None and result in window.numbered else "content_mismatch"
    refused = next((reason for reason, holds in _REFUSALS if holds(record)), None)
    if refused is not None:
        return refused
    return EXACT if window is not None and _is_page(record, window) else "content_mismatch"


class _Window(NamedTuple):
    """The forms in which a window may be shown, and the true sizes of its file."""

    bare: tuple[str, ...]
    numbered: tuple[str, ...]
    line_counts: tuple[int, int]
    size: int


def _window(data: bytes, key: ReadKey) -> _Window | None:
    """The window of `data`, or None where there is none: no UTF-8, or nothing at that offset."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    lines = text.split("\n")
    feeds = len(lines) - 1
    ended = not lines[-1]
    if ended:
        lines.pop()
    shown = lines[key.offset - 1 : key.offset - 1 + key.limit]
    if not shown and text:
        return None
    after = key.offset + len(shown)
    numbered = [f"{number}|{line}" for number, line in enumerate(shown, key.offset)]
    forms = ["\n".join(numbered)]
    if ended and after > len(lines):
        forms.append("\n".join([*numbered, f"{after}|"]))
    bare = "\n".join(shown)
    whole_lines = ended or after <= len(lines)
    return _Window((bare, bare + "\n") if whole_lines else (bare,), tuple(forms), (len(lines), feeds), len(data))


def _is_page(record: Mapping[str, object], window: _Window) -> bool:
    """True for a page of the host that holds the window and says nothing else about it."""
    if record.get("content") not in window.numbered:
        return False
    if record.get("total_lines", window.line_counts[0]) not in window.line_counts:
        return False
    if record.get("file_size", window.size) != window.size:
        return False
    return not any(value for name, value in record.items() if name not in _PAGE)
