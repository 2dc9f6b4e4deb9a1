"""The tail is the end of the file, or the text says that it is not."""

import json
from collections.abc import Callable, Sequence

import pytest
from tests.core.reading.fake_hermes import ON, TIGHT, VERSIONS, FakeHermes, log, marker, numbered, settle, shortened

from herma.core.reading.events import NeedLines

LOG = FakeHermes(log(6_000), "0.19.0")
UNCHANGED = json.dumps({"status": "unchanged", "dedup": True, "content_returned": False})


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("ending", ["\n", "", "\n\n", "\n\n\n\n", "\nthe end"])
@pytest.mark.parametrize("lines", [498, 499, 500, 501, 502, 516, 517, 1_984, 1_999, 2_000, 2_001, 6_000])
def test_the_last_lines_are_those_of_the_file(version: str, ending: str, lines: int) -> None:
    file = FakeHermes(log(lines, ending=ending), version)
    parts = shortened(file.settle(TIGHT._replace(head_lines=5, tail_lines=5)).text)
    assert parts.tail == numbered(file.lines[-5:], len(file.lines) - 4)
    assert parts.marker == marker(file.total_lines, file.size, 5, 5)
    assert parts.note == ""


def test_the_end_is_asked_for_with_room_around_it_in_one_question() -> None:
    done = LOG.settle()
    assert done.windows == [(5_935, 82)]
    assert shortened(done.text).tail == numbered(LOG.lines[-50:], 5_951)


def test_no_more_is_asked_than_a_host_reads_at_once() -> None:
    file = FakeHermes(log(6_000, "{n} " + "x" * 35), "0.22.2")
    done = file.settle(ON._replace(threshold_bytes=85_000, head_lines=10, tail_lines=5_000))
    assert all(0 < wanted.limit <= 2_000 for wanted in done.asked)
    parts = shortened(done.text)
    assert parts.tail == numbered(file.lines[-len(parts.tail) :], 6_001 - len(parts.tail))
    assert len(parts.tail) >= 1_700


@pytest.mark.parametrize("version", VERSIONS)
def test_when_the_page_holds_the_end_nothing_is_asked(version: str) -> None:
    file = FakeHermes(log(490, "{n} " + "x" * 110), version)
    assert file.settle().asked == []


def test_when_no_tail_is_wanted_nothing_is_asked() -> None:
    done = LOG.settle(ON._replace(tail_lines=0))
    assert done.asked == []
    assert shortened(done.text).tail == []
    assert shortened(done.text).marker == marker(6_000, LOG.size, 200, 0)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "more,ending",
    [
        (1, "\n"),
        (15, "\n"),
        (16, "\n"),
        (17, "\n"),
        (18, "\n"),
        (400, "\n"),
        (1_999, "\n"),
        (5_000, "\n"),
        (1, ""),
        (40, ""),
    ],
)
def test_of_a_file_that_grew_meanwhile_the_new_end_is_shown(version: str, more: int, ending: str) -> None:
    before, after = FakeHermes(log(6_000), version), FakeHermes(log(6_000 + more, ending=ending), version)
    done = before.settle(ask=after.answer)
    parts = shortened(done.text)
    assert len(done.asked) <= 3
    assert parts.tail == numbered(after.lines[-50:], 6_000 + more - 49)
    assert parts.marker == marker(after.total_lines, after.size, 200, 50)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("width", [900, 1_500, 2_000])
def test_the_end_is_found_although_its_lines_fill_a_page_and_those_before_do_not(version: str, width: int) -> None:
    file = FakeHermes(log(3_000, "{n} " + "n" * 100) + log(200, "w" * width), version)
    done = file.settle(ON._replace(threshold_bytes=30_000, head_lines=10, tail_lines=400))
    parts = shortened(done.text)
    assert len(done.asked) > 1
    assert parts.note == ""
    assert len(parts.tail) >= 10
    assert parts.tail == numbered(file.lines[-len(parts.tail) :], 3_201 - len(parts.tail))


def _answers(*texts: str | None) -> Callable[[NeedLines], str | None]:
    """A host that gives these answers, and the last of them again and again."""
    left = list(texts)

    def ask(_wanted: NeedLines) -> str | None:
        return left.pop(0) if len(left) > 1 else left[0]

    return ask


CUT_BY_BYTES = json.dumps(
    {
        "content": "5935|a\n5936|b",
        "total_lines": 6_000,
        "truncated": True,
        "truncated_by": "bytes",
        "next_offset": 5_937,
    }
)


@pytest.mark.parametrize(
    "answers",
    [
        [None],
        [UNCHANGED],
        ["not JSON"],
        [""],
        ["[]"],
        ['{"error": "no"}'],
        [json.dumps(LOG.page(5_935, 82) | {"error": "it broke half way"})],
        ['{"error": "File not found", "content": "", "total_lines": 0}'],
        ['{"content": "no numbers", "total_lines": 6000}'],
        ['{"content": "", "total_lines": 6000, "truncated": false, "hint": "beyond the end"}'],
        ['{"content": "5935|a", "truncated": false}'],
        ['{"content": ["5935|a"], "total_lines": 6000}'],
        ['{"is_binary": true, "content": "5935|a", "total_lines": 6000}'],
        [CUT_BY_BYTES],
        [UNCHANGED, CUT_BY_BYTES, None],
        [FakeHermes(log(5_999), "0.19.0").read(5_935, 82)],
        [FakeHermes(log(10), "0.19.0").read(5_935, 82)],
        [FakeHermes("", "0.22.2").read(5_935, 82)],
    ],
)
def test_without_a_usable_answer_the_end_of_the_page_is_kept_and_named_as_such(answers: Sequence[str | None]) -> None:
    done = LOG.settle(ask=_answers(*answers))
    parts = shortened(done.text)
    assert done.reason == "shortened_page_end"
    assert 1 <= len(done.asked) <= 3
    assert parts.tail == numbered(LOG.lines[450:500], 451)
    assert "lines 451-500, not the end of the file" in parts.note
    assert "offset=5951, limit=50]" in parts.note
    assert "The end of the file, line 6000, is not shown." in parts.hint
    assert parts.marker == marker(6_000, LOG.size, 200, 50)
    assert parts.record["next_offset"] == 201


