"""What notes saved in conversations that a host has stored, net of what they cost, counted afterwards.

Each text is counted once, where it would have entered its conversation. A host that compacts a conversation stores
parts of it twice, with the same call ids; a copy is not counted again.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from herma.core.reading.events import ToolFacts
from herma.core.reading.marker import MARK
from herma.core.reading.note import OPENING
from herma.core.reading.page import page_of
from herma.core.reading.request import ReadKey, key_of
from herma.core.tokens import METHOD, estimate
from herma.core.visible import visible

__all__ = ["READ", "Message", "Saved", "saved"]

READ = "read_file"

_NAMED = re.compile(rf"{OPENING}your earlier {READ} call (.+?) in this conversation returned ")
# At the start of a line of plain text, or of one inside JSON. A page of a file that quotes a marker has numbered lines.
_MARKER = re.compile(rf'(?:^|\n|\\n|": "){re.escape(MARK)}\d+ lines, \d+ bytes, truncated to first \d+ \+ last \d+; ')
_ANY_LIMIT = ToolFacts(default_limit=1)


class Message(NamedTuple):
    """One stored message. `tool`, `call` and `text` are a result's; `calls` are the model's, as the host's JSON."""

    session: str
    role: str
    call: str = ""
    tool: str = ""
    text: str = ""
    calls: str = ""


class Saved(NamedTuple):
    """Counts of results and sums of tokens, by `method`.

    `unmatched` of the `notes` name a result that is not among the messages: they cost, and nothing is counted as saved.
    `shortened` results are not in any sum, for what the host would have sent in their place is not stored.
    """

    notes: int = 0
    unmatched: int = 0
    refetches: int = 0
    not_sent: int = 0
    for_notes: int = 0
    fetched_again: int = 0
    shortened: int = 0

    @property
    def method(self) -> str:
        """How the tokens are counted."""
        return METHOD

    @property
    def net(self) -> int:
        """Not sent, less the notes and what was fetched again after all. It can be negative."""
        return self.not_sent - self.for_notes - self.fetched_again


def saved(messages: Iterable[Message], parents: Mapping[str, str]) -> Saved:
    """Count `messages`, in the order in which they were stored; `parents` has each session's, where it has one."""
    count = _Count(parents)
    for message in messages:
        count.take(message)
    return Saved(**count.sums)


class _Count:
    def __init__(self, parents: Mapping[str, str]) -> None:
        self.sums = Counter[str]()
        self._parents = parents
        self._results: dict[tuple[str, str], str] = {}
        self._reads: dict[tuple[str, str], ReadKey] = {}
        self._noted: dict[str, set[ReadKey]] = {}
        self._counted: set[tuple[str, str, str]] = set()
        self._tokens: dict[str, int] = {}

    def take(self, message: Message) -> None:
        """One message, in its order. A turn of the user ends what a note says about the next read."""
        if message.role == "user":
            self._noted.pop(message.session, None)
        elif message.role == "assistant":
            self._reads.update(((message.session, call), key) for call, key in _reads(message.calls))
        elif message.role == "tool" and message.text:
            self._result(message)

    def _result(self, message: Message) -> None:
        identity = (self._lines_of(message.session)[-1], message.call, message.text)
        new = identity not in self._counted
        self._counted.add(identity)
        if message.tool == READ:
            self._read(message, new=new)
        if new and MARK in message.text and _MARKER.search(message.text):
            self.sums["shortened"] += 1

    def _read(self, message: Message, *, new: bool) -> None:
        key = self._reads.get((message.session, message.call))
        noted = self._noted.setdefault(message.session, set())
        named = _NAMED.match(message.text)
        if named:
            if key:
                noted.add(key)
            if new:
                self._note(message, named.group(1))
            return
        content = _is_content(message.text)
        if content:
            self._results[message.session, visible(message.call)] = message.text
        if key in noted:
            noted.discard(key)
            # Perhaps the model would have read once more without the note too; it counts against us all the same.
            if content and new:
                self._add("refetches", "fetched_again", message.text)

    def _note(self, message: Message, named: str) -> None:
        self._add("notes", "for_notes", message.text)
        found = (self._results.get((session, named)) for session in self._lines_of(message.session))
        earlier = next(filter(None, found), None)
        if earlier is None:
            self.sums["unmatched"] += 1
        else:
            self.sums["not_sent"] += self._cost(earlier)

    def _add(self, times: str, tokens: str, text: str) -> None:
        self.sums[times] += 1
        self.sums[tokens] += self._cost(text)

    def _cost(self, text: str) -> int:
        if text not in self._tokens:
            self._tokens[text] = estimate(text)
        return self._tokens[text]

    def _lines_of(self, session: str) -> list[str]:
        """The session, its parent, and so on to the first."""
        line = [session]
        while (above := self._parents.get(line[-1])) and above not in line:
            line.append(above)
        return line


def _reads(calls: str) -> Iterator[tuple[str, ReadKey]]:
    """The reads among a message's calls, by their ids. Their limits are left out: a part again is a read again."""
    for call in filter(None, map(_record, _list(_parsed(calls)))):
        function = _record(call.get("function"))
        arguments = _record(_parsed(function.get("arguments")))
        identity = call.get("id")
        if function.get("name") == READ and isinstance(identity, str):
            key = key_of({name: arguments[name] for name in arguments if name != "limit"}, _ANY_LIMIT)
            if isinstance(key, ReadKey):
                yield identity, key


def _is_content(text: str) -> bool:
    """Whether a result is a page with text on it; a host may have written a remark behind it."""
    page = page_of(_record(_parsed(text))) if text.startswith("{") else None
    return page is not None and bool(page.content)


def _parsed(value: object) -> object:
    """The JSON value at the start of a text; None where there is none. What is no text is taken as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.JSONDecoder().raw_decode(value)[0]
    except (ValueError, RecursionError):
        return None


def _record(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
