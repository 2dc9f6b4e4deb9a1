"""The real `hermes gateway run`, driven over a loopback chat.

    with Gateway(hermes, home, model, cwd=folder) as gateway:
        gateway.exchange(alice, "hello", "hello Alice")
        gateway.say(bob, "hello all", chat="room")
        gateway.expect("room", "hello Bob")

The gateway is up when its platform plugin has connected; what people say before the host has finished starting is kept
by the host and answered in order. A host that dies fails whoever waits, at once, with the end of its log.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import NamedTuple, Self

from tests.hosts import process
from tests.hosts.chatline import ChatLine, Message
from tests.hosts.failure import HostError, report, tail
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home
from tests.hosts.model import ScriptedModel

LOOPCHAT = Path(__file__).parent / "plugins" / "loopchat"
START_SECONDS = 120
HEARING_SECONDS = 60
STOP_SECONDS = 30
LAST_WORDS_SECONDS = 5


class Person(NamedTuple):
    """Somebody who writes to the bot: an id that does not change and a name that anybody can choose."""

    id: str
    name: str

    @property
    def dm(self) -> str:
        """The chat that only this person and the bot are in."""
        return f"dm-{self.id}"


class Gateway:
    """One running gateway. Leaving the block stops it; `shared_groups` makes a group one session for all in it."""

    def __init__(  # noqa: PLR0913 - what a gateway runs on
        self,
        hermes: Hermes,
        home: Home,
        model: ScriptedModel,
        *,
        cwd: Path,
        shared_groups: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._hermes = hermes
        self._home = home
        self._model = model
        self._cwd = cwd
        self._environment = dict(environment or {})
        self._resources = ExitStack()
        home.add_plugin(LOOPCHAT)
        home.configure(
            {
                "group_sessions_per_user": not shared_groups,
                "platforms": {"loopchat": {"enabled": True}},
                "terminal": {"cwd": str(cwd)},  # without it the tools work in the user's home
            }
        )

    def __enter__(self) -> Self:
        """Starts the host and waits until it has connected."""
        with self._resources:
            self._line = ChatLine()
            self._resources.callback(self._line.close)
            self._process = self._start()
            self._resources.callback(self._stop)
            if not self._line.until(lambda: self._line.up or None, START_SECONDS):
                raise self._failure(f"did not come up within {START_SECONDS} s")
            self._resources = self._resources.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops the host."""
        self._resources.close()

    def restart(self) -> None:
        """Stops the host and starts it anew in the same home; what it said before is forgotten."""
        self._resources.close()
        self.__enter__()

    @property
    def pid(self) -> int:
        """The process of the host."""
        return self._process.pid

    @property
    def messages(self) -> list[Message]:
        """Everything the gateway said, in order."""
        return self._line.messages

    def say(  # noqa: PLR0913 - who, what, where, and when
        self,
        person: Person,
        text: str,
        chat: str | None = None,
        *,
        chat_type: str | None = None,
        thread: str | None = None,
        while_busy: bool = False,
    ) -> None:
        """Lets a person write, in their direct chat or in the group that `chat` names.

        The message waits for the end of the turn that runs in its session; with `while_busy` it speaks into that turn
        (`/approve`, `/stop`, an interruption). Returns when the host has taken it over.
        """
        said = {
            "text": text,
            "person_id": person.id,
            "person_name": person.name,
            "chat": chat or person.dm,
            "chat_type": chat_type or ("group" if chat else "dm"),
            "thread": thread,
            "while_busy": while_busy,
        }
        try:
            n = self._line.send(**said)
        except ConnectionError as error:
            raise self._failure(f"could not be told {text!r}: {error}") from error
        if not self._line.until(lambda: self._line.heard(n) or None, HEARING_SECONDS):
            raise self._failure(
                f"did not take {text!r} over within {HEARING_SECONDS} s; does its session wait for `while_busy` words?"
            )

    @contextmanager
    def shut(self, chat: str) -> Iterator[None]:
        """While it is entered the platform takes nothing that the host sends to this chat."""
        self._shut.write_text(chat, encoding="utf-8")
        try:
            yield
        finally:
            self._shut.unlink()

    def expect(self, chat: str, pattern: str, *, timeout: float = 60) -> Message:
        """Waits for a message of a chat that `pattern` finds; each message satisfies one expectation."""
        wanted = re.compile(pattern, re.DOTALL)
        found = self._line.until(
            lambda: self._line.take(lambda each: each.chat == chat and wanted.search(each.text)), timeout
        )
        if found is None:
            raise self._failure(f"did not say {pattern!r} in {chat!r} within {timeout} s")
        return found

    def exchange(  # noqa: PLR0913 - one side of a conversation
        self,
        person: Person,
        text: str,
        pattern: str,
        *,
        chat: str | None = None,
        chat_type: str | None = None,
        while_busy: bool = False,
        timeout: float = 60,
    ) -> Message:
        """Lets a person write and waits for the answer in the same chat."""
        self.say(person, text, chat, chat_type=chat_type, while_busy=while_busy)
        return self.expect(chat or person.dm, pattern, timeout=timeout)

    def nothing_before(  # noqa: PLR0913 - the same
        self,
        person: Person,
        sentinel: str,
        pattern: str,
        *,
        chat: str | None = None,
        chat_type: str | None = None,
        timeout: float = 60,
    ) -> Message:
        """Asserts silence: writes `sentinel`, waits for its answer, and fails if the chat said anything else before it.

        Messages that an expectation took do not count. Write the sentinel as the person whose words met silence, in the
        same chat: it waits for the end of the turn that they may have begun.
        """
        answer = self.exchange(person, sentinel, pattern, chat=chat, chat_type=chat_type, timeout=timeout)
        early = [each for each in self._line.waiting(answer.chat) if each.n < answer.n]
        if early:
            raise self._failure(f"should have been silent in {answer.chat!r} and said {early[0].text!r}")
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        surroundings = self._home.environment(
            {
                "LOOPCHAT_ADDRESS": self._line.address,
                "LOOPCHAT_SHUT": str(self._shut),
                # Everybody is let in because the driver is the only one who can write here: the platform has no
                # server. No other place in this repository admits all.
                "LOOPCHAT_ALLOW_ALL_USERS": "true",
                # Otherwise every first message of a chat is answered with the advice to choose one.
                "LOOPCHAT_HOME_CHANNEL": "home",
                **self._environment,
            }
        )
        with self._log.open("ab") as log:
            started = process.start(
                self._hermes.command("gateway", "run"),
                cwd=self._cwd,
                environment=surroundings,
                output=log,
                errors=log,
            )
        self._watcher = Thread(target=self._watch, args=(started,), name="gateway-watcher")
        self._watcher.start()
        return started

    def _watch(self, started: subprocess.Popen[bytes]) -> None:
        started.wait()
        self._line.lose()

    def _stop(self) -> None:
        """Asks the host to end, then makes it, and ends what it left running."""
        self._process.terminate()
        self._watcher.join(STOP_SECONDS)
        process.kill(self._process)
        self._watcher.join()

    @property
    def _shut(self) -> Path:
        return self._home.folder / "shut-chats"

    @property
    def _log(self) -> Path:
        return self._home.folder / "gateway.log"

    def _failure(self, summary: str) -> HostError:
        if self._line.lost:
            self._watcher.join(LAST_WORDS_SECONDS)  # the connection ends a little before the process does
        code = self._process.returncode
        said = "\n".join(f"  #{each.n} [{each.chat}] {each.text[:300]!r}" for each in self.messages[-20:])
        return report(
            f"hermes {self._hermes.version} gateway: {summary}",
            "" if code is None else f"The host has ended with code {code}.",
            f"--- said\n{said or '  (nothing)'}",
            f"--- asked of the model\n{self._model.story()}",
            tail(self._log),
            tail(self._home.log),
        )
