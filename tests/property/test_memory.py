"""The rules of the curated memory, for any texts and operations."""

from hypothesis import given, settings
from hypothesis import strategies as st

from herma.core.memory.entries import join, parse, same, size
from herma.core.memory.operations import Applied, Failure, Operation, apply
from herma.core.memory.shape import RULE
from herma.core.memory.shown import as_shown

WORDS = ("tea", "the", "uv", "日本", "§", "é", "e\u0301", "\n", " ", "port 80", "═══", "🙂")
TEXT = st.lists(st.sampled_from(WORDS), max_size=6).map("".join)
OPERATION = st.builds(Operation, st.sampled_from(("add", "replace", "remove", "demote")), TEXT, TEXT)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(st.lists(TEXT, max_size=6), st.lists(OPERATION, min_size=1, max_size=5), st.integers(5, 80))
def test_operations_are_all_or_nothing_keep_to_the_limit_and_touch_nothing_else(
    texts: list[str], operations: list[Operation], limit: int
) -> None:
    before = parse(join(texts))
    found = apply(before, operations, limit=limit)
    assert apply(before, operations, limit=limit) == found
    if isinstance(found, Failure):
        return
    assert size(found.entries) <= max(limit, size(before))
    assert parse(join(found.entries)) == found.entries
    touched = {step.matched for step in found.steps if step.action != "add"}
    assert [entry for entry in before if entry not in touched] == [
        entry for entry in found.entries if entry in before and entry not in touched
    ]
    new = set(found.entries) - set(before)
    assert new <= {step.content for step in found.steps}


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_the_same_entry_after_a_write_and_a_read_or_is_refused(text: str) -> None:
    found = apply((), [Operation("add", text)], limit=100)
    if isinstance(found, Applied):
        (entry,) = found.entries
        assert parse(join([entry, "other"])) == (entry, "other")
        assert join([entry]).encode("utf-8").decode("utf-8-sig") == entry
        assert same(entry) == same(text)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.text(alphabet=st.sampled_from("═§\n\r\u200b\u2028MEMORYmemory (your personal notes)[]"), max_size=120))
def test_whatever_a_file_holds_no_entry_leaves_its_block(text: str) -> None:
    for entry in parse(text):
        lines = as_shown(entry).split("\n")
        assert RULE not in lines
        assert not any(line.strip().upper().startswith("MEMORY (YOUR PERSONAL NOTES)") for line in lines)
        assert as_shown(entry).splitlines() == lines
