"""What a verb gets: the line that was typed, who typed it and where."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from herma.core.people.principal import Standing
from herma.core.people.verbs import Typed, usage
from herma.engine.people.asks import Asks
from herma.engine.people.change import Hand, by_hand
from herma.engine.people.house import House
from herma.engine.people.names import Mistaken
from herma.engine.people.where import Where

__all__ = ["Answer", "Call", "Table", "Where"]


class Call(NamedTuple):
    """One line, read and admitted."""

    house: House
    asks: Asks
    speaker: Standing
    where: Where
    typed: Typed

    @property
    def hand(self) -> Hand:
        """The one who types, for what they change."""
        return Hand(self.house, self.speaker, self.where.session_id)

    @property
    def words(self) -> tuple[str, ...]:
        """The words behind the verb."""
        return self.typed.words

    def word(self, at: int, otherwise: str = "") -> str:
        """The word at this place, if there is one."""
        return self.words[at] if at < len(self.words) else otherwise

    @property
    def owned(self) -> bool:
        """Whether an owner typed it, alone and by hand."""
        return self.speaker.is_owner and by_hand(self.speaker)

    def usage(self, why: str = "") -> Mistaken:
        """What to raise when the words are not what the verb needs."""
        return Mistaken(f"{why} Usage: {usage(self.typed.verb)}".strip())

    def number(self, at: int) -> int:
        """The word at this place as the number of a fact."""
        text = self.word(at).removeprefix("#")
        if not (text.isascii() and text.isdigit() and len(text) < 19):  # noqa: PLR2004 - what a column holds
            raise self.usage("That is no number of a fact.")
        return int(text)


Answer: TypeAlias = Callable[[Call], str]
Table: TypeAlias = Mapping[str, Answer]
