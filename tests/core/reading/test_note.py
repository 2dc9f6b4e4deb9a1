"""The note's properties, one by one. Its wording is free."""

import re

from herma.core.reading.note import note

DIGEST = bytes.fromhex("0123456789abcdef" * 4)
NOTE = note("call_7", "/srv/files/notes.txt", DIGEST)
LOWER = NOTE.lower()


def test_it_names_the_earlier_call() -> None:
    assert "read_file call call_7" in NOTE


def test_it_names_the_path() -> None:
    assert "/srv/files/notes.txt" in NOTE


def test_it_carries_twelve_hex_digits_of_the_hash() -> None:
    assert re.findall(r"SHA-256 ([0-9a-f]+)", NOTE) == ["0123456789ab"]


def test_it_says_that_the_full_content_is_in_the_conversation() -> None:
    assert "the full content stands above" in LOWER
    assert "in this conversation" in LOWER


def test_it_says_to_answer_the_user_from_that_content() -> None:
    assert "answer the user from it" in LOWER


def test_it_says_not_to_quote_it() -> None:
    assert "do not quote" in LOWER


def test_it_says_not_to_read_again_unless_the_user_says_that_the_file_changed() -> None:
    assert "do not read the file again unless the user says that it has changed" in LOWER


def test_it_suggests_no_other_range() -> None:
    assert not re.search(r"offset|limit|range|line \d|lines \d|page", LOWER)


def test_it_does_not_call_itself_a_stub() -> None:
    assert not re.search(r"stub|dedup|unchanged|cached|placeholder", LOWER)


def test_it_does_not_begin_with_a_tag() -> None:
    assert NOTE[0].isalpha()
    assert "[read-once]" not in NOTE


def test_it_does_not_look_like_content_or_like_an_error() -> None:
    assert not NOTE.startswith(("{", "1|", "Error"))
    assert '"error"' not in NOTE


def test_what_hides_in_a_path_or_an_id_is_made_visible() -> None:
    shown = note("call\u202e_1", "/a/\x1b[2Jb\nc", DIGEST)
    assert "\\x1b[2Jb\\x0ac" in shown
    assert "call\\u202e_1" in shown
    assert "\n" not in shown
