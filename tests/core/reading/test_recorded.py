"""Results that the real hosts gave, and the fake one that stands for them in the other tests."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.core.reading.fake_hermes import (
    DEFAULT_LIMITS,
    TIGHT,
    VERSIONS,
    FakeHermes,
    Settled,
    numbered,
    settle,
    shortened,
)
from tests.golden import record

from herma.core.reading.events import NeedLines, ToolFacts, ToolResult

GOLDEN = Path(__file__).parents[2] / "golden"
# Files whose pages are more than their lines: converted, redacted, or no text.
NOT_FAKED = {"secret.txt", "notebook.ipynb", "picture.png", "bytes.dat", "missing.txt"}
FEW = TIGHT._replace(head_lines=5, tail_lines=3)


READS: dict[str, list[dict[str, Any]]] = {
    version: json.loads((GOLDEN / f"read_file-{version}.json").read_text(encoding="utf-8")) for version in VERSIONS
}


def _fake(version: str, name: str) -> FakeHermes:
    return FakeHermes(record.FILES[name].text(), version, record.MOST_CHARS)


def _recorded(version: str, name: str, nth: int = 0) -> dict[str, Any]:
    return [read for read in READS[version] if read["file"] == name][nth]


def _settled(version: str, name: str, nth: int = 0) -> Settled:
    """A recorded result decided; the fake host answers what the decision asks."""
    read = _recorded(version, name, nth)
    event = ToolResult("read_file", {"path": f"/srv/files/{name}", **read["arguments"]}, read["answer"], "call_1")

    def ask(wanted: NeedLines) -> str:
        return _fake(version, name).answer(wanted)

    return settle(event, FEW, ToolFacts(DEFAULT_LIMITS[version], 2_000), ask)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_fake_host_answers_as_the_real_one(version: str) -> None:
    compared = 0
    for read in READS[version]:
        answer = json.loads(read["answer"])
        if read["file"] not in NOT_FAKED and "content" in answer:
            assert list(_fake(version, read["file"]).page(**read["arguments"]).items()) == list(answer.items()), read
            compared += 1
    assert compared >= 25


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "name,nth,reason",
    [
        ("small.txt", 0, "small"),
        ("small.txt", 1, "own_range"),
        ("small.txt", 3, "no_content"),
        ("small.txt", 4, "error_result"),
        ("empty.txt", 0, "small"),
        ("missing.txt", 0, "error_result"),
        ("picture.png", 0, "error_result"),
        ("bytes.dat", 0, "error_result"),
        ("log.txt", 0, "shortened"),
        ("log.txt", 1, "own_range"),
        ("log.txt", 3, "own_range"),
        ("one-line.json", 0, "shortened_wide"),
        ("notebook.ipynb", 0, "shortened"),
        ("marked.txt", 0, "shortened"),
        ("budget.txt", 0, "shortened"),
    ],
)
def test_each_recorded_result_has_its_reason(version: str, name: str, nth: int, reason: str) -> None:
    assert _settled(version, name, nth).reason == reason


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "name",
    [
        "page-and-one.txt", "page-open.txt", "page.txt", "log.txt", "log-open.txt", "blank-ends.txt", "wide.txt",
        "cjk.txt", "odd-ends.txt", "marked.txt", "budget.txt",
    ],
)  # fmt: skip
def test_the_ends_of_a_recorded_file_are_the_ends_of_the_file(version: str, name: str) -> None:
    lines = _fake(version, name).lines
    parts = shortened(_settled(version, name).text)
    assert parts.head == numbered(lines[:5], 1)
    assert parts.tail == numbered(lines[-3:], len(lines) - 2)
    assert parts.record["next_offset"] == 6
    assert parts.note == ""


@pytest.mark.parametrize("version", VERSIONS)
def test_a_secret_that_the_host_took_out_stays_out_and_the_numbers_behind_it_hold(version: str) -> None:
    read = _recorded(version, "secret.txt")
    event = ToolResult("read_file", {"path": "/srv/files/secret.txt"}, read["answer"], "call_1")
    facts = ToolFacts(DEFAULT_LIMITS[version], 2_000)
    for head in (59, 60, 61, 62):
        settings = TIGHT._replace(head_lines=head, tail_lines=4)
        parts = shortened(settle(event, settings, facts, lambda _: None).text)
        assert parts.tail == numbered([f"line {n}" for n in range(139, 143)], 139)
        assert parts.record["next_offset"] == {59: 60, 60: 61, 61: 83, 62: 84}[head]
        assert "MII" not in parts.record["content"]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_totals_of_a_document_are_those_the_host_gave(version: str) -> None:
    answer = json.loads(_recorded(version, "notebook.ipynb")["answer"])
    parts = shortened(_settled(version, "notebook.ipynb").text)
    assert f" {answer['total_lines']} lines, {answer['file_size']} bytes," in parts.marker
    assert parts.tail[-1] == answer["content"].split("\n")[-1]
