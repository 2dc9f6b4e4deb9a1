"""What somebody knows who follows a reader: the changes, put together as the reader says."""

from collections.abc import Iterable

from herma.core.recall.records import Passage, Past
from herma.stores.sessions.reader import SessionReader


class Kept:
    """Sessions and passages by their ids, and the cursor that they are as of."""

    def __init__(self) -> None:
        self.cursor = ""
        self.sessions: dict[str, Past] = {}
        self.passages: dict[tuple[str, str], Passage] = {}
        self.told = 0

    def catch_up(self, reader: SessionReader, *, most: int = 1000) -> int:
        """Follow to the end; how many passages were told for it."""
        before = self.told
        while self._step(reader, most):
            pass
        return self.told - before

    def _step(self, reader: SessionReader, most: int) -> bool:
        change = reader.changes(self.cursor, most=most)
        for session in change.gone_sessions:
            self.sessions.pop(session, None)
        gone = set(change.gone_sessions)
        self.passages = {
            key: passage
            for key, passage in self.passages.items()
            if key[0] not in gone and key[1] not in change.gone_messages
        }
        self.sessions.update({past.session_id: past for past in change.sessions})
        self.passages.update({(each.session_id, each.message_id): each for each in change.passages})
        self.told += len(change.passages)
        moved = change.cursor != self.cursor
        self.cursor = change.cursor
        return moved


def words(passages: Iterable[Passage]) -> list[str]:
    """The texts alone."""
    return [passage.text for passage in passages]
