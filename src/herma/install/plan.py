"""What setting up would do in one installation, as a value: steps to carry out, or what a person has to do first."""

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from herma import __version__
from herma.errors import OddFile
from herma.install.changes import Change, dotted
from herma.install.claims import claims, folders_win, nested
from herma.install.detect import Candidate
from herma.install.facts import Facts
from herma.install.files import Kept, beside, digest, kept, made_folders
from herma.install.house import house
from herma.install.judging import Ask, Dotenv, Language, Rewrite, Yaml, rewritten
from herma.install.machine import Machine
from herma.install.package import by_hand, uv_on
from herma.install.proposals import Proposal, proposals, value_at
from herma.install.snippet import as_yaml
from herma.install.steps import Aside, File, Package, Step, Tree
from herma.install.switches import DISABLED, ENABLED, names_in
from herma.install.systems import HITS, PEOPLE, ROOT, SWITCH, System
from herma.install.trees import files_of, files_there
from herma.install.wheel import packable
from herma.stores.people.glance import Glance, Unseen

__all__ = ["Plan", "Stop", "Wanted", "planned"]


class Wanted(NamedTuple):
    """What the person asked for. `named` means that the systems were named one by one; `variables` go into .env.

    `now` is the time in epoch milliseconds.
    """

    systems: tuple[System, ...]
    named: bool = False
    wheel: Path | None = None
    variables: tuple[tuple[str, str], ...] = ()
    now: int = 0


class Stop(NamedTuple):
    """Something that only the person can do or decide, with the lines to type or to paste. Nothing is done before."""

    reason: str
    hint: str
    lines: tuple[str, ...] = ()


class Plan(NamedTuple):
    """The steps for one installation and one home. With a stop, none of them is carried out."""

    candidate: Candidate
    facts: Facts
    steps: tuple[Step, ...]
    stops: tuple[Stop, ...]
    notes: tuple[str, ...]


def planned(candidate: Candidate, facts: Facts, wanted: Wanted, machine: Machine, ask: Ask) -> Plan:
    """What would be done here. Reads; changes nothing. Raises a `HostError` where the host's readers cannot be run."""
    python = candidate.python or facts.prefix / "bin" / "python"
    alone = _alone(facts, wanted)
    wanted = wanted._replace(systems=tuple(system for system in wanted.systems if system not in alone))
    parts = [
        *(f"{system.name} does nothing without {system.needs}: add --plugin {system.needs}" for system in alone),
        *_package(facts, python, wanted, machine),
        *(part for system in wanted.systems for part in _plugin(facts, python, system)),
        *_variables(facts, wanted, Dotenv(ask)),
        *_settings(facts, wanted, Yaml(ask)),
    ]
    return Plan(
        candidate,
        facts,
        steps=tuple(part for part in parts if not isinstance(part, Stop | str)),
        stops=tuple(part for part in parts if isinstance(part, Stop)),
        notes=tuple(part for part in parts if isinstance(part, str)),
    )


_Parts = Iterator[Step | Stop | str]


def _alone(facts: Facts, wanted: Wanted) -> list[System]:
    """Those that need another system which neither is on nor is being switched on."""
    disabled = names_in(facts.config.values, "disabled") or []
    on = {name for name in names_in(facts.config.values, "enabled") or [] if name not in disabled}
    on |= {system.name for system in wanted.systems if wanted.named or system.name not in disabled}
    return [system for system in wanted.systems if system.needs and system.needs not in on]


def _package(facts: Facts, python: Path, wanted: Wanted, machine: Machine) -> _Parts:
    """This version of Herma, with an entry point for each system, whole."""
    names = {point.name for point in facts.entry_points if point.distribution == "herma"}
    has_all = names >= {system.name for system in wanted.systems}
    if facts.herma_version == __version__ and facts.herma_whole and has_all:
        return
    uv = uv_on(machine)
    if wanted.wheel is None and not packable():
        yield Stop(
            f"this Herma is not installed as {__version__}, so there is no package of it to install",
            f"build a wheel of herma {__version__} and name it with --from",
        )
        return
    if not facts.pip and uv is None:
        hint = "give it pip with this command, or put uv on PATH; then run herma setup again"
        yield Stop(f"{facts.prefix} has no pip, and there is no uv on PATH", hint, (by_hand(python),))
        return
    if facts.herma_version not in (None, __version__):
        yield f"herma {facts.herma_version} is replaced there; herma remove will not bring it back"
    yield Package(
        python=str(python),
        version=__version__,
        found=facts.herma_version,
        program=None if facts.pip else str(uv),
        wheel=None if wanted.wheel is None else str(wanted.wheel),
        over=_over(facts),
    )


