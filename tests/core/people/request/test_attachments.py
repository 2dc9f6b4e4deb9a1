"""A reply that names a file is read and not delivered."""

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from herma.core.people.request import hold_back_paths, refusal_response

PROVED = settings(derandomize=True, max_examples=300, deadline=None, database=None)


@pytest.mark.parametrize(
    "reply, held",
    [
        ("It is in /srv/notes/a.txt.", "It is in //srv/notes/a.txt."),
        ("~/a.pdf", "~//a.pdf"),
        (r"C:\a.pdf and D:/b.pdf", r"C:\\a.pdf and D://b.pdf"),
        ("MEDIA:/srv/a.png", "MEDIA :/srv/a.png"),
        ("media: `/srv/a.png`", "media : `//srv/a.png`"),
        ("[[as_document]] /a.txt", "[ [as_document]] //a.txt"),
        ("(/srv/a.txt)", "(//srv/a.txt)"),
        ("`/srv/a.txt`", "`//srv/a.txt`"),
        ("/![x](https://e.org/p.png)srv/a.txt", "//![x](https://e.org/p.png)srv/a.txt"),
    ],
)
def test_a_path_names_the_same_file_and_begins_like_no_attachment(reply: str, held: str) -> None:
    assert hold_back_paths(reply) == held


@pytest.mark.parametrize(
    "reply",
    [
        "Write /many approve or /help.",
        "`/new`, /stop!",
        "https://example.org/a/b.png and file:///srv/a.txt",
        "either/or, 3/4, ./here.txt, ../there.txt, a / b",
        "<b>bold</b>",
        "The media: none of it. Multimedia: yes.",
    ],
)
def test_what_is_no_path_of_the_machine_is_left_alone(reply: str) -> None:
    assert hold_back_paths(reply) == reply


@given(st.text('/~.:!<[]() \nCaMEDIA`"\\-', max_size=40))
@PROVED
def test_holding_back_twice_is_holding_back_once(reply: str) -> None:
    assert hold_back_paths(hold_back_paths(reply)) == hold_back_paths(reply)


def test_a_refusal_is_never_an_empty_reply() -> None:
    assert refusal_response("Not for you.").text == "Not for you."
    assert refusal_response(" \n").text
