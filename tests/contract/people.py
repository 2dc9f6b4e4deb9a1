"""People and asks that tests of stores have in common."""

from herma.core.people.records import Approval, Person

NOW = 1_767_225_600_000
MINUTE = 60_000

ANN = Person("telegram:1", "telegram", "1", "Ann", "ann", "owner", created_at=NOW)
BOB = Person("telegram:2", "telegram", "2", "Bob", "bob", "member", ("terminal", "-patch"), 5_000, NOW, NOW, NOW + 1)
CAT = Person("discord:3", "discord", "3", "Cat", "cat", "member", created_at=NOW)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        """The time in epoch milliseconds."""
        return self.now


def ask(approval_id: str = "a1", **changes: object) -> Approval:
    """Bob asks for the terminal; the code lives for a minute."""
    asked = Approval(
        approval_id,
        "K7QP",
        BOB.person_id,
        BOB.person_id,
        "terminal",
        "git status",
        '{"command":"git status"}',
        "digest-1",
        "conversation-1",
        "session-1",
        "turn-1",
        "pending",
        (ANN.person_id,),
        NOW,
        NOW + MINUTE,
        request_id="r1",
    )
    return asked._replace(**changes)  # type: ignore[arg-type]
