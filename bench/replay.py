"""What read-once would have saved in recorded conversations: tokens not sent, spent on notes and re-fetches, and net.

Each token is counted once, where it would have entered the conversation. A provider bills it again with every later
request, at the price of cached input, so the share is what carries over and not the sum.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.engine.conversation import Conversation, Hermes, bench, is_content, is_note

from bench.measure import Row
from herma.core.tokens import estimate

__all__ = ["Spent", "replay", "rows"]

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "golden" / "conversations"


class Spent(NamedTuple):
    """Tokens of one conversation's reads: as the host alone would have sent them if it never held back, and as sent."""

    whole: int
    not_sent: int
    notes: int
    refetches: int

    @property
    def net(self) -> int:
        """Not sent, less what that cost."""
        return self.not_sent - self.notes - self.refetches


def rows(corpus: Path = CORPUS) -> list[Row]:
    """Four rows a conversation, in tokens; the floor is what the reads would have cost without read-once."""
    found = []
    for path in sorted(corpus.glob("*.jsonl")):
        spent = replay(map(json.loads, path.read_text("utf-8").splitlines()))
        parts = {"not_sent": spent.not_sent, "notes": spent.notes, "refetches": spent.refetches, "net": spent.net}
        for name, tokens in parts.items():
            share = round(tokens / spent.whole, 3) if spent.whole else None
            found.append(Row(f"replay/{path.stem}/{name}", tokens, None, "tokens", spent.whole, share))
    return found


def replay(events: Iterable[Mapping[str, Any]]) -> Spent:
    """One conversation in the open format, through the plugin's own service with hits on."""
    with TemporaryDirectory(prefix="herma-replay-") as folder:
        root = Path(folder).resolve()
        talk = bench(root).talk(Hermes())
        return _sum(_reads(events, talk, root))


class _Read(NamedTuple):
    """One read: the tokens of its content, of a note sent instead, and whether it was sent right after a note."""

    content: int
    note: int | None
    refetch: bool


def _reads(events: Iterable[Mapping[str, Any]], talk: Conversation, root: Path) -> Iterator[_Read]:
    noted: set[str] = set()
    for event in events:
        if "file" in event:
            path = root / event["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_text(event), "utf-8")
        elif "read" in event:
            window = {name: event[name] for name in ("offset", "limit") if name in event}
            yield _read(talk, root / event["read"], window, noted)
        elif "turn" in event:
            talk.next_turn()
            noted.clear()
        elif "compact" in event:
            talk.compact()


def _read(talk: Conversation, path: Path, window: Mapping[str, int], noted: set[str]) -> _Read:
    key = json.dumps([str(path), window])
    text = talk.read(path, **window)
    content = estimate(Hermes().read("alone", {"path": str(path), **window}))
    if is_note(text):
        noted.add(key)
        return _Read(content, estimate(text), refetch=False)
    refetch = key in noted and is_content(text)
    noted.discard(key)
    return _Read(content, None, refetch)


def _sum(reads: Iterable[_Read]) -> Spent:
    every = list(reads)
    return Spent(
        whole=sum(read.content for read in every),
        not_sent=sum(read.content for read in every if read.note is not None),
        notes=sum(read.note or 0 for read in every),
        # Perhaps the model would have read once more without the note too; it counts against us all the same.
        refetches=sum(read.content for read in every if read.refetch),
    )


def _text(event: Mapping[str, Any]) -> str:
    if "text" in event:
        return str(event["text"])
    return "".join(event["line"].replace("{n}", str(n)) + "\n" for n in range(1, event["lines"] + 1))
