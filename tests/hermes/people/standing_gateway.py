"""The parts of a running gateway that the doors touch, in this process, in the order in which both hosts use them."""

import asyncio
import sys
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

BYPASS = {"stop", "new", "approve", "deny", "yolo", "help", "status"}
ENDING = {"stop", "new"}
ALIASES = {"reset": "new", "bg": "background"}


class Platform(Enum):
    """One platform."""

    CHAT = "telegram"


class Event:
    """A message as a host makes it."""

    def __init__(self, sender: str | None, text: str, *, chat: str = "", kind: str = "dm", **more: Any) -> None:
        self.text = text
        self.message_id = "m-1"
        self.internal = more.pop("internal", False)
        self.media_urls: list[str] = more.pop("media_urls", [])
        self.reply_to_text: str | None = more.pop("reply_to_text", None)
        self.source = SimpleNamespace(
            platform=Platform.CHAT,
            user_id=sender,
            user_name=more.pop("name", f"Name {sender}"),
            chat_id=chat or f"chat-{sender}",
            chat_type=kind,
            thread_id=None,
            is_bot=more.pop("is_bot", False),
            role_authorized=False,
        )

    def get_command(self) -> str | None:
        """As the host's."""
        return self.text[1:].split(maxsplit=1)[0].lower() if self.text.startswith("/") else None

    def get_command_args(self) -> str:
        """As the host's."""
        return self.text.partition(" ")[2]


class Pairing:
    """The host's store of paired senders."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self.approved: set[str] = set()

    def is_approved(self, _platform: str, user_id: str) -> bool:
        """As the host's."""
        return user_id in self.approved

    def revoke(self, _platform: str, user_id: str) -> bool:
        """As the host's."""
        found = user_id in self.approved
        self.approved.discard(user_id)
        return found


class Lock:
    """A lock that nobody else wants."""

    def __enter__(self) -> None:
        """Taken."""

    def __exit__(self, *_: object) -> None:
        """Given back."""


class Store(Pairing):
    """The same with what approving a code does inside."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()  # type: ignore[assignment]

    def _approve_user(self, _platform: str, user_id: str, _user_name: str = "") -> None:
        self.approved.add(user_id)


class Adapter:
    """One connected platform. `said` are the texts it was given to send, with their chats."""

    def __init__(self, gateway: "Gateway") -> None:
        self._gateway = gateway
        self._session_tasks: dict[str, asyncio.Task[None]] = {}
        self._busy_session_handler: Callable[[Any, str], Any] = gateway.busy
        self._message_handler: Callable[[Any], Any] = gateway.handle
        self.said: list[tuple[str, str]] = []
        self.chats: dict[str, str] = {}

    def set_busy_session_handler(self, handler: Any) -> None:
        """As the host's."""
        self._busy_session_handler = handler

    def set_message_handler(self, handler: Any) -> None:
        """As the host's."""
        self._message_handler = handler

    async def send(self, chat_id: str, content: str, reply_to: object = None, metadata: object = None) -> object:
        """As the host's."""
        del reply_to, metadata
        self.said.append((chat_id, content))
        return SimpleNamespace(success=True)

    async def get_chat_info(self, chat_id: str) -> dict[str, str]:
        """As the host's."""
        return {"type": self.chats.get(chat_id, "dm")}

    async def receive(self, event: Event) -> None:
        """A message from the platform; with a turn in its session it takes the way of busy messages."""
        key = self._gateway._session_key_for_source(event.source)
        task = self._session_tasks.get(key)
        if task is None or task.done():
            self._session_tasks[key] = asyncio.create_task(self._message_handler(event))
            await asyncio.sleep(0)
            return
        command = event.get_command()
        if command in BYPASS:
            try:
                await self._message_handler(event)
            except Exception:  # noqa: BLE001 - the host logs it, and leaves the turn alone
                return
            if command in ENDING:
                task.cancel()
            return
        if not await self._busy_session_handler(event, key):
            self._gateway.merged.append(event)


class Gateway:
    """A gateway with one platform, that admits whom it has paired. Turns wait for `go`."""

    def __init__(self) -> None:
        self.pairing_store = Store()
        self.adapters = {Platform.CHAT: Adapter(self)}
        self.hook: Callable[..., dict[str, str] | None] = lambda **_: None
        self.go = asyncio.Event()
        self._gateway_loop: asyncio.AbstractEventLoop | None = None
        self.turns: list[tuple[str, str]] = []
        self.commands: list[tuple[str, str]] = []
        self.offered: list[str] = []
        self.steered: list[Event] = []
        self.queued: list[Event] = []
        self.merged: list[Event] = []

    @property
    def adapter(self) -> Adapter:
        """The platform's."""
        return self.adapters[Platform.CHAT]

    def _session_key_for_source(self, source: Any) -> str:
        return f"agent:main:telegram:{source.chat_type}:{source.chat_id}"

    def _adapter_for_source(self, _source: Any) -> Adapter:
        return self.adapter

    def _is_user_authorized(self, source: Any) -> bool:
        return source.role_authorized is True or source.user_id in self.pairing_store.approved

    def _enqueue_fifo(self, _key: str, event: Event, _adapter: Adapter) -> None:
        self.queued.append(event)

    async def handle(self, event: Event) -> None:
        """The host's pipeline: the hook, admission, commands, a turn."""
        answer = self.hook(event=event, gateway=self, session_store=None)
        if isinstance(answer, dict) and answer.get("action") == "skip":
            return
        if not self._is_user_authorized(event.source):
            self.offered.append(event.source.user_id)
        elif event.get_command():
            self.commands.append((event.source.user_id, event.text))
        else:
            self.turns.append((event.source.user_id, event.text))
            await self.go.wait()

    async def busy(self, event: Event, _key: str) -> bool:
        """The host's own way with a busy message: into the running turn."""
        if self._is_user_authorized(event.source):
            self.steered.append(event)
        return True


def put_host(monkeypatch: pytest.MonkeyPatch, *, waiting: dict[str, str], asked: set[str]) -> None:
    """Puts the host's modules in their places. `waiting`: confirmations by session; `asked`: those with an approval."""

    def resolve(name: str) -> object:
        known = ALIASES.get(name, name)
        return SimpleNamespace(name=known) if known in BYPASS | {"background"} else None

    def pending(key: str) -> object:
        return {"command": waiting[key]} if key in waiting else None

    place: dict[str, dict[str, object]] = {
        "hermes_cli": {},
        "hermes_cli.commands": {"resolve_command": resolve},
        "tools": {"slash_confirm": SimpleNamespace(get_pending=pending)},
        "tools.approval": {"has_blocking_approval": lambda key: key in asked},
        "gateway": {"pairing": SimpleNamespace(_allowlist_env_for_platform=lambda _platform: "TELEGRAM_ALLOWED_USERS")},
    }
    for name, members in place.items():
        module = ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "gateway.run", raising=False)
