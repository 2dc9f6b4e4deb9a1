"""Who a turn or a call acts as: a value made once a turn and passed along, never looked up by session or text."""

from typing import NamedTuple

__all__ = ["NOBODY", "OPERATOR", "Standing"]


class Standing(NamedTuple):
    """The authority behind a turn or a call.

    `kind` says how it was found: `person` (the platform named the sender), `seat` (the host's own terminal), `subagent`
    (its parent's turn), `cron` (the job's creator), `nested` (a script's call, the outer turn), `machine` (a known
    session without a human turn), `stranger` (a sender who is not on the roster), `unknown` (no evidence at all).
    `person_id` is empty for nobody. `others` are people whose words are in the same turn: what is allowed has to be
    allowed to each of them too.
    """

    person_id: str
    role: str
    kind: str
    name: str = ""
    account: str = ""
    others: tuple["Standing", ...] = ()

    @property
    def is_owner(self) -> bool:
        """Whether this is an owner alone: nobody else's words are in the turn."""
        return self.role == "owner" and all(other.is_owner for other in self.others)

    @property
    def is_known(self) -> bool:
        """Whether a person on the roster stands behind it."""
        return bool(self.person_id) and self.kind != "stranger"


NOBODY = Standing(person_id="", role="guest", kind="unknown")
OPERATOR = Standing(person_id="operator", role="owner", kind="seat", name="operator", account="")
