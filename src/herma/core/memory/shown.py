"""An entry as a model may see it: what is on disk came from anywhere, a person's editor or another program."""

from hashlib import sha256

from herma.core.memory.characters import shown
from herma.core.memory.shape import flat
from herma.core.memory.threats import threats

__all__ = ["as_shown", "preview"]

_PREVIEW = 80
_DIGITS = 8


def as_shown(entry: str) -> str:
    """The entry itself; or, for one that tries to instruct, a line that stands for it and can be used to remove it."""
    found = threats(entry)
    if found:
        mark = sha256(entry.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        return (
            f"[withheld {mark}: this entry looks like an attack ({', '.join(found)}) and is kept out of the prompt. "
            f"To remove it, use `withheld {mark}` as old_text.]"
        )
    return flat(shown(entry))


def preview(entry: str) -> str:
    """The beginning of an entry, as a model may see it."""
    text = as_shown(entry)
    return text if len(text) <= _PREVIEW or text.startswith("[withheld ") else f"{text[:_PREVIEW]}..."
