"""Hermes' `read_file` in the conventions of both versions, checked against recorded answers of the real ones."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from herma.core.reading.events import NeedLines, Pass, Replace, ToolFacts, ToolResult
from herma.core.reading.summarizer import SummarySettings, decide

VERSIONS = ("0.19.0", "0.22.2")
DEFAULT_LIMITS = {"0.19.0": 500, "0.22.2": 2_000}
MOST_LINES = 2_000
MOST_IN_LINE = 2_000
LARGE = 512_000
ON = SummarySettings(enabled=True)
# The least threshold there is: everything of a kilobyte is big.
TIGHT = ON._replace(threshold_bytes=1_000)

Ask = Callable[[NeedLines], str | None]


class Settled(NamedTuple):
    """What became of a read, and what the decision had to ask the host for."""

    decision: Pass | Replace
    asked: list[NeedLines]

    @property
    def windows(self) -> list[tuple[int, int]]:
        """What was asked for: the first line and how many."""
        return [(wanted.offset, wanted.limit) for wanted in self.asked]

    @property
    def reason(self) -> str:
        """Why."""
        return self.decision.reason

    @property
    def in_part(self) -> bool:
        """Whether the model gets less of the file than the host returned."""
        assert isinstance(self.decision, Replace), self.decision
        return self.decision.in_part

    @property
    def text(self) -> str:
        """What replaces the result."""
        assert isinstance(self.decision, Replace), self.decision
        return self.decision.text


class FakeHermes(NamedTuple):
    """One file, and how a version of Hermes shows it."""

    text: str
    version: str = "0.22.2"
    most_chars: int = 100_000

    @property
    def facts(self) -> ToolFacts:
        """What this version's schema says about `read_file`."""
        return ToolFacts(DEFAULT_LIMITS[self.version], MOST_LINES)

    @property
    def old(self) -> bool:
        """True for 0.19 and how it counts lines."""
        return self.version == "0.19.0"

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def lines(self) -> list[str]:
        """The lines as a person counts them, without line feeds."""
        return self.text.removesuffix("\n").split("\n") if self.text else []

    @property
    def total_lines(self) -> int:
        """The lines as this version counts them."""
        return self.text.count("\n") if self.old else len(self.lines)

    def read(self, offset: int = 1, limit: int | None = None) -> str:
        """The answer to a read of this window, as JSON."""
        return json.dumps(self.page(offset, limit), ensure_ascii=False)

    def page(self, offset: int = 1, limit: int | None = None) -> dict[str, Any]:
        """The same as an object."""
        first = max(1, offset)
        wanted = max(1, min(DEFAULT_LIMITS[self.version] if limit is None else limit, MOST_LINES))
        end = first + wanted - 1
        found: dict[str, Any] = {"content": "", "total_lines": self.total_lines, "file_size": self.size}
        found["truncated"] = self.total_lines > end
        shown = self._window(first, end)
        if not self.old and any(len(line) > MOST_IN_LINE for line in shown):
            found["truncated_lines"] = True
        if found["truncated"]:
            found["hint"] = (
                f"Use offset={end + 1} to continue reading (showing {first}-{end} of {self.total_lines} lines)"
            )
        if not self.old and not self.text:
            found["hint"] = "File is empty (0 bytes)."
        elif not self.old and first > self.total_lines:
            found["hint"] = (
                f"Note: offset {first} is beyond the end of the file ({self.total_lines} lines total). "
                f"Retry with offset <= {self.total_lines}."
            )
        found |= {"is_binary": False, "is_image": False} | ({} if self.old else {"not_found": False})
        found["content"] = "\n".join(f"{n}|{_clamped(line)}" for n, line in enumerate(shown, first))
        self._keep_to_budget(found, first)
        if self.size > LARGE and wanted > 200 and found["truncated"]:
            found["_hint"] = (
                f"This file is large ({self.size:,} bytes). Consider reading only the section you need with offset and "
                "limit to keep context usage efficient."
            )
        return found

    def event(self, **arguments: object) -> ToolResult:
        """A finished read with these arguments beside the path."""
        offset, limit = arguments.get("offset", 1), arguments.get("limit")
        result = self.read(int(str(offset)), None if limit is None else int(str(limit)))
        return ToolResult("read_file", {"path": "/srv/files/a.txt", **arguments}, result, "call_1")

    def settle(self, settings: SummarySettings = ON, ask: Ask | None = None, **arguments: object) -> Settled:
        """A read with these arguments decided to the end; `ask` answers in the place of this file."""
        return settle(self.event(**arguments), settings, self.facts, ask or self.answer)

    def answer(self, wanted: NeedLines) -> str:
        """What this file answers to a decision's question."""
        return self.read(wanted.offset, wanted.limit)

    def _window(self, first: int, end: int) -> list[str]:
        shown = self.lines[first - 1 : end]
        if not self.old:
            return shown
        ends_open = end >= len(self.lines) and not self.text.endswith("\n")
        return shown if shown and ends_open else [*shown, ""]

    def _keep_to_budget(self, found: dict[str, Any], first: int) -> None:
        content = str(found["content"])
        if len(content) <= self.most_chars:
            return
        kept = content[: self.most_chars + 1].rpartition("\n")[0] or content[: self.most_chars]
        lines = kept.count("\n") + 1
        found |= {"content": kept, "truncated": True, "truncated_by": "bytes", "next_offset": first + lines}
        found["hint"] = (
            f"Output truncated at the {self.most_chars:,}-char read budget after {lines} line(s) (showing lines "
            f"{first}-{first + lines - 1} of {self.total_lines}). Use offset={first + lines} to continue."
        )


class Shortened(NamedTuple):
    """The parts of a shortened page."""

    record: Mapping[str, Any]
    head: list[str]
    marker: str
    note: str
    tail: list[str]

    @property
    def hint(self) -> str:
        """What is said beside the content."""
        return str(self.record["hint"])


def shortened(text: str) -> Shortened:
    """The parts of what replaced a page; raises when there is no marker in it."""
    record = json.loads(text)
    lines = record["content"].split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("... [read-summarizer: "))
    tail = lines[at + 1 :]
    note = tail.pop(0) if tail and tail[0].startswith("[read-summarizer: ") else ""
    return Shortened(record, lines[:at], lines[at], note, tail)


def settle(event: ToolResult, settings: SummarySettings, facts: ToolFacts, ask: Ask) -> Settled:
    """Decide, and answer with `ask` until there is a decision."""
    asked: list[NeedLines] = []
    answers: list[str | None] = []
    latest: NeedLines | None = None
    while isinstance(decision := decide(event, settings, facts, asked=latest, answers=answers), NeedLines):
        latest = decision
        asked.append(decision)
        assert len(asked) < 9, "it asks without end"
        answers.append(ask(decision))
    return Settled(decision, asked)


def log(lines: int, line: str = "line {n} of the log", ending: str = "\n") -> str:
    """A file of `lines` lines."""
    return "\n".join(line.replace("{n}", str(n)) for n in range(1, lines + 1)) + ending


def numbered(lines: list[str], first: int) -> list[str]:
    """Lines as the host writes them."""
    return [f"{n}|{line}" for n, line in enumerate(lines, first)]


def marker(lines: int, size: int, head: int, tail: int) -> str:
    """The exact text of the marker."""
    return (
        f"... [read-summarizer: {lines} lines, {size} bytes, truncated to first {head} + last {tail}; "
        "re-invoke read_file with offset/limit to fetch more] ..."
    )


def _clamped(line: str) -> str:
    return line if len(line) <= MOST_IN_LINE else line[:MOST_IN_LINE] + "... [truncated]"
