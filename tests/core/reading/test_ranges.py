"""Whether a read named its own range."""

import math
from typing import Any

import pytest

from herma.core.reading.events import ToolFacts
from herma.core.reading.ranges import asks_for_plain_window, limit_of_own_range, names_own_range

OLD, NEW = ToolFacts(500, 2_000), ToolFacts(2_000, 2_000)
UNKNOWN = ToolFacts()
BYTES = ToolFacts(byte_window=("byte_offset", "byte_limit"))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"offset": 0},
        {"offset": 1},
        {"offset": -3},
        {"offset": "1"},
        {"offset": "0"},
        {"offset": 1.0},
        {"limit": 500},
        {"limit": "500"},
        {"limit": 500.0},
        {"offset": 1, "limit": 500},
        {"offset": "1", "limit": "500"},
        {"offset": None, "limit": None},
    ],
)
def test_a_plain_read_names_no_range(arguments: dict[str, Any]) -> None:
    assert not names_own_range(arguments, OLD)


@pytest.mark.parametrize(
    "arguments",
    [
        {"offset": 2},
        {"offset": "2"},
        {"offset": 201.0},
        {"limit": 499},
        {"limit": 501},
        {"limit": "2000"},
        {"limit": 1},
        {"limit": 0},
        {"limit": -1},
        {"offset": 0, "limit": 10_000},
        {"offset": 1, "limit": 2_000},
        {"offset": 2, "limit": 500},
        {"offset": "the top"},
        {"offset": ""},
        {"offset": 1.5},
        {"offset": True},
        {"offset": []},
        {"limit": "all"},
        {"limit": math.inf},
        {"limit": math.nan},
        {"limit": {"lines": 5}},
        {"limit": "9" * 5_000},
    ],
)
def test_a_range_and_everything_that_is_not_understood_is_a_range(arguments: dict[str, Any]) -> None:
    assert names_own_range(arguments, OLD)


def test_the_default_limit_is_the_one_of_the_hosts_schema() -> None:
    assert names_own_range({"limit": 500}, NEW)
    assert not names_own_range({"limit": 2_000}, NEW)
    assert names_own_range({"limit": 2_000}, UNKNOWN)
    assert not names_own_range({"offset": 1}, UNKNOWN)


@pytest.mark.parametrize("name", ["byte_offset", "byte_limit"])
def test_a_window_of_bytes_is_a_range_where_the_tool_takes_one(name: str) -> None:
    assert names_own_range({name: 0}, BYTES)
    assert not names_own_range({name: None}, BYTES)
    assert not names_own_range({name: 0}, OLD)


@pytest.mark.parametrize("facts", [OLD, NEW, UNKNOWN, ToolFacts(1, 1)])
@pytest.mark.parametrize("offset", [1, 2, 500])
@pytest.mark.parametrize("limit", [1, 2, 499, 500, 501, 2_000])
def test_a_limit_that_we_name_always_makes_a_range(facts: ToolFacts, offset: int, limit: int) -> None:
    named = limit_of_own_range(offset, limit, facts)
    assert named > 0
    assert abs(named - limit) <= 1
    assert names_own_range({"offset": offset, "limit": named}, facts)


@pytest.mark.parametrize(
    "arguments,expected",
    [
        ({"offset": 0, "limit": 10_000}, True),
        ({"offset": 1, "limit": "10000"}, True),
        ({"limit": 2_001}, True),
        ({"limit": 2_000}, False),
        ({"offset": 2, "limit": 10_000}, False),
        ({"limit": "all"}, False),
        ({}, False),
    ],
)
def test_a_limit_over_the_greatest_page_is_the_window_of_a_plain_read_on_some_hosts(
    arguments: dict[str, Any], *, expected: bool
) -> None:
    assert asks_for_plain_window(arguments, NEW) is expected
    assert not asks_for_plain_window(arguments, OLD)
    assert not asks_for_plain_window(arguments, UNKNOWN)
