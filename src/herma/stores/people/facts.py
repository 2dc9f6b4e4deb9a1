"""What people stored, what they used up, and what has to reach them."""

from collections.abc import Sequence

from herma.core.people.records import Fact, Message, SharedFact
from herma.stores.people import statements as sql
from herma.stores.people.part import Part
from herma.stores.people.people import People

__all__ = ["Facts", "Outbox", "Tokens"]


class Facts(People):
    """Facts of one person, and those shared with everyone. The numbers of facts are never given twice."""

    __slots__ = ()

    def add_fact(self, fact: Fact) -> int:
        """Keep a fact of one person; its id."""
        self.facts_change()
        return int(self.value(sql.ADD_FACT, *fact[1:]))

    def facts(self, person_id: str, *, limit: int = 1_000) -> Sequence[Fact]:
        """The facts of one person, newest first."""
        return [Fact(*row) for row in self.rows(sql.FACTS, person_id, limit)]

    def remove_fact(self, person_id: str, fact_id: int) -> bool:
        """Take a fact of this one person away; False when they have none with this id."""
        self.facts_change()
        return self.value(sql.REMOVE_FACT, fact_id, person_id) is not None

    def add_shared(self, fact: SharedFact) -> int:
        """Keep a shared fact; its id."""
        self.facts_change()
        return int(self.value(sql.ADD_SHARED, *fact[1:]))

    def shared(self, *, limit: int = 1_000) -> Sequence[SharedFact]:
        """Shared facts, newest first."""
        return [SharedFact(*row) for row in self.rows(sql.SHARED, limit)]

    def confirm_shared(self, fact_id: int, *, by: str) -> bool:
        """An owner has read and confirmed a shared fact."""
        self.facts_change()
        return self.value(sql.CONFIRM_SHARED, by, fact_id) is not None

    def remove_shared(self, fact_id: int) -> bool:
        """Take a shared fact away."""
        self.facts_change()
        return self.value(sql.REMOVE_SHARED, fact_id) is not None


class Tokens(Part):
    """Tokens by person and UTC day."""

    __slots__ = ()

    def add_tokens(self, person_id: str, day: str, tokens: int) -> None:
        """Count tokens of a person on a UTC day."""
        self.execute(sql.ADD_TOKENS, (person_id, day, tokens))

    def tokens(self, person_id: str, day: str) -> int:
        """The tokens of a person on a UTC day."""
        return self.value(sql.TOKENS, person_id, day) or 0


class Outbox(Part):
    """Messages until they are delivered. The text goes then; that there was one stays."""

    __slots__ = ()

    def put_message(self, message: Message) -> None:
        """Keep something to deliver."""
        self.do(sql.PUT_MESSAGE, *message)

    def waiting(self, *, now: int) -> Sequence[Message]:
        """Messages that wait and are not over, oldest first."""
        return [Message(*row) for row in self.rows(sql.WAITING, now)]

    def delivered(self, message_id: str, *, now: int, error: str = "") -> None:
        """A message reached its person, or for good did not."""
        self.do(sql.DELIVERED, "failed" if error else "delivered", error, now, message_id)
