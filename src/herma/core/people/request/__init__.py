"""The request that goes out to the model, looked into and rewritten; the one that was given is never changed."""

from herma.core.people.request.answer import Answer, refusal_response
from herma.core.people.request.attachments import hold_back_paths
from herma.core.people.request.context import carries_context, neutralise
from herma.core.people.request.edits import Rewritten
from herma.core.people.request.insert import insert_in_newest_user, insert_in_system, take_back, take_out_cards
from herma.core.people.request.personal import ANSWERED, take_out_answers
from herma.core.people.request.shapes import NotUnderstood, view
from herma.core.people.request.steering import UNKNOWN, Steered, steered, take_out
from herma.core.people.request.withhold import take_out_onboarding, take_out_recalled, withhold

__all__ = [
    "ANSWERED",
    "UNKNOWN",
    "Answer",
    "NotUnderstood",
    "Rewritten",
    "Steered",
    "carries_context",
    "hold_back_paths",
    "insert_in_newest_user",
    "insert_in_system",
    "neutralise",
    "refusal_response",
    "steered",
    "take_back",
    "take_out",
    "take_out_answers",
    "take_out_cards",
    "take_out_onboarding",
    "take_out_recalled",
    "view",
    "withhold",
]
