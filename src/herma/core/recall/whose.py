"""Whose past is searched: no call to recall is without it."""

from typing import NamedTuple

__all__ = ["Span", "Whose", "everything"]


class Span(NamedTuple):
    """What of one session is a person's past: its messages from `first_at` to `last_at`, both included."""

    session_id: str
    first_at: int
    last_at: int


class Whose(NamedTuple):
    """A person and their spans. None for the spans: the whole store is this one person's."""

    person: str
    spans: tuple[Span, ...] | None


def everything(person: str) -> Whose:
    """For a host that has one person only."""
    return Whose(person, None)
