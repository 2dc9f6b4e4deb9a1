"""Which results are exactly the window of a file, by what the real hosts answered and by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.core.reading.fake_hermes import DEFAULT_LIMITS, VERSIONS
from tests.golden import record_windows

from herma.core.reading.events import ToolFacts
from herma.core.reading.request import ReadKey, key_of
from herma.core.reading.window import EXACT, examine

GOLDEN = Path(__file__).parents[2] / "golden"
KEY = ReadKey("/srv/files/a.txt", 1, 500)
DATA = b"alpha\nbeta\n"
PAGE: dict[str, Any] = {"content": "1|alpha\n2|beta", "total_lines": 2, "file_size": 11, "truncated": False}

# What is not exact in the recordings, by file and what was asked: the others are.
INEXACT = {
    ("two-lines.txt", '{"offset": 1, "limit": 1}'): "truncated",
    ("two-lines.txt", '{"offset": 3}'): "content_mismatch",
    ("blank-last.txt", '{"limit": 2}'): "truncated",
    ("bom.txt", "{}"): "content_mismatch",
    ("secret.txt", "{}"): "content_mismatch",
}
INEXACT_BY_VERSION = {
    "0.19.0": {
        ("open.txt", '{"limit": 1}'): "content_mismatch",  # it says that nothing is left, and shows a line of its own
        ("latin-1.txt", "{}"): "content_mismatch",
        ("edge-2001.txt", "{}"): "content_mismatch",
    },
    "0.22.2": {
        ("open.txt", '{"limit": 1}'): "truncated",
        ("latin-1.txt", "{}"): "error_result",
        ("edge-2001.txt", "{}"): "truncated",
        ("empty.txt", "{}"): "content_mismatch",
        ("conflict.txt", "{}"): "content_mismatch",
    },
}


def _recordings() -> list[Any]:
    return [
        pytest.param(version, read, id=f"{version}-{read['file']}-{n}")
        for version in VERSIONS
        for n, read in enumerate(json.loads((GOLDEN / f"windows-{version}.json").read_text(encoding="utf-8")))
    ]


def _page(**changes: object) -> str:
    return json.dumps({**PAGE, **changes})


@pytest.mark.parametrize("version, read", _recordings())
def test_what_the_real_hosts_answered_has_its_named_outcome(version: str, read: dict[str, Any]) -> None:
    asked = (read["file"], json.dumps(read["arguments"]))
    repeat = '"dedup": true' in read["answer"] or '"already_read"' in read["answer"]
    wanted = "host_stub" if repeat else {**INEXACT, **INEXACT_BY_VERSION[version]}.get(asked, EXACT)
    key = key_of({"path": f"/srv/files/{read['file']}", **read["arguments"]}, ToolFacts(DEFAULT_LIMITS[version], 2_000))
    assert isinstance(key, ReadKey)
    assert examine(read["answer"], record_windows.FILES[read["file"]], key) == wanted


def test_every_exception_above_was_recorded() -> None:
    for version in VERSIONS:
        reads = json.loads((GOLDEN / f"windows-{version}.json").read_text(encoding="utf-8"))
        asked = {(read["file"], json.dumps(read["arguments"])) for read in reads}
        assert {*INEXACT, *INEXACT_BY_VERSION[version]} <= asked


@pytest.mark.parametrize("text", ["alpha\nbeta\n", "alpha\nbeta", "1|alpha\n2|beta", "1|alpha\n2|beta\n3|"])
def test_the_bare_window_and_the_numbered_one_are_exact_too(text: str) -> None:
    assert examine(text, DATA, KEY) == EXACT


@pytest.mark.parametrize(
    "content",
    [
        "2|alpha\n3|beta",
        "1|beta\n2|alpha",
        "1|alpha",
        "1|alpha\n2|beta\n3|gamma",
        "1|alpha\n2|beta\n4|",
        "1|alpha\n3|beta",
        "1|alpha\n2|betA",
        "alpha\nbeta",
        "",
    ],
)
def test_a_page_that_begins_elsewhere_skips_reorders_stops_or_differs_is_a_mismatch(content: str) -> None:
    assert examine(_page(content=content), DATA, KEY) == "content_mismatch"


@pytest.mark.parametrize(
    "changes",
    [
        {"total_lines": 3},
        {"total_lines": "2"},
        {"file_size": 12},
        {"hint": "Use offset=3"},
        {"_warning": "again"},
        {"_hint": "large"},
        {"conflict_blocks": 1},
        {"is_binary": True},
        {"anything": "else"},
        {"content": ["1|alpha"]},
    ],
)
def test_a_page_that_says_anything_else_is_a_mismatch(changes: dict[str, object]) -> None:
    assert examine(_page(**changes), DATA, KEY) == "content_mismatch"


@pytest.mark.parametrize("changes", [{"truncated": True}, {"truncated_lines": False}, {"next_offset": None}])
def test_a_page_that_was_cut_is_truncated(changes: dict[str, object]) -> None:
    assert examine(_page(**changes), DATA, KEY) == "truncated"


def test_truncated_counts_only_when_it_is_true() -> None:
    assert examine(_page(truncated=False), DATA, KEY) == EXACT


@pytest.mark.parametrize(
    "text", [json.dumps({"error": "Access denied"}), json.dumps({"success": False, "note": "a pipe"}), _page(error="x")]
)
def test_an_error_is_an_error(text: str) -> None:
    assert examine(text, DATA, KEY) == "error_result"


@pytest.mark.parametrize(
    "text", [json.dumps({"status": "unchanged", "dedup": True}), json.dumps({"error": "BLOCKED", "already_read": 3})]
)
def test_the_hosts_own_answer_to_a_repeat_is_known_by_its_fields(text: str) -> None:
    assert examine(text, DATA, KEY) == "host_stub"


@pytest.mark.parametrize("result", [None, 7, b"alpha", {"content": "1|alpha\n2|beta"}, ["alpha"]])
def test_what_is_no_text_is_not_text(result: object) -> None:
    assert examine(result, DATA, KEY) == "not_text"


def test_text_that_follows_a_page_makes_it_a_mismatch() -> None:
    assert examine(_page() + "\n\n[Subdirectory context discovered: AGENTS.md]\n...", DATA, KEY) == "content_mismatch"


def test_a_window_from_the_middle_to_the_end_is_exact() -> None:
    key = ReadKey("/a", 2, 500)
    assert examine(_page(content="2|beta\n3|"), DATA, key) == EXACT
    assert examine(_page(content="1|alpha\n2|beta"), DATA, key) == "content_mismatch"


def test_an_empty_line_of_0_19_is_exact_only_behind_the_last_line_of_the_file() -> None:
    key = ReadKey("/a", 1, 1)
    assert examine(_page(content="1|alpha\n2|"), DATA, key) == "content_mismatch"
    assert examine(_page(content="1|alpha"), DATA, key) == EXACT


def test_a_file_whose_own_text_is_json_can_be_exact() -> None:
    data = b'{"error": "told", "already_read": 2}\n'
    assert examine(data.decode(), data, KEY) == EXACT


def test_a_file_that_is_no_utf8_has_no_window() -> None:
    assert examine("1|caf\ufffd", b"caf\xe9", KEY) == "content_mismatch"
