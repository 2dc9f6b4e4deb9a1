"""Plain messages to one person's own chat, through the adapters of the running gateway.

Never a turn: what the host is asked to do is to send a text, and no model reads it. The gateway is known from the first
message that it handed to a plugin; before that, and in every other process, nothing can be sent.
"""

import asyncio
import sys
from concurrent.futures import TimeoutError as Late
from typing import Any

__all__ = ["GatewayMail", "running_gateway"]

_SECONDS = 10.0
_DIRECT = frozenset({"dm", "private", "direct"})
_MOST = 4_096


def running_gateway() -> Any:
    """The gateway that lives in this process; None where none does, as at the host's own terminal."""
    runner = getattr(sys.modules.get("gateway.run"), "_gateway_runner_ref", None)
    return runner() if runner is not None else None


class GatewayMail:
    """The way to people in a gateway process. `hold` and `heard` run on its event loop, `send` on any other thread."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._gateway: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writers: dict[tuple[str, str], str] = {}

    @property
    def gateway(self) -> Any:
        """The running gateway; None before its first message."""
        return self._gateway

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop that the adapters live on; None before the gateway's first message."""
        return self._loop

    def adapter(self, platform: str) -> Any:
        """The connected adapter of a platform; None where there is none."""
        # The kinds of platform are the host's own; they are found by their value.
        for kind, adapter in dict(getattr(self._gateway, "adapters", None) or {}).items():
            if getattr(kind, "value", kind) == platform:
                return adapter
        return None

    def hold(self, gateway: object, loop: asyncio.AbstractEventLoop) -> None:
        """Remember the gateway and the loop that its adapters live on."""
        self._gateway, self._loop = gateway, loop

    def heard(self, platform: str, chat: str, account: str, *, direct: bool) -> None:
        """Somebody wrote in a chat. One that is not direct, or has had two writers, is nobody's own from then on."""
        key = (platform, chat)
        known = self._writers.get(key, account)
        self._writers[key] = account if direct and known == account else ""
        while len(self._writers) > _MOST:
            self._writers.pop(next(iter(self._writers)))

    def send(self, account: str, chat: str, text: str) -> str:
        """Send `text` to the direct chat of exactly this account; empty when it was delivered, else why not."""
        loop, platform = self._loop, account.partition(":")[0]
        why_not = self._obstacle(account, platform, chat)
        if why_not or loop is None:
            return why_not
        sending = asyncio.run_coroutine_threadsafe(self._send(platform, chat, text), loop)
        try:
            return sending.result(self._seconds)
        except Late:
            sending.cancel()
            return f"not delivered within {self._seconds:g} seconds"
        except Exception as error:  # noqa: BLE001 - an adapter may raise anything
            return f"{type(error).__name__} in the platform's adapter"

    def _obstacle(self, account: str, platform: str, chat: str) -> str:
        """Why it is not even tried; empty when it is."""
        loop = self._loop
        if self._gateway is None or loop is None or loop.is_closed():
            return "the gateway has not been seen yet"
        if _here(loop):
            return "called on the gateway's own loop"
        if not chat or not account.partition(":")[2]:
            return "no direct chat of this account is known"
        others = self._writers.get((platform, chat), account) != account
        return "others write in this chat too" if others else ""

    async def _send(self, platform: str, chat: str, text: str) -> str:
        adapter = self.adapter(platform)
        if adapter is None:
            return f"{platform} is not connected"
        kind = str((await adapter.get_chat_info(chat) or {}).get("type") or "")
        if kind.lower() not in _DIRECT:
            return "the platform does not call this a direct chat"
        sent = await adapter.send(chat, text)
        if getattr(sent, "success", False) is True:
            return ""
        return "the platform did not take it"


def _here(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False
