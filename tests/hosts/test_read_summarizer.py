"""read-summarizer in the real Hermes: what the model gets when it reads huge files.

Three turns with the same script a version: without the plugin, with it but not switched on, and with it.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.huge import Huge, make
from tests.hosts.reading_turn import Results, page_after, read_everything

ON = {"read_summarizer": {"enabled": True}}
SHORTENED = {
    "log", "plain_again", "open-ended.log", "wide.txt", "one-line.json", "crlf.txt", "漢字.txt",
    "batch_a", "batch_b", "text_tool", "window_00",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("huge")


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, Huge]:
    (folder / "forbidden.log").write_text("kept from everybody\n" * 5000, encoding="utf-8")
    return make(folder)


@pytest.fixture(scope="module")
def bare(hermes: Hermes, homes: Homes, files: Mapping[str, Huge], folder: Path) -> Results:
    """The host alone."""
    return read_everything(hermes, homes, files, folder, plugin=False, config={})


@pytest.fixture(scope="module")
def off(hermes: Hermes, homes: Homes, files: Mapping[str, Huge], folder: Path) -> Results:
    """The plugin is loaded and nothing is set, as after its installation."""
    return read_everything(hermes, homes, files, folder, plugin=True, config={})


@pytest.fixture(scope="module")
def on(hermes: Hermes, homes: Homes, files: Mapping[str, Huge], folder: Path) -> Results:
    """The plugin is loaded and switched on at its own place in config.yaml."""
    return read_everything(hermes, homes, files, folder, plugin=True, config=ON)


def _numbered(lines: list[str], first: int) -> list[str]:
    return [f"{n}|{line}" for n, line in enumerate(lines, first)]


def _marker(lines: int, size: int, head: int, tail: int) -> str:
    return (
        f"... [read-summarizer: {lines} lines, {size} bytes, truncated to first {head} + last {tail}; "
        "re-invoke read_file with offset/limit to fetch more] ..."
    )


def test_it_is_off_until_it_is_switched_on(bare: Results, off: Results) -> None:
    assert list(off.by_label) == list(bare.by_label)
    for label, text in bare.by_label.items():
        assert off[label] == text, label
    assert set(off.reasons()) == {"disabled"}


def test_a_log_of_six_thousand_lines_becomes_its_start_its_end_and_the_marker(
    on: Results, files: Mapping[str, Huge]
) -> None:
    log = files["server.log"]
    content = on.page("log")["content"].split("\n")
    assert content[:200] == _numbered(log.lines[:200], 1)
    assert content[200] == _marker(6000, log.size, 200, 50)
    assert content[201:] == _numbered(log.lines[-50:], 5951)


def test_the_shortened_page_is_the_hosts_json_with_true_fields(on: Results, bare: Results) -> None:
    page, whole = on.page("log"), bare.page("log")
    assert set(page) - set(whole) <= {"next_offset", "hint"}
    assert set(whole) <= set(page)
    assert (page["truncated"], page["next_offset"], page["total_lines"]) == (True, 201, 6000)
    assert "offset=201" in page["hint"]
    assert page["file_size"] == whole["file_size"]


def test_following_the_marker_page_by_page_reaches_the_last_byte(on: Results, files: Mapping[str, Huge]) -> None:
    log = files["server.log"]
    lines = on.page("log")["content"].split("\n")[:200]
    pages = on.labels("log_page_")
    for label in pages:
        lines += [line for line in on.page(label)["content"].split("\n") if line != "6001|"]
    assert len(pages) > 3
    assert page_after(on[pages[-1]]) is None
    assert lines == _numbered(log.lines, 1)


def test_a_read_that_names_its_own_range_passes_bit_for_bit(on: Results, bare: Results) -> None:
    assert on["tail_window"] == bare["tail_window"]
    assert on.reasons()["own_range"] > len(on.labels("log_page_"))


def test_offset_zero_with_a_limit_of_ten_thousand_gets_the_hosts_largest_page(
    on: Results, files: Mapping[str, Huge]
) -> None:
    """Hermes 0.22 itself would say “unchanged” here and point at the shortened result."""
    page = on.page("whole")
    lines = [line for line in page["content"].split("\n") if line]
    assert lines == _numbered(files["server.log"].lines[: len(lines)], 1)
    assert len(lines) > 1000
    assert page_after(on["whole"]) == len(lines) + 1


def test_offset_one_with_the_default_limit_is_a_plain_read(on: Results, files: Mapping[str, Huge]) -> None:
    content = on.page("plain_again")["content"].split("\n")
    assert content[200].startswith("... [read-summarizer: 1200 lines, ")
    assert content[-1] == _numbered(files["sent-whole.txt"].lines[-1:], 1200)[0]


def test_the_end_of_a_file_without_a_last_line_feed_is_shown(on: Results) -> None:
    assert on.page("open-ended.log")["content"].endswith("\n2000|the very end")


def test_a_wide_page_is_bounded_by_bytes_and_keeps_whole_lines(on: Results, files: Mapping[str, Huge]) -> None:
    wide = files["wide.txt"]
    page = on.page("wide.txt")
    content = page["content"].split("\n")
    mark = next(n for n, line in enumerate(content) if line.startswith("... ["))
    assert len(page["content"].encode()) < 50_000 + 200
    assert content[:mark] == _numbered(wide.lines[:mark], 1)
    tail = content[mark + 1 :]
    assert tail == _numbered(wide.lines[-len(tail) :], 301 - len(tail))
    assert content[mark] == _marker(300, wide.size, mark, len(tail))
    assert page["next_offset"] == mark + 1


def test_what_the_host_cut_from_a_line_is_said_with_a_command_that_shows_it(
    on: Results, files: Mapping[str, Huge]
) -> None:
    page = on.page("one-line.json")
    text = files["one-line.json"].text
    assert (page["truncated"], page["truncated_lines"]) == (True, True)
    assert "Line 1 is longer than this tool shows: what follows the first 2000 characters" in page["hint"]
    assert str(len(text)) in page["hint"]
    assert json.loads(on["way"])["output"].strip() == text[2000:22_000].strip()


def test_carriage_returns_and_other_scripts_survive(on: Results, files: Mapping[str, Huge]) -> None:
    for name in ("crlf.txt", "漢字.txt"):
        file = files[name]
        content = on.page(name)["content"].split("\n")
        mark = next(n for n, line in enumerate(content) if line.startswith("... ["))
        assert content[:mark] == _numbered(file.lines[:mark], 1)
        assert content[mark + 1 :] == _numbered(file.lines, 1)[-len(content[mark + 1 :]) :]


def test_small_results_errors_and_pictures_pass_bit_for_bit(on: Results, bare: Results) -> None:
    for label in ("small.txt", "missing", "picture", "other"):
        assert on[label] == bare[label], label


def test_a_batch_of_parallel_reads_is_shaped_once_each(on: Results, bare: Results, files: Mapping[str, Huge]) -> None:
    for label, name in (("batch_a", "batch-a.log"), ("batch_b", "batch-b.log")):
        lines = on.page(label)["content"].split("\n")
        assert lines[200] == _marker(1300, files[name].size, 200, 50)
        assert [line for line in lines if "[read-summarizer: " in line] == lines[200:201]
    assert on["batch_small"] == bare["batch_small"]
    outcomes = on.observed.events("on_session_end")[-1]["counters"][0]["outcomes"]
    ids = [outcome["call_id"] for outcome in outcomes]
    assert len(ids) == len(set(ids)), "no call was looked at twice"


def test_a_vetoed_read_stays_vetoed_and_nothing_is_fetched_behind_the_gate(on: Results, bare: Results) -> None:
    assert on["vetoed"] == bare["vetoed"]
    assert "kept from everybody" not in on["vetoed"]


def test_plain_text_of_another_allowed_tool_is_bounded_and_names_only_windows_that_the_tool_takes(
    on: Results, files: Mapping[str, Huge]
) -> None:
    memo, row = files["memo.txt"], files["row.json"]
    assert on["text_tool"].startswith("\n".join([*memo.lines[:200], _marker(1700, memo.size, 200, 50)]))
    assert "byte_offset" not in on["text_tool"]
    first, *windows = [on[label] for label in on.labels("window_")]
    assert len(first.encode()) < 50_000 + 500
    head, tail = first.split("\n... [read-summarizer: ")[0], first.split("]\n")[-1]
    assert windows
    assert head + "".join(windows) + tail == row.text


def test_nothing_else_was_changed(on: Results, bare: Results) -> None:
    changed = {label for label, text in bare.by_label.items() if on.by_label.get(label) != text}
    followed = {label for label in bare.by_label if label.startswith("log_page_")} | {"way", "whole"}
    assert changed - followed == SHORTENED


def test_the_hosts_log_carries_no_warning_of_ours(on: Results) -> None:
    assert not [line for line in on.log.splitlines() if "WARNING" in line and "read-summarizer" in line]
