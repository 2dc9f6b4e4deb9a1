"""How well past conversations are found, on data that is given, and how fast, on data made here.

`python bench/recall.py --data FILE [--json]` measures quality on conversations in LoCoMo's own format, one index a
person; without `--data` it measures speed over 100,000 messages.
"""

import argparse
import json
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

if __package__ in (None, ""):  # started as a file
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "src")]

from bench.measure import Row, as_json, as_table, row
from herma.core.recall.records import Change, Passage, Past
from herma.core.recall.whose import everything
from herma.stores.recall.finding import Limits
from herma.stores.recall.index import Index
from herma.stores.recall.schema import TABLES
from herma.stores.recall.stems import Stems

__all__ = ["main", "quality", "rows"]

_ME = everything("me")
_TOP = 10
_CATEGORIES = (1, 2, 3, 4)
_MULTIHOP = 1


class _Told:
    """A reader's double: what it was given, in order."""

    kind = "bench"

    def __init__(self, sessions: Sequence[Past], passages: list[Passage]) -> None:
        self._sessions, self.passages = sessions, passages

    def changes(self, cursor: str, *, most: int) -> Change:
        start = int(cursor or 0)
        new = self.passages[start : start + most]
        return Change(() if cursor else self._sessions, new, (), (), str(start + len(new)))

    def sessions(self, *, limit: int) -> Sequence[Past]:
        return self._sessions[:limit]

    def messages(self, session_id: str) -> Iterator[Passage]:
        return (each for each in self.passages if each.session_id == session_id)

    def close(self) -> None:
        pass


# Quality


class _Asked(NamedTuple):
    text: str
    gold: frozenset[str]
    category: int


class _Talk(NamedTuple):
    """One conversation: messages as (id, session, text), the questions, and who speaks."""

    messages: list[tuple[str, str, str]]
    asked: list[_Asked]
    speakers: tuple[str, ...]


def quality(data: Path) -> list[Row]:
    """Recall in per cent, as `p50`: turns, sessions by their best turn, and turns of questions of more than one hop.

    Categories 1 to 4. `/no_names` are the same questions without the names of those who spoke. `and`, `and_or` and `or`
    are a plain full-text table asked for all words, for all and else for any, and for any.
    """
    talks = [_talk(each) for each in json.loads(data.read_text("utf-8"))]
    found: list[Row] = []
    with TemporaryDirectory(prefix="herma-bench-") as root:
        ranks = [_herma(Path(root) / f"{at}.db", talk) for at, talk in enumerate(talks)]
        found += _recalls("herma", talks, ranks)
        found += _recalls("herma", talks, ranks, ending="/no_names", names=False)
    for name, ask in {"and": _every, "and_or": _every_or_any, "or": _any}.items():
        found += _recalls(name, talks, [_plain(talk, ask) for talk in talks])
    return found


def _talk(item: dict[str, Any]) -> _Talk:
    talk = item["conversation"]
    numbers = sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_\d+", key))
    messages = [
        (turn["dia_id"], f"session_{number}", _text(turn)) for number in numbers for turn in talk[f"session_{number}"]
    ]
    ids = {message for message, _, _ in messages}
    asked = []
    for each in item["qa"]:
        gold = frozenset(
            f"D{int(one)}:{int(other)}"
            for evidence in each.get("evidence") or []
            for one, other in re.findall(r"D(\d+):(\d+)", str(evidence))
        )
        category = each["category"]
        if gold & ids and category in _CATEGORIES:
            asked.append(_Asked(str(each["question"]), gold & ids, category))
    return _Talk(messages, asked, (str(talk["speaker_a"]), str(talk["speaker_b"])))


def _text(turn: dict[str, str]) -> str:
    shared = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{shared}"


Rank = Callable[[str], list[str]]


def _herma(path: Path, talk: _Talk) -> Rank:
    sessions = [Past(each, each, 0, 0) for each in dict.fromkeys(session for _, session, _ in talk.messages)]
    passages = [
        Passage(session, message, at, "user", "text", text, at)
        for at, (message, session, text) in enumerate(talk.messages)
    ]
    index = Index(path, "bench")
    assert index.catch_up(_Told(sessions, passages), patience=600)
    return lambda question: [hit.message_id for hit in index.find(_ME, question, Limits())]


