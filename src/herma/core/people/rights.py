"""What somebody may use, as a list to read: the most that each tool could get. Calls are decided one by one."""

from typing import NamedTuple

from herma.core.people.decide import Subject, at_best
from herma.core.people.policy import Policy
from herma.core.people.tools import TOOLS

__all__ = ["Rights", "rights"]


class Rights(NamedTuple):
    """Names of tools, sorted. `everything`: no list is needed, for there is nothing that is refused."""

    everything: bool
    allowed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """How many tools may be used, asked for or not."""
        return len(self.allowed) + len(self.asked)


def rights(subject: Subject, policy: Policy) -> Rights:
    """The tools of the table and those that rules of this person or role name. A beginning of names ends with `*`."""
    if subject.role == "owner":
        return Rights(everything=True)
    books = [book for book in (policy.roles.get(subject.role), policy.people.get(subject.person_id)) if book]
    names = {tool.name for tool in TOOLS}.union(*(book.exact for book in books))
    found = {name: at_best(subject, name, policy) for name in sorted(names)}
    beginnings = {f"{start}*": rule.effect for book in books for start, (rule, *_) in book.globs.items()}
    found.update(beginnings)
    return Rights(
        everything=False,
        allowed=tuple(name for name, effect in found.items() if effect == "allow"),
        asked=tuple(name for name, effect in found.items() if effect == "ask"),
    )
