"""Whether a tool call names the files in which people, and what they said, are kept.

Hermes 0.22 opens a database in its own process to print its rows; closing such a handle drops the locks of ours
and loses what others write. So nobody's file tool reaches them, whichever way the path is written.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from herma.stores.recall.place import place_of

__all__ = ["OwnState"]

_MOST_PATHS = 2_048
_LONGEST_PATH = 4_096
_MOST_PARTS = 20_000
# The lines of a patch that name a file, or two; every other text of several lines is content.
_PATCHED = re.compile(r"^\*\*\*[^\S\n]*[A-Za-z][^:\n]*:(.+)$", re.MULTILINE)
_ADDRESS = re.compile(r"file://(?:localhost(?=/))?", re.IGNORECASE)
# Where the database lies unless somebody chose another place: all that is in that folder is ours.
_OWN_FOLDER = os.path.join("plugin-data", "manyhands")  # noqa: PTH118 - no pathlib on a hook path


class OwnState(NamedTuple):
    """The places that are ours: of the people's database, and of the indexes of past conversations."""

    places: tuple["_Place", ...]

    @classmethod
    def at(cls, database: str) -> "OwnState":
        """The state around the path of the people's database, and of this account's indexes."""
        folder, name = os.path.split(os.path.realpath(database))
        indexes = place_of(Path(database), "", environ=os.environ, home=Path.home()).parent
        people = _Place(folder, name, folder.endswith(os.sep + _OWN_FOLDER))
        return cls((people, _Place(os.path.realpath(indexes), "", whole=True)))

    def named_in(self, args: object, task_id: str) -> bool:
        """Whether any text in the arguments is a path to one of our files. Looks at metadata; opens nothing."""
        texts = _texts(args)
        if len(texts) == 0:
            return False
        if len(texts) > _MOST_PATHS:  # nobody can look at all of them
            return True
        places = [(place, place.files()) for place in self.places]
        return any(_is_ours(path, places) is not False for text in texts for path in _meanings(text, task_id))


class _Place(NamedTuple):
    """A folder and how a name of ours in it begins, as real paths. `whole`: the folder is all ours."""

    folder: str
    name: str
    whole: bool = False

    def files(self) -> frozenset[tuple[int, int]]:
        """Device and inode of every file of ours: a hard link elsewhere is the same file."""
        found = set()
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.startswith(self.name):
                        info = entry.stat(follow_symlinks=False)
                        found.add((info.st_dev, info.st_ino))
        except OSError:
            return frozenset()
        return frozenset(found)

    def holds(self, real: str) -> bool:
        """Whether a real path is one of ours, there or not yet there."""
        if self.whole and (real == self.folder or real.startswith(self.folder + os.sep)):
            return True
        folder, name = os.path.split(real)
        return folder == self.folder and name.startswith(self.name)


def _is_ours(path: str, places: Sequence[tuple[_Place, frozenset[tuple[int, int]]]]) -> bool:
    """Whether this is one of our files, by its real path or as the same file under another name."""
    try:
        real = os.path.realpath(path)
        if any(place.holds(real) for place, _ in places):
            return True
        info = os.stat(path)  # noqa: PTH116 - the same
    except (OSError, ValueError):
        return False
    return any((info.st_dev, info.st_ino) in files for _, files in places)


def _texts(value: object) -> Sequence[str]:
    """Every text in the arguments that may be a path, however deep; of a patch what its lines name."""
    found: list[str] = []
    waiting, parts = [value], 0
    while waiting and len(found) <= _MOST_PATHS:
        each, parts = waiting.pop(), parts + 1
        if parts > _MOST_PARTS:
            return [""] * (_MOST_PATHS + 1)
        if isinstance(each, str):
            named = (text for line in _PATCHED.findall(each) for text in (line, *line.split("->")))
            found += [text for text in (each.strip(), *map(str.strip, named)) if _may_be_path(text) is not False]
        elif isinstance(each, Mapping):
            waiting += each.values()
        elif isinstance(each, (list, tuple)):
            waiting += each
    return found


def _may_be_path(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_PATH and "\n" not in text and "\0" not in text


def _meanings(text: str, task_id: str) -> Iterator[str]:
    """Every file that the host may take this text for: below each folder that a relative path may start from."""
    plain = text.strip().strip("'\"")
    address = _ADDRESS.match(plain)
    if address:
        from urllib.parse import unquote  # noqa: PLC0415 - few calls name an address

        rest = plain[address.end() :]
        yield from (rest, unquote(rest))
        plain = rest
    expanded = os.path.expandvars(os.path.expanduser(plain))  # noqa: PTH111 - the same
    if os.path.isabs(expanded):  # noqa: PTH117 - the same
        yield expanded
        return
    resolve = getattr(sys.modules.get("tools.file_tools"), "_resolve_path_for_task", None)
    if resolve is not None:
        with suppress(Exception):  # the host's own, of any kind; the other meanings still count
            yield str(resolve(expanded, task_id or "default"))
    for base in {os.getcwd(), os.environ.get("TERMINAL_CWD", ""), os.path.expanduser("~")}:  # noqa: PTH109, PTH111
        if base:
            yield os.path.join(base, expanded)  # noqa: PTH118
