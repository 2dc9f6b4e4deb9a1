"""The read-once plugin on a stand-in for the host: order, gates, failures, the environment, the command."""

import asyncio
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.engine.conversation import UNCHANGED, is_content, is_note
from tests.hermes.stand_in import HOOKS, LATER, Host, Plugged, plug

from herma.core.settings import VARIABLES
from herma.engine.once import Once
from herma.hosts.hermes import gates, repeats
from herma.hosts.hermes.surface import SURFACES

SURFACE = next(surface for surface in SURFACES if surface.plugin == "read-once")


def _veto(**payload: Any) -> dict[str, str] | None:
    return {"action": "block", "message": f"vetoed {payload['args']['path']}"}


def _command(on: Plugged, text: str) -> str:
    answer: str = asyncio.run(on.host.commands["read-once"](text))
    return answer


# --- what is registered


def test_it_registers_what_its_surface_says(on: Plugged) -> None:
    known = {hook.name for hook in SURFACE.hooks if hook.versions}
    assert set(on.host.hooks) == known
    assert set(on.host._middleware) == {kind.name for kind in SURFACE.middleware}
    assert set(on.host.commands) == {"read-once"}


@pytest.mark.parametrize("valid", [HOOKS, HOOKS | LATER])
def test_the_hooks_of_later_hosts_are_registered_where_they_are_known(
    monkeypatch: pytest.MonkeyPatch, valid: set[str]
) -> None:
    plugged = plug(Host("0.22.2", valid_hooks=valid), monkeypatch)
    assert set(plugged.host.hooks) == valid


def test_registering_again_after_a_rescan_works_on_the_same_state(on: Plugged, notes: Path) -> None:
    on.read(notes)
    on.host.hooks.clear()
    on.host._middleware.clear()
    on.register()
    on.turn += 1
    assert is_note(str(on.read(notes)))


def test_loaded_twice_it_acts_once(on: Plugged, notes: Path) -> None:
    on.register()
    assert [is_note(str(on.read(notes))) for _ in range(4)] == [False, True, False, True]
    assert on.reasons()["hit"] == 2


# --- the request


def test_request_and_response_pass_as_the_very_same_objects(on: Plugged, notes: Path) -> None:
    text = on.read(notes)
    body = {"messages": [{"role": "tool", "content": text}]}
    before = json.dumps(body)
    response = object()
    assert on.host.llm(body, response, **on.ids()) is response
    assert on.host.requests[-1] is body
    assert json.dumps(body) == before


def test_a_request_that_fails_raises_what_it_raised(on: Plugged) -> None:
    def broken(**_: Any) -> object:
        raise ConnectionResetError("reset")

    on.host.register_middleware("llm_execution", broken)
    with pytest.raises(ConnectionResetError):
        on.ask()


def test_a_failure_of_ours_does_not_stop_a_request(on: Plugged, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Once, "saw", _raise)
    on.ask()
    assert len(on.host.requests) == 1
    assert on.reasons()["failed"] == 1


def test_where_another_plugin_may_change_the_request_behind_us_nothing_is_proved(on: Plugged, notes: Path) -> None:
    on.host.register_middleware("llm_execution", lambda **payload: payload["next_call"]({"messages": []}))
    on.read(notes)
    on.turn += 1
    assert is_content(str(on.read(notes)))
    assert "requests behind another plugin" in _command(on, "stats")


def test_a_middleware_in_front_of_us_that_empties_the_request_ends_visibility(notes: Path, on: Plugged) -> None:
    on.host._middleware["llm_execution"].insert(0, lambda **payload: payload["next_call"]({"messages": []}))
    on.read(notes)
    on.turn += 1
    assert is_content(str(on.read(notes)))


@pytest.mark.parametrize("over", [{"task_id": ""}, {"parent_session_id": "p"}, {"parent_task_id": "p"}])
def test_a_request_without_a_task_or_with_a_parent_ends_visibility(
    on: Plugged, notes: Path, over: dict[str, object]
) -> None:
    on.read(notes)
    on.ask()
    ids = {**on.ids(), "tool_call_id": "late"}
    on.host.llm({"messages": []}, **{**on.ids(), "api_request_id": "other", **over})
    assert is_content(str(on.host.tool({"path": str(notes)}, **ids)))


