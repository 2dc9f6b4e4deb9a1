"""All checks of one installation, in the order in which a person would go through them."""

from collections.abc import Iterable

from herma.cli.checks.configuration import file, readable, switches
from herma.cli.checks.hits import hits
from herma.cli.checks.installation import hook, installation, safe_mode
from herma.cli.checks.people import people
from herma.cli.checks.plugin import plugin
from herma.cli.checks.symptoms import Signs, symptoms
from herma.cli.report import Check, Status
from herma.cli.survey import Seen
from herma.errors import HostError
from herma.install.facts import Facts
from herma.install.logs import changed_at, warnings_about
from herma.install.switches import names_in
from herma.install.systems import PEOPLE, SYSTEMS, System

__all__ = ["host", "off_because"]


def host(seen: Seen) -> list[Check]:
    """Every check of an installation; of one that gave no facts, the trouble with it."""
    facts = seen.answer
    if isinstance(facts, HostError):
        return [Check("installation", Status.FAIL, str(facts), facts.hint)]
    checks = [*installation(seen, facts), *_gates(facts)]
    enabled = names_in(facts.config.values, "enabled") or []
    some_are_on = any(system.name in enabled for system in SYSTEMS)
    for system in SYSTEMS:
        found = [_left_out(system, enabled)] if some_are_on and system.name not in enabled else _of(facts, system)
        checks += [check._replace(system=system.name) for check in found]
    return checks


def _left_out(system: System, enabled: Iterable[str]) -> Check:
    """Each system works alone: one that is not among those that somebody enabled is no failure."""
    summary = f"off: plugins.enabled does not list {system.name}"
    names = [system.name, *([] if system.needs in ("", *enabled) else [system.needs])]
    command = " ".join(("herma setup", *(f"--plugin {name}" for name in names)))
    return Check("switch-1", Status.SKIP, summary, f"{command} switches it on")


def off_because(facts: Facts, system: System) -> list[str]:
    """Each reason for which the system does nothing in this installation; empty when it is on."""
    return [check.summary for check in _failed(facts, system)]


def _failed(facts: Facts, system: System) -> list[Check]:
    gates = [*_gates(facts), *_own_gates(facts, system)]
    return [check for check in gates if check.status is Status.FAIL]


def _gates(facts: Facts) -> Iterable[Check]:
    """The checks that decide whether anything is on: one that fails is enough to switch all off."""
    yield safe_mode(facts)
    yield file(facts.config)


def _own_gates(facts: Facts, system: System) -> Iterable[Check]:
    """The checks that decide the same of one system."""
    yield from plugin(facts, system)
    yield from switches(facts, system, system.settings(facts))


def _of(facts: Facts, system: System) -> Iterable[Check]:
    yield from _own_gates(facts, system)
    if system.hooks:
        yield hook(facts, system)
    yield from hits(facts, system)
    if readable(facts):
        yield from symptoms(system.name, _signs(facts, system))
        if system.name == PEOPLE:
            yield from people(facts, system.settings(facts))


def _signs(facts: Facts, system: System) -> Signs:
    return Signs(
        resolved=system.settings(facts),
        off=" and ".join(check.id for check in _failed(facts, system)),
        warned=warnings_about(system.name, facts.home),
        config_changed=changed_at(facts.config.path),
        logs=str(facts.home / "logs"),
    )
