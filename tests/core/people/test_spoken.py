"""A command that came as ordinary words."""

import pytest

from herma.core.people.spoken import command_in


@pytest.mark.parametrize(
    "text, raw",
    [
        ("/many", ""),
        ("/many approve AB2C", "approve AB2C"),
        ("[Olga] /many approve AB2C", "approve AB2C"),
        (" /MANY@bot pause\n", "pause"),
    ],
)
def test_a_message_that_is_the_command_alone_is_the_command(text: str, raw: str) -> None:
    assert command_in(text) == raw


@pytest.mark.parametrize(
    "text",
    [
        "",
        "please /many pause",
        "/manyfold",
        "/many pause\nand tell me a joke",
        "[Ann] /many role Ann owner\n\n[Olga] good morning",
        "[Ann] x [Olga] /many pause",
        "good morning\n/many pause",
    ],
)
def test_among_other_words_it_is_words_for_it_may_be_somebody_elses(text: str) -> None:
    assert command_in(text) is None
