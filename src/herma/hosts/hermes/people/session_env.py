"""What the running host has bound to the chat of a turn. Labels and places only: never who is speaking.

`HERMES_SESSION_USER_ID` is not read here: for a message that waited while somebody else's turn ran it still names
the other one.
"""

import sys
from typing import NamedTuple

__all__ = ["Chat", "chat"]

_FIELDS = 4  # agent:main:platform:kind, and the chat behind


class Chat(NamedTuple):
    """Where a turn takes place; empty outside of a gateway. `key` is the host's own key of the chat's session."""

    key: str = ""
    platform: str = ""
    chat_id: str = ""
    thread_id: str = ""
    message_id: str = ""

    def is_of_one(self, sender_id: str) -> bool:
        """Whether only this sender can ever speak in this session: a direct chat, or a part of a group of their own."""
        start = self.key.split(":", 4)[:4]
        if len(start) < _FIELDS or start[0] != "agent":
            return False
        if start[3] == "dm":
            return True
        if not self.chat_id:
            return False
        # A group's session is one person's where the host has put that person behind the chat, and nothing else.
        places = (self.chat_id, f"{self.chat_id}:{self.thread_id}") if self.thread_id else (self.chat_id,)
        return bool(sender_id) and self.key in (f"{':'.join(start)}:{place}:{sender_id}" for place in places)


def chat() -> Chat:
    """The chat of the turn that runs on this thread."""
    read = getattr(sys.modules.get("gateway.session_context"), "get_session_env", None)
    if read is None:
        return Chat()
    names = ("KEY", "PLATFORM", "CHAT_ID", "THREAD_ID", "MESSAGE_ID")
    return Chat(*(str(read(f"HERMES_SESSION_{name}", "") or "") for name in names))
