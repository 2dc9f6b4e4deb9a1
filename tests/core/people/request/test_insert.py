"""A text put into a request stands where it belongs, and comes out again without a trace."""

import copy

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from tests.core.people.request.wires import SHAPES, done, recorded, request, said, system_text
from tests.hosts.hermes import VERSIONS

from herma.core.people.card import card
from herma.core.people.request import (
    NotUnderstood,
    insert_in_newest_user,
    insert_in_system,
    take_back,
    take_out_cards,
)

PROVED = settings(derandomize=True, max_examples=100, deadline=None, database=None)
ROWS = [("user", "hello"), ("assistant", "hi"), ("user", "more"), ("assistant", "calling"), ("tool", "result")]
CARD = card("Minh", "member", account="telegram:222", facts=["likes tea"])
OTHER = card("Kiter", "owner", account="telegram:111", facts=["the safe is open"])


@pytest.mark.parametrize("shape", SHAPES)
def test_the_text_stands_behind_the_newest_words_of_a_person(shape: str) -> None:
    sent = request(shape, "be kind", ROWS)
    before = copy.deepcopy(sent)

    assert said(done(insert_in_newest_user(sent, CARD))) == ["hello", f"more\n\n{CARD}"]
    assert sent == before


@pytest.mark.parametrize("shape", SHAPES)
def test_the_text_stands_at_the_end_of_the_system_prompt(shape: str) -> None:
    sent = request(shape, "be kind and brief", ROWS)

    assert system_text(done(insert_in_system(sent, CARD))) == f"be kind and brief\n\n{CARD}"
    assert said(done(insert_in_system(sent, CARD))) == ["hello", "more"]


@pytest.mark.parametrize("shape", SHAPES)
@given(st.text(min_size=1, max_size=40))
@PROVED
def test_putting_in_and_taking_back_leaves_every_byte_as_it_was(shape: str, text: str) -> None:
    sent = request(shape, "be kind and brief", ROWS)

    assert done(take_back(done(insert_in_newest_user(sent, text)), text)) == sent
    assert done(take_back(done(insert_in_system(sent, text)), text)) == sent
    assert done(insert_in_newest_user(sent, text)) == done(insert_in_newest_user(sent, text))


@pytest.mark.parametrize("version", VERSIONS)
def test_over_a_turn_the_text_stands_in_one_place_whatever_the_host_puts_in(version: str) -> None:
    sent = recorded(version)["steered"]

    words = said(done(insert_in_newest_user(sent, CARD)))
    assert words[0] == f"[Alice] look at the room\n\n{CARD}"
    assert not any(CARD in each for each in words[1:])


@pytest.mark.parametrize("shape", SHAPES)
def test_without_a_place_for_it_the_request_is_not_understood(shape: str) -> None:
    assert isinstance(insert_in_newest_user(request(shape, "be kind", ROWS[1:2]), CARD), NotUnderstood)


def test_what_is_not_understood_stays_so() -> None:
    odd = {"prompt": "complete this"}

    for result in (
        insert_in_newest_user(odd, CARD),
        insert_in_system(odd, CARD),
        insert_in_system({"messages": []}, CARD),
        take_back(odd, CARD),
        take_out_cards(odd),
    ):
        assert isinstance(result, NotUnderstood)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_empty_text_changes_nothing(shape: str) -> None:
    sent = request(shape, "be kind", ROWS)

    assert done(insert_in_newest_user(sent, "")) is sent
    assert done(insert_in_system(sent, "")) is sent
    assert done(take_back(sent, "")) is sent


def test_a_picture_without_words_gets_the_text_beside_it() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:"}}
    sent = {"messages": [{"role": "user", "content": [picture]}]}

    content = done(insert_in_newest_user(sent, CARD))["messages"][0]["content"]
    assert content == [picture, {"type": "text", "text": CARD}]
    assert content[0] is picture


@pytest.mark.parametrize("shape", SHAPES)
def test_cards_of_earlier_turns_are_taken_out_and_the_own_one_stays(shape: str) -> None:
    rows = [("user", f"hello\n\n{OTHER}"), ("assistant", "hi"), ("user", f"more\n\n{CARD}\n\nand a memory")]
    sent = request(shape, "be kind", rows)

    assert said(done(take_out_cards(sent, but=CARD))) == ["hello", f"more\n\n{CARD}\n\nand a memory"]
    assert said(done(take_out_cards(sent))) == ["hello", "more\n\nand a memory"]


def test_who_types_the_opening_of_a_card_does_not_take_the_real_one_along() -> None:
    typed = OTHER.partition("\n")[0]
    sent = request("chat", "be kind", [("user", f"{typed}\n\n{CARD}")])

    assert said(done(take_out_cards(sent, but=CARD))) == [f"{typed}\n\n{CARD}"]
    assert said(done(take_out_cards(sent))) == [typed]
