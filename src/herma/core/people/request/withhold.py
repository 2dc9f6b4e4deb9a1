"""Takes the operator's notes, what a memory provider recalled, and the note about a first message out of a request."""

import re
from collections.abc import Iterator

from herma.core.people.request.edits import Rewritten, edited, rewritten
from herma.core.people.request.notes import Unended, find_notes
from herma.core.people.request.shapes import NotUnderstood, Path, Text, view
from herma.core.people.request.steering import LEFT_OUT

__all__ = ["take_out_onboarding", "take_out_recalled", "withhold"]

# The host puts it behind the first words that anybody ever says to it, or before them; no bracket stands in it.
_ONBOARDING = re.compile(
    r"\n\n\[System note: This is the user's very first message ever\. [^\]]*\]"
    r"|\A\[System note: This is the user's very first message ever\. [^\]]*\](?:\n\n)?"
)

# What a provider of memory recalls stands between these behind a message, and is stored and sent again with it.
_RECALLED = re.compile(r"<\s*memory-context\s*>", re.IGNORECASE)
_RECALLED_ENDS = re.compile(r"</\s*memory-context\s*>", re.IGNORECASE)


def withhold(request: object) -> Rewritten | NotUnderstood:
    """The request without the operator's notes and the block of a memory provider behind them.

    Afterwards no entry of the notes is left in the system prompt, whatever the entries say; the rest of it is as the
    host would have written it without any. Not understood: another shape, or notes whose end cannot be told.
    """
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    edits: dict[Path, object] = {}
    provider = False
    for parts in seen.prompts():
        whole = "".join(part.text for part in parts)
        found = find_notes(whole)
        if isinstance(found, Unended):
            return NotUnderstood("the end of the operator's notes cannot be told")
        if found is not None:
            edits.update(_cut(parts, found.start, found.end))
            provider = provider or found.provider
    return Rewritten(edited(seen.request, edits), provider)


def take_out_onboarding(request: object) -> Rewritten | NotUnderstood:
    """The request without the host's note that this is somebody's very first message, in whichever message it is."""
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    return rewritten(seen, seen.said(), lambda text: _ONBOARDING.sub("", text))


def take_out_recalled(request: object) -> Rewritten | NotUnderstood:
    """The request without what a memory provider recalled, in whichever message it is.

    Who types the same signs loses what stands between them: it is never the other way round.
    """
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    return rewritten(seen, seen.said(), _without_recalled)


def _without_recalled(text: str) -> str:
    begin = _RECALLED.search(text)
    end = None
    for end in _RECALLED_ENDS.finditer(text, begin.end() if begin else len(text)):  # noqa: B007 - the last of them
        pass
    if begin is None or end is None:
        return text
    left = text[: begin.start()].removesuffix("\n\n") + text[end.end() :]
    return left if left.strip() else LEFT_OUT


def _cut(parts: list[Text], start: int, end: int) -> Iterator[tuple[Path, object]]:
    """The edits that take the characters from `start` up to `end` out of the joined texts of `parts`."""
    position = 0
    for path, text in parts:
        first, last = max(start - position, 0), min(end - position, len(text))
        position += len(text)
        if first < last:
            left = text[:first] + text[last:]
            # Providers refuse a block without a text.
            yield (path, left) if left.strip() or path[-1] != "text" else (path[:-1], None)
