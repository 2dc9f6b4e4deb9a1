"""The answer that stands in for a model's where a request must not go out."""

from typing import NamedTuple

__all__ = ["Answer", "refusal_response"]


class Answer(NamedTuple):
    """A finished reply that no model gave: what the person reads, and the id and model that a host writes down."""

    text: str
    id: str = "manyhands-refusal"
    model: str = "manyhands"


def refusal_response(text: str) -> Answer:
    """The refusal `text` as an answer; a host takes an empty reply for a failure and asks again, so it never is."""
    return Answer(text.strip() or "This was refused.")
