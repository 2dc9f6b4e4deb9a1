"""What each change did, and one of them taken back."""

from pathlib import Path

import pytest

from herma.core.memory.journal import Origin
from herma.core.memory.operations import Operation, apply
from herma.engine.versions import plan, sources, take_back, version, versions
from herma.errors import HermaError
from herma.stores.memory.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A memory in which three things happened."""
    made = Store(tmp_path, "ada", lambda: 1.0)
    _do(made, Operation("add", "one"), Operation("add", "two"))
    _do(made, Operation("replace", "TWO", "two"))
    _do(made, Operation("remove", old_text="one"))
    return made


def _do(store: Store, *operations: Operation, target: str = "memory") -> None:
    store.change(target, lambda entries: apply(entries, operations, limit=99), Origin("tool"))


def _undo(store: Store, number: int | None = None) -> int:
    wanted, _ = plan(store, number)
    take_back(store, wanted)
    return wanted.change.number


def test_each_version_knows_what_it_brought_and_took(store: Store) -> None:
    assert [(each.gone, each.added) for each in versions(store)] == [
        ((), ("one", "two")),
        (("two",), ("TWO",)),
        (("one",), ()),
    ]
    assert version(store, 2).added == ("TWO",)
    assert version(store, None).change.number == 3


def test_each_entry_has_its_source(store: Store) -> None:
    assert {entry: change.number for entry, change in sources(store, "memory").items()} == {
        "one": 1,
        "two": 1,
        "TWO": 2,
    }
    assert set(sources(store, "memory", up_to=1)) == {"one", "two"}


def test_the_latest_change_is_taken_back_first_and_then_the_one_before(store: Store) -> None:
    assert [_undo(store), _undo(store), _undo(store)] == [3, 2, 1]
    assert store.entries("memory") == ()
    with pytest.raises(HermaError, match="no change to take back"):
        plan(store, None)


def test_an_undo_can_be_undone(store: Store) -> None:
    _undo(store)
    assert store.entries("memory") == ("one", "TWO")
    assert _undo(store, 4) == 4
    assert store.entries("memory") == ("TWO",)
    assert _undo(store) == 3


def test_an_older_change_is_taken_back_and_what_came_after_stays(store: Store) -> None:
    _do(store, Operation("add", "three"))
    _do(store, Operation("add", "other list"), target="user")
    _undo(store, 2)
    assert store.entries("memory") == ("two", "three")
    assert store.entries("user") == ("other list",)
    last = version(store, None).change
    assert (last.origin.by, last.origin.undoes) == ("undo", 2)


def test_a_change_by_hand_can_be_taken_back(store: Store) -> None:
    (store.folder / "MEMORY.md").write_text("all gone", encoding="utf-8")
    store.notice("memory")
    assert _undo(store) == 4
    assert store.entries("memory") == ("TWO",)


def test_a_change_of_which_nothing_is_left_cannot_be_taken_back(store: Store) -> None:
    _undo(store, 3)
    with pytest.raises(HermaError, match="nothing of change 3 is left"):
        plan(store, 3)


def test_what_is_not_in_force_and_what_never_was_cannot_be_taken_back(store: Store) -> None:
    (store.folder / "MEMORY.md").write_text("one\n§\nTWO", encoding="utf-8")
    store.notice("memory")
    assert [each.in_force for each in versions(store)] == [True, True, False]
    with pytest.raises(HermaError, match="not in force"):
        plan(store, 3)
    with pytest.raises(HermaError, match="no change 99"):
        plan(store, 99)


def test_undoing_a_demotion_brings_the_entry_back_and_takes_it_from_the_demoted(store: Store) -> None:
    _do(store, Operation("demote", old_text="TWO"))
    assert store.demoted("memory") == ("TWO",)
    _undo(store)
    assert (store.entries("memory"), store.demoted("memory")) == (("TWO",), ())


def test_the_limit_does_not_stop_a_person(store: Store) -> None:
    _do(store, Operation("remove", old_text="TWO"))
    _do(store, Operation("add", "x" * 98))
    _undo(store, 4)
    assert store.entries("memory") == ("TWO", "x" * 98)


def test_an_empty_memory_says_so(tmp_path: Path) -> None:
    with pytest.raises(HermaError, match="nothing has been recorded yet"):
        version(Store(tmp_path / "new", "ada", lambda: 1.0), None)
