"""Where a host would load a plugin from, when several things claim its name."""

from collections.abc import Iterator

from herma.cli.report import Check, Status
from herma.install.claims import Claim, claims, nested
from herma.install.facts import Facts
from herma.install.systems import System

__all__ = ["plugin"]

_ID = "plugin"


def plugin(facts: Facts, system: System) -> Iterator[Check]:
    """That the host would load the plugin once, and that it is Herma's. Anything else of that name is named."""
    found = claims(facts, system.name)
    if not found:
        yield Check(
            _ID,
            Status.FAIL,
            f"nothing here is a plugin named {system.name}",
            f"install herma in this environment, or put Herma's folder {system.name} into {facts.home / 'plugins'}",
        )
        return
    yield _loaded(found[0], found[1:], system.name)
    for path in nested(facts, system.name):
        summary = f"{path} has the same name and is loaded as well"
        yield Check(_ID, Status.FAIL, summary, "move it out of the plugins folder")


def _loaded(first: Claim, others: list[Claim], name: str) -> Check:
    strangers = [claim.what for claim in others if not claim.ours]
    if not first.ours:
        summary = f"Hermes would load {first.what}, which is not Herma's {name}"
        return Check(_ID, Status.FAIL, summary, "remove it, or give it another name")
    if strangers:
        summary = f"Hermes loads {first.what}; passed over: {', '.join(strangers)}, not Herma's"
        return Check(_ID, Status.WARN, summary, "remove it, so that another version of Hermes does not load it")
    passed_over = f"; {others[0].what} hands over to the same" if others else ""
    return Check(_ID, Status.PASS, f"Hermes loads {first.what}{passed_over}")
