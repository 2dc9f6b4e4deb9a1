"""Checks of an installation itself: its version, the Herma in it, and whether it loads plugins at all."""

import shlex
from collections.abc import Iterator

from herma import __version__
from herma.cli.report import Check, Status
from herma.cli.survey import Seen
from herma.hosts.hermes.surface import TESTED_VERSIONS
from herma.install.facts import Facts
from herma.install.systems import System

__all__ = ["hook", "installation", "safe_mode"]


def installation(seen: Seen, facts: Facts) -> Iterator[Check]:
    """That it was found, that its version is one we have run, and that this Herma is in it."""
    yield Check("installation", Status.PASS, f"found through {seen.candidate.found_by}, Python {facts.python_version}")
    yield _version(facts)
    yield _herma(seen, facts)


def _version(facts: Facts) -> Check:
    series = {tuple(map(int, version.split(".")[:2])) for version in TESTED_VERSIONS}
    tested = " and ".join(TESTED_VERSIONS)
    if facts.hermes_version is None:
        return Check("version", Status.WARN, "it does not say its version", f"Herma is tested with {tested}")
    if facts.series not in series:
        summary = f"Hermes {facts.hermes_version} is not tested with this Herma"
        return Check("version", Status.WARN, summary, f"tested are {tested}; what works there may not work here")
    return Check("version", Status.PASS, f"Hermes {facts.hermes_version} is of a tested series")


def _herma(seen: Seen, facts: Facts) -> Check:
    hint = f"`herma setup --hermes {shlex.quote(str(seen.candidate.environment))}` installs this one there"
    if facts.herma_version is None:
        return Check("herma", Status.FAIL, "Herma is not installed in this environment", hint)
    if facts.herma_version != __version__:
        summary = f"Herma {facts.herma_version} is installed there, and this is {__version__}"
        return Check("herma", Status.WARN, summary, hint)
    return Check("herma", Status.PASS, f"Herma {__version__}, the same as this")


def safe_mode(facts: Facts) -> Check:
    """That Hermes is not told to leave its plugins out."""
    if not facts.safe_mode:
        return Check("safe-mode", Status.PASS, "HERMES_SAFE_MODE is not set")
    return Check(
        "safe-mode",
        Status.FAIL,
        "HERMES_SAFE_MODE is set: Hermes loads no plugin at all",
        "unset it, and start Hermes without --safe-mode",
    )


def hook(facts: Facts, system: System) -> Check:
    """That this host has the hooks that the plugin stands on."""
    name = ", ".join(system.hooks)
    if facts.hooks is None:
        summary = f"it could not be told whether this Hermes has the hook {name}"
        return Check("hook", Status.WARN, summary, "its list of hooks is not where tested versions have it")
    if not facts.hooks.issuperset(system.hooks):
        hint = f"{system.name} does nothing there; use one of the versions {', '.join(TESTED_VERSIONS)}"
        return Check("hook", Status.FAIL, f"this Hermes has no hook {name}", hint)
    return Check("hook", Status.PASS, f"this Hermes has the hook {name}")