def test_where_the_host_gives_no_request_ids_the_turn_stands_in(on: Plugged, notes: Path) -> None:
    on.messages.append(on.host.tool({"path": str(notes)}, **on.ids(api_request_id="", tool_call_id="c1")))
    on.turn += 1
    on.ask(api_request_id="")
    assert is_note(str(on.host.tool({"path": str(notes)}, **on.ids(api_request_id="", tool_call_id="c2"))))


# --- the gates


@pytest.mark.parametrize("first", [True, False])
def test_a_veto_is_never_skipped_in_whatever_order_the_plugins_come(
    host: Host, notes: Path, monkeypatch: pytest.MonkeyPatch, *, first: bool
) -> None:
    monkeypatch.setenv("READ_ONCE_ROOT", str(notes.parent))
    monkeypatch.setenv("READ_ONCE_HITS", "1")
    on = plug(host, monkeypatch, last=False)
    vetoing: list[bool] = []

    def gate(**payload: Any) -> dict[str, str] | None:
        return _veto(**payload) if vetoing else None

    if first:
        host.register_hook("pre_tool_call", gate)
    on.register()
    if not first:
        host.register_hook("pre_tool_call", gate)
    on.read(notes)
    vetoing.append(True)
    on.turn += 1
    assert on.read(notes) == json.dumps({"error": f"vetoed {notes}"})
    vetoing.clear()
    on.turn += 1
    assert is_note(str(on.read(notes)))


@pytest.mark.parametrize("first", [True, False])
def test_a_veto_by_middleware_is_not_skipped_either(
    host: Host, notes: Path, monkeypatch: pytest.MonkeyPatch, *, first: bool
) -> None:
    monkeypatch.setenv("READ_ONCE_ROOT", str(notes.parent))
    monkeypatch.setenv("READ_ONCE_HITS", "1")
    on = plug(host, monkeypatch, last=False)
    vetoing: list[bool] = []

    def gate(**payload: Any) -> object:
        return "not this time" if vetoing else payload["next_call"]()

    if first:
        host.register_middleware("tool_execution", gate)
    on.register()
    if not first:
        host.register_middleware("tool_execution", gate)
    on.read(notes)
    vetoing.append(True)
    on.turn += 1
    assert on.read(notes) == "not this time"


def test_a_call_whose_gate_was_not_seen_asks_the_host_first(notes: Path, on: Plugged, host: Host) -> None:
    on.read(notes)
    host.hooks["pre_tool_call"].clear()
    on.turn += 1
    reads = host.files.reads
    assert is_note(str(on.read(notes)))
    assert host.files.reads == reads + 1


