"""What the word index makes of a word: asked of SQLite itself, so that questions and texts are cut alike."""

import sqlite3
from collections.abc import Iterable, Mapping
from threading import Lock

from herma.core.recall.related import forms, related
from herma.stores.recall.schema import TABLES

__all__ = ["Stems"]

_MOST = 20_000


class Stems:
    """Stems by word, kept once they are known. Safe for several threads."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._others: tuple[dict[str, set[str]], dict[str, set[str]]] | None = None
        self._lock = Lock()
        self._scratch = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._scratch.execute(next(table for table in TABLES if "TABLE words" in table))
        self._scratch.execute("CREATE VIRTUAL TABLE word_at USING fts5vocab ('words', 'instance')")

    def of(self, words: Iterable[str]) -> list[str]:
        """The stem of each word, "" for what is no word to the index."""
        wanted = list(words)
        with self._lock:
            if len(self._known) > _MOST:
                self._known.clear()
            missing = list(dict.fromkeys(word for word in wanted if word not in self._known))
            if missing:
                self._learn(missing)
            return [self._known[word] for word in wanted]

    def others(self, stem: str) -> tuple[set[str], set[str]]:
        """Stems of other forms of the word, and of words related to it."""
        if self._others is None:  # the tables are of English words, each in one of its forms
            self._others = (self._of_table(forms()), self._of_table(related()))
        same, near = (table.get(stem, set()) for table in self._others)
        return same - {stem}, near - same - {stem}

    def _of_table(self, table: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for stem, others in zip(self.of(table), table.values(), strict=True):
            found.setdefault(stem, set()).update(filter(None, self.of(others)))
        return found

    def close(self) -> None:
        """Let go of the scratch table."""
        self._scratch.close()

    def _learn(self, words: list[str]) -> None:
        self._scratch.execute("BEGIN")
        self._scratch.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(words))
        found = dict(self._scratch.execute("SELECT doc, term FROM word_at WHERE offset = 0"))
        self._scratch.execute("ROLLBACK")
        self._known.update((word, found.get(at, "")) for at, word in enumerate(words))
