"""An entry in a list of a JSON file with comments: put in and taken out, and nothing else touched."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herma.core.memory.jsonc import loads
from herma.errors import OddFile
from herma.install.changes import Change
from herma.install.edits import applied, reverted
from herma.install.jsonc_edit import Jsonc, entries
from herma.install.judging import rewritten

URI = "file:///home/you/plugin"
ADD = Change("list", ("plugin",), URI)

TEXTS = [
    "",
    "// nothing yet\n",
    "{}",
    "{\n}\n",
    '{"theme": "dark"}',
    '{\n  "theme": "dark" // mine\n}\n',
    '{\n\t"theme": "dark",\n}\n',
    '{"plugin": []}',
    '{"plugin": ["a"]}',
    '{"plugin": ["a",], "b": 1}',
    '{\n  "plugin": [\n    "a", // of mine\n    ["b", {"x": [1]}] /* too */\n  ],\n}\n',
    '{\n  "plugin": ["a", // one\n    "b"\n  ]\n}',
    '\ufeff{\r\n  "a": "plugin: [", // "plugin": []\r\n  "plugin": [ ]\r\n}\r\n',
    '{"deep": {"plugin": ["x"]}, "plugin": ["a"]}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_entry_is_added_and_everything_else_stays_and_can_be_taken_back(text: str) -> None:
    new = rewritten(text, [ADD], Jsonc())
    assert entries(new.text, "plugin") == [*entries(text, "plugin"), URI]
    assert reverted(new.text, new.edits) == text
    for comment in ("// mine", "// of mine", "/* too */", "// one", "// nothing yet"):
        assert (comment in text) == (comment in new.text)
    back = rewritten(new.text, new.undo, Jsonc()).text
    assert _data(back) == _data(text)


def _data(text: str) -> object:
    try:
        return loads(text)
    except json.JSONDecodeError:
        return {}


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_listed_already_is_not_listed_twice(text: str) -> None:
    once = rewritten(text, [ADD], Jsonc()).text
    assert rewritten(once, [ADD], Jsonc()).edits == ()


def test_a_comment_stays_with_the_entry_it_belongs_to() -> None:
    new = rewritten('{\n  "plugin": [\n    "a" // of mine\n  ]\n}\n', [ADD], Jsonc())
    assert new.text == f'{{\n  "plugin": [\n    "a", // of mine\n    "{URI}"\n  ]\n}}\n'


@pytest.mark.parametrize(
    "text",
    ["[]", '{"plugin": "a"}', '{"plugin": [], "plugin": []}', '{"a": }', "{", '{"a" 1}', '{"a": 1 "b": 2}', "{} {}"],
)
def test_a_file_that_is_not_understood_is_not_changed(text: str) -> None:
    with pytest.raises(OddFile):
        rewritten(text, [ADD], Jsonc())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None, database=None)
@given(
    st.dictionaries(st.text(max_size=6), VALUES, max_size=4), st.lists(st.text(max_size=9), max_size=3), st.booleans()
)
def test_any_settings_keep_their_values(data: dict[str, object], plugins: list[str], indented: bool) -> None:  # noqa: FBT001 - drawn
    text = json.dumps({**data, "plugin": plugins}, indent=2 if indented else None, ensure_ascii=False)
    new = rewritten(text, [ADD], Jsonc())
    assert loads(new.text) == {**data, "plugin": [*plugins, *([] if URI in plugins else [URI])]}
    assert applied(text, new.edits) == new.text
