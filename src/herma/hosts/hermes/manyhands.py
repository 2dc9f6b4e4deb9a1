"""The manyhands plugin: who is speaking, what they may do, who is asked, in a Hermes gateway that many people share.

Every callback goes through the guard as a permission feature: what fails, refuses. What Hermes 0.19 takes for an
answer that lets a tool run (an exception, a block without a message) never leaves this module, and an answer of an
unexpected kind counts as a failure.
"""

import json
import logging
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, Protocol

from herma.app import Runtime, runtime
from herma.core.people import refusals
from herma.core.people.principal import Standing
from herma.engine.guard import Feature, Guard, Kind
from herma.engine.people.turns import Call, Live
from herma.hosts.hermes import configuration
from herma.hosts.hermes.people.calling import CALLING
from herma.hosts.hermes.people.household import Household, Outgoing, TurnNote
from herma.hosts.hermes.people.payload import call_of, word

__all__ = ["PLUGIN", "register"]

PLUGIN = "manyhands"

_log = logging.getLogger("herma")

_MOST_REFUSED = 1_024
_LISTINGS = ("tool_search", "tool_describe")
# What is said where even the words for a failure cannot be had.
_FAILED = "This was refused, because manyhands could not judge it. `herma doctor` says more."
_UNPROVED = "manyhands did not refuse a call that it has to refuse, so it refuses everything. `herma doctor` says more."
_PROOF = "herma:proof"


class PeopleContext(Protocol):
    """The part of Hermes' plugin context that this plugin uses."""

    def register_hook(self, hook_name: str, callback: object) -> object:
        """Register a hook callback."""
        ...

    def register_middleware(self, kind: str, callback: object) -> object:
        """Register a middleware callback."""
        ...

    def register_command(self, name: str, handler: object, description: str = "", args_hint: str = "") -> object:
        """Register a slash command."""
        ...

    def register_tool(self, **kwargs: object) -> object:
        """Register a tool."""
        ...


def register(ctx: PeopleContext) -> None:
    """Register with Hermes. It is not ready before it has refused a call that nobody may make.

    Where it does not refuse that one, all that is registered is refusals: without a policy everything would run.
    """
    home = configuration.home()
    shared = runtime(home, configuration.profile(home))
    household = shared.part(PLUGIN, lambda: Household(home, shared.profile, Guard(shared.counters)))
    plugin = Manyhands(shared, household)
    if not plugin.prove():
        _shut(ctx)
        return
    for name, callback in plugin.hooks().items():
        ctx.register_hook(name, callback)
    ctx.register_middleware("llm_execution", plugin.llm_execution)
    ctx.register_middleware("tool_execution", plugin.tool_execution)
    plugin.offer(ctx)