def _over(facts: Facts) -> str:
    if facts.herma_version is None:
        return ""
    if not facts.herma_whole:
        return "repair"
    return "reinstall" if facts.herma_version == __version__ else ""


def _plugin(facts: Facts, python: Path, system: System) -> _Parts:
    """The form of the plugin that this host loads, and nothing else under its name."""
    for path in nested(facts, system.name):
        yield from _aside(facts, path, f"{path} is also named {system.name}, and Hermes would load it as well")
    found = claims(facts, system.name)
    if folders_win(facts):
        yield from _tree(facts, system)
        for claim in found:
            if claim.path is None and not claim.ours:
                yield f"{claim.what} is also named {system.name}; it stays, and Hermes passes it over"
        return
    for claim in found:
        if claim.distribution is not None and not claim.ours:
            yield Stop(
                f"{claim.what} is also named {system.name}, and which of two packages Hermes loads is chance",
                f"uninstall it, or leave {system.name} out by naming the others with --plugin",
                (f"{shlex.quote(str(python))} -m pip uninstall {claim.distribution}",),
            )
        elif claim.path is not None:
            whose = "Herma's" if claim.ours else "not Herma's"
            yield f"{claim.path} ({whose}) stays; this Hermes passes it over and loads the installed package"


def _tree(facts: Facts, system: System) -> _Parts:
    folder, files = facts.home / "plugins" / system.name, files_of(system.name)
    there = [each.path for each in facts.directories if each.name == system.name and not each.nested]
    if there == [folder] and files_there(folder) == files:
        return
    if os.path.lexists(folder) and folder not in there:
        yield Stop(f"{folder} is there and is no plugin of that name", "move it to another name, then run again")
    for path in there:
        yield from _aside(facts, path, f"{path} is also named {system.name}, and Hermes would load it instead")
    digests = {name: digest(data) or "" for name, data in files.items()}
    yield Tree(system.name, str(folder), digests, made_folders(folder.parent))


def _aside(facts: Facts, path: Path, why: str) -> _Parts:
    # Hermes looks for plugins in every folder of `plugins`, whatever its name, so a copy cannot stay in there.
    to = beside(facts.home / "plugins") / path.relative_to(facts.home / "plugins")
    yield f"{why}: it is moved to {to}, and herma remove moves it back"
    yield Aside(str(path), str(to), made_folders(to.parent))


def _variables(facts: Facts, wanted: Wanted, dotenv: Dotenv) -> _Parts:
    """The lines of .env that were asked for, or, where a system needs some to do more than watch, what they are."""
    path = facts.home / ".env"
    watches = any(HITS in system.variables for system in wanted.systems) and facts.variables.get(HITS) != "1"
    if watches and not wanted.variables:
        yield (
            f"read-once only watches and counts; for notes, {path} needs the lines {ROOT}=FOLDER and {HITS}=1, "
            "which --read-once-root FOLDER --hits writes"
        )
    if (HITS, "1") in wanted.variables and ROOT not in {**facts.variables, **dict(wanted.variables)}:
        yield f"{ROOT} is not set, so no file is eligible for a note yet; --read-once-root FOLDER sets it"
    changes = [Change("put", (name,), value) for name, value in wanted.variables]
    yield from _file(path, changes, dotenv, tuple(f"{name}={value}" for name, value in wanted.variables))


