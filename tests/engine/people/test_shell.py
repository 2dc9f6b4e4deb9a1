"""The verbs from the shell, with and without a person at the keys."""

import os
import sys
from argparse import ArgumentParser

from tests.engine.people.household import Household

from herma.engine.people.keys import Keys
from herma.engine.people.shell import Line, add_verbs, line, perform
from herma.engine.people.verbs import Reply


class Terminal(Keys):
    """A terminal at which somebody is seen, or not for the reason given, who types the word or does not."""

    reason = ""
    types = True

    def unseen(self) -> str:
        """See `Keys`."""
        return self.reason

    def confirmed(self, question: str) -> bool:
        """See `Keys`."""
        assert question
        return self.types


class Empty(Terminal):
    """A terminal at which nobody is seen."""

    reason = "it runs below “hermes” (process 7)"


class Unwilling(Terminal):
    """A terminal at which somebody thinks better of it."""

    types = False


def types(home: Household, raw: str, kind: type[Terminal], *, dry_run: bool = False) -> Reply:
    keys = kind(sys.stdin, sys.stdout, os.urandom)
    return perform(home.house, home.asks, Line(raw, dry_run, json=False), keys)


def read(*arguments: str) -> Line:
    parser = ArgumentParser()
    add_verbs(parser)
    return line(parser.parse_args(arguments))


def test_a_person_who_is_seen_and_means_it_does_what_an_owner_does(home: Household) -> None:
    assert types(home, "role Minh guest", Terminal).done
    assert home.role("222") == "guest"
    assert home.rows("policy")[0].person_id == "operator"


def test_a_person_who_does_not_type_the_word_changes_nothing(home: Household) -> None:
    assert types(home, "role Minh guest", Unwilling) == Reply("Nothing was done.", done=False)
    assert home.role("222") == "member"


def test_where_nobody_is_seen_nothing_is_changed_and_the_reason_is_said_and_kept(home: Household) -> None:
    reply = types(home, "role Minh guest", Empty)
    assert "process 7" in reply.text
    assert not reply.done
    assert home.role("222") == "member"
    assert [row.tool for row in home.rows("refusal")] == ["/many role"]


def test_reading_asks_for_nobody(home: Household) -> None:
    assert types(home, "roster", Empty).done


def test_a_claim_begins_at_the_shell_too(home: Household) -> None:
    assert "/many claim " in types(home, "claim", Terminal).text
    assert "/many claim " not in types(home, "claim", Empty).text


def test_what_is_mistyped_is_answered_before_anybody_is_asked(home: Household) -> None:
    assert "Usage: /many role" in types(home, "role Minh", Unwilling).text


def test_a_dry_run_does_nothing_even_with_a_person(home: Household) -> None:
    assert "Nothing was done." in types(home, "remove Minh", Terminal, dry_run=True).text
    assert "Nothing was done." in types(home, "roster", Terminal, dry_run=True).text
    assert home.role("222") == "member"


def test_what_stands_behind_the_verb_is_the_verbs_own() -> None:
    assert read("why", "terminal", "ls", "--json").raw == "why terminal ls --json"
    assert read("--json", "audit", "Minh", "48") == Line("audit Minh 48", dry_run=False, json=True)
    assert read().raw == "help"


def test_a_word_that_the_shell_kept_together_stays_together() -> None:
    assert read("role", "Aunt May", "member").raw == 'role "Aunt May" member'
    assert read("why", "terminal", '{"command": "ls"}').raw == 'why terminal {"command": "ls"}'
