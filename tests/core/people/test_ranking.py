from herma.core.people.ranking import ranked

FACTS = [
    "The router stands behind the piano",
    "Minh is allergic to peanuts",
    "Пароль от вайфая у Минь",
    "明日の会議は三時に始まります",
    "The piano is tuned in May",
]


def test_facts_that_share_a_rare_word_come_first() -> None:
    assert ranked("who tunes the piano?", FACTS)[:2] == [4, 0]


def test_facts_without_a_word_of_the_question_are_left_out() -> None:
    assert ranked("peanut", FACTS) == [1]
    assert ranked("submarine", FACTS) == []


def test_the_commonest_words_alone_find_nothing_but_are_better_than_no_words() -> None:
    assert ranked("is the piano", FACTS) == [0, 4]
    assert ranked("is", ["it is", "so what"]) == [0]


def test_case_and_scripts_without_blanks_are_no_hindrance() -> None:
    assert ranked("ПАРОЛЬ", FACTS) == [2]
    assert ranked("会議", FACTS) == [3]


def test_without_a_question_all_stay_in_their_order() -> None:
    assert ranked("  ?! ", FACTS) == [0, 1, 2, 3, 4]
