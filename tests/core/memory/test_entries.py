"""How a file's text becomes entries, and back."""

import pytest

from herma.core.memory.entries import DELIMITER, clean, join, parse, same, size


def test_entries_are_what_stands_between_lines_that_are_only_the_mark() -> None:
    assert parse("one\n§\ntwo\nand more\n§\nthree") == ("one", "two\nand more", "three")


@pytest.mark.parametrize(
    "text",
    [
        "one\n§\ntwo\n",
        "\n\none\n\n§\n\n\ntwo",
        "one\n  §\t\ntwo",
        "one\r\n§\r\ntwo\r\n",
        "one\n§\n§\ntwo\n§",
        "§\none\n§\ntwo\n§\n",
        "one\n§\ntwo\n§\none",
        "one\n§\n \n§\ntwo",
    ],
)
def test_what_a_person_typed_around_the_marks_does_not_matter(text: str) -> None:
    assert parse(text) == ("one", "two")


def test_a_comment_that_runs_into_the_first_mark_is_an_entry_of_its_own() -> None:
    assert parse("<!-- old header -->§\none\n§\ntwo") == ("<!-- old header -->", "one", "two")


def test_a_mark_within_a_line_separates_nothing() -> None:
    text = "see § 5 of the contract\nand §6§\n§\ncosts 3 §"
    assert parse(text) == ("see § 5 of the contract\nand §6§", "costs 3 §")
    assert parse("a line§\nnext") == ("a line§\nnext",)


@pytest.mark.parametrize("text", ["", "\n", "§", "\n§\n", " \n§\n\t"])
def test_a_file_without_text_has_no_entries(text: str) -> None:
    assert parse(text) == ()


def test_what_is_written_is_read_as_the_same_entries() -> None:
    entries = ("one", "two\n\nlines", "§ at the start, and at the end §", "日本語")
    assert parse(join(entries)) == entries
    assert join(entries).count(DELIMITER) == 3
    assert not join(entries).endswith("\n")


def test_sizes_count_code_points_and_what_stands_between_entries() -> None:
    assert size(["日本", "🙂"]) == 2 + 3 + 1
    assert size([]) == 0


def test_an_entry_is_trimmed_and_nothing_else_of_it_is_changed() -> None:
    assert clean("  e\u0301  b\r\nc \n") == "e\u0301  b\nc"


def test_two_texts_are_the_same_when_a_reader_could_not_tell_them_apart() -> None:
    assert same("cafe\u0301  au\nlait") == same("caf\u00e9 au lait")
    assert same("10\u00b2") != same("102")
    assert same("API") != same("api")
