"""Whatever a host does between two looks, the changes put together are what the database holds."""

import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stores.sessions.hosts import Hermes, Host, OpenCode1, OpenCode2
from tests.stores.sessions.kept import Kept

from herma.core.recall.records import Passage, Past
from herma.stores.sessions.reader import SessionReader, open_sessions

# What a host does next: the name of a step, and two numbers that choose where.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["begin", "say", "say", "say", "write anew", "take back", "compact", "delete", "look"]),
        st.integers(0, 7),
        st.integers(0, 7),
    ),
    max_size=40,
)


class Life:
    """A host that does what it is told, with ids that are never used twice."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.numbers = count(100)
        self.sessions: list[str] = []
        self.messages: dict[str, list[str]] = {}

    def do(self, step: str, where: int, what: int) -> None:
        """One step; one that needs what is not there does nothing."""
        if step == "begin" or not self.sessions:
            self.sessions.append(f"s{next(self.numbers)}")
            self.messages[self.sessions[-1]] = []
            self.begin(self.sessions[-1])
            return
        session = self.sessions[where % len(self.sessions)]
        said = self.messages[session]
        if step == "say":
            said.append(self.say(session, f"m{next(self.numbers)}", ("user", "assistant")[what % 2]))
        elif step == "delete":
            self.sessions.remove(session)
            self.host.delete(session)  # type: ignore[attr-defined] # every host here can
        elif said:
            {"write anew": self.write_anew, "take back": self.take_back, "compact": self.compact}[step](
                session, said[what % len(said)]
            )

    def begin(self, session: str) -> None:
        """A session; every fourth is one that no person sees."""
        raise NotImplementedError

    def say(self, session: str, message: str, role: str) -> str:
        """A message; its id."""
        raise NotImplementedError

    def write_anew(self, session: str, message: str) -> None:
        """Other words in a message."""
        raise NotImplementedError

    def take_back(self, session: str, message: str) -> None:
        """A message that no longer counts."""
        raise NotImplementedError

    def compact(self, session: str, message: str) -> None:
        """A summary."""
        raise NotImplementedError


class HermesLife(Life):
    """Hermes' steps."""

    host: Hermes

    def begin(self, session: str) -> None:
        """As another source."""
        self.host.session(session, source="subagent" if len(self.sessions) % 4 == 3 else "cli")

    def say(self, session: str, message: str, role: str) -> str:
        """The host numbers them."""
        return str(self.host.say(session, role, f"words of {message}"))

    def write_anew(self, _session: str, message: str) -> None:
        """In place."""
        self.host.run("UPDATE messages SET content = content || '!' WHERE id = ?", int(message))

    def take_back(self, session: str, message: str) -> None:
        """With all after it."""
        self.host.take_back(session, int(message))

    def compact(self, session: str, _message: str) -> None:
        """In the same session."""
        self.host.compact(session, f"summary {next(self.numbers)}")


class OpenCodeLife(Life):
    """OpenCode 1's steps."""

    host: OpenCode1

    def begin(self, session: str) -> None:
        """As a child."""
        self.host.session(session, parent_id="s" if len(self.sessions) % 4 == 3 else None)

    def say(self, session: str, message: str, role: str) -> str:
        """In one part."""
        self.host.say(session, message, role, f"words of {message}")
        return message

    def write_anew(self, session: str, message: str) -> None:
        """Sometimes to nothing."""
        text = f"other words {next(self.numbers)}" if next(self.numbers) % 3 else ""
        self.host.rewrite(session, f"prt_{message}", type="text", text=text)

    def take_back(self, session: str, message: str) -> None:
        """Out of the tables."""
        self.host.remove(session, message)

    def compact(self, session: str, _message: str) -> None:
        """Behind the rest."""
        new = f"m{next(self.numbers)}"
        self.host.message(session, new, "assistant", summary=True)
        self.host.part(session, new, f"prt_{new}", type="text", text=f"summary {new}")


class BothLife(OpenCodeLife):
    """A session is taken over into the second layout by its first compaction, and goes on there."""

    host: OpenCode2

    def __init__(self, host: OpenCode2) -> None:
        super().__init__(host)
        self.taken: set[str] = set()

    def say(self, session: str, message: str, role: str) -> str:
        """In the layout that the session is in."""
        if session not in self.taken:
            return super().say(session, message, role)
        self.host.row(session, message, "user", next(self.numbers), text=f"words of {message}")
        return message

    def compact(self, session: str, _message: str) -> None:
        """In the second layout."""
        if session not in self.taken:
            self.taken.add(session)
            self.host.session_v2(session)
        self.host.row(session, f"m{next(self.numbers)}", "compaction", next(self.numbers), summary="a summary")


def _everything(reader: SessionReader) -> tuple[dict[str, Past], dict[tuple[str, str], Passage]]:
    seen = reader.sessions(limit=1_000)
    passages = [passage for past in seen for passage in reader.messages(past.session_id)]
    return {past.session_id: past for past in seen}, {(each.session_id, each.message_id): each for each in passages}


@pytest.mark.parametrize(
    "life, host",
    [
        (HermesLife, lambda path: Hermes(path, "0.19.0")),
        (HermesLife, lambda path: Hermes(path, "0.22.2", log=False)),
        (OpenCodeLife, OpenCode1),
        (BothLife, OpenCode2),
    ],
    ids=["hermes 0.19.0", "hermes 0.22.2", "opencode 1", "both opencodes"],
)
@settings(max_examples=120, deadline=None, derandomize=True)
@given(steps=STEPS, most=st.sampled_from([1, 8, 1000]))
def test_what_was_told_is_what_is_there(
    life: Callable[[Host], Life], host: Callable[[Path], Host], steps: list[tuple[str, int, int]], most: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, host(Path(folder) / "host.db") as running:
        living, kept, reader = life(running), Kept(), open_sessions(running.path)
        for step, where, what in [*steps, ("look", 0, 0)]:
            if step != "look":
                living.do(step, where, what)
                continue
            kept.catch_up(reader, most=most)
            sessions, passages = _everything(reader)
            assert {each: past for each, past in kept.sessions.items() if not past.hidden} == sessions
            assert kept.passages == passages
