"""The `session_search` tool as a service: its four shapes, why an answer is empty, and what a host should log."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from herma.core.recall import tool
from herma.core.recall.budget import filled, shortened
from herma.core.recall.fence import fenced
from herma.core.recall.query import question
from herma.core.recall.records import Reader
from herma.core.recall.scripts import normal
from herma.core.recall.tool import GUIDANCE, Request
from herma.engine.counters import Counters
from herma.engine.guard import Feature, Guard, Kind
from herma.engine.pasts import EVER, NOBODY, Found, Pasts, Spans
from herma.errors import HermaError
from herma.stores.recall.finding import Limits
from herma.stores.recall.index import Index
from herma.stores.recall.reading import Said, Seen

__all__ = ["BUDGET", "GUIDANCE", "Host", "Recall", "moment", "open_recall", "when"]

SYSTEM = "recall"
BUDGET = 4_000  # tokens of one answer, unless the caller has another

_AROUND = 5
_ENDS = 20  # messages shown of either end of a long session
_EACH = 45  # tokens of a message besides its text
_FAILED = json.dumps({"success": False, "error": "Past conversations could not be searched. Go on without them."})
_UNREAD = "Past conversations cannot be searched now"
_STILL = "the index is still being made: ask again for what is missing"

_Members = dict[str, object]


class Host(NamedTuple):
    """How a host names things: `kind` as its reader says it; `link` and `resume` make what a person uses of an id.

    `frame` is the system's name in the fence around what was found.
    """

    kind: str
    link: Callable[[str], str] = str
    resume: Callable[[str], str] = str
    frame: str = "herma"


def open_recall(reader: Callable[[], Reader], index: Path, host: Host, *, spans: Spans | None) -> "Recall":
    """Recall over one host's sessions. `reader` opens the host's store; `index` is our own file, made when needed.

    `spans` says what is whose, as (session_id, first_at, last_at); None for a host with one person.
    """
    return Recall(Pasts(reader, Index(index, host.kind), spans), host)


class Recall:
    """One host's recall. Every method may be called from several threads."""

    def __init__(self, pasts: Pasts, host: Host) -> None:
        self.pasts = pasts
        self._host = host
        self._guard = Guard(Counters())
        self._standing: set[str] = set()
        self._waiting: list[str] = []

    def tool(self, person: str, *, session: str, arguments: Mapping[str, object], budget: int = BUDGET) -> str:
        """The answer of `session_search` as JSON text: always an object with `success`. Never raises.

        `session` is the one that is in the present context; it is left out of what is found. `budget` is in tokens.
        """
        feature = Feature(SYSTEM, Kind.PERMISSION, _FAILED)
        return self._guard.run(feature, partial(self._tool, person, session, arguments, budget))

    def tool_schema(self) -> dict[str, object]:
        """`{"name", "description", "parameters"}` of the tool; `parameters` is a JSON schema, `required` included."""
        return tool.schema()

    def warnings(self) -> tuple[str, ...]:
        """What has gone wrong since the last call, for the host's log: each line once while it stays true."""
        found, self._waiting = tuple(self._waiting), []
        return found

    def close(self) -> None:
        """Let go of the index and of the host's database."""
        self.pasts.close()

    def _tool(self, person: str, session: str, arguments: Mapping[str, object], budget: int) -> str:
        wanted = tool.request(arguments)
        if isinstance(wanted, str) or not person:
            return _complaint(wanted if isinstance(wanted, str) else NOBODY)
        try:
            limits = Limits(when(wanted.since, "since"), when(wanted.until, "until", end=True))
        except HermaError as error:
            return _complaint(str(error))
        try:
            late = self._catch_up(person)
            answer, data = self._answer(person, session, wanted, limits, budget)
        except _Complaint as complaint:
            return _complaint(str(complaint))
        except HermaError as error:
            self._warn(error)
            return _complaint(f"{_UNREAD}: {error}.")
        more = {"not_up_to_date": late} if late else {}
        return fenced({"success": True, **answer, **more}, data, frame=self._host.frame)

    def _answer(
        self, person: str, session: str, wanted: Request, limits: Limits, budget: int
    ) -> tuple[_Members, _Members]:
        if wanted.session_id:
            return self._read(person, wanted, budget)
        if wanted.query:
            return self._discover(person, session, wanted, limits, budget)
        found = self.pasts.sessions(person, session=session, limit=wanted.limit)
        note = {} if found else {"note": "no past sessions"}
        return {"mode": "browse", "count": len(found), **note}, {"results": [self._session(each) for each in found]}

    def _discover(
        self, person: str, session: str, wanted: Request, limits: Limits, budget: int
    ) -> tuple[_Members, _Members]:
        found = self.pasts.discover(person, wanted.query, limits, session=session, limit=wanted.limit)
        texts = {match.message_id: match.text for each in found for match in each.matches}
        results = filled([self._result(each) for each in found], texts, budget)
        answer: _Members = {"mode": "discovery", "query": wanted.query, "count": len(results)}
        if len(results) < len(found):
            answer["left_out"] = len(found) - len(results)
        if not found:
            answer["note"] = self._why(person, session, wanted, limits)
        return answer, {"results": results}

    def _why(self, person: str, session: str, wanted: Request, limits: Limits) -> str:
        """Why nothing was found."""
        asked = question(normal(wanted.query))
        if not asked.terms and not asked.pieces:
            return "no matching past sessions: there is no word in the query"
        if not self.pasts.sessions(person, session=session, limit=1):
            return "no matching past sessions: this person has none yet besides the present one"
        if limits != EVER and self.pasts.discover(person, wanted.query, session=session, limit=1):
            return "no matching past sessions in that time; there are some without since and until"
        if session and self.pasts.discover(person, wanted.query, limit=1):
            return "no matching past sessions: it was spoken of in the present one only"
        return "no matching past sessions: none of these words, nor one related to them, was said; try others"

    def _read(self, person: str, wanted: Request, budget: int) -> tuple[_Members, _Members]:
        found = self.pasts.messages(person, wanted.session_id)
        if found is None:
            raise _Complaint(f"session not found: {wanted.session_id}")
        seen, said = found
        scroll = bool(wanted.around_message_id)
        shown = _around(said, wanted) if scroll else [*said[:_ENDS], *said[-_ENDS:]]
        if not scroll and len(said) <= 2 * _ENDS:
            shown = list(said)
        texts = shortened([each.text for each in shown], budget, each=_EACH)
        messages: list[_Members] = [_message(each, text) for each, text in zip(shown, texts, strict=True)]
        if scroll:
            for message in messages:
                if message["message_id"] == wanted.around_message_id:
                    message["anchor"] = True
        elif len(said) > len(shown):
            messages.insert(_ENDS, {"omitted": len(said) - len(shown)})
        mode = "scroll" if scroll else "read"
        return {"mode": mode, "count": len(said)}, {**self._session(seen), "messages": messages}

    def _result(self, found: Found) -> _Members:
        matches = [
            {"message_id": each.message_id, "role": each.role, "time": moment(each.at), "snippet": each.snippet}
            for each in found.matches
        ]
        return {**self._session(found.session), "score": round(found.score, 2), "matches": matches}

    def _session(self, seen: Seen) -> _Members:
        return {
            "session_id": seen.session_id,
            "title": seen.title,
            "directory": seen.directory,
            "time": moment(seen.last_at),
            "link": self._host.link(seen.session_id),
        }

    def _catch_up(self, person: str) -> str:
        """Why the index may not be up to date, or "". Where nothing was read ever, that is all there is to say."""
        try:
            done = self.pasts.catch_up()
        except HermaError as error:
            self._warn(error)
            if not self.pasts.sessions(person, limit=1):
                raise _Complaint(f"{_UNREAD}: {error}. Tell the person: {error.hint}.") from None
            return f"the host's database could not be read ({error}); this is as of the last time it could"
        self._standing.clear()
        return "" if done else _STILL

    def _warn(self, error: HermaError) -> None:
        line = f"{error}; {error.hint}"
        if line not in self._standing:
            self._standing.add(line)
            self._waiting.append(line)


