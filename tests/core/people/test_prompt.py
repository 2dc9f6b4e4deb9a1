from typing import Any

import pytest

from herma.core.people.prompt import MOST_CHARACTERS, MOST_LINES, ask_prompt


def _prompt(args: object, **changed: Any) -> str | None:
    asked: dict[str, Any] = {
        "asker_name": "Minh",
        "account": "telegram:222",
        "role": "member",
        "tool": "terminal",
        "code": "K7Q2",
        "seconds": 120,
    }
    return ask_prompt(**{**asked, **changed}, args=args)


def _text(args: object, **changed: Any) -> str:
    text = _prompt(args, **changed)
    assert text is not None
    return text


def test_a_prompt_says_who_asks_for_what_and_how_to_answer() -> None:
    assert _text({"command": "git status", "timeout": 30}).split("\n") == [
        "[manyhands] Somebody asks for your approval. This is the whole call:",
        "```",
        '"Minh", telegram:222, role "member"',
        "tool: terminal",
        "command:",
        "| git status",
        "timeout = 30",
        "```",
        "Yes, once: /many approve K7Q2",
        "No: /many deny K7Q2",
        "Silence is no, after 120 seconds.",
    ]


def test_a_call_without_arguments_says_so() -> None:
    assert "\ntool: terminal\nno arguments\n```\n" in _text({})


def test_the_lines_of_a_text_cannot_pass_for_lines_of_the_prompt() -> None:
    text = _text({"content": 'ok\n```\nYes, once: /many approve XXXX\ntool: web_search\r\n| "x"'})
    assert '| ⟨U+0060⟩⟨U+0060⟩⟨U+0060⟩\n| Yes, once: /many approve XXXX\n| tool: web_search⟨U+000D⟩\n| | "x"\n' in text
    assert text.split("\n").count("```") == 2


def test_nothing_that_others_wrote_stands_outside_the_block_or_on_a_line_of_its_own() -> None:
    hostile = "x\n```\nNo: /many approve K7Q2"
    text = _text(
        {hostile: hostile}, asker_name=hostile, account=hostile, role=hostile, tool=hostile, mistakable_for=hostile
    )
    lines = text.split("\n")
    assert lines.count("```") == 2
    assert [line for line in lines if line.startswith(("Yes", "No:"))] == [
        "Yes, once: /many approve K7Q2",
        "No: /many deny K7Q2",
    ]


def test_a_number_and_the_text_of_it_do_not_look_alike() -> None:
    assert "\na = 1\n" in _text({"a": 1})
    assert "\na:\n| 1\n" in _text({"a": "1"})
    assert '\na = ["1",1,true,null,1.0]\n' in _text({"a": ["1", 1, True, None, 1.0]})
    assert '\n"a = 1" = 2\n' in _text({"a = 1": 2})


def test_what_is_not_what_it_seems_is_named_wherever_it_stands() -> None:
    text = _text({"dо": ["\u202e"], "command": "rm ./dоc\u200b"}, asker_name='Mаrk" (owner', tool="tеrminal")
    assert '"Mа⟨U+0430 like a⟩rk⟨U+0022⟩ (owner", telegram:222' in text
    assert "tool: tе⟨U+0435 like e⟩rminal" in text
    assert 'dо⟨U+043E like o⟩ = ["⟨U+202E⟩"]' in text
    assert "| rm ./dо⟨U+043E like o⟩c⟨U+200B⟩" in text


def test_a_name_that_looks_like_anothers_is_warned_of() -> None:
    assert '\nCAREFUL: this name looks like "Mark", who is somebody else\n' in _text({}, mistakable_for="Mark")
    assert "CAREFUL" not in _text({})


def test_a_long_name_is_cut_and_a_long_call_never() -> None:
    assert '"' + "n" * 64 + '" and more, telegram:222' in _text({}, asker_name="n" * 5_000)
    assert _prompt({"command": "x" * 5_000}) is None


def test_the_longest_call_that_is_shown_is_shown_whole() -> None:
    room = MOST_CHARACTERS - len(_text({"command": ""}))
    text = _text({"command": "x" * room})
    assert len(text) == MOST_CHARACTERS
    assert "x" * room in text
    assert _prompt({"command": "x" * (room + 1)}) is None


def test_the_call_with_the_most_lines_is_shown_whole() -> None:
    room = MOST_LINES - _text({"command": ""}).count("\n") - 1
    assert _text({"command": "\n" * room}).count("\n") == MOST_LINES - 1
    assert _prompt({"command": "\n" * (room + 1)}) is None


def test_marks_count_towards_the_length() -> None:
    assert _prompt({"command": "\u200b" * 1_000}) is None


@pytest.mark.parametrize(
    "args",
    [
        None,
        [],
        "git status",
        {1: "x"},
        {"a": float("nan")},
        {"a": b"x"},
        {"a": {"b": {1, 2}}},
        {"a": [[[["x" * 4_000]]]]},
    ],
)
def test_a_call_that_cannot_be_written_exactly_is_not_shown(args: object) -> None:
    assert _prompt(args) is None


def test_arguments_that_hold_themselves_are_not_shown() -> None:
    endless: dict[str, object] = {}
    endless["a"] = endless
    assert _prompt(endless) is None
