"""The driver's end of the loopback chat: it listens, the gateway's platform plugin connects to it."""

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, NamedTuple, TypeVar

Found = TypeVar("Found")


class Message(NamedTuple):
    """Something the gateway said: its number in order of arrival, the chat, and the text.

    `reply_to` is the message it answers (`in-` and the number that `send` gave), where the host says so. `kind` is
    `said`, or `error` when the platform plugin could not hand a message to the host.
    """

    n: int
    kind: str
    chat: str
    text: str
    reply_to: str | None


class ChatLine:
    """One accepted connection. Everybody who waits is woken by a message, by the connection, and by its loss."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._changed = Condition()
        self._messages: list[Message] = []
        self._taken: set[int] = set()
        self._sent = 0
        self._heard = 0
        self._peer: socket.socket | None = None
        self._lost = False
        self._reader = Thread(target=self._read, name="chat-line")
        self._reader.start()

    @property
    def address(self) -> str:
        """Where the plugin connects to."""
        host, port = self._listener.getsockname()
        return f"{host}:{port}"

    @property
    def up(self) -> bool:
        """Whether the gateway has connected."""
        return self._peer is not None

    @property
    def lost(self) -> bool:
        """Whether nothing more can come."""
        return self._lost

    @property
    def messages(self) -> list[Message]:
        """All messages so far, in order of arrival."""
        with self._changed:
            return list(self._messages)

    def send(self, **record: Any) -> int:
        """Writes one JSON line to the gateway and returns its number; `ConnectionError` when there is no connection."""
        if self._peer is None:
            raise ConnectionError("the gateway has not connected")
        self._sent += 1
        self._peer.sendall(json.dumps({"n": self._sent, **record}, ensure_ascii=False).encode() + b"\n")
        return self._sent

    def heard(self, n: int) -> bool:
        """Whether the host has taken over the message of this number."""
        return self._heard >= n

    def until(self, look: Callable[[], Found | None], timeout: float) -> Found | None:
        """Blocks until `look` finds something, the line is lost, or `timeout` seconds are over."""
        found: Found | None = None

        def settled() -> bool:
            nonlocal found
            found = look()
            return found is not None or self._lost

        with self._changed:
            self._changed.wait_for(settled, timeout)
            return found

    def take(self, wanted: Callable[[Message], object]) -> Message | None:
        """The first message that is wanted and was not taken before; it is taken now."""
        with self._changed:
            for message in self._messages:
                if message.n not in self._taken and wanted(message):
                    self._taken.add(message.n)
                    return message
            return None

    def waiting(self, chat: str) -> list[Message]:
        """The messages of a chat that nobody took."""
        return [each for each in self.messages if each.chat == chat and each.n not in self._taken]

    def lose(self) -> None:
        """Wakes everybody: nothing more will come."""
        with self._changed:
            self._lost = True
            self._changed.notify_all()

    def close(self) -> None:
        """Ends the line and its thread."""
        self.lose()
        for end in (self._listener, self._peer):
            if end is not None:
                _hang_up(end)
        self._reader.join()

    def _read(self) -> None:
        try:
            peer, _ = self._listener.accept()
        except OSError:  # closed before anybody came
            return
        with self._changed:
            self._peer = peer
            self._changed.notify_all()
        with suppress(OSError), peer.makefile("rb") as lines:  # a host that is killed resets the connection
            for line in lines:
                self._arrive(json.loads(line))
        self.lose()

    def _arrive(self, record: dict[str, Any]) -> None:
        with self._changed:
            if record["kind"] == "heard":
                self._heard = record["n"]
            else:
                n = len(self._messages) + 1
                self._messages.append(
                    Message(n, record["kind"], record["chat"], record["text"], record.get("reply_to"))
                )
            self._changed.notify_all()


def _hang_up(end: socket.socket) -> None:
    """Shuts a socket down, which wakes a thread that blocks on it, and closes it."""
    with suppress(OSError):  # the other side went first
        end.shutdown(socket.SHUT_RDWR)
    end.close()
