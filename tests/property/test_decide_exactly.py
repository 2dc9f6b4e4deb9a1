"""What binds an approval and what an owner reads hold for every call, and a condition is never fooled by a shell."""

import re
import subprocess

import hypothesis.strategies as st
from hypothesis import example, given, settings

from herma.core.people.commands import argv_of
from herma.core.people.confusable import looks_like, marked, skeleton
from herma.core.people.digest import ask_digest, canonical
from herma.core.people.prompt import MOST_CHARACTERS, MOST_LINES, ask_prompt
from herma.core.visible import visible

PROVED = settings(derandomize=True, max_examples=300, deadline=None, database=None)

texts = st.text(
    st.one_of(st.sampled_from("ab1 \"'\\`$;|&\n\t⟨⟩аоＲ\u202e\u200b\u00a0é\ud800"), st.characters()), max_size=30
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts)
values: st.SearchStrategy[object] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=10,
)
arguments = st.dictionaries(texts, values, max_size=3)


def _same(one: object, other: object) -> bool:
    """Equality as JSON has it: by kind too, and with the sign of a zero."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return repr(one) == repr(other)


@PROVED
@given(values, values)
@example({"a": 1}, {"a": True})
@example([1], [1.0])
@example({"a": "1"}, {"a": 1})
@example("\ud83d\ude00", "\U0001f600")
def test_two_values_have_one_text_exactly_when_they_are_the_same(one: object, other: object) -> None:
    assert (canonical(one) == canonical(other)) == _same(one, other)
    assert (ask_digest("p", "t", one, "c", "s") == ask_digest("p", "t", other, "c", "s")) == _same(one, other)


@PROVED
@given(arguments)
def test_the_order_of_arguments_is_no_difference(args: dict[str, object]) -> None:
    turned = dict(reversed(args.items()))
    assert ask_digest("p", "t", turned, "c", "s") == ask_digest("p", "t", args, "c", "s")


parts = st.lists(texts, min_size=4, max_size=4)


@PROVED
@given(parts, parts)
@example(["a", "b", "c", "d"], ["ab", "", "c", "d"])
@example(["1:a", "b", "c", "d"], ["1", ":ab", "c", "d"])
def test_two_asks_have_one_digest_exactly_when_every_part_is_the_same(one: list[str], other: list[str]) -> None:
    digests = [ask_digest(person, tool, {}, where, scope) for person, tool, where, scope in (one, other)]
    assert (digests[0] == digests[1]) == (one == other)


# --- what a shell does with a command that is understood

pieces = st.sampled_from(
    [
        *("git", "status", "-C", "'a b'", '"c d"', "''", '""', "x=1", " ", "  ", "'", '"', "%", ","),
        *(
            ";",
            "&&",
            "|",
            "$(id)",
            "${IFS}",
            "$IFS",
            "`id`",
            "\\",
            "\n",
            "\t",
            "#",
            "*",
            "~",
            "<",
            ">",
            "(",
            "!",
            "{a,b}",
        ),
        *("\u00a0", "\u2003", "\u0430"),
    ]
)
shellish = st.lists(st.one_of(pieces, st.text("ab-/.@+:=' \"", max_size=6)), max_size=7).map("".join)


@settings(PROVED, max_examples=150)
@given(st.lists(shellish, min_size=20, max_size=20))
def test_a_real_shell_finds_the_words_that_a_condition_finds(commands: list[str]) -> None:
    understood = [(command, argv) for command in commands if (argv := argv_of(command)) and argv[0]]
    script = "".join(f"show {command}\n" for command, _ in understood)
    shown = subprocess.run(
        ["/bin/sh", "-s"],
        input="show() { for word; do printf '[%s]' \"$word\"; done; echo; }\n" + script,
        capture_output=True,
        text=True,
        check=True,
        env={},
        timeout=60,
    )
    assert shown.stdout == "".join("".join(f"[{word}]" for word in argv) + "\n" for _, argv in understood)
    assert shown.stderr == ""


@PROVED
@given(
    shellish,
    st.sampled_from([";", "&", "|", "\n", "$", "`", "<", ">", "(", "\\", "*", "#", "~", "\t", "\u00a0"]),
    shellish,
)
def test_nothing_that_a_shell_obeys_is_ever_part_of_a_plain_word(before: str, sign: str, after: str) -> None:
    argv = argv_of(before + sign + after)
    if argv is not None:
        unquoted = re.sub(r"'[^']*'|\"[^\"]*\"", "", before + sign + after)
        assert sign not in unquoted


# --- what an owner reads


def _read_back(shown: str) -> str:
    """The text that was marked."""
    shown = re.sub(r"⟨U\+[0-9A-F]{4,6} like [^⟩]+⟩", "", shown)
    shown = re.sub(r"⟨(\d+) spaces⟩", lambda run: " " * int(run[1]), shown)
    return re.sub(r"⟨U\+([0-9A-F]{4,6})⟩", lambda mark: chr(int(mark[1], 16)), shown)


@PROVED
@given(st.one_of(texts, st.text(max_size=40), st.text(" a", max_size=40)))
@example("⟨U+0041⟩")
@example("а⟨17 spaces⟩" + " " * 17)
def test_a_marked_text_can_be_read_back_and_hides_nothing(text: str) -> None:
    shown = marked(text)
    assert _read_back(shown) == text
    assert visible(shown) == shown
    assert " " * 17 not in shown


@PROVED
@given(texts, texts, texts, arguments)
def test_a_prompt_is_whole_or_is_not_given(name: str, account: str, tool: str, args: dict[str, object]) -> None:
    text = ask_prompt(name, account, role="member", tool=tool, args=args, code="K7Q2", seconds=9)
    if text is None:
        return
    assert len(text) <= MOST_CHARACTERS
    lines = text.split("\n")
    assert len(lines) <= MOST_LINES
    assert visible(text.replace("\n", "")) == text.replace("\n", "")
    assert lines[-4:] == [
        "```",
        "Yes, once: /many approve K7Q2",
        "No: /many deny K7Q2",
        "Silence is no, after 9 seconds.",
    ]
    assert lines.count("```") == 2
    inside = lines[4:-4]
    for key, value in args.items():
        label = key if key.isidentifier() else canonical(key)
        if isinstance(value, str):
            start = next(
                at for at, line in enumerate(inside) if not line.startswith("|") and _read_back(line) == f"{label}:"
            )
            written = value.split("\n")
            assert [_read_back(line) for line in inside[start + 1 : start + 1 + len(written)]] == [
                f"| {w}" for w in written
            ]
        else:
            assert f"{label} = {canonical(value)}" in [_read_back(line) for line in inside]


@PROVED
@given(st.text(max_size=20), st.text(max_size=20))
def test_names_are_compared_by_their_looks_alone(one: str, other: str) -> None:
    assert (looks_like(one, [other]) == other) == (bool(skeleton(one)) and skeleton(one) == skeleton(other))
    assert skeleton(skeleton(one)) == skeleton(one)
    assert skeleton("\u200b" + one + "\u2060") == skeleton(one)