class Manyhands:
    """The callbacks of one profile. None of them raises, and none but the middlewares waits for the host."""

    def __init__(self, shared: Runtime, household: Household) -> None:
        self._house = household
        self._guard = Guard(shared.counters)
        self._watch: Feature[None] = Feature(PLUGIN, Kind.PERMISSION, None)
        self._announced: Any = None
        self._refused: dict[tuple[str, str], str] = {}
        # Turns that have not begun yet, or could be neither begun nor refused: nothing runs in them and nothing is
        # sent. A host that waits no longer for `pre_llm_call` goes on without it.
        self._broken: dict[object, None] = {}

    def hooks(self) -> dict[str, Callable[..., object]]:
        """Every hook with its callback."""
        return {
            "pre_gateway_dispatch": self.pre_gateway_dispatch,
            "pre_llm_call": self.pre_llm_call,
            "pre_tool_call": self.pre_tool_call,
            "post_tool_call": self.post_tool_call,
            "post_api_request": self.post_api_request,
            "pre_approval_request": self.pre_approval_request,
            "subagent_start": self.subagent_start,
            "on_session_reset": self.session_over,
            "on_session_finalize": self.session_over,
            "transform_tool_result": self.transform_tool_result,
            "transform_llm_output": self.transform_llm_output,
        }

    def prove(self) -> bool:
        """Whether the very callback that the host will call refuses a call in a turn of somebody who is shut out.

        Nothing else is refused under every setting, and while enforcement is paused.
        """
        shut_out = Standing(person_id="", role="blocked", kind="unknown")
        self._house.turns.begin(Live(_PROOF, _PROOF, shut_out), task_id="")
        answer = self.pre_tool_call(
            tool_name="terminal",
            args={"command": "true"},
            turn_id=_PROOF,
            session_id=_PROOF,
            task_id="",
            tool_call_id="",
        )
        return isinstance(answer, dict) and answer.get("action") == "block" and bool(answer.get("message"))

    def pre_gateway_dispatch(self, **payload: Any) -> object:
        """Who is let in, before any turn."""
        shut: Feature[object] = Feature(PLUGIN, Kind.PERMISSION, {"action": "skip", "reason": "manyhands failed"})
        return self._guard.run(shut, partial(self._house.arrive, payload))

    def pre_llm_call(self, **payload: Any) -> dict[str, str] | None:
        """Whose turn it is; what it carries of its person."""
        turn = payload.get("turn_id")
        self._broken[turn] = None
        while len(self._broken) > _MOST_REFUSED:
            self._broken.pop(next(iter(self._broken)))
        failed: Feature[TurnNote | None] = Feature(PLUGIN, Kind.PERMISSION, None)
        note = self._guard.run(failed, partial(self._house.start, payload))
        if not _is_note(note):
            note = self._guard.run(failed, partial(self._house.refuse_turn, payload))
        if note is None or not _is_note(note):
            note = TurnNote(refusal=_FAILED)
        else:
            self._broken.pop(turn, None)
        if note.refusal:  # hosts before 0.23 ignore this; there `llm_execution` answers in the model's place
            return {"action": "block", "message": note.refusal}
        return {"context": note.context} if note.context else None

    def pre_tool_call(self, **payload: Any) -> dict[str, str] | None:
        """Whether a tool runs."""
        closed: Feature[Any] = Feature(PLUGIN, Kind.PERMISSION, _FAILED)
        message = self._guard.run(closed, partial(self._why_not, payload))
        if not isinstance(message, str):  # hosts let a tool run whose block carries anything but a text
            message = _FAILED
        return {"action": "block", "message": message} if message else None

    def _why_not(self, payload: Mapping[str, Any]) -> str:
        """Why a call does not run; empty where it does."""
        if payload.get("turn_id") in self._broken:
            return _FAILED
        call, tool = call_of(payload), word(payload, "tool_name")
        key = call.turn_id, call.tool_call_id
        closed = Feature[Any](PLUGIN, Kind.PERMISSION, None)
        verdict = self._guard.run(closed, partial(self._house.judge, call, tool, payload.get("args")))
        if getattr(verdict, "allowed", None) is True:
            self._refused.pop(key, None)
            return ""
        said = getattr(verdict, "message", "")
        message = said if said and isinstance(said, str) else refusals.failed(tool)
        self._refused[key] = message
        while len(self._refused) > _MOST_REFUSED:
            self._refused.pop(next(iter(self._refused)))
        return message

    def tool_execution(self, **payload: Any) -> object:
        """Tells a handler whose call it is. What was refused stays refused, whatever another plugin answered first."""
        closed = Feature[Any](PLUGIN, Kind.PERMISSION, _FAILED)
        call = self._guard.run(closed, partial(self._called, payload))
        if not isinstance(call, Call):
            return json.dumps({"error": call if isinstance(call, str) else _FAILED}, ensure_ascii=False)
        token = CALLING.set(call)
        try:
            result = payload["next_call"]()
        finally:
            CALLING.reset(token)
        return self._listing(payload, result) if payload.get("tool_name") in _LISTINGS else result

    def _listing(self, payload: Mapping[str, Any], result: object) -> object:
        """What is left of a listing of tools: Hermes 0.22 shows these results to no `transform_tool_result`."""
        closed: Feature[Any] = Feature(PLUGIN, Kind.PERMISSION, json.dumps({"error": _FAILED}))
        cut = self._guard.run(closed, partial(self._house.listed, {**payload, "result": result}))
        return result if cut is None else cut

    def _called(self, payload: Mapping[str, Any]) -> Call | str:
        """The call that is about to run, or why it does not."""
        call = call_of(payload)
        return self._refused.get((call.turn_id, call.tool_call_id), call) if call.tool_call_id else call

    def llm_execution(self, **payload: Any) -> object:
        """The request as this turn's person may send it; or an answer in the model's place."""
        closed = Feature[Any](PLUGIN, Kind.PERMISSION, None)
        begun = payload.get("turn_id") not in self._broken
        plan = self._guard.run(closed, partial(self._outgoing, payload)) if begun else None
        if not isinstance(plan, Outgoing) or plan.refusal != "":
            refusal = plan.refusal if isinstance(plan, Outgoing) else ""
            return self._guard.run(closed, partial(_in_its_place, refusal, payload)) or _last_answer()
        return payload["next_call"]() if plan.request is None else payload["next_call"](plan.request)

    def post_tool_call(self, **payload: Any) -> None:
        """Gives an approval back where something else stopped the call; notes who made a scheduled job."""
        self._refused.pop((payload.get("turn_id", ""), payload.get("tool_call_id", "")), None)
        self._guard.run(self._watch, partial(self._house.ended, payload))

    def post_api_request(self, **payload: Any) -> None:
        """Counts tokens for whoever owns the turn."""
        self._guard.run(self._watch, partial(self._house.used, payload))

    def pre_approval_request(self, **payload: Any) -> None:
        """Learns who a request of the host's is for."""
        self._guard.run(self._watch, lambda: self._transport().announced(payload))

    def subagent_start(self, **payload: Any) -> None:
        """A subagent acts for whoever's turn it was begun in."""
        self._guard.run(self._watch, partial(self._house.child, payload))

    def session_over(self, **payload: Any) -> None:
        """What was approved in a conversation ends with it."""
        self._guard.run(self._watch, partial(self._house.over, payload))

    def transform_tool_result(self, **payload: Any) -> str | None:
        """Lists to a model only what its turn's person may call."""
        if payload.get("tool_name") not in _LISTINGS:
            return None
        closed: Feature[str | None] = Feature(PLUGIN, Kind.PERMISSION, json.dumps({"error": _FAILED}))
        return self._guard.run(closed, partial(self._house.listed, payload))

    def transform_llm_output(self, **payload: Any) -> str | None:
        """Keeps a file that a reply names from being delivered as an attachment, for everybody but an owner."""
        closed: Feature[str | None] = Feature(PLUGIN, Kind.PERMISSION, _FAILED)
        return self._guard.run(closed, partial(self._house.reply, payload))

    def answer_tool(self, name: str, args: Any) -> str:
        """One of the six tools, for the person of the call that runs on this thread."""
        closed: Feature[str] = Feature(PLUGIN, Kind.PERMISSION, json.dumps({"error": _FAILED}))
        return self._guard.run(closed, partial(self._house.answer_tool, name, args, CALLING.get()))

    def present(self, request: Any) -> object:
        """The approval transport of Hermes 0.22."""
        return self._transport().present(request)

    async def command(self, raw: str = "", source: object = None, **payload: Any) -> str:
        """`/many` where the host carries it out itself; in a gateway the door has answered it before."""
        from herma.hosts.hermes.people.commands import Command  # noqa: PLC0415 - not when the host starts

        return await Command(self._house.typed, self._guard)(raw, source, **payload)

    def offer(self, ctx: PeopleContext) -> None:
        """The six tools, the command, the approval transport and the command line."""
        from herma.hosts.hermes.people.offer import offer  # noqa: PLC0415 - imported by nothing that only judges

        offer(ctx, answer=self.answer_tool, command=self.command, present=self.present)

    def _transport(self) -> Any:
        if self._announced is None:
            from herma.hosts.hermes.people.transport import Transport  # noqa: PLC0415 - not when the host starts

            self._announced = Transport(self._house)
        return self._announced

    def _outgoing(self, payload: Mapping[str, Any]) -> Outgoing:
        from herma.hosts.hermes.people.outgoing import outgoing  # noqa: PLC0415 - not when the host starts

        return outgoing(self._house, payload)