@pytest.mark.parametrize("refused", [UNCHANGED, '{"error": "not this time"}', "{"])
def test_a_second_question_has_another_window_and_its_answer_counts(refused: str) -> None:
    questions: list[NeedLines] = []

    def ask(wanted: NeedLines) -> str:
        questions.append(wanted)
        return refused if len(questions) == 1 else LOG.answer(wanted)

    done = LOG.settle(ask=ask)
    assert len(set(done.windows)) == len(questions) == 2
    assert shortened(done.text).tail == numbered(LOG.lines[-50:], 5_951)


def test_no_window_is_asked_for_twice() -> None:
    for answer in (UNCHANGED, "{", '{"error": "no"}', None):
        windows = LOG.settle(ask=_answers(answer)).windows
        assert len(set(windows)) == len(windows)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("most_chars", [4_100, 10_000, 30_000])
def test_a_host_with_small_pages_is_asked_for_less_until_the_end_fits(version: str, most_chars: int) -> None:
    file = FakeHermes(log(600, "{n} " + "w" * 1_990), version, most_chars)
    done = file.settle(TIGHT._replace(threshold_bytes=3_900, head_lines=1, tail_lines=5))
    parts = shortened(done.text)
    assert len(set(done.windows)) == len(done.windows) <= 3
    assert parts.note == ""
    assert parts.tail == numbered(file.lines[-1:], 600)


@pytest.mark.parametrize("wide", [60, 100, 200])
def test_behind_thousands_of_empty_lines_the_widest_ones_are_still_found(wide: int) -> None:
    file = FakeHermes("\n" * 1_900 + log(wide, "w" * 2_000), "0.22.2")
    parts = shortened(file.settle(ON._replace(threshold_bytes=20_000, head_lines=2, tail_lines=2_000)).text)
    assert parts.note == ""
    assert parts.tail == numbered(file.lines[-9:], 1_900 + wide - 8)


@pytest.mark.parametrize("version", VERSIONS)
def test_of_wide_lines_no_more_are_asked_for_than_one_answer_holds(version: str) -> None:
    for width in (900, 1_500, 2_000):
        done = FakeHermes(log(300, "w" * width), version).settle(ON._replace(head_lines=9, tail_lines=200))
        assert len(done.asked) == 1
        assert shortened(done.text).note == ""


@pytest.mark.parametrize("version", VERSIONS)
def test_no_more_lines_are_asked_for_than_can_be_kept(version: str) -> None:
    ((offset, _),) = FakeHermes(log(6_000, "x"), version).settle(TIGHT._replace(head_lines=0, tail_lines=400)).windows
    assert 6_000 - offset < 200


@pytest.mark.parametrize("version", VERSIONS)
def test_lines_at_the_end_that_are_narrower_than_those_of_the_page_are_all_kept(version: str) -> None:
    file = FakeHermes(log(300, "{n} " + "w" * 990) + log(100, "short"), version)
    assert shortened(file.settle().text).tail == numbered(["short"] * 50, 351)


def test_a_full_page_whose_last_line_cannot_be_asked_for_is_taken_at_its_word() -> None:
    file = FakeHermes(log(500, ending="\nthe end"), "0.19.0")
    done = file.settle(TIGHT._replace(head_lines=5, tail_lines=5), ask=_answers(None))
    assert done.reason == "shortened"
    assert len(done.asked) == 1
    assert shortened(done.text).tail == numbered(file.lines[495:500], 496)


def test_a_tool_of_another_name_is_not_asked_through_read_file() -> None:
    event = LOG.event()._replace(tool="Read")
    allowed = LOG.settle().decision
    done = settle(event, ON, LOG.facts, _answers(None))
    assert done.asked == []
    assert done.decision != allowed
    assert "451-500, not the end of the file" in shortened(done.text).note


def test_a_private_key_of_which_the_tail_would_show_only_the_end_is_left_out() -> None:
    """The host hides whole keys; a window that begins inside one would show what it hides."""
    key = ["-----BEGIN RSA PRIVATE KEY-----", *(f"secret{n}" for n in range(90)), "-----END RSA PRIVATE KEY-----"]
    file = FakeHermes("\n".join([*log(6_000).split("\n")[:-1], *key, "and then", "the end"]) + "\n")
    parts = shortened(file.settle().text)
    assert [line.partition("|")[2] for line in parts.tail] == ["and then", "the end"]
    assert "secret" not in file.settle().text


def test_a_private_key_that_the_tail_shows_whole_is_the_hosts_to_hide() -> None:
    key = ["-----BEGIN RSA PRIVATE KEY-----", "short", "-----END RSA PRIVATE KEY-----"]
    file = FakeHermes("\n".join([*log(6_000).split("\n")[:-1], *key, "the end"]) + "\n")
    assert [line.partition("|")[2] for line in shortened(file.settle().text).tail][-4:] == [*key, "the end"]
