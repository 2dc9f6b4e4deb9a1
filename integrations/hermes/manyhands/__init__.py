"""manyhands for Hermes Agent. The plugin is in the installed package `herma`.

The one piece of logic here: where that package cannot be imported, only the machine's own terminal is served. A policy
that is absent would be an open one.
"""

__all__ = ["register"]

from typing import Any

try:
    from herma.hosts.hermes.manyhands import register
except Exception as _error:  # noqa: BLE001 - whatever keeps the policy away, nobody gets in without it
    from types import SimpleNamespace

    _HOW = (
        "manyhands is switched on, and its package `herma` cannot be imported here "
        f"({type(_error).__name__}), so nobody but the machine's own terminal is served. Install it into the "
        "environment that Hermes runs from: pip install herma. Or take manyhands out of plugins.enabled."
    )

    def register(ctx: Any) -> None:
        """Register nothing but refusals."""
        local = set()

        def pre_llm_call(**payload: Any) -> dict[str, str] | None:
            if payload.get("platform") == "cli" and not payload.get("sender_id"):
                local.add(payload.get("turn_id"))
                return None
            return {"action": "block", "message": _HOW}

        def pre_tool_call(**payload: Any) -> dict[str, str] | None:
            known = payload.get("turn_id") and payload.get("turn_id") in local
            return None if known else {"action": "block", "message": _HOW}

        def llm_execution(**payload: Any) -> object:
            if payload.get("turn_id") and payload.get("turn_id") in local:
                return payload["next_call"]()
            message = SimpleNamespace(role="assistant", content=_HOW, tool_calls=None, reasoning_content=None)
            choice = SimpleNamespace(index=0, message=message, finish_reason="stop")
            return SimpleNamespace(id="manyhands", model="manyhands", usage=None, choices=[choice])

        ctx.register_hook("pre_llm_call", pre_llm_call)
        ctx.register_hook("pre_tool_call", pre_tool_call)
        ctx.register_middleware("llm_execution", llm_execution)
