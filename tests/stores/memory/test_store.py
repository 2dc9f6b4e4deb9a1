"""The memory of one person on disk: changes, the journal, what was demoted, and other hands."""

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from herma.core.memory.journal import Origin
from herma.core.memory.operations import Applied, Failure, Operation, apply
from herma.errors import Conflict, MemoryFailure, Unreadable
from herma.stores.memory.lock import alone
from herma.stores.memory.store import Done, Store

TOOL = Origin("tool", "ses_1", "turn_1")
LIMIT = 2_200


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A memory at a fixed time."""
    return Store(tmp_path / "m", "ada", lambda: 1_796_040_000.5)


def _do(store: Store, *operations: Operation, target: str = "memory") -> Done:
    return store.change(target, lambda entries: apply(entries, operations, limit=LIMIT), TOOL)


def _add(store: Store, *texts: str, target: str = "memory") -> None:
    for text in texts:
        assert isinstance(_do(store, Operation("add", text), target=target).outcome, Applied)


def _by(store: Store) -> list[str]:
    return [change.origin.by for change in store.history.changes()]


def test_a_change_is_in_the_file_and_in_the_journal_with_its_origin(store: Store) -> None:
    _add(store, "one", "two")
    assert (store.folder / "MEMORY.md").read_text("utf-8") == "one\n§\ntwo"
    first, second = store.history.changes()
    assert (first.number, first.at, first.person, first.target, first.origin) == (
        1,
        1_796_040_000_500,
        "ada",
        "memory",
        TOOL,
    )
    assert second.entries == ("one", "two")
    assert second.before == first.after


def test_everything_that_is_written_is_for_its_owner_alone(store: Store) -> None:
    _add(store, "one")
    _do(store, Operation("demote", old_text="one"))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in store.folder.iterdir()}
    assert set(modes) == {"MEMORY.md", "MEMORY.demoted.md", ".journal.jsonl", ".memory.lock"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700


def test_looking_makes_nothing(store: Store) -> None:
    assert store.entries("memory") == ()
    assert store.demoted("user") == ()
    assert store.history.changes() == ()
    assert store.notice("memory") is None
    assert not store.folder.exists()


def test_the_two_lists_are_apart(store: Store) -> None:
    _add(store, "a note")
    _add(store, "a trait", target="user")
    assert (store.entries("memory"), store.entries("user")) == (("a note",), ("a trait",))
    assert (store.folder / "USER.md").read_text("utf-8") == "a trait"


def test_what_failed_or_changed_nothing_writes_nothing(store: Store) -> None:
    _add(store, "one")
    before = {path.name: path.stat().st_mtime_ns for path in store.folder.iterdir()}
    assert isinstance(_do(store, Operation("remove", old_text="nowhere")).outcome, Failure)
    assert _do(store, Operation("add", "one")).change is None
    assert {path.name: path.stat().st_mtime_ns for path in store.folder.iterdir()} == before


def test_mode_and_link_of_a_file_are_kept(store: Store, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.md"
    real.write_text("mine", encoding="utf-8")
    real.chmod(0o644)
    store.folder.mkdir()
    (store.folder / "MEMORY.md").symlink_to(real)
    _add(store, "one")
    assert real.read_text("utf-8") == "mine\n§\none"
    assert (store.folder / "MEMORY.md").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o644


def test_a_file_that_was_there_before_is_recorded_before_it_is_changed(store: Store) -> None:
    store.folder.mkdir()
    (store.folder / "MEMORY.md").write_text("older", encoding="utf-8")
    _add(store, "new")
    assert _by(store) == ["hand", "tool"]
    assert store.history.changes()[0].entries == ("older",)


def test_a_change_by_hand_is_kept_and_recorded_as_such(store: Store) -> None:
    _add(store, "one")
    (store.folder / "MEMORY.md").write_text("one\n§\nfrom the editor\n", encoding="utf-8")
    assert not store.is_recorded("memory")
    _add(store, "two")
    assert store.entries("memory") == ("one", "from the editor", "two")
    hand = store.history.changes()[1]
    assert (hand.origin.by, hand.entries) == ("hand", ("one", "from the editor"))
    assert store.is_recorded("memory")


def test_a_change_by_hand_can_be_noticed_without_any_other_change(store: Store) -> None:
    _add(store, "one", "two")
    (store.folder / "MEMORY.md").unlink()
    noticed = store.notice("memory")
    assert noticed is not None
    assert noticed.entries == ()
    assert store.notice("memory") is None
    assert _by(store) == ["tool", "tool", "hand"]


def test_a_change_that_was_put_back_by_hand_is_no_longer_in_force(store: Store) -> None:
    _add(store, "one", "two")
    (store.folder / "MEMORY.md").write_text("one", encoding="utf-8")
    _add(store, "three")
    assert [change.entries for change in store.history.changes()] == [("one",), ("one", "three")]
    assert [change.origin.by for change in store.history.lines()] == ["tool", "tool", "void", "tool"]


def test_a_demoted_entry_stands_beside_the_file_until_it_is_back_or_removed(store: Store) -> None:
    _add(store, "one", "two")
    _do(store, Operation("demote", old_text="one"), Operation("demote", old_text="two"))
    assert (store.entries("memory"), store.demoted("memory")) == ((), ("one", "two"))
    assert (store.folder / "MEMORY.demoted.md").read_text("utf-8") == "one\n§\ntwo"
    _add(store, "two")
    assert store.demoted("memory") == ("one",)
    _add(store, "one")
    _do(store, Operation("remove", old_text="one"))
    assert store.demoted("memory") == ()


@pytest.mark.parametrize("data", [b"caf\xe9", b"\xff\xfeo\x00n\x00e\x00", b"one\n\xc2"])
def test_a_file_that_is_no_text_is_never_written_over(store: Store, data: bytes) -> None:
    store.folder.mkdir()
    path = store.folder / "MEMORY.md"
    path.write_bytes(data)
    with pytest.raises(Unreadable, match="not text in UTF-8"):
        _add(store, "new")
    with pytest.raises(Unreadable):
        store.entries("memory")
    assert path.read_bytes() == data
    _add(store, "the other list still works", target="user")


def test_a_demoted_list_that_is_no_text_stops_the_change_before_anything_is_written(store: Store) -> None:
    _add(store, "one")
    (store.folder / "MEMORY.demoted.md").write_bytes(b"\xff")
    with pytest.raises(Unreadable):
        _do(store, Operation("demote", old_text="one"))
    assert store.entries("memory") == ("one",)
    assert len(store.history.changes()) == 1


def test_a_byte_order_mark_and_foreign_line_ends_are_understood(store: Store) -> None:
    store.folder.mkdir()
    (store.folder / "MEMORY.md").write_bytes("\ufeffone\r\n§\r\ntwo\r\n".encode())
    assert store.entries("memory") == ("one", "two")


def _while_deciding(store: Store, hand: Callable[[int], None]) -> Done:
    """An addition, with something done by hand each time that it is being decided on."""
    tries = 0

    def decide(entries: tuple[str, ...]) -> Applied | Failure:
        nonlocal tries
        tries += 1
        hand(tries)
        return apply(entries, [Operation("add", "ours")], limit=LIMIT)

    return store.change("memory", decide, TOOL)


def test_an_editor_that_saves_meanwhile_loses_nothing(store: Store) -> None:
    _add(store, "one")
    path = store.folder / "MEMORY.md"

    def hand(tries: int) -> None:
        if tries == 1:
            path.write_text("one\n§\nsaved meanwhile", encoding="utf-8")

    _while_deciding(store, hand)
    assert store.entries("memory") == ("one", "saved meanwhile", "ours")
    assert _by(store) == ["tool", "hand", "tool"]


def test_a_file_that_is_made_meanwhile_is_not_replaced(store: Store) -> None:
    store.folder.mkdir()

    def hand(tries: int) -> None:
        if tries == 1:
            (store.folder / "MEMORY.md").write_text("made meanwhile", encoding="utf-8")

    _while_deciding(store, hand)
    assert store.entries("memory") == ("made meanwhile", "ours")


def test_after_three_tries_it_is_a_conflict_and_the_other_hand_stays(store: Store) -> None:
    _add(store, "one")
    path = store.folder / "MEMORY.md"

    def hand(tries: int) -> None:
        path.write_text(f"hand {tries}", encoding="utf-8")

    with pytest.raises(Conflict, match="changed by somebody else 3 times"):
        _while_deciding(store, hand)
    assert store.entries("memory") == ("hand 3",)
    assert _names(store.folder) == [".journal.jsonl", ".memory.lock", "MEMORY.md"]
    assert "ours" not in str([change.text for change in store.history.changes()])


def test_a_journal_line_whose_change_never_came_about_does_not_count(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    _add(store, "one")

    def dies(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", dies)  # as a process that is killed before the last step
        with pytest.raises(SystemExit):
            _add(store, "never")
    assert len(store.history.changes()) == 2
    _add(store, "two")
    assert store.entries("memory") == ("one", "two")
    assert [change.entries for change in store.history.changes()] == [("one",), ("one", "two")]
    assert _by(store) == ["tool", "tool"]


def test_a_folder_that_may_not_be_written_is_a_clear_error(store: Store) -> None:
    store.folder.parent.mkdir(exist_ok=True)
    store.folder.write_text("a file in its place", encoding="utf-8")
    with pytest.raises(MemoryFailure, match="cannot be written"):
        _add(store, "one")


def test_threads_of_one_process_lose_nothing(store: Store) -> None:
    def work(number: int) -> None:
        for n in range(10):
            _add(store, f"fact {number} {n}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(store.entries("memory")) == sorted(f"fact {number} {n}" for number in range(4) for n in range(10))
    numbers = [change.number for change in store.history.changes()]
    assert numbers == list(range(1, 41))


def test_what_was_written_is_read_again_and_a_hand_that_came_right_after_is_noticed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    _add(store, "one")
    path, replace, hands = store.folder / "MEMORY.md", os.replace, ["one\n§\nthe other hand"]

    def overtaken(place: str, name: str) -> None:
        replace(place, name)
        if hands:
            path.write_text(hands.pop(), encoding="utf-8")

    monkeypatch.setattr(os, "replace", overtaken)
    _add(store, "two")
    assert store.entries("memory") == ("one", "the other hand", "two")
    assert [change.entries for change in store.history.changes()][-1] == ("one", "the other hand", "two")


def test_a_session_that_begins_does_not_wait_for_a_process_that_keeps_the_lock(store: Store) -> None:
    _add(store, "one")
    (store.folder / "MEMORY.md").write_text("by hand", encoding="utf-8")
    with alone(f"{store.folder}/.memory.lock"):
        with pytest.raises(Conflict, match=r"0\.3 seconds"):
            store.notice("memory")
        assert store.entries("memory") == ("by hand",)
    assert store.notice("memory") is not None