def _plain(talk: _Talk, ask: Callable[[Callable[[str], list[str]], list[str]], list[str]]) -> Rank:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE plain USING fts5 (message UNINDEXED, text)")
    table.executemany("INSERT INTO plain VALUES (?, ?)", [(message, text) for message, _, text in talk.messages])

    def matching(match: str) -> list[str]:
        found = table.execute("SELECT message FROM plain WHERE plain MATCH ? ORDER BY rank", [match])
        return [message for (message,) in found]

    return lambda question: ask(matching, [f'"{word}"' for word in re.findall(r"\w+", question)])


def _every(matching: Callable[[str], list[str]], words: list[str]) -> list[str]:
    return matching(" ".join(words))


def _any(matching: Callable[[str], list[str]], words: list[str]) -> list[str]:
    return matching(" OR ".join(words))


def _every_or_any(matching: Callable[[str], list[str]], words: list[str]) -> list[str]:
    return _every(matching, words) or _any(matching, words)


def _recalls(
    name: str, talks: Sequence[_Talk], ranks: Sequence[Rank], *, ending: str = "", names: bool = True
) -> list[Row]:
    turns, sessions, hops = list[float](), list[float](), list[float]()
    for talk, rank in zip(talks, ranks, strict=True):
        session_of = {message: session for message, session, _ in talk.messages}
        for asked in talk.asked:
            found = rank(asked.text if names else _nameless(asked.text, talk.speakers))
            turns.append(len(asked.gold & set(found[:_TOP])) / len(asked.gold))
            wanted = {session_of[message] for message in asked.gold}
            best = list(dict.fromkeys(session_of[message] for message in found))[:_TOP]
            sessions.append(len(wanted & set(best)) / len(wanted))
            if asked.category == _MULTIHOP:
                hops.append(turns[-1])
    measured = {"turn": turns, "session": sessions, "multihop": hops}
    return [
        Row(f"{name}/{kind}_recall@{_TOP}{ending}", round(100 * sum(each) / len(each), 2), None, "%", None, None)
        for kind, each in measured.items()
    ]


def _nameless(question: str, speakers: Sequence[str]) -> str:
    for speaker in speakers:
        question = re.sub(rf"\b{re.escape(speaker)}(?:['\u2019]s)?\b", " ", question)
    return question


# Speed

_SESSION = 40  # messages
_COMMON = re.findall(
    r"\w+",
    "the of and to a in is it you that was for on are with as i his they be at one have this from or had by but what "
    "some we can out other were all there when up use your how said an each she",
)


def rows(*, quick: bool) -> list[Row]:
    """Every row of speed. `quick` takes few messages: it shows that the bench runs, not what things cost.

    `query/100k`: microseconds of a question of two to six words; the floor is the rarest of its words asked of the
    same table by rank, and floor and ratio are those of the 95th percentiles, not of the medians. `index/100k`:
    milliseconds of CPU for all; the floor puts the same rows into the same virtual tables. `catch_up/…`: microseconds
    for one new message in an index of so many.
    """
    many, few = (4_000, 1_000) if quick else (100_000, 1_000)
    texts = _texts(many)
    with TemporaryDirectory(prefix="herma-bench-") as root:
        passages = [
            Passage(f"s{at // _SESSION}", f"m{at}", at, ("user", "assistant")[at % 2], "text", text, at * 1000)
            for at, text in enumerate(texts)
        ]
        index, told, indexed = _indexed(Path(root) / "many.db", passages)
        small, told_few, _ = _indexed(Path(root) / "few.db", passages[:few])
        floor = sqlite3.connect(Path(root) / "floor.db", isolation_level=None)
        least = _bare(floor, texts)
        found = [
            _queries(index, floor, texts, times=40 if quick else 400),
            row("index/100k", [indexed], [least], unit="ms"),
        ]
        late = _catching_up([("catch_up/1k", small, told_few), ("catch_up/100k", index, told)], 5 if quick else 60)
        floor.close()
        index.close()
        small.close()
    return [*found, *late]


