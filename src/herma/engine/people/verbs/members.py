"""Verbs that bring people in, change what they may do, and take them out. All for owners, but a claim."""

from herma.core.people.codes import grouped
from herma.core.people.durations import said, seconds_of
from herma.core.people.replies import AT_THE_SEAT
from herma.engine.people import invites, members
from herma.engine.people.names import Mistaken
from herma.engine.people.verbs.call import Call, Table

__all__ = ["TABLE"]

_HOW = ("add", "remove")
_DAY = 24 * 3_600
_THOUSANDS = str.maketrans("", "", ",_")


def _invite(call: Call) -> str:
    code, role = invites.invite(call.hand, call.word(0))
    careful = " Whoever sends it is an owner then, with all that you may do." if role == "owner" else ""
    return (
        f"One person can come in as {role} with this, within {said(invites.INVITE_SECONDS)}; they send to me:\n"
        f"join {grouped(code)}\nIt works once.{careful}"
    )


def _claim(call: Call) -> str:
    if call.words:
        return _claimed(call)
    code = invites.begin_claim(call.hand)
    return (
        "Send this to the bot from the chat account that is to own it, within "
        f"{said(invites.CLAIM_SECONDS)}:\n/many claim {grouped(code)}\nIt works once."
    )


def _claimed(call: Call) -> str:
    if not invites.may_claim(call.speaker):
        raise Mistaken(f"A code counts from the chat account that is to own the bot. {AT_THE_SEAT}")
    platform, _, sender_id = call.speaker.account.partition(":")
    guest = invites.Guest(platform, sender_id, call.speaker.name)
    return invites.redeem(call.house, guest, call.word(0), kind="claim", session_id=call.where.session_id).text


def _add(call: Call) -> str:
    account = (call.word(0), call.word(1))
    return members.add(call.hand, account, call.word(2))


def _role(call: Call) -> str:
    return members.set_role(call.hand, call.word(0), call.word(1))


def _tools(call: Call) -> str:
    how = call.word(1).casefold() if call.word(1).casefold() in _HOW else ""
    tools = call.words[2:] if how else call.words[1:]
    if not tools:
        raise call.usage()
    return members.set_tools(call.hand, call.word(0), how, tools, known=call.where.tools)


def _budget(call: Call) -> str:
    text = call.word(1).translate(_THOUSANDS)
    if not (text.isascii() and text.isdigit() and len(text) < 16):  # noqa: PLR2004 - more digits than any budget has
        raise call.usage("Tokens are a whole number.")
    return members.set_budget(call.hand, call.word(0), int(text))


def _remove(call: Call) -> str:
    return members.remove(call.hand, call.word(0))


def _name(call: Call) -> str:
    return members.rename(call.hand, call.word(0), call.word(1))


def _mute(call: Call) -> str:
    seconds = seconds_of(call.typed.options["for"]) if "for" in call.typed.options else _DAY
    if seconds is None or seconds > 365 * _DAY:
        raise call.usage("A time is a number with s, m, h or d, a year at most.")
    return members.mute(call.hand, call.word(0), seconds)


TABLE: Table = {
    "invite": _invite,
    "claim": _claim,
    "add": _add,
    "role": _role,
    "tools": _tools,
    "budget": _budget,
    "remove": _remove,
    "name": _name,
    "mute": _mute,
}
