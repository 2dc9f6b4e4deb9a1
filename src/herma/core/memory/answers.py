"""What the `memory` tool says: what came of a call, and after a failure all that is needed to get it right at once."""

from collections.abc import Callable, Mapping, Sequence

from herma.core.memory.arguments import Request
from herma.core.memory.entries import size
from herma.core.memory.operations import Applied, Failure, Step
from herma.core.memory.shown import as_shown, preview
from herma.core.memory.similar import alike, pairs
from herma.core.memory.targets import TARGETS
from herma.core.memory.usage import free, near_limit, usage

__all__ = ["MOST_FAILURES", "complaint", "failed", "given_up", "saved"]

MOST_FAILURES = 3
_MOST_SIMILAR = 3

_DONE = "This is complete: do not repeat it. The prompt shows it from the next session on."


def saved(request: Request, before: Sequence[str], applied: Applied, limit: int) -> dict[str, object]:
    """The answer to a call whose operations were all done. `before` are the entries that it met."""
    entries = applied.entries
    told: dict[str, object] = {
        "success": True,
        "target": request.target,
        "message": _message(request, before, applied),
        "usage": usage(request.target, entries, limit),
        "entry_count": len(entries),
        "free_chars": free(entries, limit),
        **_met(request, applied.steps),
    }
    close = _close(applied, before)
    if close:
        told["similar_entries"] = close
        told["note"] = "Entries much like the new one are there. If one of them is superseded, replace or remove it."
    if near_limit(entries, limit):
        told["warning"] = "This list is nearly full: merge, shorten or demote entries before it is."
    return told


def failed(request: Request, failure: Failure, current: Sequence[str], limit: int) -> dict[str, object]:
    """The answer to a call that changed nothing. `current` are the entries as they stay."""
    where = f"Operation {failure.position} ({failure.operation.action}): " if request.batch and failure.position else ""
    nothing = " No operation of this call was carried out." if request.batch else ""
    told: dict[str, object] = {
        "success": False,
        "target": request.target,
        "error": f"{where}{_ERRORS[failure.kind](failure, request, current, limit)}{nothing}",
        "usage": usage(request.target, current, limit),
        "free_chars": free(current, limit),
    }
    if failure.kind == "over":
        told["too_many_chars"] = size(failure.entries) - limit
        told["near_duplicates"] = [
            {"entries": [one + 1, two + 1], "texts": [as_shown(current[one]), as_shown(current[two])]}
            for one, two in pairs(current)
        ]
    if failure.matches:
        told["matches"] = [preview(entry) for entry in failure.matches]
    if failure.kind in ("over", "no_match", "no_old_text", "losses"):
        told["current_entries"] = [preview(entry) for entry in current]
        told["entry_chars"] = [len(entry) for entry in current]
    return told


def complaint(error: str) -> dict[str, object]:
    """The answer to a call that could not be understood or carried out at all."""
    return {"success": False, "error": error}


def given_up(failures: int) -> dict[str, object]:
    """The answer that ends a row of failures within one turn."""
    return {
        "success": False,
        "done": True,
        "error": f"Writing to memory failed {failures} times in this turn. Nothing was saved. Stop trying, go on with "
        "the person's request, and try again in a later turn if it still matters.",
    }


def _message(request: Request, before: Sequence[str], applied: Applied) -> str:
    if request.batch:
        return f"All {len(applied.steps)} operations were applied together. {_kept(request, applied.steps)}{_DONE}"
    step = applied.steps[0]
    if tuple(before) == applied.entries:
        return f"This entry is there already; nothing was written. {_DONE}"
    return f"{_DID[step.action]} {_kept(request, applied.steps)}{_DONE}"


_DID = {"add": "Entry added.", "replace": "Entry replaced.", "remove": "Entry removed.", "demote": "Entry demoted."}


def _kept(request: Request, steps: Sequence[Step]) -> str:
    """Where a demoted entry is now: there is no provider that could recall it."""
    if not any(step.action == "demote" for step in steps):
        return ""
    file = TARGETS[request.target].demoted
    return f"What was demoted is out of the prompt and kept in {file} beside the list; nothing recalls it by itself. "


def _met(request: Request, steps: Sequence[Step]) -> dict[str, object]:
    """The whole entries that the operations met."""
    if request.batch:
        return {"resolved": [_resolved(step) for step in steps]}
    return {"matched": as_shown(steps[0].matched)} if steps[0].matched else {}


def _resolved(step: Step) -> dict[str, object]:
    told: dict[str, object] = {"action": step.action}
    if step.matched:
        told["matched"] = as_shown(step.matched)
    if step.content:
        told["content"] = step.content
    return told


def _close(applied: Applied, before: Sequence[str]) -> list[str]:
    """Entries that say much the same as an added one and were there before."""
    new = [step.content for step in applied.steps if step.action == "add" and not step.matched]
    stay = [entry for entry in applied.entries if entry in before] if new else []
    found = dict.fromkeys(at for text in new for at in alike(text, stay))
    return [preview(stay[at]) for at in list(found)[:_MOST_SIMILAR]]


def _over(failure: Failure, request: Request, current: Sequence[str], limit: int) -> str:
    final = size(failure.entries)
    return (
        f"The list {request.target!r} would have {final:,} of {limit:,} chars, {final - limit:,} too many "
        f"(now {size(current):,}). Consolidate now, in this turn, with one call: in `operations`, replace entries by "
        "shorter ones or two by one, demote what is seldom needed, remove what is wrong, and repeat your addition. "
        "Only the final size counts."
    )


def _no_match(failure: Failure, *_: object) -> str:
    return f"No entry holds {failure.detail!r}. Use a piece of one of current_entries, word for word, as old_text."


def _ambiguous(failure: Failure, *_: object) -> str:
    return f"{len(failure.matches)} entries hold {failure.detail!r}. Use a longer piece that only one of them holds."


def _no_content(failure: Failure, *_: object) -> str:
    return f"{failure.operation.action} requires content."


def _no_old_text(failure: Failure, *_: object) -> str:
    return f"{failure.operation.action} requires old_text: a piece of the entry that is meant, and of no other."


def _unknown(failure: Failure, *_: object) -> str:
    return f"Unknown action {failure.detail!r}."


def _refused(failure: Failure, *_: object) -> str:
    return f"This text may not be kept: {failure.detail}. Write the fact in other words, or leave it out."


def _losses(failure: Failure, *_: object) -> str:
    return (
        f"Without the person at most {failure.detail} entries may be removed or superseded in one run. Demote or "
        "shorten the others."
    )


_ERRORS: Mapping[str, Callable[[Failure, Request, Sequence[str], int], str]] = {
    "over": _over,
    "no_match": _no_match,
    "ambiguous": _ambiguous,
    "no_content": _no_content,
    "no_old_text": _no_old_text,
    "unknown_action": _unknown,
    "refused": _refused,
    "losses": _losses,
}
