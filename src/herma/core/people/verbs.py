"""The grammar of `/many`: the verbs, their arguments, who may use them, and what a typed line says."""

import re
import shlex
from collections.abc import Mapping
from difflib import get_close_matches
from typing import NamedTuple

from herma.core.people.replies import quoted

__all__ = ["ANYBODY", "KNOWN", "OWNER", "VERBS", "Mistyped", "Typed", "Verb", "parse", "usage"]

# Who may use a verb at all; what it then tells or does depends on who it is.
ANYBODY, KNOWN, OWNER = "anybody", "known", "owner"

_LONGEST = 8_000
_WITHOUT_END = 1_000
_OPTION = re.compile(r"(uses|for|as)=(.*)", re.IGNORECASE | re.DOTALL)
# Phones put these in the place of the plain one. A single one belongs to a name, as in O'Neill.
_PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"'})


class Verb(NamedTuple):
    """One verb. `fewest` and `most` count its words; `options` are those written as `name=value`.

    `person`: away from a chat somebody has to be seen at the keys for it, because it approves, raises, invites, pauses,
    removes or erases. With `bare_reads` a line without words only reads, and asks for neither person nor authority.
    """

    name: str
    arguments: str
    help: str
    authority: str = ANYBODY
    fewest: int = 0
    most: int = 0
    options: tuple[str, ...] = ()
    person: bool = False
    bare_reads: bool = False


def _changes(name: str, arguments: str, text: str, fewest: int, most: int) -> Verb:
    return Verb(name, arguments, text, OWNER, fewest, most, person=True)


VERBS: Mapping[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb("whoami", "", "who you are here, and what you may do"),
        Verb("roster", "", "everybody who is known here", KNOWN),
        Verb("audit", "[name] [hours]", "what happened: your own trail, to an owner everybody's", KNOWN, 0, 2),
        _changes("invite", "[role]", "make a code that lets one person in", 0, 1),
        Verb("claim", "[code]", "become the owner, with a code from the machine's own terminal", most=1, person=True),
        _changes("add", "<platform> <sender_id> [role]", "put an account on the roster", 2, 3),
        _changes("role", "<name> <role>", "give somebody another role", 2, 2),
        _changes("tools", "<name> [add|remove] <tool…>", "give or take tools beyond the role's", 2, _WITHOUT_END),
        _changes("budget", "<name> <tokens>", "tokens a day for somebody; 0 is without limit", 2, 2),
        _changes("remove", "<name>", "take somebody off the roster, with their facts", 1, 1),
        _changes("pause", "", "switch enforcement off", 0, 0),
        _changes("resume", "", "switch enforcement on again", 0, 0),
        Verb(
            "approve",
            "[code] [uses=3] [for=1h]",
            "without a code: what waits; with one: let exactly that call run",
            OWNER,
            most=1,
            options=("uses", "for"),
            person=True,
            bare_reads=True,
        ),
        Verb("deny", "<code>", "say no to what waits under a code", OWNER, 1, 1, person=True),
        Verb("why", "<tool> [args]", "which rule decides about a tool", fewest=1, most=_WITHOUT_END, options=("as",)),
        Verb("mute", "<name> [for=1d]", "let no asks of somebody through", OWNER, 1, 1, ("for",), person=True),
        Verb("facts", "", "what you have had remembered", KNOWN),
        Verb("forget", "<id>", "erase a fact of yours", KNOWN, 1, 1, person=True),
        _changes("confirm", "<id>", "let a shared fact of somebody else into owners' turns", 1, 1),
        _changes("name", "<name> <new name>", "call somebody otherwise", 2, 2),
        Verb("help", "[verb]", "this list", most=1),
    )
}


class Typed(NamedTuple):
    """What somebody typed: the verb, its words without quotation marks, its options, and the rest as it stood."""

    verb: Verb
    words: tuple[str, ...] = ()
    options: Mapping[str, str] = {}
    text: str = ""

    @property
    def reads(self) -> bool:
        """Whether it is the bare form of a verb that then only reads."""
        return self.verb.bare_reads and not self.words

    @property
    def authority(self) -> str:
        """Who may type it."""
        return ANYBODY if self.reads else self.verb.authority

    @property
    def needs_person(self) -> bool:
        """Whether it may only be done with somebody at the keys, where no platform says who typed it."""
        return self.verb.person and not self.reads


class Mistyped(NamedTuple):
    """What was typed is no command; `text` says why and what to type."""

    text: str


def parse(raw: str) -> Typed | Mistyped:
    """Read what stands after `/many`. Total; nothing typed is `help`."""
    if len(raw) > _LONGEST:
        return Mistyped("That is too long for a command.")
    name, _, text = raw.strip().partition(" ") if raw.strip() else ("help", "", "")
    verb = VERBS.get(name.casefold())
    if verb is None:
        return Mistyped(_unknown(name))
    words, options = _split(verb, text)
    if not verb.fewest <= len(words) <= verb.most:
        return Mistyped(f"Usage: {usage(verb)}")
    return Typed(verb, words, options, text.strip())


def usage(verb: Verb) -> str:
    """How a verb is typed."""
    return f"/many {verb.name} {verb.arguments}".rstrip()


def _split(verb: Verb, text: str) -> tuple[tuple[str, ...], dict[str, str]]:
    plain = text.translate(_PLAIN)
    reader = shlex.shlex(plain, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.commenters, reader.quotes, reader.escape = True, "", '"', ""
    try:
        parts = list(reader)
    except ValueError:  # a quotation mark that is never closed
        parts = plain.split()
    words, options = [], {}
    for part in parts:
        found = _OPTION.fullmatch(part)
        if found and found[1].lower() in verb.options:
            options[found[1].lower()] = found[2]
        else:
            words.append(part)
    return tuple(words), options


def _unknown(name: str) -> str:
    near = get_close_matches(name.casefold(), VERBS, n=1)
    hint = f"Did you mean /many {near[0]}?" if near else "/many help lists what there is."
    return f"There is no verb {quoted(name[:60])}. {hint}"
