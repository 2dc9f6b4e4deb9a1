"""Checks of config.yaml: that it can be read, that both switches are on, and that the settings can be used."""

from collections.abc import Iterator, Mapping

from herma.cli.report import Check, Status
from herma.core.settings import Resolved
from herma.install.facts import Configuration, Facts
from herma.install.switches import names_in
from herma.install.systems import System

__all__ = ["file", "readable", "switches"]

_PROBLEMS: Mapping[str, tuple[str, str]] = {
    "unreadable": ("{path} cannot be read", "see who may read the file, and that it is text in UTF-8"),
    "broken": ("{path} is not valid YAML{near}", "put it right; until then Hermes runs with its defaults"),
    "not_a_block": ("{path} has no settings at its top level", "write `name: value` lines; Hermes ignores the rest"),
    "no_reader": ("{path} cannot be read: the environment has no YAML reader", "install Hermes again"),
}


def switches(facts: Facts, system: System, resolved: Resolved) -> Iterator[Check]:
    """The switches by their number, and each setting that is wrong. Not every system has a switch of its own."""
    if not readable(facts):
        conditional = (
            ("needs", bool(system.needs)),
            ("switch-2", system.has_switch),
            ("settings", system.has_settings),
        )
        names = ("switch-1", *(name for name, there in conditional if there))
        for name in names:
            yield Check(name, Status.SKIP, "config.yaml could not be read")
        return
    yield _switch_1(facts, system)
    if system.needs:
        yield _needed(facts, system)
    if system.has_switch:
        yield _switch_2(facts, system, resolved)
    if system.has_settings:
        yield from _settings(resolved)


def readable(facts: Facts) -> bool:
    """Whether what the file says is known. A missing file says nothing, and that is known."""
    return facts.config.problem in (None, "missing")


def file(config: Configuration) -> Check:
    """That the file is there and can be read."""
    if config.problem == "missing":
        summary = f"there is no {config.path}: Hermes runs with its defaults, which enable no plugin"
        return Check("config", Status.WARN, summary, "start Hermes once, or name its home with --home")
    if config.problem is not None:
        summary, hint = _PROBLEMS.get(config.problem, _PROBLEMS["unreadable"])
        near = f" near line {config.line}" if config.line else ""
        return Check("config", Status.FAIL, summary.format(path=config.path, near=near), hint)
    over = f", with {config.managed} over it" if config.managed else ""
    return Check("config", Status.PASS, f"{config.path} can be read{over}")


def _switch_1(facts: Facts, system: System) -> Check:
    """The host's switch: the plugin is listed as enabled, and not as disabled."""
    enabled, disabled = names_in(facts.config.values, "enabled"), names_in(facts.config.values, "disabled") or []
    where = f"in {facts.config.path}, then start Hermes anew"
    off = f"switch 1 of {1 + system.has_switch} is off: plugins."
    if enabled is None:
        summary = f"{off}enabled is not a list of names, so Hermes enables nothing"
        return Check("switch-1", Status.FAIL, summary, f"write plugins.enabled as a list, one name a line, {where}")
    if system.name in disabled:
        summary = f"{off}disabled lists {system.name}, and that wins"
        return Check("switch-1", Status.FAIL, summary, f"take {system.name} out of plugins.disabled {where}")
    if system.name not in enabled:
        summary = f"{off}enabled does not list {system.name}"
        return Check("switch-1", Status.FAIL, summary, f"add {system.name} to plugins.enabled {where}")
    return Check("switch-1", Status.PASS, f"plugins.enabled lists {system.name}")


def _needed(facts: Facts, system: System) -> Check:
    """That the system without which this one does nothing is on as well."""
    enabled, disabled = (names_in(facts.config.values, key) or [] for key in ("enabled", "disabled"))
    if system.needs in enabled and system.needs not in disabled:
        return Check("needs", Status.PASS, f"{system.needs}, without which it does nothing, is on")
    summary = f"{system.name} does nothing without {system.needs}, which is off"
    hint = f"`herma setup --plugin {system.needs}` switches it on, or take {system.name} out of plugins.enabled"
    return Check("needs", Status.FAIL, summary, hint)


def _switch_2(facts: Facts, system: System, resolved: Resolved) -> Check:
    """The plugin's own switch."""
    place = resolved.places["enabled"]
    if resolved.values["enabled"] is True:
        return Check("switch-2", Status.PASS, f"{place}.enabled is true")
    said = "is not set to true anywhere" if place == "default" else f"is false in {place}"
    return Check(
        "switch-2",
        Status.FAIL,
        f"switch 2 of 2 is off: {system.block}.enabled {said}",
        f"write `enabled: true` below `{system.block}:` in {facts.config.path}, then start Hermes anew",
    )


def _settings(resolved: Resolved) -> Iterator[Check]:
    for problem in resolved.problems:
        yield Check("settings", Status.FAIL if problem.fatal else Status.WARN, problem.message, problem.hint)
    if not resolved.problems:
        yield Check("settings", Status.PASS, "every setting is known and can be used")
