"""`herma status`: the installations, what is in force in each and what it saved, on one screen."""

import json
from argparse import ArgumentParser, Namespace

from herma import __version__
from herma.cli import household, savings
from herma.cli.checks.host import off_because
from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.cli.savings import Found
from herma.cli.survey import Seen, add_options, nobody, survey
from herma.errors import HostError
from herma.install.facts import Facts
from herma.install.machine import Machine
from herma.install.switches import names_in
from herma.install.systems import PEOPLE, SYSTEMS, System

__all__ = ["COMMAND"]

SCHEMA = "herma/status/1"

_NAMES_SHOWN = 6


def _configure(parser: ArgumentParser) -> None:
    parser.description = "Show each Hermes installation and the settings in force there."
    add_options(parser)


def _run(arguments: Namespace, machine: Machine) -> int:
    found = survey(arguments, machine)
    if arguments.json:
        say_json(SCHEMA, {"herma": __version__, "hosts": [_data(seen) for seen in found]})
    elif found:
        say([f"herma {__version__}", *(line for seen in found for line in _lines(seen))])
    if not found:
        raise nobody()
    return max(seen.answer.exit_code if isinstance(seen.answer, HostError) else 0 for seen in found)


def _lines(seen: Seen) -> list[str]:
    facts = seen.answer
    if isinstance(facts, HostError):
        return [seen.title, f"  error     {facts}", f"  hint      {facts.hint}"]
    found = savings.count(facts.home)
    return [
        seen.title,
        f"  python    {facts.python_version}, found through {seen.candidate.found_by}",
        f"  home      {facts.home}",
        f"  herma     {facts.herma_version or 'not installed'}",
        f"  enabled   {_listed(names_in(facts.config.values, 'enabled'))}",
        f"  disabled  {_listed(names_in(facts.config.values, 'disabled'))}",
        f"  counted   {savings.source(found)}",
        *(line for system in SYSTEMS for line in _system_lines(facts, system, found)),
    ]


def _listed(names: list[str] | None) -> str:
    if names is None:
        return "not a list"
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more or "nothing"


def _system_lines(facts: Facts, system: System, found: Found) -> list[str]:
    resolved, off, people = system.settings(facts), off_because(facts, system), household.look(facts, system)
    # A policy that cannot be read is not an open one.
    shut = system.name == PEOPLE and not resolved.usable and PEOPLE in (names_in(facts.config.values, "enabled") or [])
    if off and not shut:  # what it is set to and what it saved once is in --json
        return [f"  {system.name}: off: {off[0]}"]
    state = "shut to all but this machine's terminal" if shut else "on"
    lines = [f"  {system.name}: {state}", *(f"    {reason}" for reason in off)]
    # Of a system with a switch all settings are shown; of one with more of them, those that somebody set.
    shown = [name for name, place in resolved.places.items() if system.has_switch or place != "default"]
    for name in shown:
        value = json.dumps(resolved.values[name], ensure_ascii=False)
        lines += [f"    {name:<15} {value}  ({resolved.places[name]})"]
    paused = resolved.values.get("paused") is True
    lines += [f"    {name:<16}{text}" for name, text in household.lines(people, configured=paused)]
    variables = [name for name in system.variables if name in facts.variables or not system.has_settings]
    lines += [f"    {name:<18}{facts.variables.get(name, 'not set')}" for name in variables]
    return lines + [f"    {'saved':<16}{line}" for line in savings.lines(system.name, found)]


def _data(seen: Seen) -> dict[str, object]:
    facts = seen.answer
    if isinstance(facts, HostError):
        return {**seen.identity(), "problem": {"message": str(facts), "hint": facts.hint}}
    found = savings.count(facts.home)
    return {
        **seen.identity(),
        "problem": None,
        "herma": facts.herma_version,
        "enabled": names_in(facts.config.values, "enabled"),
        "disabled": names_in(facts.config.values, "disabled"),
        "counted": savings.source_data(found),
        "systems": [_system_data(facts, system, found) for system in SYSTEMS],
    }


def _system_data(facts: Facts, system: System, found: Found) -> dict[str, object]:
    resolved, off = system.settings(facts), off_because(facts, system)
    paused = resolved.values.get("paused") is True
    return {
        "name": system.name,
        "on": not off,
        "off_because": off,
        "settings": [
            {"name": name, "value": value, "place": resolved.places[name]} for name, value in resolved.values.items()
        ],
        "variables": {name: facts.variables.get(name) for name in system.variables},
        "saved": savings.data(system.name, found),
        "people": household.data(household.look(facts, system), configured=paused),
    }


COMMAND = Command("status", "show each Hermes installation and the settings in force", _configure, _run)
