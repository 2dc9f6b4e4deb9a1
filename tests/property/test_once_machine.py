"""read-once against a model of what a language model can see.

Whatever happens to files and to conversations, in any order: the note is given only while the exact text that it
speaks of stands in the request that led to the call and the bytes of the file are those of that text. And with hits
enabled the host never says "unchanged" of a text that is not in that request, and never refuses.
"""

import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, rule
from tests.engine.conversation import UNCHANGED, Bench, Conversation, Hermes, bench, is_content, is_note

from herma.engine.reads import Call

NAMES = ("a.txt", "b.txt")
BODIES = ("alpha\nbeta\n", "ALPHA\nBETA\n", "alpha\nbeta", "\ufeffalpha\n", "x\n" * 2_600, "")
WINDOWS: tuple[dict[str, object], ...] = ({}, {}, {"offset": 1}, {"offset": "0"}, {"offset": 2}, {"limit": 2_000})


class Told(NamedTuple):
    """A page that some conversation got: its text, and the file's bytes at that time."""

    text: str
    data: bytes
    path: Path


class Pending(NamedTuple):
    """A call that has come out of a request and has not run yet, and what that request held."""

    talk: Conversation
    call: Call
    sent: list[str]


class Machine(RuleBasedStateMachine):
    """Conversations on one host and one service."""

    talks = Bundle("talks")
    pending = Bundle("pending")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.on: Bench = bench(self.folder)
        self.hermes = Hermes()
        self.told: dict[str, Told] = {}
        self.children: set[str] = set()
        self.names = 0

    def teardown(self) -> None:
        """Removes the files."""
        shutil.rmtree(self.folder)

    @initialize(target=talks, version=st.sampled_from(("0.19.0", "0.22.2")), renews=st.booleans())
    def begin(self, version: str, *, renews: bool) -> Conversation:
        """The first conversation."""
        self.hermes = Hermes(version)
        for name, body in zip(NAMES, BODIES, strict=False):
            (self.folder / name).write_text(body, encoding="utf-8")
        return self._talk(renews=renews)

    @rule(target=talks, renews=st.booleans())
    def another(self, *, renews: bool) -> Conversation:
        """Another session."""
        return self._talk(renews=renews)

    @rule(target=talks, parent=talks)
    def subagent(self, parent: Conversation) -> Conversation:
        """A subagent that begins with nothing, or with what its parent saw."""
        child = self._talk()
        child.messages, child.named = list(parent.messages), dict(parent.named)
        self.children.add(child.session)
        self.on.once.is_child(child.session)
        return child

    @rule(target=talks, parent=talks)
    def review(self, parent: Conversation) -> Conversation:
        """A fork under the same session with requests of its own."""
        self.names += 1
        fork = self.on.talk(self.hermes, session=parent.session, fork=f"-fork-{self.names}")
        fork.task = f"{parent.task}-fork-{self.names}"
        fork.messages, fork.named = list(parent.messages), dict(parent.named)
        return fork

    @rule(talk=talks, name=st.sampled_from(NAMES), window=st.sampled_from(WINDOWS), times=st.integers(1, 3))
    def read(self, talk: Conversation, name: str, window: dict[str, object], times: int) -> None:
        """A request, a read, and its result in the conversation; some models do it over and over."""
        for _ in range(times):
            talk.ask()
            self._run(Pending(talk, talk.call(self.folder / name, **window), talk.sent))

    @rule(target=pending, talk=talks, name=st.sampled_from(NAMES), times=st.integers(1, 3))
    def ask_without_running(self, talk: Conversation, name: str, times: int) -> object:
        """A request whose calls run later, when much may have changed."""
        talk.ask()
        return multiple(*(Pending(talk, talk.call(self.folder / name), talk.sent) for _ in range(times)))

    @rule(waiting=pending)
    def run_late(self, waiting: Pending) -> None:
        """Such a call runs."""
        self._run(waiting)

    @rule(talk=talks, name=st.sampled_from(NAMES))
    def script(self, talk: Conversation, name: str) -> None:
        """A script inside a tool reads; its result goes to no model."""
        call = talk.call(self.folder / name)._replace(session="", call_id="", turn="", request="", may_answer=False)
        assert is_content(talk.run(call))

    @rule(name=st.sampled_from(NAMES), body=st.sampled_from(BODIES), keep_time=st.booleans(), anew=st.booleans())
    def edit(self, name: str, body: str, *, keep_time: bool, anew: bool) -> None:
        """The file is written, in its place or as another inode, with its old time of change or not."""
        path = self.folder / name
        before = path.stat()
        target = self.folder / "new" if anew else path
        target.write_text(body, encoding="utf-8")
        if keep_time:
            os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
        if anew:
            target.rename(path)

    @rule(talk=talks, what=st.sampled_from(("turn", "compact", "new")))
    def goes_on(self, talk: Conversation, what: str) -> None:
        """The person writes again; or the host summarises, and tells only its own record; or it is `/new`."""
        if what == "turn":
            talk.next_turn()
        elif what == "compact":
            talk.compact()
        else:
            talk.messages.clear()
            self.on.once.end([talk.session])

    @rule(talk=talks, what=st.sampled_from(("drop", "cut", "remark")), newest=st.booleans())
    def alter(self, talk: Conversation, what: str, *, newest: bool) -> None:
        """A result is dropped or cut, or the host writes a remark behind it; nobody is told."""
        if not talk.messages:
            return
        at = -1 if newest else 0
        text = talk.messages.pop(at)
        if what != "drop":
            altered = text[:-7] + "..." if what == "cut" else text + "\n\n[hermes note: something]"
            talk.named[altered] = talk.named.get(text, "altered")
            talk.messages.insert(len(talk.messages) if newest else 0, altered)

    @rule()
    def all_end(self) -> None:
        """A hook without a session id."""
        self.on.once.end(None)

    @rule(name=st.sampled_from(NAMES))
    def refresh(self, name: str) -> None:
        """A person asks for a fresh read."""
        self.on.once.refresh(str(self.folder / name))

    def _talk(self, *, renews: bool = False) -> Conversation:
        self.names += 1
        return self.on.talk(self.hermes, session=f"session-{self.names}", renews_task=renews)

    def _run(self, waiting: Pending) -> None:
        talk, call = waiting.talk, waiting.call
        path = Path(str(call.arguments["path"]))
        data = path.read_bytes()
        text = talk.run(call)
        if is_note(text):
            self._check_note(waiting, text, data)
        elif not is_content(text):
            self._check_host(waiting, text, data)
        else:
            self.told[call.call_id] = Told(text, data, path)
        talk.messages.append(text)

    def _check_note(self, waiting: Pending, text: str, data: bytes) -> None:
        found = re.search(r"read_file call (\S+) ", text)
        assert found is not None
        meant = self.told[found.group(1)]
        assert meant.data == data
        assert _stands(meant.text, waiting.sent), text
        assert waiting.talk.session not in self.children

    def _check_host(self, waiting: Pending, text: str, data: bytes) -> None:
        """The host's own answer without content; a subagent's reads are left to the host alone."""
        if waiting.talk.session in self.children:
            return
        assert UNCHANGED in text, text
        path = Path(json.loads(text)["path"])
        seen = [told for told in self.told.values() if told.path == path and _stands(told.text, waiting.sent)]
        assert any(told.data == data for told in seen), "the host spoke of what is not there"


def _stands(text: str, sent: list[str]) -> bool:
    return any(leaf == text or leaf.startswith(text + "\n\n[") for leaf in sent)


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=300, stateful_step_count=30, derandomize=True, deadline=None)
