"""How what a person wrote becomes a value in force."""

import math
from typing import Any

import pytest

from herma.core.reading.summarizer import SummarySettings
from herma.core.settings import Layer, Problem, Resolved, of_system, resolve

SYSTEM = "read-summarizer"
TOP, FORM = "read_summarizer", "plugins.entries.read-summarizer.settings"
DEFAULTS = {
    "enabled": False,
    "threshold_bytes": 50_000,
    "head_lines": 200,
    "tail_lines": 50,
    "allowed_tools": ("read_file", "Read", "read_path"),
}


def _resolved(top: object = None, form: object = None) -> Resolved:
    return resolve(SYSTEM, (Layer(TOP, top), Layer(FORM, form)))


def _problem(top: object) -> Problem:
    (problem,) = _resolved(top).problems
    return problem


def test_with_nothing_written_the_defaults_hold() -> None:
    nothings: tuple[dict[str, Any] | None, ...] = (None, {})
    for nothing in nothings:
        found = _resolved(nothing, nothing)
        assert found.values == DEFAULTS
        assert set(found.places.values()) == {"default"}
        assert found.problems == ()
        assert found.usable


def test_the_defaults_of_the_table_are_those_of_the_decision() -> None:
    assert SummarySettings()._asdict() == DEFAULTS
    assert [setting.name for setting in of_system(SYSTEM)] == list(SummarySettings._fields)


def test_every_setting_can_be_written_at_both_places() -> None:
    written: dict[str, Any] = {
        "enabled": True,
        "threshold_bytes": 1_000,
        "head_lines": 0,
        "tail_lines": 10**9,
        "allowed_tools": ["cat"],
    }
    expected = written | {"allowed_tools": ("cat",)}
    for found, place in ((_resolved(written), TOP), (_resolved(None, written), FORM)):
        assert found.values == expected
        assert set(found.places.values()) == {place}
        assert found.problems == ()


def test_the_top_level_block_wins_key_by_key() -> None:
    found = _resolved({"enabled": True, "head_lines": 7}, {"enabled": False, "head_lines": 9, "tail_lines": 3})
    assert found.values == DEFAULTS | {"enabled": True, "head_lines": 7, "tail_lines": 3}
    assert found.places == {
        "enabled": TOP,
        "head_lines": TOP,
        "tail_lines": FORM,
        "threshold_bytes": "default",
        "allowed_tools": "default",
    }


@pytest.mark.parametrize(
    "key,near",
    [
        ("enable", "enabled"),
        ("treshold_bytes", "threshold_bytes"),
        ("threshold", "threshold_bytes"),
        ("headlines", "head_lines"),
        ("tail-lines", "tail_lines"),
        ("allowed_tool", "allowed_tools"),
    ],
)
def test_an_unknown_setting_is_named_with_the_nearest_one_and_left_out(key: str, near: str) -> None:
    problem = _problem({key: 5})
    assert problem == Problem(f"{TOP}.{key}", f"{TOP}.{key} is not a setting", f"did you mean {near}?", fatal=False)
    assert _resolved({key: 5, "enabled": True}).values == DEFAULTS | {"enabled": True}
    assert _resolved({key: 5}).usable


@pytest.mark.parametrize("key", ["zzz", True, 5, ""])
def test_where_nothing_is_near_all_settings_are_named(key: object) -> None:
    problem = _problem({key: 1})
    assert problem.key == f"{TOP}.{key}"
    assert problem.hint == "the settings are enabled, threshold_bytes, head_lines, tail_lines, allowed_tools"


@pytest.mark.parametrize(
    "name,value",
    [
        ("enabled", "true"),
        ("enabled", 1),
        ("enabled", 0),
        ("enabled", None),
        ("enabled", []),
        ("threshold_bytes", True),
        ("threshold_bytes", "50000"),
        ("threshold_bytes", 50.5),
        ("threshold_bytes", 50_000.0),
        ("threshold_bytes", math.inf),
        ("threshold_bytes", 999),
        ("threshold_bytes", 0),
        ("threshold_bytes", -1),
        ("threshold_bytes", None),
        ("head_lines", -1),
        ("head_lines", False),
        ("head_lines", "200"),
        ("head_lines", {"lines": 5}),
        ("tail_lines", -50),
        ("tail_lines", 1.0),
        ("tail_lines", [50]),
        ("allowed_tools", []),
        ("allowed_tools", "read_file"),
        ("allowed_tools", [1, 2]),
        ("allowed_tools", ["read_file", ""]),
        ("allowed_tools", ["read_file", None]),
        ("allowed_tools", {"read_file": True}),
        ("allowed_tools", None),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_its_place_and_stops_the_system(name: str, value: object) -> None:
    found = _resolved({name: value, "enabled": True} if name != "enabled" else {name: value})
    (problem,) = found.problems
    assert problem.key == f"{TOP}.{name}"
    assert problem.message.startswith(f"{TOP}.{name} must be ")
    assert problem.fatal
    assert problem.hint.startswith("the default is ")
    assert not found.usable
    assert found.values[name] == DEFAULTS[name]


def test_what_is_wanted_and_what_was_found_are_said_in_words() -> None:
    assert _problem({"threshold_bytes": 50.5}).message.endswith("must be a whole number of at least 1000, not 50.5")
    assert _problem({"head_lines": True}).message.endswith("must be a whole number of at least 0, not True")
    assert _problem({"allowed_tools": [1]}).message.endswith("must be a list of names, not list")
    assert _problem({"enabled": "true"}).message.startswith(f"{TOP}.enabled must be true or false, not ")
    assert _problem({"allowed_tools": 5}).hint == "the default is [read_file, Read, read_path]"
    assert _problem({"enabled": 5}).hint == "the default is false"


@pytest.mark.parametrize("block", [[], ["enabled"], "enabled: true", True, 5])
def test_a_block_that_is_no_block_is_named_and_stops_the_system(block: object) -> None:
    found = _resolved(block, {"head_lines": 3})
    (problem,) = found.problems
    assert problem.key == TOP
    assert problem.fatal
    assert f"below `{TOP}:`" in problem.hint
    assert not found.usable
    assert found.values["head_lines"] == 3


def test_every_problem_of_both_places_is_reported() -> None:
    found = _resolved({"head_lines": -1, "tail": 3}, {"tail_lines": "x", "nothing": 0})
    assert {problem.key for problem in found.problems} == {
        f"{TOP}.head_lines",
        f"{TOP}.tail",
        f"{FORM}.tail_lines",
        f"{FORM}.nothing",
    }


def test_a_setting_of_another_system_is_not_one_of_this() -> None:
    assert resolve("no-such-system", (Layer("x", {"enabled": True}),)).values == {}


def test_an_unusable_value_is_said_and_no_longer_in_the_way_where_a_place_that_wins_has_a_usable_one() -> None:
    wins, loses = Layer("read_summarizer", {"head_lines": 10}), Layer("elsewhere", {"head_lines": "many"})
    overruled = resolve("read-summarizer", [wins, loses])
    (problem,) = overruled.problems
    assert (overruled.values["head_lines"], overruled.usable, problem.key) == (10, True, "elsewhere.head_lines")
    assert not resolve("read-summarizer", [loses, wins]).usable
