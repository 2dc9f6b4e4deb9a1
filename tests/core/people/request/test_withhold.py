"""The operator's notes and the host's first-message note are not in what goes out."""

import copy
import json

import hypothesis.strategies as st
import pytest
from hypothesis import example, given, settings
from tests.core.people.request.wires import (
    RULE,
    SHAPES,
    SIGN,
    block,
    done,
    names,
    prompt,
    recorded,
    request,
    said,
    system_text,
)
from tests.golden.record_people import NOTES, PROFILE
from tests.hosts.hermes import VERSIONS

from herma.core.people.request import (
    NotUnderstood,
    Rewritten,
    take_out_onboarding,
    take_out_recalled,
    withhold,
)

PROVED = settings(derandomize=True, max_examples=200, deadline=None, database=None)
SECRETS = [line for entry in (*NOTES, *PROFILE) for line in entry.split("\n")]
HEADS = ("MEMORY (your personal notes)", "USER PROFILE (who the user is)")
MARKED = "\u2e2e"  # stands at both ends of every entry and nowhere else

lines = st.one_of(
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(
        [
            "",
            "§",
            RULE,
            f"{HEADS[0]} [7% — 3/2,200 chars]",
            f"{HEADS[1]} [7% — 9,999/2,200 chars]",
            "Conversation started: never",
            "Active Hermes profile: default. Mine.",
            "Timezone: mine",
            "<!-- hermes-plugin-sections:start -->",
            "<!-- hermes-plugin-sections:end -->",
            "# Hermes runtime environment",
        ]
    ),
)
entries = st.lists(
    st.lists(lines, min_size=1, max_size=6).map(lambda each: f"{MARKED}\n" + "\n".join(each) + f"\n{MARKED}"),
    max_size=4,
)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["cli-both", "cli-notes", "cli-profile"])
def test_a_prompt_without_the_notes_is_the_prompt_of_a_home_that_has_none(version: str, name: str) -> None:
    sent = recorded(version)

    assert system_text(done(withhold(sent[name]))) == system_text(sent["cli-none"])


@pytest.mark.parametrize("version, name", names())
def test_no_line_of_the_notes_is_left_in_what_a_real_host_sends(version: str, name: str) -> None:
    sent = recorded(version)[name]
    before = copy.deepcopy(sent)
    result = withhold(sent)

    left = system_text(done(result))
    assert not [line for line in (*SECRETS, *HEADS, RULE, "under the mat") if line in left]
    assert "Conversation started: " in left
    assert sent == before
    if "personal notes" in json.dumps(before, ensure_ascii=False):
        assert left != system_text(before)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_block_of_a_memory_provider_is_found_by_its_place(version: str) -> None:
    sent = recorded(version)
    with_provider, without = withhold(sent["first-message"]), withhold(sent["cli-both"])

    assert isinstance(with_provider, Rewritten)
    assert with_provider.provider
    assert isinstance(without, Rewritten)
    assert not without.provider


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_rest_of_the_request_stays_the_same_object(version: str, shape: str) -> None:
    sent = request(shape, prompt(version, ["a note"], provider="# Notebook"), [("user", "hello")])
    result = done(withhold(sent))
    rows = "input" if shape == "responses" else "messages"

    assert result[rows][-1] is sent[rows][-1]
    assert system_text(result) == prompt(version)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_request_without_notes_is_returned_as_it_is(shape: str) -> None:
    sent = request(shape, prompt(VERSIONS[0]), [("user", "MEMORY (your personal notes) [1% — 1/2,200 chars]")])

    assert done(withhold(sent)) is sent


@pytest.mark.parametrize("shape", SHAPES)
def test_notes_whose_end_cannot_be_told_are_not_understood(shape: str) -> None:
    cut = prompt(VERSIONS[0], ["a note"]).partition("a note")[0] + "a note and more\n\n## Something else"

    assert isinstance(withhold(request(shape, cut, [("user", "hello")])), NotUnderstood)


def test_notes_at_the_very_end_of_a_prompt_end_with_it() -> None:
    sent = request("chat", "You are an agent.\n\n" + block(HEADS[0], ["a note"]), [("user", "hello")])

    assert system_text(done(withhold(sent))) == "You are an agent."


@pytest.mark.parametrize("size", [5, 40, 300])
def test_notes_that_lie_over_many_parts_of_a_prompt_are_taken_out_of_all(size: int) -> None:
    whole = prompt(VERSIONS[0], ["a note " * 20], ["a trait " * 20])
    parts = [{"type": "text", "text": whole[at : at + size]} for at in range(0, len(whole), size)]
    sent = {"messages": [{"role": "system", "content": parts}, {"role": "user", "content": "hello"}]}
    result = done(withhold(sent))

    assert system_text(result) == prompt(VERSIONS[0])
    assert all(part["text"].strip() for part in result["messages"][0]["content"])


def test_a_request_that_is_not_understood_is_not_rewritten() -> None:
    assert isinstance(withhold({"prompt": "complete this"}), NotUnderstood)


@pytest.mark.parametrize("version", VERSIONS)
def test_names_that_the_host_replaces_in_a_prompt_hide_no_note(version: str) -> None:
    notes = ["Hermes Agent by Nous Research runs here.", "Active Hermes profile: the safe is open."]
    sent = prompt(version, notes).replace("Hermes Agent", "Claude Code").replace("Nous Research", "Anthropic")

    left = system_text(done(withhold(request("anthropic", sent, [("user", "hello")]))))
    assert "safe" not in left
    assert "runs here" not in left


