"""Names of people and sessions as names of files."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herma.stores.memory.places import folder_of, safe


@pytest.mark.parametrize("name", ["ada", "ses_1a2b-3", "root"])
def test_a_plain_name_is_itself(name: str) -> None:
    assert safe(name) == name


@pytest.mark.parametrize(
    "name", ["..", ".", "../../etc", "a/b", "telegram:123", "Ada", "a\x00b", "日本", "x" * 500, "~", "\ud800"]
)
def test_any_other_name_leads_nowhere(name: str) -> None:
    made = safe(name)
    assert not set(made) - set("abcdefghijklmnopqrstuvwxyz0123456789_-%")
    assert len(made) <= 130


def test_nobody_is_no_name() -> None:
    with pytest.raises(ValueError, match="a name is needed"):
        safe("")


@settings(max_examples=300, derandomize=True)
@given(st.text(min_size=1), st.text(min_size=1))
def test_two_names_are_never_one_file(one: str, two: str) -> None:
    assert (safe(one).lower() == safe(two).lower()) == (one == two)


def test_only_the_owner_has_the_root_itself(tmp_path: Path) -> None:
    assert folder_of(tmp_path, "ada", owner="ada") == tmp_path
    assert folder_of(tmp_path, "bob", owner="ada") == tmp_path / "people" / "bob"
    assert folder_of(tmp_path, "..", owner="ada") == tmp_path / "people" / "%2e%2e"
