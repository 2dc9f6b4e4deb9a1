"""The journal file."""

import stat
from pathlib import Path

import pytest

from herma.core.memory.journal import Change, Origin, to_line
from herma.stores.memory.history import History, Tail


def _change(number: int, target: str = "memory", text: str = "x") -> Change:
    return Change(number, 1, "ada", target, Origin("tool"), (), "", f"{number:x}", text)


def _read(history: History) -> Tail:
    """The end of the journal as another process finds it."""
    return History(history.path).tail()


def _append(history: History, *changes: Change) -> None:
    history.append(changes, history.tail())


@pytest.fixture
def history(tmp_path: Path) -> History:
    """An empty one."""
    return History(str(tmp_path / "journal"))


def test_lines_are_added_and_read_in_order(history: History, tmp_path: Path) -> None:
    _append(history, _change(1), _change(2))
    _append(history, _change(3))
    assert [change.number for change in history.changes()] == [1, 2, 3]
    assert stat.S_IMODE((tmp_path / "journal").stat().st_mode) == 0o600


def test_an_empty_journal_begins_with_one(history: History) -> None:
    assert _read(history).next_number() == 1
    assert _read(history).last("memory") is None
    assert history.changes() == ()


def test_the_end_tells_the_next_number_and_the_last_change_of_each_list(history: History) -> None:
    _append(history, _change(1, "user"), _change(2), _change(3))
    tail = _read(history)
    assert tail.next_number() == 4
    assert [last.number for name in ("memory", "user") if (last := tail.last(name))] == [3, 1]


def test_a_change_far_up_is_found(history: History) -> None:
    _append(history, _change(1, "user"), *(_change(n, text="y" * 900) for n in range(2, 200)))
    tail = _read(history)
    assert len(tail.data) < 100_000
    assert (found := tail.last("user")) is not None
    assert found.number == 1
    assert tail.next_number() == 200


def test_a_line_longer_than_the_end_that_is_looked_at_is_found(history: History) -> None:
    _append(history, _change(1, text="z" * 200_000))
    assert _read(history).next_number() == 2
    assert (found := _read(history).last("memory")) is not None
    assert len(found.text) == 200_000


def test_a_text_that_looks_like_a_line_is_not_taken_for_one(history: History) -> None:
    _append(history, _change(1, text='{"n":900,"target":"user"\n{"n":901,"target":"user"'))
    assert _read(history).next_number() == 2
    assert _read(history).last("user") is None


@pytest.mark.parametrize("cut", [2, 5, 20, 60])
def test_a_line_that_was_cut_off_is_left_behind_and_the_next_is_whole(
    history: History, tmp_path: Path, cut: int
) -> None:
    _append(history, _change(1))
    with (tmp_path / "journal").open("ab") as file:
        file.write(to_line(_change(2))[:-cut])
    assert (last := _read(history).last("memory")) is not None
    assert last.number == 1
    _append(history, _change(3))
    assert [change.number for change in history.changes()] == [1, 3]


def test_a_line_that_lacks_only_its_end_is_a_line(history: History, tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(to_line(_change(1))[:-1])
    assert (last := _read(history).last("memory")) is not None
    assert last.number == 1
    _append(history, _change(2))
    assert [change.number for change in history.changes()] == [1, 2]


def test_what_a_writer_remembers_of_the_end_is_what_a_reader_finds(history: History) -> None:
    for n, target in enumerate(("memory", "user", "memory", "memory"), 1):
        _append(history, _change(n, target))
        own, found = history.tail(), _read(history)
        assert (own.next_number(), own.last("memory"), own.last("user")) == (
            found.next_number(),
            found.last("memory"),
            found.last("user"),
        )


def test_a_writer_sees_what_others_have_added_since(history: History) -> None:
    _append(history, _change(1))
    _append(History(history.path), _change(2))
    assert history.tail().next_number() == 3
    assert history.tail().last("memory") == _change(2)
