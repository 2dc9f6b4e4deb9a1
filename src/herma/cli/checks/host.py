"""All checks of one installation, in the order in which a person would go through them."""

from collections.abc import Iterable

from herma.cli.checks.configuration import configuration, readable
from herma.cli.checks.installation import hook, installation, safe_mode
from herma.cli.checks.plugin import plugin
from herma.cli.checks.symptoms import Signs, symptoms
from herma.cli.report import Check, Status
from herma.cli.survey import Seen
from herma.cli.systems import SYSTEMS, System
from herma.errors import HostError
from herma.install.facts import Facts
from herma.install.logs import changed_at, warnings_about

__all__ = ["host", "off_because"]


def host(seen: Seen) -> list[Check]:
    """Every check of an installation; of one that gave no facts, the trouble with it."""
    facts = seen.answer
    if isinstance(facts, HostError):
        return [Check("installation", Status.FAIL, str(facts), facts.hint)]
    checks = list(installation(seen, facts))
    for system in SYSTEMS:
        checks += [*_gates(facts, system), hook(facts, system)]
        if readable(facts):
            checks += symptoms(_signs(facts, system))
    return checks


def off_because(facts: Facts, system: System) -> list[str]:
    """Each reason for which the system does nothing in this installation; empty when it is on."""
    return [check.summary for check in _failed(facts, system)]


def _failed(facts: Facts, system: System) -> list[Check]:
    return [check for check in _gates(facts, system) if check.status is Status.FAIL]


def _gates(facts: Facts, system: System) -> Iterable[Check]:
    """The checks that decide whether the system is on: one that fails is enough to switch it off."""
    yield safe_mode(facts)
    yield from plugin(facts, system)
    yield from configuration(facts, system, system.settings(facts))


def _signs(facts: Facts, system: System) -> Signs:
    return Signs(
        resolved=system.settings(facts),
        off=" and ".join(check.id for check in _failed(facts, system)),
        warned=warnings_about(system.name, facts.home),
        config_changed=changed_at(facts.config.path),
        logs=str(facts.home / "logs"),
    )
