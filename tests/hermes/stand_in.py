"""The parts of a running Hermes that the read-once plugin touches, in this process.

The order is that of the versions: 0.19 runs `pre_tool_call` before `tool_execution` middleware and nests two frames
for a call of a batch; 0.22 runs it inside.
"""

import json
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import pytest
from tests.engine.conversation import Hermes

from herma.app import Runtime
from herma.hosts.hermes import read_once
from herma.hosts.hermes.gates import Gates

HOOKS = {"pre_tool_call", "post_tool_call", "pre_llm_call", "subagent_start", "on_session_end"}
HOOKS |= {"on_session_reset", "on_session_finalize"}
LATER = {"post_compaction", "on_session_delete"}
MODULES = {"0.19.0": "tools.file_tools", "0.22.2": "tools.file_tools_read_tracking"}


class Host:
    """One host with its plugins; it is also the plugin context and the plugin manager."""

    profile_name = "default"

    def __init__(self, version: str, *, valid_hooks: set[str] = HOOKS) -> None:
        self.version = version
        self.files = Hermes(version)
        self.valid_hooks = valid_hooks
        self.hooks: dict[str, list[Callable[..., object]]] = {}
        self._middleware: dict[str, list[Callable[..., object]]] = {}
        self.commands: dict[str, Callable[..., Any]] = {}
        self.requests: list[object] = []

    # --- the plugin context

    def register_hook(self, hook_name: str, callback: Any) -> None:
        """As the host's."""
        self.hooks.setdefault(hook_name, []).append(callback)

    def register_middleware(self, kind: str, callback: Any) -> None:
        """As the host's: what is registered first is outermost."""
        self._middleware.setdefault(kind, []).append(callback)

    def register_command(self, name: str, handler: Any, description: str = "", args_hint: str = "") -> None:
        """As the host's."""
        assert description
        assert args_hint
        self.commands[name] = handler

    def dispatch_tool(self, tool_name: str, args: dict[str, object], **_: object) -> object:
        """As the host's; this plugin has no use for it."""
        raise AssertionError((tool_name, args))

    # --- what the host does

    def hook(self, name: str, **payload: object) -> list[object]:
        """Every callback's answer that is not None."""
        answers = (callback(telemetry_schema_version="hermes.observer.v1", **payload) for callback in self.hooks[name])
        return [answer for answer in answers if answer is not None]

    def llm(self, request: object, response: object = None, **ids: object) -> object:
        """Sends a request through the middleware; what is sent at the end is kept."""

        def send(sent: object) -> object:
            self.requests.append(sent)
            return response

        return self._chain("llm_execution", "request", request, send, ids)

    def tool(self, arguments: Mapping[str, object], *, nested: bool = False, **ids: Any) -> object:
        """Runs one call of `read_file`."""
        ids = {"tool_name": "read_file", **ids}

        def handler(args: object) -> object:
            assert isinstance(args, Mapping)
            return self.files.read(str(ids["task_id"]), args)

        if self.version == "0.19.0":
            blocked = self._gate(arguments, ids)
            if blocked is not None:
                return blocked
            if nested:
                inner = handler

                def handler(args: object) -> object:
                    return self._chain("tool_execution", "args", args, inner, ids)

            return self._chain("tool_execution", "args", arguments, handler, ids)

        def gated(args: object) -> object:
            blocked = self._gate(args, ids)
            return handler(args) if blocked is None else blocked

        return self._chain("tool_execution", "args", arguments, gated, ids)

    def _gate(self, arguments: object, ids: Mapping[str, object]) -> str | None:
        for answer in self.hook("pre_tool_call", args=arguments, **ids):
            if isinstance(answer, dict) and answer.get("action") == "block":
                return json.dumps({"error": answer["message"]})
        return None

    def _chain(
        self, kind: str, key: str, payload: object, last: Callable[[object], object], ids: Mapping[str, object]
    ) -> object:
        callbacks = list(self._middleware.get(kind, ()))

        def at(index: int, current: object) -> object:
            if index == len(callbacks):
                return last(current)
            called: list[object] = []

            def next_call(changed: object = None) -> object:
                assert not called, "next_call is for one use"
                called.append(True)
                return at(index + 1, current if changed is None else changed)

            return callbacks[index](**{**ids, key: current, "next_call": next_call})

        return at(0, payload)


class Plugged:
    """A host with the plugin on it, and how to talk on it. `messages` are the results that a request holds."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.runtime = Runtime("/home", "default")
        self.messages: list[object] = []
        self.turn = 1
        self.calls = 0

    def register(self) -> None:
        """What the host calls at start."""
        read_once.register(self.host)

    def ids(self, **over: object) -> dict[str, Any]:
        """The ids of the call that comes next."""
        turn = f"session:task:{self.turn}"
        ids = {
            "session_id": "session",
            "task_id": "task",
            "turn_id": turn,
            "api_request_id": f"{turn}:api:{self.calls}",
        }
        return {**ids, **over}

    def ask(self, **over: object) -> None:
        """Sends a request with the messages."""
        self.calls += 1
        messages = [{"role": "tool", "content": text} for text in self.messages]
        self.host.llm({"messages": messages}, **self.ids(**over))

    def read(self, path: object, *, nested: bool = False, **over: object) -> object:
        """A request and a read that comes out of it."""
        self.ask()
        ids = {**self.ids(), "tool_call_id": f"call_{self.calls}", **over}
        result = self.host.tool({"path": str(path)}, nested=nested, **ids)
        self.messages.append(result)
        return result

    def reasons(self) -> dict[str, int]:
        """What was counted."""
        return self.runtime.counters.reasons("read-once")


def plug(host: Host, monkeypatch: pytest.MonkeyPatch, *, last: bool = True) -> Plugged:
    """Puts the host's modules in their places; `last` registers the plugin now, as the last of all."""
    plugged = Plugged(host)
    limit = host.files.facts()
    schema = {"parameters": {"properties": {"limit": {"default": limit.default_limit, "maximum": limit.most_lines}}}}
    registry = type("Registry", (), {"get_schema": staticmethod(lambda name: schema if name == "read_file" else None)})
    functions: dict[str, object] = {
        "reset_file_dedup": host.files.compacted,
        "notify_other_tool_call": host.files.calm,
    }
    place: dict[str, dict[str, object]] = {
        "hermes_cli": {},
        "hermes_cli.plugins": {"get_plugin_manager": lambda: host, "VALID_HOOKS": host.valid_hooks},
        "hermes_constants": {"get_hermes_home": lambda: "/home"},
        "tools": {},
        "tools.registry": {"registry": registry()},
        MODULES[host.version]: functions,
    }
    for name, members in place.items():
        module = ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(read_once, "_gates", Gates())
    monkeypatch.setattr(read_once, "runtime", lambda _home, _profile: plugged.runtime)
    if last:
        plugged.register()
    return plugged
