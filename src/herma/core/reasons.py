"""Every reason for which Herma acted on something or left it alone.

The list is closed: docs print it, counters refuse anything else, and a test fails when a reason here
is never given.
"""

from typing import NamedTuple

__all__ = ["REASONS", "Reason", "of_system"]


class Reason(NamedTuple):
    """One reason: what was done (`passed`, `changed` or `failed`) and why, in words for a person.

    `group` names the list that a system's own report shows it in, where it has several.
    """

    system: str
    id: str
    outcome: str
    meaning: str
    group: str = ""


_SUMMARIZER = "read-summarizer"
_ONCE = "read-once"
_MEMORY = "opencode-hermes"

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
    Reason(
        _SUMMARIZER,
        "sent_whole",
        "changed",
        "The host said “unchanged” to a read that names its own range, though it had been shortened: it gets its page.",
    ),
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
    Reason(_ONCE, "root_unset", "passed", "READ_ONCE_ROOT is not set, so no file is eligible.", "bypass"),
    Reason(
        _ONCE,
        "root_invalid",
        "passed",
        "READ_ONCE_ROOT is not an absolute path of a folder that can be opened.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "missing_identity",
        "passed",
        "The call carries no session id or no task id, as calls from inside `execute_code` do.",
        "bypass",
    ),
    Reason(_ONCE, "missing_tool_call_id", "passed", "The call has no id of its own that a note could name.", "bypass"),
    Reason(
        _ONCE,
        "parent_id",
        "passed",
        "The call is a subagent's: it may not have seen what its parent read.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "terminal_policy_refused",
        "passed",
        "Hermes could not resolve the profile's terminal policy and refuses to use its terminal.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "non_local_backend",
        "passed",
        "Hermes may read from another machine or a container, where the file here says nothing.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "unknown_arg",
        "passed",
        "The call has an argument other than `path`, `offset` and `limit`.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "no_schema",
        "passed",
        "Hermes's own schema of `read_file` could not be read, so its default page is not known.",
        "bypass",
    ),
    Reason(_ONCE, "bad_args", "passed", "`path` is no text, or `offset` or `limit` is no whole number.", "bypass"),
    Reason(
        _ONCE,
        "relative_path",
        "passed",
        "The path is not absolute, such as `~/notes`: only Hermes knows where it leads.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "credential_path",
        "passed",
        "The path bears a name from the table of credential names; it is neither opened nor hashed.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "outside_root",
        "passed",
        "The file is not below READ_ONCE_ROOT, also where a link in the root leads out of it.",
        "bypass",
    ),
    Reason(_ONCE, "symlink", "passed", "The path is a symbolic link.", "bypass"),
    Reason(_ONCE, "not_regular", "passed", "The path is a folder, a pipe, a device or a socket.", "bypass"),
    Reason(_ONCE, "too_large", "passed", "The file is larger than 1 MiB.", "bypass"),
    Reason(
        _ONCE,
        "stat_failed",
        "passed",
        "The file, or a folder on the way to it, is not there or cannot be looked at.",
        "bypass",
    ),
    Reason(_ONCE, "open_failed", "passed", "The file cannot be opened.", "bypass"),
    Reason(_ONCE, "hash_failed", "passed", "The file could not be read to its end.", "bypass"),
    Reason(_ONCE, "changed_during_hash", "passed", "The file changed while it was read.", "bypass"),
    Reason(
        _ONCE,
        "refresh",
        "passed",
        "The first read after `/read-once refresh`: the host answers it with content.",
        "bypass",
    ),
    Reason(
        _ONCE,
        "first_read",
        "passed",
        "Nothing is known of an earlier read of this window in this conversation.",
        "miss",
    ),
    Reason(
        _ONCE,
        "changed",
        "passed",
        "The file is not the one that was read: its bytes, size, time, device or inode differ.",
        "miss",
    ),
    Reason(
        _ONCE,
        "not_visible",
        "passed",
        "The request that led to this call does not hold the earlier result word for word.",
        "miss",
    ),
    Reason(
        _ONCE,
        "after_note",
        "passed",
        "The read was answered without content in this turn already, so now there is content.",
        "miss",
    ),
    Reason(
        _ONCE,
        "not_exact",
        "passed",
        "The earlier result is in the request, but it is not exactly the window of the file, so there is no note.",
        "miss",
    ),
    Reason(_ONCE, "observing", "passed", "A note could have been given; READ_ONCE_HITS is not 1.", "miss"),
    Reason(
        _ONCE,
        "other_answer",
        "passed",
        "The answer was neither the recorded result nor the host's own to a repeat, and stands byte for byte.",
        "miss",
    ),
    Reason(_ONCE, "not_text", "passed", "The result is not text.", "not_seeded"),
    Reason(_ONCE, "error_result", "passed", "The result is an error or a refusal.", "not_seeded"),
    Reason(
        _ONCE,
        "host_stub",
        "passed",
        "The result is the host's own answer to a repeated read, without content.",
        "not_seeded",
    ),
    Reason(
        _ONCE,
        "truncated",
        "passed",
        "The result says that it is only a part, or that lines were cut.",
        "not_seeded",
    ),
    Reason(
        _ONCE,
        "content_mismatch",
        "passed",
        "The result is not exactly the window of the file's bytes: redacted, converted, or with a remark.",
        "not_seeded",
    ),
    Reason(_ONCE, "changed_during_read", "passed", "The file changed while the host read it.", "not_seeded"),
    Reason(
        _ONCE,
        "backend_changed",
        "passed",
        "While the host read, its terminal turned out not to be local.",
        "not_seeded",
    ),
    Reason(
        _ONCE,
        "ended_meanwhile",
        "passed",
        "The conversation, or what was known of this read, was ended while the host read.",
        "not_seeded",
    ),
    Reason(
        _ONCE,
        "false_host_stub",
        "passed",
        "The host answered a repeat without content, and that the earlier text is still there was not proved.",
        "host",
    ),
    Reason(_ONCE, "seeded", "passed", "The result is exactly the window and is remembered by its length and digest."),
    Reason(_ONCE, "hit", "changed", "The model got the note in the place of content that it has already."),
    Reason(_ONCE, "failed", "failed", "Something went wrong inside Herma; the host answered as without it."),
    Reason(_MEMORY, "failed", "failed", "Something went wrong inside Herma; nothing was saved, or nothing injected."),
    Reason(
        "manyhands",
        "failed",
        "failed",
        "Something went wrong inside Herma: the call, the message or the request was refused, or a count was not kept.",
    ),
)


def of_system(system: str) -> tuple[Reason, ...]:
    """The reasons of one system, in the order in which they are documented."""
    return tuple(reason for reason in REASONS if reason.system == system)
