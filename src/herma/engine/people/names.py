"""People by the names that owners type, and how they are called in answers. A name labels; it never authorises."""

from difflib import get_close_matches
from unicodedata import normalize

from herma.core.people.confusable import looks_like
from herma.core.people.records import Person
from herma.core.people.replies import quoted
from herma.core.visible import visible
from herma.engine.people.ports import Roster

__all__ = ["LONGEST_NAME", "Mistaken", "called", "find", "for_everybody", "for_owners", "known_as", "named", "tail"]

LONGEST_NAME = 40

_TAIL = 4


class Mistaken(Exception):  # noqa: N818 - reads as the sentence it is answered with
    """What was asked for cannot be done. The message is the answer, and what was begun is undone."""


def called(person: Person) -> str:
    """The name of a person without anything around it; empty when they have none."""
    return person.name or person.display


def known_as(roster: Roster, person_id: str) -> str:
    """The same by id, for the trail: the id itself where nobody has it any more."""
    person = roster.people.get(person_id)
    return (person and called(person)) or person_id


def for_everybody(person: Person) -> str:
    """A person as anybody may read of them: no account, no id."""
    return quoted(called(person)) if called(person) else "somebody without a name"


def for_owners(person: Person) -> str:
    """A person as owners read of them: with the account, which is what tells two people of one name apart."""
    account = visible(person.person_id)
    return f"{quoted(called(person))} ({account})" if called(person) else account


def tail(person: Person) -> str:
    """The end of a person's account: enough to tell two people of one name apart."""
    return f"…{visible(person.sender_id[-_TAIL:])}"


def find(roster: Roster, text: str) -> Person:
    """Whom an owner means: by id or account exactly, else by name. Raises `Mistaken` for nobody and for several."""
    exact = roster.people.get(text) or roster.people.get(roster.accounts.get(text, ""))
    if exact:
        return exact
    wanted = _folded(text)
    found = [person for person in roster.people.values() if wanted and _folded(called(person)) == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(visible(person.person_id) for person in found)
        raise Mistaken(f"Several people are called {quoted(text)}: {ids}. Say which by that id.")
    raise Mistaken(f"Nobody is called {quoted(text)}.{_nearest(roster, text)}")


def named(roster: Roster, name: str, *, but: str = "") -> str:
    """A new name for somebody, checked. Raises `Mistaken` for one that cannot be told from another person's.

    `but` is the id of the person who gets it.
    """
    clean = " ".join(normalize("NFC", name).split())
    if not clean or len(clean) > LONGEST_NAME or visible(clean) != clean or ":" in clean:
        raise Mistaken(
            f"A name is 1 to {LONGEST_NAME} characters, without a colon and without characters that are not drawn."
        )
    others = {called(person): person for person in roster.people.values() if person.person_id != but and called(person)}
    other = looks_like(clean, others)
    if other is not None:
        whose = others[other]
        raise Mistaken(
            f"{quoted(clean)} looks like {quoted(other)}, whose account ends in {tail(whose)}. Choose a name that "
            "nobody can take for that one."
        )
    return clean


def _folded(text: str) -> str:
    return " ".join(normalize("NFC", text).casefold().split())


def _nearest(roster: Roster, text: str) -> str:
    names = {_folded(called(person)): called(person) for person in roster.people.values() if called(person)}
    near = get_close_matches(_folded(text), names, n=1)
    return f" Did you mean {quoted(names[near[0]])}?" if near else ""
