"""A chat platform whose only server is the test driver.

It connects to LOOPCHAT_ADDRESS (host:port), where the driver listens. From then on both sides write one JSON object a
line: the driver says what people wrote, this side confirms when the host has taken it over and says what the host
answers. A chat that stands in the file LOOPCHAT_SHUT, one a line, takes nothing. The same code serves 0.19 and 0.22.
"""

import asyncio
import json
import os
from contextlib import suppress
from itertools import count

from gateway.config import Platform
from gateway.platforms.base import BasePlatformAdapter, MessageEvent, MessageType, SendResult
from gateway.session import build_session_key

LINE_BYTES = 16 * 1024 * 1024


class LoopChat(BasePlatformAdapter):
    MAX_MESSAGE_LENGTH = 1_000_000  # answers stay whole

    def __init__(self, config):
        super().__init__(config=config, platform=Platform("loopchat"))
        self._ids = count(1)
        self._writer = None
        self._listening = None

    async def connect(self, *, is_reconnect=False):
        host, _, port = os.environ["LOOPCHAT_ADDRESS"].rpartition(":")
        reader, self._writer = await asyncio.open_connection(host, int(port), limit=LINE_BYTES)
        self._mark_connected()
        self._listening = asyncio.create_task(self._listen(reader))
        return True

    async def disconnect(self):
        self._mark_disconnected()
        if self._listening is not None:
            self._listening.cancel()
        if self._writer is not None:
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()

    async def send(self, chat_id, content, reply_to=None, metadata=None):
        if chat_id in _shut():
            return SendResult(success=False, error=f"{chat_id} takes nothing")
        number = f"out-{next(self._ids)}"
        await self._emit(kind="said", chat=chat_id, text=content, reply_to=reply_to)
        return SendResult(success=True, message_id=number)

    async def get_chat_info(self, chat_id):
        return {"name": chat_id, "type": "dm" if chat_id.startswith("dm-") else "group"}

    async def _listen(self, reader):
        # One after the other: two messages written in a row must not overtake each other.
        while line := await reader.readline():
            said = json.loads(line)
            try:
                event = self._event(said)
                if not said["while_busy"]:
                    await self._turn_is_over(event)
                await self.handle_message(event)
            except Exception as error:
                await self._emit(kind="error", chat=said["chat"], text=repr(error))
            await self._emit(kind="heard", n=said["n"])

    async def _turn_is_over(self, event):
        # A session stays busy for a moment after its answer was sent. What arrives in that moment interrupts a turn that
        # is over, and 0.19 then loses it. No person answers that fast, a driver does.
        key = self._key(event)
        while (turn := self._session_tasks.get(key)) is not None and not turn.done():
            await asyncio.wait({turn})

    def _key(self, event):
        if hasattr(self, "_event_session_key"):  # 0.22
            return self._event_session_key(event)
        extra = self.config.extra
        return build_session_key(
            event.source,
            group_sessions_per_user=extra.get("group_sessions_per_user", True),
            thread_sessions_per_user=extra.get("thread_sessions_per_user", False),
        )

    def _event(self, said):
        number = f"in-{said['n']}"
        source = self.build_source(
            chat_id=said["chat"],
            chat_name=said["chat"],
            chat_type=said["chat_type"],
            user_id=said["person_id"],
            user_name=said["person_name"],
            thread_id=said.get("thread"),
            message_id=number,
        )
        return MessageEvent(
            text=said["text"],
            message_type=MessageType.TEXT,
            source=source,
            message_id=number,
            raw_message=said,
        )

    async def _emit(self, **record):
        self._writer.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        await self._writer.drain()


def _shut():
    try:
        with open(os.environ["LOOPCHAT_SHUT"], encoding="utf-8") as lines:
            return lines.read().split()
    except FileNotFoundError:
        return []


def register(ctx):
    ctx.register_platform(
        name="loopchat",
        label="Loop chat",
        adapter_factory=LoopChat,
        check_fn=lambda: True,
        validate_config=lambda config: True,
        is_connected=lambda config: True,
        allowed_users_env="LOOPCHAT_ALLOWED_USERS",
        allow_all_env="LOOPCHAT_ALLOW_ALL_USERS",
        cron_deliver_env_var="LOOPCHAT_HOME_CHANNEL",
        platform_hint="You are talking on Loop chat.",
    )
