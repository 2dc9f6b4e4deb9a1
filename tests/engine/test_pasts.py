"""Ten people who use the same words, in direct chats and in shared rooms."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.stores.recall.told import Told

from herma.engine.pasts import Pasts
from herma.engine.recall import Host, Recall
from herma.stores.recall.finding import Limits
from herma.stores.recall.index import Index

PEOPLE = [f"chat:{number}" for number in range(10)]
ROOMS = 8
WORDS = re.findall(
    r"\S+",
    "garden kite tent boat lamp river school doctor birthday salary password secret dentist holiday recipe train "
    "project deadline allergy letter 薬局 会議の予定 โรงเรียน readOnceCache",
)
QUERIES = 10_000
EVER = 1 << 60


class Town:
    """Everything that was said, and by brute force whose it is."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.told = Told()
        self.sessions: list[str] = []
        self._turns: dict[str, list[tuple[str, int, int]]] = {}  # speaker, first place, time
        for person in PEOPLE:
            for chat in range(3):
                self._hold(f"dm-{person}-{chat}", [person], turns=6)
        for room in range(ROOMS):
            self._hold(f"room-{room}", self.random.sample(PEOPLE, 4), turns=24)

    def _hold(self, session: str, speakers: Sequence[str], *, turns: int) -> None:
        self.sessions.append(session)
        self.told.session(session, title=self.sentence())
        log = self._turns[session] = []
        place = 0
        for turn in range(turns):
            at = 1_000_000 + turn * 10_000
            log.append((self.random.choice(speakers), place, at))
            for role in ("user", "assistant", "assistant"):
                self.told.say(session, f"{session}/{place}", self.sentence(), place=place, at=at + place % 3, role=role)
                place += 1

    def sentence(self) -> str:
        """Some of the words that everybody uses."""
        return " ".join(self.random.choices(WORDS, k=self.random.randint(2, 6)))

    def heard(self, person: str) -> set[str]:
        """The ids of the messages from a person's first turn in each session to the turn after their last."""
        found = set()
        for session, log in self._turns.items():
            own = [at for at, (who, _, _) in enumerate(log) if who == person]
            if own:
                start = log[own[0]][1]
                end = log[own[-1] + 1][1] if own[-1] + 1 < len(log) else log[-1][1] + 3
                found |= {f"{session}/{place}" for place in range(start, end)}
        return found

    def spans(self, person: str) -> Iterator[tuple[str, int, int]]:
        """The same in times, as a table of turns tells it."""
        for session, log in self._turns.items():
            own = [at for at, (who, _, _) in enumerate(log) if who == person]
            if own:
                after = log[own[-1] + 1][2] - 1 if own[-1] + 1 < len(log) else EVER
                yield session, log[own[0]][2], after


@pytest.fixture(scope="module")
def town() -> Town:
    return Town(7)


@pytest.fixture(scope="module")
def pasts(town: Town, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pasts]:
    folder = tmp_path_factory.mktemp("pasts")
    made = Pasts(lambda: town.told, Index(folder / "index.db", town.told.kind), town.spans)
    assert made.catch_up(patience=60)
    yield made
    made.close()


def test_in_ten_thousand_questions_nobody_finds_what_was_not_said_while_they_were_there(
    town: Town, pasts: Pasts
) -> None:
    heard = {person: town.heard(person) for person in PEOPLE}
    results = 0
    for number in range(QUERIES):
        person = PEOPLE[number % len(PEOPLE)]
        limits = Limits(1_000_000, 1_150_000) if number % 5 == 0 else Limits()
        query = f'"{town.sentence()}"' if number % 7 == 0 else town.sentence()
        found = [match.message_id for each in pasts.discover(person, query, limits, limit=10) for match in each.matches]
        results += len(found)
        assert set(found) <= heard[person], (person, query)
    assert results > QUERIES  # there is something to find, and somebody else's would have matched as well


def test_whoever_hears_everything_finds_the_same_words_of_many_people(town: Town, tmp_path: Path) -> None:
    everybody = Pasts(lambda: town.told, Index(tmp_path / "index.db", town.told.kind), None)
    everybody.catch_up(patience=60)
    heard = town.heard(PEOPLE[0])
    found = [match.message_id for each in everybody.discover("me", "garden", limit=10) for match in each.matches]
    everybody.close()
    assert set(found) - heard


@pytest.mark.parametrize("person", PEOPLE)
def test_every_shape_of_the_tool_keeps_to_what_a_person_heard(town: Town, pasts: Pasts, person: str) -> None:
    recall, heard = Recall(pasts, Host("double")), town.heard(person)
    own = {message.rsplit("/", 1)[0] for message in heard}
    for arguments in (
        {},
        *({"query": word, "limit": 10} for word in WORDS),
        *({"session_id": session} for session in town.sessions),
        *({"session_id": message.rsplit("/", 1)[0], "around_message_id": message} for message in sorted(heard)[::9]),
    ):
        answer = json.loads(recall.tool(person, session="", arguments=arguments, budget=100_000))
        assert set(_all(answer, "message_id")) <= heard
        assert set(_all(answer, "session_id")) <= own
        titled = {each["session_id"] for each in [answer, *answer.get("results", [])] if each.get("title")}
        assert {f"{session}/0" for session in titled} <= heard
        if arguments.get("session_id", next(iter(own))) not in own:
            assert answer == {"success": False, "error": f"session not found: {arguments['session_id']}"}


def _all(value: Any, key: str) -> Iterator[str]:
    """Every text under this key, however deep it stands."""
    if isinstance(value, list):
        for each in value:
            yield from _all(each, key)
    if isinstance(value, dict):
        for name, each in value.items():
            if name == key and isinstance(each, str):
                yield each
            yield from _all(each, key)
