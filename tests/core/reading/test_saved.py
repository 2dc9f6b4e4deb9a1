"""What notes saved, counted from stored messages."""

import json
from collections.abc import Mapping

import pytest

from herma.core.reading.marker import marker
from herma.core.reading.note import note
from herma.core.reading.saved import Message, Saved, saved
from herma.core.tokens import METHOD, estimate

PATH = "/folder/notes.md"
PAGE = json.dumps({"content": "\n".join(f"{n}|what was agreed on, point {n}" for n in range(1, 80)), "total_lines": 79})


def _ask(
    *ids: str, session: str = "s", path: str = PATH, tool: str = "read_file", window: Mapping[str, object] | None = None
) -> Message:
    arguments = json.dumps({"path": path, **(window or {})})
    calls = [{"id": id_, "type": "function", "function": {"name": tool, "arguments": arguments}} for id_ in ids]
    return Message(session, "assistant", calls=json.dumps(calls))


def _got(call: str, text: str = PAGE, *, session: str = "s", tool: str = "read_file") -> Message:
    return Message(session, "tool", call, tool, text)


def _note(of: str) -> str:
    return note(of, PATH, b"\x01" * 32)


def _user(session: str = "s") -> Message:
    return Message(session, "user")


def _saved(*messages: Message, parents: Mapping[str, str] | None = None) -> Saved:
    return saved(messages, parents or {})


READ_TWICE = (_user(), _ask("a"), _got("a"), _ask("b"), _got("b", _note("a")))


def test_a_note_saves_the_text_it_stands_for_and_costs_itself() -> None:
    found = _saved(*READ_TWICE)

    assert found == Saved(notes=1, not_sent=estimate(PAGE), for_notes=estimate(_note("a")))
    assert found.net == estimate(PAGE) - estimate(_note("a"))
    assert found.method == METHOD


def test_what_is_fetched_again_right_after_a_note_counts_against_it_in_full() -> None:
    found = _saved(*READ_TWICE, _ask("c"), _got("c"), _ask("d"), _got("d"))

    assert (found.refetches, found.fetched_again) == (1, estimate(PAGE)), "the next read only, not the one after it"
    assert found.net == -estimate(_note("a"))


@pytest.mark.parametrize("window", [{"offset": "1"}, {"offset": 0}, {"limit": 500}, {"limit": 3}])
def test_another_way_to_ask_for_the_same_lines_is_a_read_again(window: Mapping[str, object]) -> None:
    assert _saved(*READ_TWICE, _ask("c", window=window), _got("c")).refetches == 1


@pytest.mark.parametrize(
    "after",
    [
        (_user(), _ask("c"), _got("c")),
        (_ask("c", path="/folder/other.md"), _got("c")),
        (_ask("c", window={"offset": 40}), _got("c")),
        (_ask("c"), _got("c", '{"error": "vetoed"}'), _ask("d"), _got("d")),
        (_ask("c", tool="terminal"), _got("c", tool="terminal")),
        (_user("t"), _ask("c", session="t"), _got("c", session="t")),
    ],
    ids=["next turn", "another file", "other lines", "after an error", "another tool", "another conversation"],
)
def test_no_other_read_is_one(after: tuple[Message, ...]) -> None:
    found = _saved(*READ_TWICE, *after)

    assert found.notes == 1
    assert found.refetches == 0


def test_calls_of_one_message_are_taken_in_the_order_of_their_results() -> None:
    found = _saved(_ask("a"), _got("a"), _ask("b", "c"), _got("b", _note("a")), _got("c"))

    assert (found.notes, found.refetches) == (1, 1)


@pytest.mark.parametrize("call", ["call_1", "call in this conversation", "call\n\x1b[31m", "呼"])
def test_a_note_is_matched_by_the_id_as_it_shows_it(call: str) -> None:
    found = _saved(_ask(call), _got(call), _ask("b"), _got("b", _note(call)))

    assert (found.notes, found.unmatched) == (1, 0)


