"""What in an installation has a plugin's name, and which of them its host loads."""

from pathlib import Path
from typing import NamedTuple

from herma.install.facts import Facts

__all__ = ["Claim", "claims", "folders_win", "nested"]

# Up to 0.19 an installed package wins over a folder of the same name; 0.22 has it the other way round.
_FOLDERS_WIN_FROM = (0, 22)


class Claim(NamedTuple):
    """A thing that has the plugin's name: a folder at `path`, or a `distribution` that is installed."""

    what: str
    ours: bool
    path: Path | None = None
    distribution: str | None = None


def folders_win(facts: Facts) -> bool:
    """Whether this host takes the folder where a package has the same name; assumed of an unknown version."""
    return facts.series is None or facts.series >= _FOLDERS_WIN_FROM


def claims(facts: Facts, name: str) -> list[Claim]:
    """What has the plugin's name and is loaded under it: the first one is, the others are passed over."""
    folders = [
        Claim(f"the folder {folder.path}", folder.ours, path=folder.path)
        for folder in reversed(facts.directories)  # of two folders the host takes the later
        if folder.name == name and not folder.nested
    ]
    packages = [
        Claim(
            f"the package {point.distribution or 'of unknown name'} ({point.value})",
            point.distribution == "herma",
            distribution=point.distribution or "of unknown name",
        )
        for point in facts.entry_points
        if point.name == name
    ]
    packages.sort(key=lambda claim: claim.ours)  # which of two packages is loaded is chance: expect the worse
    return [*folders, *packages] if folders_win(facts) else [*packages, *folders]


def nested(facts: Facts, name: str) -> list[Path]:
    """Folders of the name that stand one folder deeper: the host loads them as well."""
    return [folder.path for folder in facts.directories if folder.name == name and folder.nested]