class _Complaint(Exception):  # noqa: N818 - never leaves this module
    """What is wrong with a call, in words for the model."""


def _complaint(text: str) -> str:
    return json.dumps({"success": False, "error": text}, ensure_ascii=True)


def _around(said: Sequence[Said], wanted: Request) -> list[Said]:
    places = [at for at, each in enumerate(said) if each.message_id == wanted.around_message_id]
    if not places:
        raise _Complaint(f"message not found in session: {wanted.around_message_id}")
    return list(said[max(0, places[0] - _AROUND) : places[-1] + _AROUND + 1])


def _message(said: Said, text: str) -> _Members:
    return {"message_id": said.message_id, "role": said.role, "time": moment(said.at), "text": text}


def moment(milliseconds: int) -> str:
    """A time as people and models read it, in UTC; "" for what is none."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (OverflowError, ValueError, OSError):
        return ""


def when(text: str, name: str, *, end: bool = False) -> int | None:
    """Epoch milliseconds of a written day or time, UTC unless it says otherwise; of a day its end where asked for.

    None for an empty text. Raises `HermaError` for what is no time; `name` is what it was given as.
    """
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise HermaError(
            f"{name} must be a day such as 2026-03-01, or a time such as 2026-03-01T12:00", hint=f"not {text!r}"
        ) from None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    is_day = len(text) <= len("2026-03-01")
    return int((found + timedelta(days=1)).timestamp() * 1000) - 1 if end and is_day else int(found.timestamp() * 1000)
