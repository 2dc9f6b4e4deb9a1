from herma.core.memory.usage import figures, free, near_limit, usage


def test_figures_have_commas_and_a_share_that_is_rounded_down() -> None:
    assert figures(46, 2_200) == "2% — 46/2,200 chars"
    assert figures(2_199, 2_200) == "99% — 2,199/2,200 chars"


def test_a_list_that_is_too_long_is_not_more_than_full() -> None:
    assert figures(5_000, 2_200) == "100% — 5,000/2,200 chars"


def test_the_usage_line_names_the_list_and_its_entries() -> None:
    assert usage("user", ["x" * 10, "y"], 1_375) == "user: 1% — 14/1,375 chars (2 entries)"


def test_free_is_the_length_of_one_more_entry() -> None:
    assert free([], 100) == 100
    assert free(["x" * 50], 100) == 47
    assert free(["x" * 99], 100) == 0


def test_it_is_nearly_full_from_four_fifths_on() -> None:
    assert not near_limit(["x" * 79], 100)
    assert near_limit(["x" * 80], 100)
