"""The two lists that a memory consists of."""

from typing import NamedTuple

__all__ = ["TARGETS", "Target"]


class Target(NamedTuple):
    """One list: the name a model calls it by, its file, the title of its block, and its largest size in code points."""

    name: str
    file: str
    demoted: str
    title: str
    limit: int


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("memory", "MEMORY.md", "MEMORY.demoted.md", "MEMORY (your personal notes)", 2_200),
        Target("user", "USER.md", "USER.demoted.md", "USER PROFILE (who the user is)", 1_375),
    )
}
