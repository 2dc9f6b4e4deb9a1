"""What a host attaches to a message because of words in it: found in a request, and kept from happening."""

import re

from herma.core.people.request.shapes import NotUnderstood, view
from herma.core.people.request.steering import own_row

__all__ = ["carries_context", "neutralise"]

# The headings over what both hosts attach, and over what they say of files that they could not attach.
_ATTACHED = re.compile(r"^--- (?:Attached Context|Context Warnings) ---$", re.MULTILINE)
# Wider than any host's own pattern: 0.22 lets other plugins add words before the colon.
_REFERENCE = re.compile(r"(?<![\w/])@(?=(?:diff|staged)\b|[A-Za-z][A-Za-z0-9_-]*:)")


def carries_context(request: object) -> bool | NotUnderstood:
    """Whether the message that the turn is about, or one behind it, carries a file, a folder, a page or a difference.

    Who types such a heading is taken for somebody who attached: it is never the other way round.
    """
    seen = view(request)
    if isinstance(seen, NotUnderstood):
        return seen
    own = own_row(seen)
    newest = seen.rows[seen.rows.index(own) :] if own is not None else seen.rows
    return any(_ATTACHED.search(text.text) for row in newest if row.kind == "user" for text in row.texts)


def neutralise(text: str) -> str:
    """`text` with a blank behind the sign of every reference to a file, a page or a difference: only words then."""
    return _REFERENCE.sub("@ ", text)
