"""The hooks that end conversations and name subagents, with payloads as the hosts send them.

`post_compaction` and `on_session_delete` come from a later host that cannot be run here; their payloads are replayed.
"""

from pathlib import Path
from typing import Any

import pytest
from tests.engine.conversation import is_note
from tests.hermes.stand_in import HOOKS, LATER, Host, Plugged


@pytest.fixture
def host() -> Host:
    return Host("0.22.2", valid_hooks=HOOKS | LATER)


def _ended(on: Plugged, notes: Path, hook: str, payload: dict[str, Any]) -> bool:
    """Whether the hook ended the session that has read the notes."""
    on.read(notes)
    assert on.host.hook(hook, **payload) == []
    on.turn += 1
    return not is_note(str(on.read(notes)))


@pytest.mark.parametrize(
    "hook, payload",
    [
        (
            "on_session_reset",
            {"session_id": "new", "old_session_id": "session", "new_session_id": "new", "reason": "new"},
        ),
        ("on_session_reset", {"session_id": "session", "platform": "cli"}),
        ("on_session_finalize", {"session_id": "session", "platform": "cli", "reason": "shutdown"}),
        ("on_session_finalize", {"session_id": None, "platform": "cli", "reason": "shutdown"}),
        ("on_session_finalize", {"platform": "gateway", "reason": "shutdown"}),
        ("on_session_finalize", {"session_id": "", "reason": "session_expired"}),
        ("on_session_finalize", {"session_id": 7}),
        ("post_compaction", {"session_id": "session"}),
        ("post_compaction", {"session_id": "after", "old_session_id": "session"}),
        ("post_compaction", {}),
        ("on_session_delete", {"deleted_ids": ["other", "session"]}),
        ("on_session_delete", {"session_id": "other", "deleted_ids": ("session",)}),
        ("on_session_delete", {"session_id": "session", "deleted_ids": []}),
        ("on_session_delete", {"session_id": "session"}),
        ("on_session_delete", {}),
        ("on_session_delete", {"deleted_ids": "other"}),
        ("on_session_delete", {"deleted_ids": 0}),
        ("on_session_delete", {"deleted_ids": {"other": 1}}),
        ("on_session_delete", {"session_id": "other", "deleted_ids": "session"}),
        ("on_session_delete", {"session_id": "other", "deleted_ids": [3]}),
        ("on_session_delete", {"session_id": "other", "deleted_ids": [None]}),
        ("on_session_delete", {"session_id": "other", "deleted_ids": [""]}),
    ],
)
def test_a_hook_that_names_the_session_or_none_or_in_no_known_way_ends_it(
    on: Plugged, notes: Path, hook: str, payload: dict[str, Any]
) -> None:
    assert _ended(on, notes, hook, payload)


@pytest.mark.parametrize(
    "hook, payload",
    [
        ("on_session_reset", {"session_id": "new", "old_session_id": "other", "new_session_id": "new"}),
        ("on_session_finalize", {"session_id": "other"}),
        ("post_compaction", {"session_id": "other"}),
        ("on_session_delete", {"deleted_ids": ["other", "third"]}),
        ("on_session_delete", {"session_id": "other", "deleted_ids": None}),
        ("on_session_end", {"session_id": "session", "completed": True, "interrupted": False}),
        ("on_session_end", {}),
        ("post_tool_call", {"session_id": "session", "tool_name": "read_file", "status": "ok"}),
        ("subagent_start", {"parent_session_id": "session", "child_session_id": "child"}),
        ("pre_llm_call", {"session_id": "session", "parent_session_id": "", "sender_id": ""}),
        ("pre_llm_call", {"session_id": "session"}),
    ],
)
def test_any_other_payload_ends_nothing(on: Plugged, notes: Path, hook: str, payload: dict[str, Any]) -> None:
    assert not _ended(on, notes, hook, payload)


@pytest.mark.parametrize(
    "hook, payload",
    [
        ("subagent_start", {"parent_session_id": "session", "child_session_id": "child", "child_role": "worker"}),
        ("pre_llm_call", {"session_id": "child", "parent_session_id": "session", "platform": "subagent"}),
    ],
)
def test_a_subagents_reads_pass(on: Plugged, notes: Path, hook: str, payload: dict[str, Any]) -> None:
    on.host.hook(hook, **payload)
    on.read(notes, session_id="child", task_id="sa-0-1")
    assert on.reasons() == {"parent_id": 1}
    on.read(notes)
    on.turn += 1
    assert is_note(str(on.read(notes)))


@pytest.mark.parametrize("child", [None, "", 7, ["child"]])
def test_a_subagent_without_a_session_id_is_nobody(on: Plugged, child: object) -> None:
    on.host.hook("subagent_start", child_session_id=child)
    assert on.reasons() == {}


def test_turns_and_calls_are_counted(on: Plugged) -> None:
    on.host.hook("on_session_end")
    on.host.hook("post_tool_call")
    on.host.hook("post_tool_call")
    assert on.runtime.once.stats().events == {"turns": 1, "tool calls": 2}
