"""One simple shell command, fully understood or not at all."""

import re
from functools import lru_cache

__all__ = ["argv_of"]

_LONGEST = 4_096

# A word is made of characters that no shell does anything with, and of quoted texts in which it does nothing either.
# Operators, expansions, redirections, patterns, `~`, `#`, backslashes, line breaks and every space but the plain one
# are in neither. Nothing is given back once it is taken, so a hostile text costs no more than its length.
_WORD = r"(?:[A-Za-z0-9_./:=@%+,-]++|'[^'\x00-\x1f\x7f-\x9f]*+'|\"[^\"$`\\!\x00-\x1f\x7f-\x9f]*+\")++"
_COMMAND = re.compile(rf" *+{_WORD}(?: ++{_WORD})*+ *+")
_WORDS = re.compile(_WORD)
_QUOTES = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def argv_of(command: object) -> tuple[str, ...] | None:
    """The words that a program gets from a shell that is given `command`.

    None when the text is more than one simple command: the shell would do something with it that this does not follow.
    An assignment before the name of the program is such a thing.
    """
    return _words_of(command) if isinstance(command, str) and len(command) <= _LONGEST else None


@lru_cache(maxsize=1)  # every rule about one call asks for the same command
def _words_of(command: str) -> tuple[str, ...] | None:
    if _COMMAND.fullmatch(command) is None:
        return None
    words = _WORDS.findall(command)
    if "=" in words[0]:
        return None
    return tuple(_QUOTES.sub(_inside, word) if "'" in word or '"' in word else word for word in words)


def _inside(quoted: re.Match[str]) -> str:
    return quoted.group(1) or quoted.group(2) or ""
