"""A few words around the first hit, on one line."""

from collections.abc import Iterable

__all__ = ["LONGEST", "cut", "snippet"]

LONGEST = 240
_BEFORE = 80


def snippet(text: str, words: Iterable[str]) -> str:
    """At most 240 characters of `text` from 80 before where the first of `words` stands; its start where none does."""
    flat = " ".join(text.split())
    low = flat.casefold()
    found = [at for at in (low.find(word) for word in words if word) if at >= 0] if len(low) == len(flat) else []
    start = max(0, min(found, default=0) - _BEFORE)
    if start + LONGEST > len(flat):
        start = max(0, len(flat) - LONGEST)
    return f"{'…' if start else ''}{flat[start : start + LONGEST]}{'…' if start + LONGEST < len(flat) else ''}"


def cut(text: str, most: int) -> str:
    """`text`, or its first `most` characters and a sign that there is more."""
    return text if len(text) <= most else f"{text[:most]}…"
