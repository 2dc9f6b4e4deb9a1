"""What the running host has bound to the chat of a turn. Labels and places only: never who is speaking.

`HERMES_SESSION_USER_ID` is not read here: for a message that waited while somebody else's turn ran it still names
the other one.
"""

import sys
from typing import NamedTuple

__all__ = ["Chat", "chat"]


class Chat(NamedTuple):
    """Where a turn takes place; empty outside of a gateway. `key` is the host's own key of the chat's session."""

    key: str = ""
    platform: str = ""
    chat_id: str = ""
    thread_id: str = ""
    message_id: str = ""

    def is_of_one(self, sender_id: str) -> bool:
        """Whether only this sender can ever speak in this session: a direct chat, or a part of a group of their own."""
        parts = self.key.split(":")
        if len(parts) < 5 or parts[0] != "agent":  # noqa: PLR2004 - agent:main:platform:kind:chat
            return False
        if parts[3] == "dm":
            return not self.thread_id or parts[-1] == self.chat_id
        return len(parts) > 5 and parts[-1] == sender_id  # noqa: PLR2004 - and the sender behind


def chat() -> Chat:
    """The chat of the turn that runs on this thread."""
    read = getattr(sys.modules.get("gateway.session_context"), "get_session_env", None)
    if read is None:
        return Chat()
    names = ("KEY", "PLATFORM", "CHAT_ID", "THREAD_ID", "MESSAGE_ID")
    return Chat(*(str(read(f"HERMES_SESSION_{name}", "") or "") for name in names))
