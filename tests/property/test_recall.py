"""Nobody finds what is not theirs: ten people whose words overlap, and ten thousand questions."""

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from tests.stores.recall.told import Told

from herma.core.recall.whose import Span, Whose
from herma.stores.recall.finding import Limits
from herma.stores.recall.index import Index

PEOPLE = [f"telegram:{n}" for n in range(10)]
WORDS = re.findall(
    r"\S+",
    "garden secret birthday doctor salary holiday key money letter school train dinner window kitchen brother movie "
    "music river coffee dog 喝茶 銀行 회의 ชาเขียว readOnceCache server_port",
)
QUESTIONS = 10_000
MINUTE = 60_000


class _House:
    """Sessions of one person each, and rooms in which several speak in turn; who may see which message."""

    def __init__(self, chance: Random) -> None:
        self.told = Told()
        self.sees: dict[str, set[str]] = {person: set() for person in PEOPLE}
        self.spans: dict[str, list[Span]] = {person: [] for person in PEOPLE}
        for n in range(60):
            person = PEOPLE[n % len(PEOPLE)]
            self._speak(f"dm{n}", [person] * 8, chance)
        for n in range(12):
            self._speak(f"room{n}", [chance.choice(PEOPLE) for _ in range(24)], chance)

    def _speak(self, session: str, speakers: list[str], chance: Random) -> None:
        self.told.session(session, title=f"{chance.choice(WORDS)} of {speakers[0]}")
        for at, speaker in enumerate(speakers):
            text = f"{speaker}: {' '.join(chance.choices(WORDS, k=6))}"
            self.told.say(session, f"{session}-{at}", text, place=at, at=at * MINUTE)
        for person in set(speakers):
            first = speakers.index(person)
            last = len(speakers) - 1 - speakers[::-1].index(person)
            self.spans[person].append(Span(session, first * MINUTE, last * MINUTE))
            self.sees[person].update(f"{session}-{at}" for at in range(first, last + 1))

    def whose(self, person: str) -> Whose:
        return Whose(person, tuple(self.spans[person]))


@pytest.fixture(scope="module")
def house() -> _House:
    return _House(Random(11))


@pytest.fixture(scope="module")
def index(house: _House, tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = Index(Path(tmp_path_factory.mktemp("leak")) / "index.db", house.told.kind)
    assert made.catch_up(house.told, patience=60)
    return made


def test_no_one_of_ten_people_finds_anothers_words_in_ten_thousand_questions(house: _House, index: Index) -> None:
    chance = Random(12)
    found = foreign = 0
    for n in range(QUESTIONS):
        person = PEOPLE[n % len(PEOPLE)]
        question = " ".join(chance.choices(WORDS, k=chance.randint(1, 2)))
        hits = index.find(house.whose(person), question, Limits(since=0) if n % 3 else Limits())
        found += len(hits)
        foreign += sum(hit.message_id not in house.sees[person] for hit in hits)
    assert foreign == 0
    assert found > QUESTIONS


def test_no_one_reads_or_lists_what_they_were_not_there_for(house: _House, index: Index) -> None:
    for person in PEOPLE:
        whose = house.whose(person)
        listed = index.sessions(whose, limit=1_000)
        assert {seen.session_id for seen in listed} == {span.session_id for span in house.spans[person]}
        read: set[str] = set()
        for n in range(72):
            found = index.session(whose, f"dm{n}" if n < 60 else f"room{n - 60}")
            if found is not None:
                assert not found[0].title or f"{found[0].session_id}-0" in house.sees[person]
                read.update(said.message_id for said in found[1])
        assert read == house.sees[person]


def test_a_person_without_spans_finds_nothing_even_under_a_name_that_was_seen_with_some(
    house: _House, index: Index
) -> None:
    for name in (PEOPLE[0], "", "%", "telegram:0' OR '1'='1"):
        assert index.find(Whose(name, ()), "garden secret 喝茶", Limits()) == []
        assert index.sessions(Whose(name, ()), limit=9) == []
    assert index.find(house.whose(PEOPLE[0]), "garden secret", Limits())


def test_any_spans_show_exactly_the_messages_within_them(house: _House, index: Index) -> None:
    chance = Random(13)
    for _ in range(200):
        times = sorted(chance.sample(range(-1, 26), 4))
        spans = tuple(Span("room3", first * MINUTE, last * MINUTE) for first, last in pairwise(times))
        found = index.session(Whose("x", spans), "room3")
        wanted = {f"room3-{at}" for at in range(24) if times[0] <= at <= times[-1]}
        assert {said.message_id for said in found[1]} == wanted if found else not wanted
    assert house.told.asked >= 2
