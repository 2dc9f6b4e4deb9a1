import hashlib

import pytest

from herma.core.people.digest import (
    MOST_CHARACTERS,
    MOST_DEEP,
    MOST_PARTS,
    Uncanonical,
    ask_digest,
    canonical,
    has_form,
)

ASK = ("telegram:222", "terminal", {"command": "git status"}, "chat:1", "exact")


def _nested(deep: int) -> object:
    value: object = {}
    for _ in range(deep):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value,text",
    [
        ({"b": 1, "a": [True, None, "é\n"]}, '{"a":[true,null,"é\\n"],"b":1}'),
        ({"n": 10**30}, '{"n":1000000000000000000000000000000}'),
        ({"n": 0.1}, '{"n":0.1}'),
        ({"n": -0.0}, '{"n":-0.0}'),
        ([], "[]"),
        ((1, 2), "[1,2]"),
    ],
)
def test_a_value_has_one_exact_text(value: object, text: str) -> None:
    assert canonical(value) == text


def test_what_only_looks_equal_has_another_text() -> None:
    values = [1, 1.0, True, "1", "1.0", "true", [1], {"1": 1}, None, "null", "", [], {}, "é", "e\u0301", 0.0, -0.0]
    assert len({canonical(value) for value in values}) == len(values)
    assert canonical("\ud83d\ude00") != canonical("\U0001f600")


def _endless() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


def _exploding() -> list[object]:
    value: list[object] = []
    value += [value] * 100
    return value


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        -float("inf"),
        {1: "x"},
        {None: "x"},
        {True: "x"},
        {"a": b"x"},
        {"a": {"b"}},
        {"a": object()},
        10**400,
        {"a": 1 + 2j},
        _nested(MOST_DEEP + 1),
        [0] * MOST_PARTS,
        [[0] * MOST_PARTS],
        "x" * (MOST_CHARACTERS + 1),
        {"x" * (MOST_CHARACTERS + 1): 1},
        _endless(),
        _exploding(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_exact_form_is_said_and_never_written(value: object) -> None:
    with pytest.raises(Uncanonical):
        canonical(value)
    assert not has_form({"a": value})
    with pytest.raises(Uncanonical):
        ask_digest("p", "t", value, "c", "s")


WITHIN: list[object] = [
    _nested(MOST_DEEP - 1),
    {"a": [0] * (MOST_PARTS - 2)},
    {"": "x" * MOST_CHARACTERS},
    {"a": 10**300},
]


def test_what_is_just_within_the_limits_has_a_form_and_a_digest() -> None:
    for value in WITHIN:
        assert has_form(value)
        assert len(ask_digest("p", "t", value, "c", "s")) == 64


def test_only_a_mapping_can_be_the_arguments_of_a_call() -> None:
    assert has_form({})
    others: list[object] = [[], "", None, 1, (("a", 1),)]
    assert not any(map(has_form, others))


def test_the_digest_is_a_sha256_over_every_part_with_its_length() -> None:
    parts = ["herma/ask/1", "telegram:222", "terminal", '{"command":"git status"}', "chat:1", "exact"]
    written = "".join(f"{len(part)}:{part}" for part in parts)
    assert ask_digest(*ASK) == hashlib.sha256(written.encode()).hexdigest()


def test_every_part_of_an_ask_counts() -> None:
    others = [
        ("telegram:223", *ASK[1:]),
        (ASK[0], "process", *ASK[2:]),
        (*ASK[:2], {"command": "git status "}, *ASK[3:]),
        (*ASK[:2], {"command": "git status", "timeout": 1}, *ASK[3:]),
        (*ASK[:3], "chat:2", ASK[4]),
        (*ASK[:4], "tool"),
        (ASK[0] + ASK[1], "", *ASK[2:]),
    ]
    assert len({ask_digest(*ask) for ask in [ASK, *others]}) == 8
    assert ask_digest(*ASK[:2], {"command": "git status"}, *ASK[3:]) == ask_digest(*ASK)


def test_a_text_that_is_no_unicode_has_a_digest_too() -> None:
    assert ask_digest("p", "t", {"a": "\ud800"}, "c", "s") != ask_digest("p", "t", {"a": "\udfff"}, "c", "s")