def test_0_19_answers_at_once_where_its_gate_has_run_and_nobody_stands_behind(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("READ_ONCE_ROOT", str(tmp_path))
    monkeypatch.setenv("READ_ONCE_HITS", "1")
    on = plug(Host("0.19.0"), monkeypatch)
    on.read(notes)
    on.turn += 1
    assert is_note(str(on.read(notes)))
    assert on.host.files.reads == 1
    on.host.register_middleware("tool_execution", lambda **payload: payload["next_call"]())
    on.turn += 1
    assert is_note(str(on.read(notes)))
    assert on.host.files.reads == 2


@pytest.mark.parametrize("nested", [True, False])
def test_the_two_frames_of_a_batch_count_as_one_read(on: Plugged, notes: Path, *, nested: bool) -> None:
    kinds = [is_note(str(on.read(notes, nested=nested))) for _ in range(4)]
    assert kinds == [False, True, False, True]
    assert on.reasons() == {"first_read": 1, "seeded": 2, "hit": 2, "after_note": 1}


def test_the_id_of_a_call_may_come_again_in_a_later_message(on: Plugged, notes: Path) -> None:
    for _ in range(3):
        on.turn += 1
        on.read(notes, tool_call_id="call_0")
    assert on.reasons()["hit"] == 2


# --- failures


def _raise(*_: object, **__: object) -> None:
    raise RuntimeError("ours")


def test_a_failure_before_the_read_leaves_the_hosts_answer(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Once, "before", _raise)
    assert is_content(str(on.read(notes)))
    assert on.host.files.reads == 1
    assert on.reasons() == {"failed": 1}


def test_a_failure_after_the_read_leaves_the_hosts_answer_and_does_not_read_again(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Once, "after", _raise)
    assert is_content(str(on.read(notes)))
    assert on.host.files.reads == 1
    assert on.reasons()["failed"] == 1


def test_what_the_host_raises_passes_unchanged_and_nothing_is_tried_again(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = KeyboardInterrupt("stop"), ValueError("host")
    for each in error:
        calls: list[object] = []

        def failing(*_: object, each: BaseException = each, calls: list[object] = calls) -> str:
            calls.append(1)
            raise each

        monkeypatch.setattr(on.host.files, "read", failing)
        with pytest.raises(type(each)) as caught:
            on.read(notes)
        assert caught.value is each
        assert len(calls) == 1
    monkeypatch.undo()


def test_after_a_failed_read_the_next_is_an_ordinary_one(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(on.host.files, "read", _raise)
        with pytest.raises(RuntimeError):
            on.read(notes, tool_call_id="same")
    assert is_content(str(on.read(notes, tool_call_id="same")))


def test_a_failing_watch_of_gates_blocks_nothing(on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates.Gates, "passed", _raise)
    assert is_content(str(on.read(notes)))


def test_a_host_without_the_functions_is_left_to_itself(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on.read(notes)
    for module in ("tools.file_tools", "tools.file_tools_read_tracking"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    on.messages.clear()
    assert UNCHANGED in str(on.read(notes))
    assert on.reasons()["false_host_stub"] == 1


def test_a_host_that_hides_its_middleware_still_gets_notes_after_its_answer(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "hermes_cli.plugins")
    on.read(notes)
    on.turn += 1
    assert is_note(str(on.read(notes)))
    assert on.host.files.reads == 2


# --- calls that are none of ours


def test_other_tools_pass_untouched(on: Plugged) -> None:
    result = object()
    middleware = on.host._middleware["tool_execution"][0]
    assert middleware(tool_name="terminal", args={}, next_call=lambda: result) is result
    assert on.reasons() == {}


def test_calls_from_inside_a_script_get_every_byte(on: Plugged, notes: Path) -> None:
    on.read(notes)
    nested: dict[str, Any] = {
        "session_id": "",
        "turn_id": "",
        "api_request_id": "",
        "tool_call_id": "",
        "task_id": "task",
    }
    for _ in range(3):
        assert is_content(str(on.host.tool({"path": str(notes)}, **nested)))
    assert on.reasons()["missing_identity"] == 3


def test_a_backend_argument_that_is_not_local_passes(on: Plugged, notes: Path) -> None:
    on.read(notes, backend="docker")
    assert on.reasons() == {"non_local_backend": 1}
    on.read(notes, backend="local")
    assert on.reasons()["seeded"] == 1


def test_arguments_that_are_no_mapping_pass(on: Plugged) -> None:
    middleware = on.host._middleware["tool_execution"][0]
    assert middleware(tool_name="read_file", args=None, next_call=lambda: "x", **on.ids(), tool_call_id="c") == "x"
    assert on.reasons() == {"bad_args": 1}


# --- the environment, read at every call


@pytest.mark.parametrize("value", ["", "0", "true", "01", " 1", "1 ", "yes", None])
def test_only_exactly_1_allows_notes(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    on.read(notes)
    if value is None:
        monkeypatch.delenv("READ_ONCE_HITS")
    else:
        monkeypatch.setenv("READ_ONCE_HITS", value)
    on.turn += 1
    assert not is_note(str(on.read(notes)))
    monkeypatch.setenv("READ_ONCE_HITS", "1")
    on.turn += 1
    assert is_note(str(on.read(notes)))


def test_the_root_is_read_at_every_call(on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on.read(notes)
    monkeypatch.setenv("READ_ONCE_ROOT", "/nowhere")
    on.turn += 1
    assert not is_note(str(on.read(notes)))
    monkeypatch.delenv("READ_ONCE_ROOT")
    on.read(notes)
    assert on.reasons()["root_invalid"] == 1
    assert on.reasons()["root_unset"] == 1


@pytest.mark.parametrize("notice", ["off", "quiet", "verbose", "loud"])
def test_the_notice_changes_the_report_and_no_result(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch, notice: str
) -> None:
    monkeypatch.setenv("READ_ONCE_NOTICE", notice)
    on.read(notes)
    on.turn += 1
    assert is_note(str(on.read(notes)))
    shown = notice if notice != "loud" else "off"
    assert f"notice: {shown}" in _command(on, "status")


def test_the_table_of_variables_is_what_is_read() -> None:
    source = Path(repeats.__file__).read_text(encoding="utf-8")
    named = {variable.name for variable in VARIABLES if variable.system == "read-once"}
    assert named == {"READ_ONCE_ROOT", "READ_ONCE_HITS", "READ_ONCE_NOTICE"}
    assert all(name in source for name in named)


# --- the command


def test_status_and_stats_are_the_same_report(on: Plugged, notes: Path) -> None:
    on.read(notes)
    assert _command(on, "status") == _command(on, "stats") == _command(on, "")
    assert "approx tokens not resent this session: 0 (approx)" in _command(on, "status").split("\n")


def test_the_report_holds_no_text_of_a_file(on: Plugged, notes: Path) -> None:
    for _ in range(3):
        on.read(notes)
    assert "of the notes" not in _command(on, "stats")


def test_refresh_answers_exactly_and_makes_the_next_read_fresh(on: Plugged, notes: Path) -> None:
    on.read(notes)
    expected = f"read-once: next read of {notes} will be fresh (invalidated 1 entries)."
    assert _command(on, f"refresh {notes}") == expected
    on.turn += 1
    assert is_content(str(on.read(notes)))


def test_refresh_takes_a_path_with_blanks_and_one_from_home(
    on: Plugged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my notes.txt"
    path.write_text("a\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    on.read(path)
    assert _command(on, f"  refresh   {path}  ").endswith("(invalidated 1 entries).")
    on.turn += 1
    on.read(path)
    assert _command(on, "refresh ~/my notes.txt").endswith("(invalidated 1 entries).")


def test_refresh_shows_what_hides_in_a_path(on: Plugged) -> None:
    answer = _command(on, "refresh /a/\u202eb\x07")
    assert answer == "read-once: next read of /a/\\u202eb\\x07 will be fresh (invalidated 0 entries)."


def test_in_a_gateway_a_path_is_marked_as_code_so_that_its_file_is_not_delivered_to_the_chat(
    on: Plugged, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gateway.run", ModuleType("gateway.run"))
    on.read(notes)
    expected = f"read-once: next read of `{notes}` will be fresh (invalidated 1 entries)."
    assert _command(on, f"refresh {notes}") == expected
    assert f"root: `{notes.parent}`" in _command(on, "stats").split("\n")
    crafted = _command(on, f"refresh /a`{notes}")
    assert crafted == f"read-once: next read of `/a\\x60{notes}` will be fresh (invalidated 0 entries)."


def test_what_hides_in_the_root_is_made_visible(on: Plugged, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READ_ONCE_ROOT", "/srv/\x1b[2J")
    assert "root: /srv/\\x1b[2J" in _command(on, "stats").split("\n")


@pytest.mark.parametrize("text", ["refresh", "refresh   ", "help", "statuss", "refresh-all /"])
def test_anything_else_is_answered_with_the_usage(on: Plugged, text: str) -> None:
    assert _command(on, text).startswith("read-once: use ")


def test_a_command_works_inside_a_running_event_loop(on: Plugged, notes: Path) -> None:
    async def within() -> str:
        answer: str = await on.host.commands["read-once"](f"refresh {notes}")
        return answer

    assert "will be fresh" in asyncio.run(within())


def test_what_the_host_showed_is_recorded_at_the_first_read(on: Plugged, notes: Path, host: Host) -> None:
    on.read(notes)
    assert on.runtime.capabilities["read-once"] == {
        "gate runs before middleware": host.version == "0.19.0",
        "order of middleware is shown": True,
        "reads can be forgotten": True,
        "terminal policy is shown": False,
        "default limit": host.files.facts().default_limit,
    }
