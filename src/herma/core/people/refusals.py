"""What the model is told when a tool does not run: which of the ends it was, in words it can pass on.

A refusal names the asker's own role and nothing of what others may do. It never carries a code.
"""

from herma.core.people.principal import Standing
from herma.core.people.records import Approval
from herma.core.visible import visible

__all__ = [
    "ENDS",
    "attached",
    "blocked",
    "budget",
    "end_of",
    "ended",
    "failed",
    "no_store",
    "own_state",
    "parked",
    "refused",
    "request_not_understood",
    "unasked",
    "undeliverable",
    "uninvited",
    "waiting",
]

# How an ask ended, as the model is told at the next try or the next turn. `{tool}` stands for the tool.
ENDS = {
    "approved": "An owner approved {tool}. Call it again with exactly the same arguments: that call runs.",
    "denied": "An owner said no to {tool}. Do not try it again and do not look for a way around; tell the person.",
    "expired": "Nobody answered the ask for {tool} in time, so it did not run. Silence is not consent.",
    "superseded": "A later ask of the same person for {tool} took the place of this one.",
    "undeliverable": "The ask for {tool} could not be delivered to any owner, so it counts as denied for now.",
    "lapsed": "An owner approved {tool}, and the time for that ran out before the call was made.",
    "revoked": "What was approved or asked for {tool} was withdrawn: roles, people or the pause have changed since, or "
    "its code was seen in a conversation.",
    "spent": "The approval of {tool} has been used up. Other arguments, or another run, are asked for anew.",
    "returned": "The approved call of {tool} was stopped by something else, and the approval was given back. Call it "
    "again with exactly the same arguments: that call runs.",
}

_BY_KIND = {
    "unknown": "This call carries no identity: no person stands behind it, so it acts with a guest's rights, and "
    "{tool} is not among them. Ask for it in an ordinary chat turn.",
    "nested": "This call comes from a script inside another tool and carries no identity of its own, so {tool} does "
    "not run. Call {tool} directly in a chat turn.",
    "machine": "This turn was begun by the program and not by a person, so {tool} does not run in it.",
    "stranger": "{tool} is not available to somebody who is not on the roster.",
}
_PERSON = "{tool} is not available to you as {role}. Say so politely; an owner decides who may use it."
_MIXED = "Words of more than one person are in this turn, and not all of them may use {tool}, so it does not run."


def end_of(approval: Approval, now: int) -> str:
    """How an ask stands at this time, as a key of `ENDS`; `pending` while it waits for an answer."""
    status = approval.status
    if status == "pending":
        return status if approval.expires_at > now else "expired"
    if status != "approved":
        return status
    if approval.expires_at <= now:
        return "lapsed"
    return "returned" if approval.tool_call_id and not approval.consumed_at else status


def ended(approval: Approval, now: int) -> str:
    """The same in words for a model; empty while it waits."""
    return ENDS.get(end_of(approval, now), "").format(tool=f"“{visible(approval.tool)}”")


def refused(standing: Standing, tool: str) -> str:
    """The tool is not allowed, and there is nobody to ask."""
    shown = f"“{visible(tool)}”"
    if standing.kind in _BY_KIND:
        return _BY_KIND[standing.kind].format(tool=shown)
    text = _MIXED if standing.others else _PERSON
    return text.format(tool=shown, role=visible(standing.role))


def parked(tool: str, seconds: int) -> str:
    """The ask is on its way to an owner. There is no code in it: the model has no use for one."""
    return (
        f"“{visible(tool)}” needs an owner's approval, and the owner has been asked with exactly these arguments. It "
        "did not run. Tell the person; nothing else is to be done now. Once it is approved, within "
        f"{seconds} seconds, repeat exactly this call: other arguments would be asked for anew."
    )


def waiting(tool: str) -> str:
    """The same call is waiting already."""
    return f"“{visible(tool)}” with these arguments waits for an owner's answer. It did not run; do not repeat it yet."


def undeliverable(tool: str) -> str:
    """Nobody who could say yes was reached."""
    return ENDS["undeliverable"].format(tool=f"“{visible(tool)}”")


def unasked(tool: str, why: str) -> str:
    """The ask was not even sent."""
    return f"“{visible(tool)}” needs an owner's approval and the owner was not asked: {why}. It did not run."


def own_state(tool: str) -> str:
    """The call names Herma's own files."""
    return (
        f"“{visible(tool)}” may not touch the files in which the roster, the facts and the audit trail are kept; that "
        "holds for everybody. Use /many, or the manyhands tools."
    )


def blocked() -> str:
    """Somebody whom an owner has shut out."""
    return "You cannot use this assistant."


def uninvited(policy: str) -> str:
    """Somebody who is not on the roster, as the setting for unknown senders says."""
    if policy == "closed":
        return "This assistant is private. Its owner has to add you before it can answer."
    return "I do not know you yet. Ask the owner for an invite, then send: join CODE"


def budget(used: int, limit: int) -> str:
    """The person's tokens of today are used up. Counts in tokens."""
    return (
        f"Today's budget of {limit:,} tokens is used up ({used:,}). It starts again at 00:00 UTC; an owner can change "
        "it with /many budget."
    )


def request_not_understood() -> str:
    """What goes to the model has a shape that nobody could check for what must not be in it."""
    return "This request could not be checked for what belongs to other people, so it was not sent. Tell the owner."


def attached() -> str:
    """The message carries a file or a page that the host attached because of words in it."""
    return "Files, folders and pages cannot be attached by their names here. Paste what you want me to read."


def no_store(why: str) -> str:
    """Herma cannot look anybody up."""
    return (
        f"manyhands cannot tell who may do what just now: {why} Until that is put right only the person at the "
        "machine's own terminal is served; `herma doctor` says more."
    )


def failed(tool: str) -> str:
    """Something went wrong inside Herma, and what cannot be judged does not run."""
    return f"“{visible(tool)}” was not run: manyhands could not judge this call. `herma doctor` says more."