def _texts(count: int) -> list[str]:
    """Messages of 6 to 34 words that are spread as words are, with small words between them."""
    chance = Random(7)  # noqa: S311 - the same texts each time
    syllables = [one + other for one in "bdfgklmnprstvz" for other in "aeiou"]
    words = list(
        dict.fromkeys("".join(chance.choices(syllables, k=chance.choice((2, 2, 3, 3, 4)))) for _ in range(60_000))
    )
    weights = list(accumulate(1 / (at + 3) for at in range(len(words))))
    found = []
    for _ in range(count):
        told = chance.choices(words, cum_weights=weights, k=chance.randint(6, 34))
        text = " ".join(f"{chance.choice(_COMMON)} {word}" if chance.random() < 0.45 else word for word in told)
        found.append(f"{text.capitalize()}.")
    return found


def _indexed(path: Path, passages: list[Passage]) -> tuple[Index, _Told, float]:
    sessions = [Past(each, each, 0, 0) for each in dict.fromkeys(passage.session_id for passage in passages)]
    told, index = _Told(sessions, list(passages)), Index(path, "bench")
    start = time.process_time()
    assert index.catch_up(told, patience=3_600)
    return index, told, (time.process_time() - start) * 1000


def _bare(database: sqlite3.Connection, texts: Sequence[str]) -> float:
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    for table in TABLES:
        if "VIRTUAL" in table:
            database.execute(table)
    start = time.process_time()
    for at in range(0, len(texts), 2_000):
        database.execute("BEGIN")
        batch = enumerate(texts[at : at + 2_000], at)
        database.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", batch)
        database.execute("COMMIT")
    return (time.process_time() - start) * 1000


def _queries(index: Index, floor: sqlite3.Connection, texts: Sequence[str], *, times: int) -> Row:
    chance = Random(8)  # noqa: S311 - the same questions each time
    floor.execute("CREATE VIRTUAL TABLE counted USING fts5vocab (words, row)")
    stems = Stems()
    often = dict(floor.execute("SELECT term, doc FROM counted"))
    asked = []
    for text in chance.choices(texts, k=times):
        words = [word for word in re.findall(r"\w+", text.lower()) if word not in _COMMON]
        chosen = chance.sample(words, min(len(words), chance.randint(2, 6)))
        counts = [often.get(stem, 0) for stem in stems.of(chosen)]
        rarest = chosen[counts.index(min(counts))]
        asked.append((f"what did we say about {' '.join(chosen)} then?", f'"{rarest}"'))
    spent, least = list[float](), list[float]()
    for question, rarest in asked:
        least.append(_wall(lambda: floor.execute(_RAREST, [rarest]).fetchall()))  # noqa: B023 - called at once
        spent.append(_wall(lambda: index.find(_ME, question, Limits())))  # noqa: B023 - called at once
    made, bound = row("query/100k", spent, unit="us"), _p95(least)
    return made._replace(floor=round(bound, 3), ratio=round(_p95(spent) / bound, 3))


_RAREST = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10"


def _p95(samples: Sequence[float]) -> float:
    return sorted(samples)[int(len(samples) * 0.95)]


def _catching_up(indexes: Sequence[tuple[str, Index, _Told]], times: int) -> list[Row]:
    """They take turns, so that both meet the same machine."""
    spent: dict[str, list[float]] = {name: [] for name, _, _ in indexes}
    for at in range(times):
        for name, index, told in indexes:
            last = told.passages[-1]
            told.passages.append(last._replace(message_id=f"new{at}", place=last.place + 1, at=last.at + 1))
            spent[name].append(_wall(lambda: index.catch_up(told, patience=60)))  # noqa: B023 - called at once
    first = spent[indexes[0][0]]
    return [row(name, samples, first if samples is not first else (), unit="us") for name, samples in spent.items()]


def _wall(work: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1000


def main() -> int:
    """Print the rows of quality for `--data`, else those of speed."""
    parser = argparse.ArgumentParser(prog="bench/recall.py", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FILE", help="conversations with questions, in LoCoMo's format")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="few messages, for speed")
    chosen = parser.parse_args()
    found = quality(chosen.data) if chosen.data else rows(quick=chosen.quick)
    print(as_json("recall", found) if chosen.json else as_table("recall", found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
