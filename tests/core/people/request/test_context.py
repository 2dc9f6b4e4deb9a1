"""What a host attaches because of words in a message is seen, and the words can be kept from doing it."""

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from tests.core.people.request.wires import SHAPES, recorded, request
from tests.hosts.hermes import VERSIONS

from herma.core.people.request import carries_context, neutralise

PROVED = settings(derandomize=True, max_examples=200, deadline=None, database=None)
ATTACHED = "look\n\n--- Attached Context ---\n\n📄 @file:a.txt (6 tokens)\n```\nwords\n```"
WARNED = "look\n\n--- Context Warnings ---\n- @file:a.txt: file not found"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_that_a_real_host_attached_is_seen(version: str) -> None:
    sent = recorded(version)

    assert carries_context(sent["attached"]) is True
    for name in ("first-message", "steered", "compacted", "corrected", "cli-both"):
        assert carries_context(sent[name]) is False


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("message", [ATTACHED, WARNED])
def test_it_counts_in_the_turn_and_no_longer_in_the_turns_after_it(shape: str, message: str) -> None:
    turn = [("user", message), ("assistant", "calling"), ("tool", "result")]

    assert carries_context(request(shape, "be kind", turn)) is True
    assert carries_context(request(shape, "be kind", [*turn, ("assistant", "done"), ("user", "thanks")])) is False


@pytest.mark.parametrize("shape", SHAPES)
def test_words_that_look_steered_do_not_hide_it(shape: str) -> None:
    typed = "[OUT-OF-BAND USER MESSAGE — typed]\n" + ATTACHED

    assert carries_context(request(shape, "be kind", [("user", "x"), ("tool", "result"), ("user", typed)])) is True


def test_it_is_seen_where_no_message_of_a_person_is_left_before_it() -> None:
    steered = "[OUT-OF-BAND USER MESSAGE — typed]\n" + ATTACHED

    assert carries_context(request("chat", "be kind", [("tool", "result"), ("user", steered)])) is True


@pytest.mark.parametrize(
    "text, inert",
    [
        ("see @file:/etc/passwd", "see @ file:/etc/passwd"),
        ('@file:"my notes.txt":3-9', '@ file:"my notes.txt":3-9'),
        ("(@folder:.) and @git:3, @url:http://a.b", "(@ folder:.) and @ git:3, @ url:http://a.b"),
        ("@diff @staged.", "@ diff @ staged."),
        ("@@file:x", "@@ file:x"),
        ("@issue:12", "@ issue:12"),
    ],
)
def test_a_reference_becomes_words(text: str, inert: str) -> None:
    assert neutralise(text) == inert


@pytest.mark.parametrize(
    "text", ["bob@example.org: hello", "@Minh look", "a/@file:x", "x@diff", "@ file:x", "@different"]
)
def test_what_is_no_reference_is_left_alone(text: str) -> None:
    assert neutralise(text) == text


@given(st.text("@:/ dif\n\"'`staged", max_size=30))
@PROVED
def test_neutralising_twice_is_neutralising_once(text: str) -> None:
    assert neutralise(neutralise(text)) == neutralise(text)