def _is_note(note: object) -> bool:
    """Whether this is what a turn carries, and no answer of an unexpected kind."""
    return isinstance(note, TurnNote) and all(isinstance(each, str) for each in note)


def _shut(ctx: PeopleContext) -> None:
    """Register refusals of everything, for everybody."""
    _log.critical("%s", _UNPROVED)
    block = {"action": "block", "message": _UNPROVED}
    ctx.register_hook("pre_llm_call", lambda **_payload: dict(block))
    ctx.register_hook("pre_tool_call", lambda **_payload: dict(block))
    ctx.register_middleware("llm_execution", lambda **_payload: _last_answer(_UNPROVED))


def _last_answer(text: str = _FAILED) -> object:
    """An answer in the model's place that needs nothing else of ours; in another api mode an error to the host."""
    message = SimpleNamespace(role="assistant", content=text, tool_calls=None, reasoning_content=None)
    choice = SimpleNamespace(index=0, message=message, finish_reason="stop")
    return SimpleNamespace(id=PLUGIN, model=PLUGIN, usage=None, choices=[choice])


def _in_its_place(refusal: object, payload: Mapping[str, Any]) -> object:
    from herma.core.people.request.answer import refusal_response  # noqa: PLC0415 - not when the host starts
    from herma.hosts.hermes.people.synthetic import as_response  # noqa: PLC0415 - the same

    text = refusal if refusal and isinstance(refusal, str) else refusals.request_not_understood()
    return as_response(refusal_response(text), word(payload, "api_mode"))
