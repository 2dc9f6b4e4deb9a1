"""Whether a session can only ever be one person's, by the host's own key of its chat."""

import pytest

from herma.hosts.hermes.people.session_env import Chat

ROOM = "agent:main:matrix:group:!room:server"


@pytest.mark.parametrize(
    "chat, sender",
    [
        (Chat("agent:main:telegram:dm:111", "telegram", "111"), "111"),
        (Chat("agent:main:telegram:dm:111", "telegram"), "111"),
        (Chat("agent:main:slack:group:C1:U7", "slack", "C1"), "U7"),
        (Chat("agent:main:slack:group:C1:T9:U7", "slack", "C1", "T9"), "U7"),
        (Chat(f"{ROOM}:@bob:server", "matrix", "!room:server"), "@bob:server"),
    ],
)
def test_a_direct_chat_and_a_part_of_a_group_behind_ones_own_id_are_ones_own(chat: Chat, sender: str) -> None:
    assert chat.is_of_one(sender)


@pytest.mark.parametrize(
    "chat, sender",
    [
        (Chat(), ""),
        (Chat(), "U7"),
        (Chat("telegram:dm:111", "telegram", "111"), "111"),
        (Chat("agent:main:slack:group:C1", "slack", "C1"), "U7"),
        (Chat("agent:main:slack:group:C1", "slack", "C1"), "C1"),
        (Chat("agent:main:slack:group:C1:U8", "slack", "C1"), "U7"),
        (Chat("agent:main:slack:group:C1:U7", "slack"), "U7"),
        (Chat("agent:main:slack:group:C1:T9", "slack", "C1", "T9"), "T9x"),
        # Whoever is called like the end of the room's own name gains nothing by it.
        (Chat(ROOM, "matrix", "!room:server"), "server"),
        (Chat(ROOM, "matrix", "!room:server"), ""),
    ],
)
def test_whatever_else_it_is_counts_as_a_room_that_others_may_speak_in(chat: Chat, sender: str) -> None:
    assert not chat.is_of_one(sender)
