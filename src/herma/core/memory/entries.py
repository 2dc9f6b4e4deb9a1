"""What a memory file holds: entries, with a line that is only `§` between them.

Text is compared in its canonical composition with runs of white space as one; what is stored keeps its own form.
"""

from collections.abc import Iterable
from functools import lru_cache
from unicodedata import is_normalized, normalize

__all__ = ["DELIMITER", "clean", "join", "parse", "same", "size"]

_MARK = "§"
DELIMITER = f"\n{_MARK}\n"

# A file of an older kind begins with a comment that runs into the first mark.
_OLD_MARK = f"-->{_MARK}"


def parse(text: str) -> tuple[str, ...]:
    """The entries of a file's text, trimmed, without empty ones and without a second one of the same text."""
    text = text.replace("\r\n", "\n")
    if _MARK not in text:
        whole = text.strip()
        return (whole,) if whole else ()
    if text.count(_MARK) == text.count(DELIMITER):  # as we write it ourselves
        return tuple(dict.fromkeys(entry for part in text.split(DELIMITER) if (entry := part.strip())))
    groups: list[list[str]] = [[]]
    for line in text.split("\n"):
        if _MARK in line and line.strip() == _MARK:
            groups.append([])
        elif _MARK in line and line.rstrip().endswith(_OLD_MARK):
            groups[-1].append(line.rstrip().removesuffix(_MARK))
            groups.append([])
        else:
            groups[-1].append(line)
    found = ("\n".join(group).strip() for group in groups)
    return tuple(dict.fromkeys(entry for entry in found if entry))


def join(entries: Iterable[str]) -> str:
    """The text of a file with these entries; nothing stands before the first or after the last."""
    return DELIMITER.join(entries)


def size(entries: Iterable[str]) -> int:
    """How much of the limit these entries take, in code points, what stands between them included."""
    return len(join(entries))


def clean(text: str) -> str:
    """A text as an entry: trimmed, with line feeds as its only line ends."""
    return text.replace("\r\n", "\n").strip()


@lru_cache(maxsize=512)
def same(text: str) -> str:
    """The form in which two texts are equal that a reader could not tell apart."""
    return " ".join((text if is_normalized("NFC", text) else normalize("NFC", text)).split())