def test_a_note_whose_text_is_not_stored_saves_nothing_and_costs_itself() -> None:
    found = _saved(_ask("b"), _got("b", _note("gone")))

    assert (found.notes, found.unmatched, found.not_sent) == (1, 1, 0)
    assert found.net == -estimate(_note("gone"))


def test_the_text_may_stand_in_the_session_that_this_one_came_from() -> None:
    earlier = (_ask("a", session="first"), _got("a", session="first"))
    parents = {"s": "between", "between": "first", "first": "s"}

    assert _saved(*earlier, _ask("b"), _got("b", _note("a")), parents=parents).unmatched == 0
    assert _saved(*earlier, _ask("b"), _got("b", _note("a"))).unmatched == 1, "another conversation's is not it"


def test_copies_that_a_compaction_stores_are_not_counted_again() -> None:
    refetched = (*READ_TWICE, _ask("c"), _got("c"))
    moved = [message._replace(session="t") for message in refetched]

    once = _saved(*refetched)

    assert once.refetches == 1
    assert _saved(*refetched, *refetched) == once
    assert _saved(*refetched, *moved, parents={"t": "s"}) == once
    assert _saved(*refetched, *moved).notes == 2, "two conversations without a link are two"


def test_a_copy_of_a_note_still_makes_the_next_read_a_read_again() -> None:
    assert _saved(*READ_TWICE, *READ_TWICE, _ask("c"), _got("c")).refetches == 1


def test_a_result_that_was_cleared_later_does_not_hide_its_text() -> None:
    cleared = _got("a", "[old output cleared]")

    assert _saved(_ask("a"), _got("a"), cleared, _ask("b"), _got("b", _note("a"))).not_sent == estimate(PAGE)


def test_a_note_with_a_remark_behind_it_costs_both() -> None:
    text = _note("a") + "\n\n[3 of 90 steps are left.]"

    assert _saved(_ask("a"), _got("a"), _ask("b"), _got("b", text)).for_notes == estimate(text)


def test_a_note_that_another_tool_shows_is_none() -> None:
    assert _saved(_ask("a"), _got("a"), _got("b", _note("a"), tool="terminal")) == Saved()


MARK = marker(6000, 382_893, 200, 50)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"content": f"1|first\n{MARK}\n6000|last"}),
        json.dumps({"content": f"{MARK}\n6000|last"}),
        f"first\n{MARK}\nlast\n",
        f"{MARK}\nlast\n",
    ],
)
def test_a_shortened_result_is_counted_and_is_in_no_sum(text: str) -> None:
    assert _saved(_got("a", text), _got("a", text), _got("b", text, tool="Read")) == Saved(shortened=2)


@pytest.mark.parametrize(
    "line", [f"12|{MARK}", f"12|    {MARK}", "12|... [read-summarizer: is what a marker begins with"]
)
def test_a_file_that_quotes_a_marker_is_not_shortened(line: str) -> None:
    assert _saved(_got("a", json.dumps({"content": f"11|above\n{line}"}))) == Saved()


@pytest.mark.parametrize(
    "calls",
    ["", "{", "null", "7", '"x"', "[null, 7, []]", '[{"id": 7}]', '[{"id": "b", "function": "read_file"}]']
    + [
        f'[{{"id": "b", "function": {{"name": "read_file", "arguments": {arguments}}}}}]'
        for arguments in ('"{"', "null", '"[]"', '"{}"', '{"path": 7}', "[" * 5_000)
    ],
)
def test_calls_that_make_no_sense_are_passed_over(calls: str) -> None:
    odd = Message("s", "assistant", calls=calls)

    assert _saved(_ask("a"), _got("a"), odd, _got("b", _note("a")), odd, _got("c")).notes == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"content": 7}', '{"content": ""}', "{" * 5_000, "text"])
def test_a_result_that_is_no_page_of_text_is_no_text_of_a_note(text: str) -> None:
    assert _saved(_ask("a"), _got("a", text), _ask("b"), _got("b", _note("a"))).unmatched == 1
