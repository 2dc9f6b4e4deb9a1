"""The `memory` tool as models see it."""

from herma.core.memory.operations import ACTIONS
from herma.core.memory.targets import TARGETS

__all__ = ["NAME", "schema"]

NAME = "memory"

_DESCRIPTION = """\
Keep what should still be known in later sessions. Two lists, each with a size limit: target `memory` is for your own \
notes (environment, conventions, what you found out), target `user` for what you know of the person (who they are, how \
they like things done).

One change: `action` with `content` (add), `old_text` and `content` (replace), or `old_text` (remove, demote). \
`old_text` is any piece that only one entry holds. Several changes: one call with `operations`; they are carried out \
in order, all of them or none, and only the final size counts, so that one call can make room and add.

Save at once, without being asked: preferences and corrections first, then facts about the environment, then what took \
effort to learn. Skip what is trivial, easily found again, long, or only true today: progress, to-do lists, results.

`remove` is for what is wrong or superseded. `demote` takes an entry that is true but seldom needed out of the prompt \
and keeps it beside. When a list is full the answer says what is in it and how much must go: shorten, merge, demote or \
remove in the same call that adds. A saved entry needs no second call."""

_CONTENT = "The text of the entry, for add and replace: one fact, short."
_OLD_TEXT = "For replace, remove and demote: a piece of the entry that is meant and of no other."


def schema() -> dict[str, object]:
    """The tool's name, description and parameters, the latter as a JSON schema."""
    action = {"type": "string", "enum": list(ACTIONS), "description": "What to do with the entry."}
    one = {
        "action": action,
        "content": {"type": "string", "description": _CONTENT},
        "old_text": {"type": "string", "description": _OLD_TEXT},
    }
    item = {"type": "object", "properties": dict(one), "required": ["action"], "additionalProperties": False}
    target = {"type": "string", "enum": list(TARGETS), "description": "Which list: your notes, or the person."}
    operations = {"type": "array", "items": item, "description": "Several changes of one list, together."}
    parameters = {
        "type": "object",
        "properties": {"target": target, **one, "operations": operations},
        "required": ["target"],
        "additionalProperties": False,
    }
    return {"name": NAME, "description": _DESCRIPTION, "parameters": parameters}
