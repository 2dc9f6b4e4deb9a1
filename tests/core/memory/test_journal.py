"""Lines of the journal, and what is made of them."""

import pytest

from herma.core.memory.entries import join
from herma.core.memory.journal import Change, Origin, from_line, in_force, origins, to_line, undone
from herma.core.memory.operations import Step


def _change(number: int, *entries: str, by: str = "tool", undoes: int = 0) -> Change:
    origin = Origin(by, "ses_1", "turn_1", undoes)
    return Change(number, 1_000, "ada", "memory", origin, (Step("add", "", "x"),), "b", "a", join(entries))


@pytest.mark.parametrize(
    "text", ["plain", "日本語 🙂", 'quote " and \\ and {"n":7,"target":"user"', "two\n§\nlines\r\n", "\x00\x1b"]
)
def test_a_line_holds_a_change_whole(text: str) -> None:
    change = _change(7, text)._replace(person=text, steps=(Step("replace", text, text),), text=text)
    line = to_line(change)
    assert from_line(line) == change
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")


def test_half_of_a_pair_in_a_name_does_not_stop_the_record() -> None:
    assert from_line(to_line(_change(1, "x")._replace(person="a\ud800"))) is not None


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b'{"n": 1}', to_line(_change(1, "x"))[:-20], b"\xff\xfe"])
def test_a_damaged_line_is_none(line: bytes) -> None:
    assert from_line(line) is None


def test_a_change_that_was_never_completed_does_not_count() -> None:
    lines = [_change(1, "a"), _change(2, "a", "b"), _change(3, by="void", undoes=2), _change(4, "a", "c")]
    assert [change.number for change in in_force(lines)] == [1, 4]


def test_each_entry_has_the_change_that_last_brought_it() -> None:
    history = [_change(1, "a"), _change(2, "a", "b"), _change(3, "b"), _change(4, "b", "a")]
    assert {entry: change.number for entry, change in origins(history).items()} == {"a": 4, "b": 2}


def test_an_undone_change_leaves_what_came_after_it() -> None:
    left = undone(("a", "new", "later"), before=("a", "old"), after=("a", "new"))
    assert left.entries == ("a", "old", "later")
    assert (left.back, left.gone, left.missing) == (("old",), ("new",), ())


def test_what_has_changed_again_meanwhile_is_said_to_be_gone() -> None:
    left = undone(("a", "newer"), before=("a",), after=("a", "new"))
    assert left.entries == ("a", "newer")
    assert left.missing == ("new",)


def test_removed_entries_come_back_to_their_places() -> None:
    assert undone(("b", "d"), before=("a", "b", "c", "d"), after=("b", "d")).entries == ("a", "b", "c", "d")
