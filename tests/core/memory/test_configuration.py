"""The settings of opencode-hermes, from a file and from the environment."""

import pytest

from herma.core.memory.configuration import file_path, read
from herma.core.memory.jsonc import loads
from herma.core.memory.settings import SYSTEM, VARIABLE_OF
from herma.core.settings import VARIABLES, Resolved, of_system

HOME = "/home/ada"


def _read(text: str | None = None, **environ: str) -> Resolved:
    return read(text, environ, home=HOME)


def _messages(found: Resolved) -> str:
    return "\n".join(problem.message for problem in found.problems)


def test_with_nothing_written_the_defaults_hold_and_nothing_is_said() -> None:
    found = _read()
    assert found.problems == ()
    assert found.usable
    assert set(found.places.values()) == {"default"}
    assert found.values == {
        "memoryRoot": "/home/ada/.config/opencode/memories",
        "skillsRoot": "/home/ada/.agents/skills",
        "memoryCharLimit": 2_200,
        "userCharLimit": 1_375,
        "nudgeInterval": 10,
        "idleDebounceMs": 10_000,
        "log": "/home/ada/.local/share/opencode/log/opencode-hermes.log",
        "sessionsDb": "/home/ada/.local/share/opencode/opencode.db",
        "provider": "none",
        "providerPath": "/home/ada/.config/opencode/memories/provider.sqlite",
        "providerOptions": None,
        "prefetchLimit": 5,
        "dream": True,
        "dreamJudge": False,
    }


def test_default_paths_follow_the_folders_of_the_system_and_of_opencode() -> None:
    found = _read(XDG_CONFIG_HOME="/c", XDG_DATA_HOME="/d", OPENCODE_DB="/e/x.db")
    assert found.values["memoryRoot"] == "/c/opencode/memories"
    assert found.values["log"] == "/d/opencode/log/opencode-hermes.log"
    assert found.values["sessionsDb"] == "/e/x.db"
    assert _read(XDG_CONFIG_HOME="relative").values["memoryRoot"] == "/home/ada/.config/opencode/memories"


def test_the_file_lies_in_the_configuration_folder_or_where_the_variable_says() -> None:
    assert file_path({}, home=HOME) == "/home/ada/.config/opencode/opencode-hermes.json"
    assert file_path({"XDG_CONFIG_HOME": "/c"}, home=HOME) == "/c/opencode/opencode-hermes.json"
    assert file_path({"HERMES_OPENCODE_CONFIG": "~/x.jsonc"}, home=HOME) == "/home/ada/x.jsonc"


def test_the_environment_wins_over_the_file_and_the_file_over_the_default() -> None:
    found = _read('{"memoryCharLimit": 3000, "userCharLimit": 900}', HERMES_OPENCODE_MEMORY_LIMIT="4000")
    assert (found.values["memoryCharLimit"], found.values["userCharLimit"]) == (4_000, 900)
    assert found.places["memoryCharLimit"] == "HERMES_OPENCODE_MEMORY_LIMIT"
    assert found.places["userCharLimit"] == "opencode-hermes.json"


def test_every_key_has_its_variable_but_the_options_of_a_provider() -> None:
    assert {setting.name for setting in of_system(SYSTEM)} - set(VARIABLE_OF) == {"providerOptions"}
    named = {variable.name for variable in VARIABLES if variable.system == SYSTEM}
    assert named == {*VARIABLE_OF.values(), "HERMES_OPENCODE_CONFIG", "HERMA_COMMAND"}


@pytest.mark.parametrize("written,value", [("3000", 3_000), ('"3000"', 3_000), ("3000.9", 3_000), ('" 3000 "', 3_000)])
def test_a_number_may_be_written_as_text_or_with_a_fraction(written: str, value: int) -> None:
    found = _read(f'{{"memoryCharLimit": {written}}}')
    assert found.values["memoryCharLimit"] == value
    assert found.problems == ()


@pytest.mark.parametrize("written", ["0", "-5", '"many"', "true", "1e999", '"inf"', "[]", '""'])
def test_a_number_that_cannot_be_used_is_named_and_the_default_holds(written: str) -> None:
    found = _read(f'{{"memoryCharLimit": {written}}}')
    assert found.values["memoryCharLimit"] == 2_200
    assert "memoryCharLimit must be a whole number of at least 1" in _messages(found)
    assert found.usable


