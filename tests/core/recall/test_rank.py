from herma.core.recall.query import question
from herma.core.recall.rank import Corpus, Evidence, Ranking, spread_out

CORPUS = Corpus(1_000, 50.0)


def _best(*evidence: Evidence) -> list[int]:
    return Ranking(list(evidence), CORPUS).best(10)


def test_many_words_beat_one_that_is_often_said() -> None:
    assert _best(Evidence(1.0, {100: 9.0, 200: 1.0}), Evidence(1.0, {200: 1.0, 300: 1.0}))[0] == 200


def test_a_rare_word_beats_a_common_one() -> None:
    common = Evidence(1.0, {at * 100: 1.0 for at in range(1, 200)})
    assert _best(common, Evidence(1.0, {50: 1.0}))[0] == 50


def test_the_words_of_neighbours_count_for_less_than_ones_own() -> None:
    found = _best(Evidence(1.0, {100: 1.0, 101: 1.0}), Evidence(1.0, {101: 1.0}))
    assert found[:2] == [101, 100]
    assert found.index(102) > 1


def test_a_place_in_long_talk_counts_for_less() -> None:
    ranking = Ranking([Evidence(1.0, {100: 1.0, 200: 1.0})], CORPUS)
    scores = ranking.scores({100: 100, 200: 2_000})
    assert scores[100] > scores[200] > 0


def test_nothing_speaks_for_nothing() -> None:
    assert _best() == _best(Evidence(1.0, {})) == []


def test_where_there_is_much_the_places_where_most_stands_together_are_kept() -> None:
    many = Evidence(1.0, {at * 64: 1.0 for at in range(2_000)})
    assert _best(many, Evidence(1.0, {64 * 777: 1.0, 64 * 778 + 40: 1.0}))[0] == 64 * 777


def test_an_answer_from_many_places_takes_turns_among_near_equals() -> None:
    assert spread_out([1.0, 0.99, 0.97], [1, 1, 2]) == [0, 2, 1]
    assert spread_out([1.0, 0.99, 0.5], [1, 1, 2]) == [0, 1, 2]


def test_small_words_are_dropped_unless_there_are_no_others() -> None:
    assert [term.word for term in question("What did she say about the dog?").terms] == ["say", "dog"]
    assert [term.word for term in question("who is it").terms] == ["who", "is", "it"]
    assert question("?!").terms == question("").terms == ()


def test_a_question_for_several_things_is_told_from_one_for_one() -> None:
    several = (
        "How many dogs has he?",
        "What books did she read?",
        "Which two cities",
        "What kinds of tea?",
        "Where has he been?",
    )
    one = ("What is this?", "What does she do?", "When did he buy boots?", "Which dress was it?")
    assert [question(text).several for text in several] == [True] * len(several)
    assert [question(text).several for text in one] == [False] * len(one)
