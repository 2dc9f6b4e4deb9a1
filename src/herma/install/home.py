"""Which Hermes home a `hermes` started now would use."""

import os
import re
from pathlib import Path

from herma.install.machine import Machine

__all__ = ["home_in_force"]

_PROFILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_PROFILES = "profiles"


def home_in_force(machine: Machine, named: str | None = None) -> Path:
    """The home `named` on the command line, else HERMES_HOME or `~/.hermes`, with the profile that is switched to.

    A named home is taken as it is: whoever names one means that folder.
    """
    if named:
        return Path(named).expanduser().absolute()
    home = machine.folder("HERMES_HOME") or machine.home / ".hermes"
    if home.parent.name == _PROFILES:
        return home
    root = _root(machine, home)
    profile = _active_profile(root)
    return root / _PROFILES / profile if profile else home


def _root(machine: Machine, home: Path) -> Path:
    # A home inside ~/.hermes belongs to ~/.hermes; any other home is its own root (hermes_constants, 0.19 and 0.22).
    native = machine.home / ".hermes"
    inside = Path(os.path.realpath(home)).is_relative_to(os.path.realpath(native))
    return native if inside else home


def _active_profile(root: Path) -> str | None:
    try:
        name = (root / "active_profile").read_text(encoding="utf-8-sig").strip()
    except (OSError, ValueError):
        return None
    return name if name != "default" and _PROFILE.fullmatch(name) else None
