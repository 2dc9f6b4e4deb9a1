"""What `/many` and the tools answer, where more than one place says it, and how names stand in an answer."""

from herma.core.visible import visible

__all__ = [
    "AT_THE_SEAT",
    "FAILED",
    "MIXED",
    "NOBODY_THERE",
    "NO_PERSON",
    "ONLY_THE_OWNER",
    "OWN_ASK",
    "READ_ONLY",
    "STRANGER",
    "TOO_MANY_CODES",
    "WRONG_CODE",
    "counted",
    "quoted",
    "whole",
]

ONLY_THE_OWNER = "That is for only the owner."
STRANGER = "You are not on the roster here. Ask the owner for an invite, then send: join CODE"
NO_PERSON = "there is no person attached to this conversation"
READ_ONLY = (
    "manyhands_people is read-only: it lists. People, roles, tools and budgets are changed by an owner who types /many."
)
MIXED = "the words of more than one person are in this turn, so nobody's own facts are opened in it"
AT_THE_SEAT = (
    "A claim begins at the machine itself: type /many claim in its own terminal. It shows a code; send that code from "
    "the chat account that is to own the bot."
)
OWN_ASK = "Nobody approves their own ask. Another owner has to decide it."
WRONG_CODE = "That code is not valid: it is mistyped, used up or over."
TOO_MANY_CODES = "Too many wrong codes from this account today. No code is accepted from it before 00:00 UTC."
NOBODY_THERE = (
    "This changes who may do what, and it cannot be seen that a person is at this terminal. Type it as /many in the "
    "owner's own chat instead."
)
FAILED = "That did not work, and nothing was changed. `herma doctor` says more."


def quoted(name: str) -> str:
    """A name of a person or a tool, told apart from the words around it, on one line, with nothing in it hidden."""
    return f"“{visible(name)}”"


def whole(text: str) -> str:
    """A text of several lines, each of them made visible; nothing is left out."""
    return "\n".join(visible(line) for line in text.split("\n"))


def counted(number: int, thing: str, things: str = "") -> str:
    """`1 fact`, `1,200 facts`; `things` where the plural is not made with an s."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"
