"""Every reason for which Herma acted on something or left it alone.

The list is closed: docs print it, counters refuse anything else, and a test fails when a reason here
is never given.
"""

from typing import NamedTuple

__all__ = ["REASONS", "Reason", "of_system"]


class Reason(NamedTuple):
    """One reason: what was done (`passed`, `changed` or `failed`) and why, in words for a person."""

    system: str
    id: str
    outcome: str
    meaning: str


_SUMMARIZER = "read-summarizer"

REASONS: tuple[Reason, ...] = (
    Reason(_SUMMARIZER, "disabled", "passed", "`enabled` is not true."),
    Reason(
        _SUMMARIZER,
        "bad_setting",
        "passed",
        "A setting has a value that cannot be used, so nothing is shortened until it is put right.",
    ),
    Reason(_SUMMARIZER, "other_tool", "passed", "The tool is not in `allowed_tools`."),
    Reason(
        _SUMMARIZER,
        "nested_call",
        "passed",
        "The call has no id of its own: a script inside `execute_code` made it and needs every byte.",
    ),
    Reason(_SUMMARIZER, "not_text", "passed", "The result is not text (an image, or parts)."),
    Reason(_SUMMARIZER, "error_result", "passed", "The tool failed, was refused or was blocked."),
    Reason(_SUMMARIZER, "no_content", "passed", "The result carries no file text, such as an “unchanged” answer."),
    Reason(_SUMMARIZER, "own_range", "passed", "The read named its own offset or limit: it gets what it asked for."),
    Reason(_SUMMARIZER, "small", "passed", "Neither the file nor the result is over `threshold_bytes`."),
    Reason(
        _SUMMARIZER,
        "covers_page",
        "passed",
        "`head_lines` and `tail_lines` together cover everything the host returned.",
    ),
    Reason(_SUMMARIZER, "already_shortened", "passed", "The result carries the marker already."),
    Reason(_SUMMARIZER, "no_gain", "passed", "Shortened, the result would be no smaller."),
    Reason(_SUMMARIZER, "failed", "failed", "Something went wrong inside Herma; the result passed as it was."),
    Reason(_SUMMARIZER, "shortened", "changed", "The first and the last lines of the file, and the marker."),
    Reason(
        _SUMMARIZER,
        "shortened_wide",
        "changed",
        "The lines are so long that fewer than `head_lines` and `tail_lines` fit into `threshold_bytes`.",
    ),
    Reason(
        _SUMMARIZER,
        "shortened_page_end",
        "changed",
        "The end of the file could not be fetched: the last lines of the page are kept, and the text says so.",
    ),
    Reason(_SUMMARIZER, "shortened_text", "changed", "A plain text result of another allowed tool was shortened."),
    Reason(
        _SUMMARIZER,
        "cut_lines_named",
        "changed",
        "Nothing was left out by us; the host had cut long lines, and the hint now says which and how to get them.",
    ),
)


def of_system(system: str) -> tuple[Reason, ...]:
    """The reasons of one system, in the order in which they are documented."""
    return tuple(reason for reason in REASONS if reason.system == system)
