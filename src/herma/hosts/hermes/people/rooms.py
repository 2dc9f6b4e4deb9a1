"""The ways to people out of a gateway: to one person alone, and to the room in which something was asked."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import TimeoutError as Late

from herma.hosts.hermes.people.delivery import GatewayMail
from herma.hosts.hermes.people.session_env import Chat

__all__ = ["HouseMail"]

_SECONDS = 10.0


class HouseMail:
    """The `Mail` of a house. `rooms` are the chats of turns by the host's session key."""

    def __init__(self, gateway_mail: GatewayMail, rooms: Mapping[str, Chat]) -> None:
        self._gateway_mail = gateway_mail
        self._rooms = rooms

    def send(self, account: str, chat: str, text: str) -> str:
        """To the direct chat of exactly this account; empty when it was delivered, else why not."""
        return self._gateway_mail.send(account, chat, text)

    def tell(self, chat: str, text: str) -> str:
        """To everybody in the chat behind a session; empty when it was delivered, else why not."""
        room, loop = self._rooms.get(chat), self._gateway_mail.loop
        adapter = self._gateway_mail.adapter(room.platform) if room is not None else None
        if room is None or adapter is None or loop is None or loop.is_closed():
            return "no connected chat is known"
        metadata = {"thread_id": room.thread_id} if room.thread_id else None
        sending = asyncio.run_coroutine_threadsafe(adapter.send(room.chat_id, text, metadata=metadata), loop)
        try:
            return "" if getattr(sending.result(_SECONDS), "success", False) is True else "the platform did not take it"
        except Late:
            sending.cancel()
            return f"not delivered within {_SECONDS:g} seconds"
        except Exception as error:  # noqa: BLE001 - an adapter may raise anything
            return f"{type(error).__name__} in the platform's adapter"
