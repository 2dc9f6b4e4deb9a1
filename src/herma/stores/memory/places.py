"""Names from elsewhere as names of files: people's and sessions'. No two names share one, and none leads anywhere."""

from hashlib import sha256
from pathlib import Path

__all__ = ["folder_of", "safe"]

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
_LONGEST = 120


def safe(name: str) -> str:
    """A file name for `name`: itself where it is plain, else with other bytes as `%2f`; a digest where it is long.

    Capitals are written as bytes too: some file systems do not tell them apart. Raises ValueError for "".
    """
    if not name:
        raise ValueError("a name is needed")
    data = name.encode("utf-8", "surrogatepass")
    text = "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02x}" for byte in data)
    return text if len(text) <= _LONGEST else f"%%{sha256(data).hexdigest()}"


def folder_of(root: Path, person: str, *, owner: str) -> Path:
    """Where the memory of `person` lies: `root` itself for its owner, a folder of their own below it for others."""
    name = safe(person)
    return root if person == owner else root / "people" / name
