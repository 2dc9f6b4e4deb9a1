"""The memory in a real OpenCode: something is remembered, and a new session knows it and finds what was said."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.hosts.model import Request, ScriptedModel, call, say
from tests.hosts.opencode.household import Household
from tests.hosts.opencode.once import run
from tests.hosts.opencode.program import VERSION, OpenCode, find

__all__ = ["Recall", "as_data", "as_text", "recall"]

_FACT = "Prefers answers in German, with the command first."
_SAID = "Please remember how I like my answers. By the way, Ms Linde has the spare key."
_ASKED = "Who was it again who keeps the key?"


class Recall(NamedTuple):
    """What was seen, or why nothing was run."""

    skipped: str = ""
    answer: str = ""
    in_writing_session: bool = False
    in_next_session: bool = False
    shown: tuple[str, ...] = ()
    asked: str = _ASKED
    found: str = ""


def recall() -> Recall:
    """Two sessions of the real program against a scripted model; skipped with its reason where that is missing."""
    opencode = find()
    if opencode.missing:
        return Recall(skipped=opencode.missing)
    with TemporaryDirectory(prefix="herma-demo-") as root, ScriptedModel() as model:
        return _recall(Path(root), opencode, model)


def _recall(root: Path, opencode: OpenCode, model: ScriptedModel) -> Recall:
    household = Household(root, opencode, model_url=model.url)
    model.replies(
        call("memory", target="user", action="add", content=_FACT),
        say("Noted."),
        call("session_search", query=_ASKED),
        say("Frau Linde."),
    )
    run(household, _SAID)
    written = _own(model)
    run(household, _ASKED)
    new = _own(model)[len(written) :]
    return Recall(
        answer=json.loads(written[-1].last_tool_text)["message"],
        in_writing_session=any(_FACT in _memory(request) for request in written),
        in_next_session=all(_FACT in _memory(request) for request in new),
        shown=tuple(_memory(new[0]).splitlines()[-3:]),
        found=json.loads(new[-1].last_tool_text)["results"][0]["matches"][0]["snippet"],
    )


def _own(model: ScriptedModel) -> list[Request]:
    return [request for request in model.requests if not request.aux]


def _memory(request: Request) -> str:
    """What stands behind the host's own system prompt."""
    return "\n".join(request.texts("system")[1:])


def as_data(part: Recall) -> dict[str, object]:
    """The part for a program."""
    return {"version": VERSION, **part._asdict()}


def as_text(part: Recall) -> str:
    """The part for a person."""
    title = f"OpenCode {VERSION}: two sessions, a scripted model, no key."
    if part.skipped:
        return f"\n{title}\nSkipped: {part.skipped}."
    seen = {True: "has it", False: "does not have it"}
    lines = [
        "",
        title,
        f"  the tool said            {part.answer}",
        f"  the session that wrote   {seen[part.in_writing_session]} in its prompt: what was sent stays as it was",
        f"  the next session         {seen[part.in_next_session]} in its prompt:",
        *(f"    {line}" for line in part.shown),
        f"  asked there              {part.asked}",
        f"  session_search finds     {part.found}",
    ]
    return "\n".join(lines)