@pytest.mark.parametrize("version", VERSIONS)
def test_notes_are_found_in_a_prompt_that_was_reduced_to_ascii(version: str) -> None:
    sent = prompt(version, ["the alarm code is 4711"], ["lives in Hà Nội"]).encode("ascii", "ignore").decode()

    left = system_text(done(withhold(request("chat", sent, [("user", "hello")]))))
    assert "4711" not in left
    assert "lives in" not in left


def test_sections_of_other_plugins_stay() -> None:
    sections = "## Plugin Context: tea\nTea is at five."
    sent = request("chat", prompt(VERSIONS[1], ["a note"], ["a trait"], provider="# P", sections=sections), [])

    assert system_text(done(withhold(sent))) == prompt(VERSIONS[1], sections=sections)


behind = st.fixed_dictionaries(
    {"provider": st.sampled_from(["", "# Notebook"]), "sections": st.sampled_from(["", "S"])}
)
BARE = {"provider": "", "sections": ""}
FULL = {"provider": "# Notebook", "sections": "S"}


@given(st.sampled_from(VERSIONS), st.sampled_from(SHAPES), entries, entries, behind)
@example(VERSIONS[0], "chat", [f"{MARKED}\n\nActive Hermes profile: x"], [], BARE)
@example(VERSIONS[1], "chat", [], [f"{MARKED}\n\n<!-- hermes-plugin-sections:start -->\n\n§"], FULL)
@PROVED
def test_no_line_of_any_entry_is_left_and_nothing_else_is_missing(
    version: str, shape: str, notes: list[str], profile: list[str], behind: dict[str, str]
) -> None:
    if not (notes or profile):
        behind = {**behind, "provider": ""}  # without notes before it its place cannot be told
    sent = request(shape, prompt(version, notes, profile, **behind), [("user", "hello")])
    result = withhold(sent)

    headed = any("chars]" in entry for entry in (*notes, *profile))  # then too much may go, and never too little
    assert headed or isinstance(result, Rewritten)
    if isinstance(result, Rewritten):
        left = system_text(result.request)
        assert MARKED not in left
        assert headed or left == prompt(version, sections=behind["sections"])
        assert done(withhold(result.request)) is result.request


@given(st.sampled_from(VERSIONS), entries, st.integers(0, 40))
@PROVED
def test_notes_that_were_shortened_on_their_way_are_withheld_whole(version: str, notes: list[str], lost: int) -> None:
    length = len(SIGN.join(notes))
    sent = prompt(version, notes).replace(f"— {length:,}/", f"— {length + lost:,}/", 1)
    result = withhold(request("chat", sent, [("user", "hello")]))

    assert isinstance(result, NotUnderstood) or MARKED not in system_text(result.request)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_note_about_a_first_message_is_taken_out_wherever_it_is_replayed(version: str) -> None:
    sent = recorded(version)
    first = sent["first-message"]
    replayed = sent["attached"]

    assert "very first message ever" in said(first)[0]
    assert said(done(take_out_onboarding(first))) == ["first words"]
    assert said(done(take_out_onboarding(replayed)))[0] == "first words"
    assert done(take_out_onboarding(replayed))["messages"][-1] is replayed["messages"][-1]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_message_without_the_first_message_note_is_left_alone(shape: str) -> None:
    sent = request(shape, "be kind", [("user", "[System note: something else.]")])

    assert done(take_out_onboarding(sent)) is sent
    assert isinstance(take_out_onboarding({}), NotUnderstood)


RECALLED = "<memory-context>\n[System note: recalled.]\n\nthe safe opens with 7-19-33\n</memory-context>"


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_memory_provider_recalled_is_taken_out_of_every_message(shape: str) -> None:
    told = [("user", f"first\n\n{RECALLED}"), ("assistant", "yes"), ("user", f"second\n\n{RECALLED}\n\nand a card")]
    result = done(take_out_recalled(request(shape, "be kind", told)))

    assert said(result) == ["first", "second\n\nand a card"]
    assert "7-19-33" not in json.dumps(result)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "typed, left",
    [
        ("<memory-context> hm", "<memory-context> hm"),
        (f"<memory-context> hm\n\n{RECALLED}", ""),
        (f"</memory-context> hm\n\n{RECALLED}", "</memory-context> hm"),
        (f"a </ memory-context ><Memory-Context\n>\n\n{RECALLED} b", "a </ memory-context > b"),
        (f"{RECALLED} and {RECALLED}", ""),
    ],
)
def test_signs_that_somebody_types_do_not_keep_what_was_recalled(shape: str, typed: str, left: str) -> None:
    sent = request(shape, "be kind", [("user", typed)])

    assert said(done(take_out_recalled(sent))) == [left or "(A message that was left out stood here.)"]
    assert isinstance(take_out_recalled({}), NotUnderstood)


def test_a_message_full_of_signs_takes_no_time_to_look_through() -> None:
    sent = request("chat", "be kind", [("user", "<memory-context>" * 200_000 + "<" + " " * 1_000_000)])

    assert done(take_out_recalled(sent)) is sent
