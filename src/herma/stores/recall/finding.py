"""Finding the places that answer a question: rare words find, common ones re-rank what they found."""

import itertools
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from herma.core.recall.query import Question, Term, normal_words
from herma.core.recall.rank import REACH, Corpus, Evidence, Ranking, spread_out
from herma.stores.recall.mine import VISIBLE
from herma.stores.recall.schema import SESSION, TOOL
from herma.stores.recall.stems import Stems

__all__ = ["Hit", "Limits", "find"]

_RARE = 800  # a word in more messages than this is common
_BUDGET = 1_000  # places that are looked at for one question before related words are, about
_FORM = 0.7
_RELATED = 0.3
_ALIKE = 0.3  # words that begin alike
_PREFIX, _LONGEST_PREFIX = 5, "\U0010ffff"
_PHRASE = 0.3
_PIECES = 0.5
_SPEAKER = 1.4
_TOOL = 0.4
_POOL = 80
_EXACT = 40  # of the best, which are looked at for the question word by word


class Limits(NamedTuple):
    """What of a person's past is searched: times in epoch milliseconds, and numbers of sessions that are left out."""

    since: int | None = None
    until: int | None = None
    without: frozenset[int] = frozenset()


class Hit(NamedTuple):
    """One message that was found. `exact` where it has the question, or a quoted part, as it was written."""

    id: int
    score: float
    at: int
    kind: str
    role: str
    message_id: str
    text: str
    exact: bool = False

    @property
    def session(self) -> int:
        """The number of the session that it stands in."""
        return self.id >> SESSION


class _Found(NamedTuple):
    stems: list[str]
    places: list[dict[int, list[int]] | None]  # by term, then by place: where in the message; None for a common word


def find(  # noqa: PLR0913, PLR0917 - each says what is searched
    connection: sqlite3.Connection, stems: Stems, person: str, asked: Question, corpus: Corpus, limits: Limits
) -> list[Hit]:
    """The messages that answer best, best first. Only such as `mine` has for this person."""
    postings = _Postings(connection, person, limits)
    # `reads` and `reading` are one word.
    terms = tuple(dict(zip(stems.of(each.word for each in asked.terms), asked.terms, strict=True)).values())
    found = _words(postings, stems, terms)
    evidence = _evidence(postings, stems, terms, found) + _pieces(postings, asked)
    ranking = Ranking(evidence, corpus)
    rows = _rows(connection, person, ranking.best(_POOL), limits)
    scores = ranking.scores({row[0]: row[1] for row in rows})
    hits = [_hit(row, scores[row[0]], asked) for row in rows]
    hits.sort(key=lambda hit: (-hit.score, -hit.at, hit.id))
    best = [hit._replace(exact=_has(hit.text, asked.exact)) for hit in hits[:_EXACT]]
    if asked.several:
        best = [best[at] for at in spread_out([hit.score for hit in best], [hit.id >> SESSION for hit in best])]
    best.sort(key=lambda hit: not hit.exact)
    return [*best, *hits[_EXACT:]]


class _Postings:
    """Where words stand in a person's past."""

    def __init__(self, connection: sqlite3.Connection, person: str, limits: Limits) -> None:
        self._connection = connection
        self._person = person
        self._without = limits.without
        self._visible = VISIBLE.format(at="i.doc")
        self._times: list[int] = []
        if limits.since is not None or limits.until is not None:
            self._visible += " AND EXISTS (SELECT 1 FROM turn t WHERE t.id = i.doc AND t.at BETWEEN ? AND ?)"
            self._times = [limits.since or 0, (1 << 62) if limits.until is None else limits.until]

    def places(self, table: str, condition: str, values: Sequence[str], most: int) -> list[tuple[int, int]] | None:
        """Numbers and offsets of what meets a condition on terms; None for more than `most`."""
        rows = self._connection.execute(
            f"SELECT i.doc, i.offset FROM temp.{table} i WHERE {condition} AND {self._visible} LIMIT ?",  # noqa: S608 - ours
            [*values, self._person, *self._times, most + 1],
        ).fetchall()
        if len(rows) > most:
            return None
        if self._without:
            rows = [row for row in rows if row[0] >> SESSION not in self._without]
        return rows

    def both(self, finders: Iterable[str], common: str, most: int) -> list[int]:
        """Numbers of messages that have one of the finders, and the common word too."""
        match = f"({' OR '.join(map(_literal, finders))}) AND {_literal(common)}"
        rows = self._connection.execute(
            f"SELECT i.doc FROM (SELECT rowid AS doc FROM words WHERE words MATCH ?) i WHERE {self._visible} LIMIT ?",  # noqa: S608 - ours
            [match, self._person, *self._times, most],
        )
        return [place for (place,) in rows if place >> SESSION not in self._without]

    def size(self, stem: str) -> int:
        """In how many messages of the whole index a word stands, about."""
        (count,) = self._connection.execute("SELECT count(*) FROM temp.word_at WHERE term = ?", [stem]).fetchone()
        return int(count)


def _words(postings: _Postings, stems: Stems, terms: Sequence[Term]) -> _Found:
    """Where the words themselves stand; the rarest in any case."""
    found = _Found(stems.of(term.word for term in terms), [])
    for stem in found.stems:
        rows = postings.places("word_at", "i.term = ?", [stem], _RARE) if stem else []
        found.places.append(None if rows is None else _grouped(rows))
    if terms and all(not places for places in found.places) and None in found.places:
        sizes = [postings.size(stem) if places is None else 1 << 62 for stem, places in zip(*found, strict=True)]
        rarest = sizes.index(min(sizes))
        rows = postings.places("word_at", "i.term = ?", [found.stems[rarest]], 1 << 40)
        found.places[rarest] = _grouped(rows or [])
    return found


