"""How full a list is, in the words that models and people read."""

from collections.abc import Sequence

from herma.core.memory.entries import DELIMITER, size

__all__ = ["figures", "free", "near_limit", "usage"]

_NEAR = 80  # per cent


def figures(used: int, limit: int) -> str:
    """Such as `2% — 46/2,200 chars`; the share is rounded down and never above 100."""
    return f"{_share(used, limit)}% — {used:,}/{limit:,} chars"


def usage(target: str, entries: Sequence[str], limit: int) -> str:
    """Such as `memory: 2% — 46/2,200 chars (3 entries)`."""
    return f"{target}: {figures(size(entries), limit)} ({len(entries)} entries)"


def free(entries: Sequence[str], limit: int) -> int:
    """How long one more entry may be, in code points."""
    return max(0, limit - size(entries) - (len(DELIMITER) if entries else 0))


def near_limit(entries: Sequence[str], limit: int) -> bool:
    """Whether so much is taken that it is time to consolidate."""
    return size(entries) * 100 >= limit * _NEAR


def _share(used: int, limit: int) -> int:
    return min(100, used * 100 // limit) if limit > 0 else 100
