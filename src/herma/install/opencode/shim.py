"""The plugin's own files, as they come with this package."""

from pathlib import Path

import herma
from herma.errors import SetupError

__all__ = ["COMMAND", "files", "folder"]

# Names the Python that has Herma; the plugin reads it beside itself.
COMMAND = "command.json"

_NAMES = ("index.js", "package.json")
# A wheel has them as data of this package; a checkout has them where people clone them.
_PLACES = (
    Path(__file__).parents[1] / "trees" / "opencode",
    Path(herma.__file__).parents[2] / "integrations" / "opencode",
)


def folder() -> Path:
    """The folder that has them, with whatever else is in it. Raises `SetupError` where this package has none."""
    for place in _PLACES:
        if all((place / name).is_file() for name in _NAMES):
            return place
    hint = "install Herma from its wheel, or run it from its checkout"
    raise SetupError("this Herma has no plugin of OpenCode to put into a home", hint=hint)


def files() -> dict[str, str]:
    """The texts of the files that OpenCode needs, by name. Raises `SetupError`."""
    place = folder()
    return {name: (place / name).read_text(encoding="utf-8") for name in _NAMES}