def _evidence(postings: _Postings, stems: Stems, terms: Sequence[Term], found: _Found) -> list[Evidence]:
    left = _BUDGET - sum(len(places) for places in found.places if places)
    finders = [term.word for term, places in zip(terms, found.places, strict=True) if places]
    evidence = []
    for term, stem, places in zip(terms, *found, strict=True):
        if places is None:
            again = postings.both(finders, term.word, _RARE) if finders else []
            evidence.append(Evidence(term.weight, dict.fromkeys(again, 1.0)))
            continue
        counts: dict[int, float] = {place: float(len(offsets)) for place, offsets in places.items()}
        if left > 0:
            left -= _widen(counts, postings, stem, stems.others(stem))
        evidence.append(Evidence(term.weight, counts))
    return evidence + _phrases(found.places)


def _widen(counts: dict[int, float], postings: _Postings, stem: str, others: tuple[set[str], set[str]]) -> int:
    """Add where other forms of the word stand, and related words, for less. How many places that were."""
    forms, near = others
    conditions: list[tuple[str, list[str], float]] = []
    if forms:
        conditions.append((f"i.term IN ({_marks(forms)})", sorted(forms), _FORM))
    if near:
        conditions.append((f"i.term IN ({_marks(near)})", sorted(near), _RELATED))
    if len(stem) >= _PREFIX and stem.isalpha():
        start = stem[:_PREFIX]
        known = sorted({stem, *forms, *near})
        condition = f"i.term >= ? AND i.term < ? AND i.term NOT IN ({_marks(known)})"
        conditions.append((condition, [start, start + _LONGEST_PREFIX, *known], _ALIKE))
    seen = 0
    for condition, values, weight in conditions:
        rows = postings.places("word_at", condition, values, _RARE) or []
        seen += len(rows)
        for place, _ in rows:
            counts[place] = counts.get(place, 0.0) + weight
    return seen


def _phrases(places: Sequence[dict[int, list[int]] | None]) -> list[Evidence]:
    """Words that were asked for side by side and stand so."""
    found = []
    for one, other in itertools.pairwise(places):
        if not one or not other:
            continue
        counts = {place: _beside(one[place], other[place]) for place in one.keys() & other.keys()}
        found.append(Evidence(_PHRASE, {place: float(count) for place, count in sorted(counts.items()) if count}))
    return found


def _beside(first: Sequence[int], second: Collection[int]) -> int:
    return sum(offset + 1 in second for offset in first)


def _pieces(postings: _Postings, asked: Question) -> list[Evidence]:
    """Where runs without blanks and names from code stand, by their pieces."""
    found = []
    for run in asked.pieces:
        for piece in run:
            if len(piece) == 1 and not piece.isascii():  # every sign of a run begins a piece
                condition, values = "i.term >= ? AND i.term < ?", [piece, piece + _LONGEST_PREFIX]
            else:
                condition, values = "i.term = ?", [piece]
            rows = postings.places("piece_at", condition, values, _RARE) or []
            if rows:
                found.append(Evidence(_PIECES, dict.fromkeys((place for place, _ in rows), 1.0)))
    return found


def _rows(
    connection: sqlite3.Connection, person: str, places: Sequence[int], limits: Limits
) -> list[tuple[int, int, int, str, str, str, str, str]]:
    """The messages at these places that are the person's, with the length of the window around each."""
    times = [limits.since or 0, (1 << 62) if limits.until is None else limits.until]
    wanted = [place for place in places if place >> SESSION not in limits.without]
    if not wanted:
        return []
    return connection.execute(
        f"""SELECT t.id, (SELECT sum(n.length) FROM turn n WHERE n.id BETWEEN t.id - {REACH} AND t.id + {REACH}),
          t.at, t.kind, t.role, t.speaker, t.message_id, t.text
        FROM turn t WHERE t.id IN ({_marks(wanted)}) AND {VISIBLE.format(at="t.id")}
          AND t.kind <> 'summary' AND t.at BETWEEN ? AND ?""",  # noqa: S608 - marks and a condition of ours
        [*wanted, person, *times],
    ).fetchall()


def _hit(row: tuple[int, int, int, str, str, str, str, str], score: float, asked: Question) -> Hit:
    number, _, at, kind, role, speaker, message_id, text = row
    if speaker and not asked.asked.isdisjoint(normal_words(speaker)):
        score *= _SPEAKER
    if number & TOOL:
        score *= _TOOL
    return Hit(number, score, at, kind, role, message_id, text)


def _has(text: str, exact: Sequence[str]) -> bool:
    low = " ".join(text.split()).casefold()
    return any(_stands(low, wanted) for wanted in exact)


def _stands(text: str, wanted: str) -> bool:
    """Whether it stands in the text, and not in the middle of a longer word."""
    at = text.find(wanted)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(wanted) : at + len(wanted) + 1]
        if not wanted.isascii() or not ((before and before.isalnum()) or (after and after.isalnum())):
            return True
        at = text.find(wanted, at + 1)
    return False


def _grouped(rows: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for place, offset in rows:
        found.setdefault(place, []).append(offset)
    return found


def _literal(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
