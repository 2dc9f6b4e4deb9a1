import pytest

from herma.core.people.roles import ROLES, is_role_name, lesser, rank


def test_the_four_roles_stand_from_the_most_to_the_least() -> None:
    assert [rank(role) for role in ROLES] == [4, 3, 2, 1]
    assert rank("kids") is None


@pytest.mark.parametrize("first", ROLES)
@pytest.mark.parametrize("second", ROLES)
def test_of_two_roles_that_everybody_has_the_lower_one_is_the_lesser(first: str, second: str) -> None:
    assert lesser(first, second) == max(first, second, key=ROLES.index)


@pytest.mark.parametrize(
    "first,second,less",
    [
        ("owner", "kids", "kids"),
        ("blocked", "kids", "blocked"),
        ("kids", "kids", "kids"),
        ("member", "kids", None),
        ("guest", "kids", None),
        ("cooks", "kids", None),
    ],
)
def test_a_role_of_ones_own_has_no_place_between_the_others(first: str, second: str, less: str | None) -> None:
    assert lesser(first, second) == less
    assert lesser(second, first) == less


@pytest.mark.parametrize("name", ["kids", "team-lead", "a", "k_2", "a" * 32])
def test_small_plain_words_can_name_a_role(name: str) -> None:
    assert is_role_name(name)


@pytest.mark.parametrize("name", ["", "Kids", "two words", "1st", "-a", "a" * 33, "kíds", "kids\n", "person:", None, 7])
def test_nothing_else_can(name: object) -> None:
    assert not is_role_name(name)
