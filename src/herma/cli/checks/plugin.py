"""Where a host would load a plugin from, when several things claim its name."""

from collections.abc import Iterator
from typing import NamedTuple

from herma.cli.report import Check, Status
from herma.cli.systems import System
from herma.install.facts import Facts

__all__ = ["plugin"]

_ID = "plugin"
# Up to 0.19 an installed package wins over a folder of the same name; 0.22 has it the other way round.
_FOLDERS_WIN_FROM = (0, 22)


class _Claim(NamedTuple):
    """A thing that has the plugin's name."""

    what: str
    ours: bool


def plugin(facts: Facts, system: System) -> Iterator[Check]:
    """That the host would load the plugin once, and that it is Herma's. Anything else of that name is named."""
    claims = _claims(facts, system.name)
    if not claims:
        yield Check(
            _ID,
            Status.FAIL,
            f"nothing here is a plugin named {system.name}",
            f"install herma in this environment, or put Herma's folder {system.name} into {facts.home / 'plugins'}",
        )
        return
    yield _loaded(claims[0], claims[1:], system.name)
    for folder in facts.directories:
        if folder.name == system.name and folder.nested:
            yield Check(
                _ID,
                Status.FAIL,
                f"{folder.path} has the same name and is loaded as well",
                "move it out of the plugins folder",
            )


def _claims(facts: Facts, name: str) -> list[_Claim]:
    """What has the plugin's name, the one that is loaded first."""
    folders = [
        _Claim(f"the folder {folder.path}", folder.ours)
        for folder in reversed(facts.directories)  # of two folders the host takes the later
        if folder.name == name and not folder.nested
    ]
    packages = [
        _Claim(f"the package {point.distribution or 'of unknown name'} ({point.value})", point.distribution == "herma")
        for point in facts.entry_points
        if point.name == name
    ]
    packages.sort(key=lambda claim: claim.ours)  # which of two packages is loaded is chance: expect the worse
    folders_win = facts.series is None or facts.series >= _FOLDERS_WIN_FROM
    return [*folders, *packages] if folders_win else [*packages, *folders]


def _loaded(first: _Claim, others: list[_Claim], name: str) -> Check:
    strangers = [claim.what for claim in others if not claim.ours]
    if not first.ours:
        summary = f"Hermes would load {first.what}, which is not Herma's {name}"
        return Check(_ID, Status.FAIL, summary, "remove it, or give it another name")
    if strangers:
        summary = f"Hermes loads {first.what}; passed over: {', '.join(strangers)}, not Herma's"
        return Check(_ID, Status.WARN, summary, "remove it, so that another version of Hermes does not load it")
    passed_over = f"; {others[0].what} hands over to the same" if others else ""
    return Check(_ID, Status.PASS, f"Hermes loads {first.what}{passed_over}")
