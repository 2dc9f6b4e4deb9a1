"""Environments with their pinned files installed and nothing of ours: built once a user, copied into each clone."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from scripts.environments import stamps
from scripts.environments.folders import draft_of, locked, prune
from scripts.environments.programs import Errand, run
from scripts.environments.progress import say
from scripts.environments.relocation import relocate
from scripts.environments.stamps import PRISTINE

if TYPE_CHECKING:
    from pathlib import Path

    from scripts.environments.catalog import Environment
    from scripts.environments.ground import Ground

KEPT = 2  # entries a name: the one in use and the one before it, for a clone on another branch


def provide(ground: Ground, environment: Environment) -> None:
    """Put a copy of `environment` into the clone, without our package, building it first if no clone has done so."""
    entry = ground.entry(environment)
    with locked(ground.cache / f"{environment.name}.lock"):
        if stamps.read(entry) is None:
            build(ground, environment)
        say(f"{environment.name}: copying from the cache")
        copy(entry, ground.place(environment))
        os.utime(entry)
        prune(ground.cache, f"{environment.name}-*", keep=KEPT)
        prune(ground.cache, f".{environment.name}-*", keep=0)  # what outlived a killed run


def build(ground: Ground, environment: Environment) -> None:
    """Make the cache's entry of `environment` from its pinned file, every download checked against its hash."""
    say(f"{environment.name}: building from {environment.requirements} (once for all clones, about a minute)")
    entry = ground.entry(environment)
    errand = Errand(environment.requirements, ground.log(environment), ground.root)
    with draft_of(entry) as draft:
        run(errand, ground.python.executable, "-m", "venv", draft)
        # The file is the whole closure, so nothing is resolved; only wheels, so nothing is compiled or run.
        exact = ("--require-hashes", "--no-deps", "--only-binary", ":all:")
        run(errand, draft / "bin" / "python", "-m", "pip", "install", *exact, "-r", environment.requirements)
        _settle(draft, old=str(draft), new=entry, key=ground.wanted(environment).key)


def copy(entry: Path, place: Path) -> None:
    """Copy the environment in `entry` to `place`. File times are kept: bytecode is valid only beside them."""
    stamp = stamps.read(entry)
    with draft_of(place) as draft:
        shutil.copytree(entry, draft, symlinks=True, dirs_exist_ok=True)
        _settle(draft, old=str(entry), new=place, key=stamp.key if stamp else "")


def _settle(draft: Path, *, old: str, new: Path, key: str) -> None:
    relocate(draft, old=old, new=str(new))
    stamps.write(draft, stamps.Stamp(key=key, place=str(new), source=PRISTINE))
