"""Who is let in, before any turn: what becomes of a message, from who sent it, what it is and what is in force.

A whitelist throughout: a command of the host that is not named here is shut for everybody but an owner, and so is what
comes with its next version, quick commands and skills. An answer never says what others may do.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from herma.core.people.codes import ALPHABET, INVITE_LENGTH, canonical
from herma.core.people.principal import Standing
from herma.core.people.request import neutralise

__all__ = ["HOST_COMMANDS", "MANY", "Arrival", "Door", "door", "many_of"]

MANY = "many"
_READ_ONCE = "read-once"
_OWN_TURN = ("new", "stop")
# What everybody who may speak may type. `start` is what Telegram sends when a chat is opened; both hosts ignore it.
HOST_COMMANDS = frozenset({"help", "start", "whoami", _READ_ONCE, *_OWN_TURN})
# `/read-once refresh` looks a path up for whoever types it; reading its report touches nothing.
_READ_ONCE_VERBS = frozenset({"", "stats", "status"})

_MANY = re.compile(r"\s*+/many(?:@\S*+)?(?:\s++(.*))?", re.IGNORECASE | re.DOTALL)
_JOIN = re.compile(r"\s*+join\s++(\S.*)", re.IGNORECASE)
_CLAIM = re.compile(r"\s*+claim\s++(\S.*)", re.IGNORECASE)
_NOT_A_PERSON = frozenset({"webhook"})
_NO_ROSTER = frozenset({"open", "host"})

_UNINVITED = "This bot answers people who were invited. If somebody gave you an invite code, send: join CODE"
_CLOSED = "This bot is not taking in new people."
_BLOCKED = "This bot is not available to you."
_COMMAND = "That command is not available to you here."
_OTHERS_TURN = "You can stop or restart only a turn of your own."
_QUESTION = "That question is for an owner to answer."


class Arrival(NamedTuple):
    """A message at the door.

    `command` is the host's own name for the command it would take the text for, else what was typed, in small letters;
    empty when it takes it for none. `arguments` is the rest. `chat_kind` is `dm` where only the sender and the bot
    read. `busy`: a turn runs in its session; `own`: everything said there since it began is the sender's. `question`:
    the text would answer a question of the host, `approval`, or the command that waits to be confirmed; `lasting`: it
    would answer for all times.
    """

    platform: str
    sender_id: str
    text: str
    name: str = ""
    is_bot: bool = False
    chat: str = ""
    chat_kind: str = "dm"
    command: str = ""
    arguments: str = ""
    has_media: bool = False
    busy: bool = False
    own: bool = True
    question: str = ""
    lasting: bool = False


class Door(NamedTuple):
    """What becomes of a message.

    `action`: `pass` as it is, `rewrite` to `text`, `answer` it here and now (`reply`, what `/many` says to `many`, or
    what redeeming `code` gives), or `drop` it (`reply` is then a refusal, empty for silence). `literal`: what the
    message quotes, and the sender's name, may hold no references to files either. `admit`: the host has to let this one
    message in. `enrol`: the host has to let the sender in from now on. `warning` is for the owners.
    """

    action: str
    reply: str = ""
    text: str = ""
    admit: bool = False
    reason: str = ""
    literal: bool = False
    many: str | None = None
    code: str = ""
    purpose: str = ""
    enrol: bool = False
    warning: str = ""


def door(arrival: Arrival, standing: Standing, policy: str) -> Door:
    """The decision. `standing` is the roster's word on the sender, `policy` what holds for those who are not on it.

    That is closed, invite, open, or `host` while enforcement is paused, when the host's own admission alone decides.
    """
    known = standing if _is_person(arrival) else Standing("", "guest", "stranger", account=standing.account)
    for rule in _RULES:
        decided = rule(arrival, known, policy)
        if decided is not None:
            return decided
    return _spoken(arrival)


def many_of(text: str) -> str | None:
    """What follows `/many` in a text that is this command; None for any other text."""
    found = _MANY.fullmatch(text)
    return (found[1] or "") if found else None


def _is_person(arrival: Arrival) -> bool:
    return not arrival.is_bot and arrival.platform not in _NOT_A_PERSON


def _nobody(arrival: Arrival, _standing: Standing, policy: str) -> Door | None:
    """Whoever answers a program may find itself in a conversation with it, so nothing is said."""
    if not arrival.sender_id:
        return Door("drop", reason="no sender")
    return None if _is_person(arrival) or policy in _NO_ROSTER else Door("drop", reason="not a person")


def _blocked(_arrival: Arrival, standing: Standing, _policy: str) -> Door | None:
    return Door("drop", _BLOCKED, reason="blocked") if standing.role == "blocked" else None


def _code(arrival: Arrival, standing: Standing, policy: str) -> Door | None:
    """A code alone. Any other text that begins with `join` is a text like any other."""
    if standing.is_owner:
        return None
    claimed = _CLAIM.fullmatch(arrival.arguments) if arrival.command == MANY else None
    if claimed is not None:
        return Door("answer", code=claimed[1], purpose="claim", reason="a claim")
    joined = _JOIN.fullmatch(arrival.text)
    if joined is None or policy == "closed" or not _is_code(joined[1]):
        return None
    return Door("answer", code=joined[1], purpose="invite", reason="an invite")


def _stranger(_arrival: Arrival, standing: Standing, policy: str) -> Door | None:
    if standing.kind == "person" or policy in _NO_ROSTER:
        return None
    return Door("drop", _CLOSED if policy == "closed" else _UNINVITED, reason="not on the roster")


def _many(arrival: Arrival, _standing: Standing, _policy: str) -> Door | None:
    if arrival.command != MANY:
        return None
    return (
        Door("answer", many=arrival.arguments, reason="/many") if _is_person(arrival) else Door("drop", reason="a bot")
    )


def _owner(_arrival: Arrival, standing: Standing, _policy: str) -> Door | None:
    return Door("pass", reason="owner") if standing.is_owner else None


def _question(arrival: Arrival, _standing: Standing, _policy: str) -> Door | None:
    """A question that the host itself put into the chat: of its own commands those on the list may be confirmed."""
    if not arrival.question:
        return None
    if arrival.question in HOST_COMMANDS and not arrival.lasting:
        return Door("pass", reason="an answer to the host")
    return Door("drop", _QUESTION, reason="an answer to the host")


def _command(arrival: Arrival, _standing: Standing, _policy: str) -> Door | None:
    if not arrival.command:
        return None
    if arrival.command not in HOST_COMMANDS:
        return Door("drop", _COMMAND, reason="a command of the host")
    if arrival.command in _OWN_TURN and arrival.busy and not arrival.own:
        return Door("drop", _OTHERS_TURN, reason="somebody else's turn")
    if arrival.command == _READ_ONCE and arrival.arguments.strip() not in _READ_ONCE_VERBS:
        return Door("drop", _COMMAND, reason="a command of the host")
    return None


def _spoken(arrival: Arrival) -> Door:
    """Words for a turn. References to files are the operator's: what is left of them is text."""
    text = neutralise(arrival.text)
    return Door("pass" if text == arrival.text else "rewrite", text=text, literal=True, reason="words")


def _is_code(typed: str) -> bool:
    code = canonical(typed)
    return len(code) == INVITE_LENGTH and all(sign in ALPHABET for sign in code)


# The first that decides, decides; the order is the rule.
_RULES: tuple[Callable[[Arrival, Standing, str], Door | None], ...] = (
    _nobody,
    _blocked,
    _code,
    _stranger,
    _many,
    _owner,
    _question,
    _command,
)
