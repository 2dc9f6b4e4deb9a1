"""The key of a read."""

import pytest

from herma.core.reading.events import ToolFacts
from herma.core.reading.request import ReadKey, key_of

OLD = ToolFacts(default_limit=500, most_lines=2_000)
NEW = ToolFacts(default_limit=2_000, most_lines=2_000)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"offset": 1},
        {"offset": "1", "limit": "500"},
        {"limit": 500},
        {"offset": 0},
        {"offset": -3, "limit": 500.0},
        {"offset": None, "limit": None},
        {"offset": " 1 "},
    ],
)
def test_ways_to_write_a_plain_read_are_one_key(more: dict[str, object]) -> None:
    assert key_of({"path": "/a/b", **more}, OLD) == ReadKey("/a/b", 1, 500)


def test_the_default_limit_is_the_hosts_own() -> None:
    assert key_of({"path": "/a"}, OLD) == ReadKey("/a", 1, 500)
    assert key_of({"path": "/a"}, NEW) == ReadKey("/a", 1, 2_000)
    assert key_of({"path": "/a", "limit": 500}, NEW) != key_of({"path": "/a"}, NEW)


@pytest.mark.parametrize("limit", [2_000, "2000", 10_000, "99999"])
def test_a_limit_above_the_hosts_most_is_its_most(limit: object) -> None:
    assert key_of({"path": "/a", "limit": limit}, OLD) == ReadKey("/a", 1, 2_000)


def test_another_window_is_another_key() -> None:
    keys = [{"offset": 2}, {"limit": 3}, {"offset": 2, "limit": 3}, {"limit": 0}]
    assert len({key_of({"path": "/a", **more}, OLD) for more in keys}) == 4


@pytest.mark.parametrize("path", ["notes.txt", "./notes.txt", "../a", "~/notes.txt", "~root/x", " /a"])
def test_a_path_that_only_the_host_can_resolve_has_no_key(path: str) -> None:
    assert key_of({"path": path}, OLD) == "relative_path"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"path": ""},
        {"path": 7},
        {"path": None},
        {"path": "/a\0b"},
        {"path": "/a", "offset": "two"},
        {"path": "/a", "offset": True},
        {"path": "/a", "limit": 1.5},
        {"path": "/a", "limit": [1]},
        {"path": "/a", "limit": float("inf")},
        {"path": "/a", "limit": ""},
    ],
)
def test_values_that_are_no_path_and_no_whole_number_have_no_key(arguments: dict[str, object]) -> None:
    assert key_of(arguments, OLD) == "bad_args"


def test_an_argument_that_is_not_known_has_no_key() -> None:
    assert key_of({"path": "/a", "encoding": "utf-8"}, OLD) == "unknown_arg"


def test_without_the_hosts_schema_there_is_no_key() -> None:
    assert key_of({"path": "/a"}, ToolFacts()) == "no_schema"