def _settings(facts: Facts, wanted: Wanted, yaml: Yaml) -> _Parts:
    """The lines of config.yaml that put each system among the enabled plugins and throw its own switch."""
    disabled = names_in(facts.config.values, "disabled") or []
    off = [system for system in wanted.systems if system.name in disabled and not wanted.named]
    for system in off:
        yield f"plugins.disabled lists {system.name}, so it stays off; --plugin {system.name} takes it out of there"
    systems = [system for system in wanted.systems if system not in off]
    changes = list(_changes(facts, systems, disabled))
    wishes: list[Change] = []
    if any(system.name == PEOPLE for system in systems):
        seen = house(facts, wanted.now)
        yield from _carried_on(seen)
        for part in proposals(facts, seen):
            yield part.line if isinstance(part, Proposal) else part
            wishes += [part.change] if isinstance(part, Proposal) else []
    snippet = _snippet(systems, wishes)
    blocks = list(dict.fromkeys(change.path[0] for change in (*changes, *wishes)))
    changes = sorted((*changes, *wishes), key=lambda change: blocks.index(change.path[0]))  # as they are read
    odd = _not_ours_to_change(facts, changes)
    if odd:
        yield Stop(f"{facts.config.path}: {odd}", "these lines have to stand in it", snippet)
        return
    yield from _file(facts.config.path, changes, yaml, snippet)


def _carried_on(seen: Glance | Unseen) -> Iterator[str]:
    """What becomes of a database that is there already."""
    if isinstance(seen, Unseen):
        if not seen.absent:
            yield f"{seen.reason}; as long as that is so, nobody but this machine's terminal is served: {seen.hint}"
    elif seen.before:
        yield (
            f"{seen.path} is of manyhands as it was before Herma; it is carried on: at the next start a copy is put "
            "beside it, then it is brought to Herma's layout, and approvals that are open in it are void"
        )


def _changes(facts: Facts, systems: Sequence[System], disabled: Sequence[str]) -> Iterator[Change]:
    for system in systems:
        if system.name in disabled:
            yield Change("unlist", DISABLED, system.name)
    enabled = names_in(facts.config.values, "enabled") or []
    missing = [system.name for system in systems if system.name not in enabled]
    if missing:
        yield Change("list", ENABLED, " ".join(missing))
    for system in systems:
        if system.has_switch and system.settings(facts).values[SWITCH] is not True:
            yield Change("put", (system.block, SWITCH), "true")


def _snippet(systems: Sequence[System], wishes: Sequence[Change]) -> tuple[str, ...]:
    enabled = Change("list", ENABLED, " ".join(system.name for system in systems))
    switches = (Change("put", (system.block, SWITCH), "true") for system in systems if system.has_switch)
    return as_yaml((enabled, *switches, *wishes))


def _not_ours_to_change(facts: Facts, changes: Sequence[Change]) -> str:
    """Why changes to the file are not for us or would not count; empty if they are and do."""
    if not changes:
        return ""
    if facts.package_manager:
        return f"it belongs to {facts.package_manager}, which would undo a change; make it there"
    for change in changes:
        if value_at(facts.config.pinned, change.path) is not None:
            place = dotted(change.path)
            return f"{facts.config.managed} decides {place}, and wins over it; ask whoever keeps that file"
    plugins = facts.config.values.get("plugins")
    listed = plugins.get("enabled") if isinstance(plugins, dict) else None
    if listed is not None and names_in(facts.config.values, "enabled") is None:
        return "plugins.enabled is not a list of names, so Hermes enables nothing"
    return ""


def edited(path: Path, was: Kept, new: Rewrite, language: str) -> File:
    """The step that changes a file of settings from what it was to what it becomes."""
    return File(
        path=str(path),
        language=language,
        before=digest(was.data),
        after=digest(new.text.encode()) or "",
        edits=new.edits,
        undo=new.undo,
        backup=None if was.data is None else str(beside(path)),
        made=made_folders(path.parent),
    )


def _file(path: Path, changes: Sequence[Change], language: Language, snippet: tuple[str, ...]) -> _Parts:
    if not changes:
        return
    try:
        was = kept(path)
        new = rewritten(was.text, changes, language)
    except OddFile as odd:
        yield Stop(
            f"{path} is not changed: {odd}", "put these lines into it by hand, then run herma setup again", snippet
        )
        return
    if not new.edits:
        return
    yield edited(path, was, new, language.name)