@pytest.mark.parametrize("text", ["0", "-1", "many", "nan"])
def test_a_variable_that_cannot_be_used_is_named_and_the_file_holds(text: str) -> None:
    found = _read('{"memoryCharLimit": 900}', HERMES_OPENCODE_MEMORY_LIMIT=text)
    assert found.values["memoryCharLimit"] == 900
    assert "HERMES_OPENCODE_MEMORY_LIMIT must be a whole number of at least 1" in _messages(found)


@pytest.mark.parametrize(
    "word,value", [("true", True), ("1", True), ("YES", True), ("on", True), ("off", False), ("0", False)]
)
def test_switches_are_understood_in_many_words(word: str, value: bool) -> None:  # noqa: FBT001 - parametrized
    assert _read(HERMES_OPENCODE_DREAM=word).values["dream"] is value
    assert _read(f'{{"dream": "{word}"}}').values["dream"] is value


def test_a_blank_variable_counts_as_not_set() -> None:
    assert _read(HERMES_OPENCODE_MEMORY_ROOT="  ", HERMES_OPENCODE_DREAM="").problems == ()


@pytest.mark.parametrize("path", ["notes", "./notes", "~/notes"])
def test_a_path_is_never_below_the_project(path: str) -> None:
    root = str(_read(HERMES_OPENCODE_MEMORY_ROOT=path).values["memoryRoot"])
    assert root.startswith("/home/ada/")
    assert root.endswith("notes")


def test_comments_and_trailing_commas_are_fine_and_strings_stay_as_they_are() -> None:
    text = """\ufeff{
      // a comment with "quotes" and a , }
      "memoryRoot": "/m//x/*y*/", /* another,
      } */
      "provider": "file:///p.ts", // see https://example
      "providerOptions": {"endpoint": "http://127.0.0.1:8080", "list": [1, 2, /* c */ ], "text": ",]"},
    }"""
    found = _read(text)
    assert found.values["memoryRoot"] == "/m//x/*y*/"
    assert found.values["provider"] == "file:///p.ts"
    assert found.values["providerOptions"] == {"endpoint": "http://127.0.0.1:8080", "list": [1, 2], "text": ",]"}


def test_what_is_loaded_has_escapes_in_strings() -> None:
    assert loads(r'{"a": "\"//\\", }') == {"a": '"//\\'}


@pytest.mark.parametrize("text", ["{", "[1]", "nonsense", '{"a": 1,, }', "/* open", '"text"', "[" * 100_000])
def test_a_file_that_cannot_be_understood_is_one_warning_and_defaults(text: str) -> None:
    found = _read(text)
    (problem,) = found.problems
    assert problem.message.startswith("opencode-hermes.json is not JSON with comments: ")
    assert not problem.fatal
    assert found.values == _read().values


def test_the_warning_says_where_in_the_file() -> None:
    assert "line 3, column" in _messages(_read('{\n  // comment\n  "a" 1\n}'))


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_file_says_nothing(text: str) -> None:
    assert _read(text).problems == ()


def test_an_unknown_key_is_named_with_the_nearest_one() -> None:
    (problem,) = _read('{"memoryLimit": 5, "$schema": "x"}').problems
    assert problem.hint == "did you mean memoryCharLimit?"
    assert not problem.fatal


def test_settings_of_later_parts_are_checked_and_said_to_be_not_active_yet() -> None:
    found = _read('{"dream": false, "prefetchLimit": 7}', HERMES_NUDGE_INTERVAL="3", HERMES_OPENCODE_PROVIDER="sqlite")
    (problem,) = found.problems
    assert problem.message == "not active yet in this version: dream, nudgeInterval, prefetchLimit, provider"
    assert found.values["nudgeInterval"] == 3
    assert "nudgeInterval must be" in _messages(_read('{"nudgeInterval": -1}'))


def test_settings_of_this_part_are_in_force_without_a_word() -> None:
    assert _read('{"memoryRoot": "/m", "log": "/l", "memoryCharLimit": 9, "userCharLimit": 9}').problems == ()
