"""Programs that come from npm: installed once a user from a pinned file, linked into each clone."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from scripts.environments.folders import cache_folder, draft_of, locked, prune
from scripts.environments.ground import ROOT
from scripts.environments.programs import Errand, run
from scripts.environments.progress import say
from scripts.environments.trouble import Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["PROGRAMS", "Program", "ensure", "missing_npm", "verdict"]

STAMP = "environment.json"
KEPT = 2
LOCK = "package-lock.json"
# Not `ci`, which refuses a lock file without the builds for machines that the index does not serve to this one.
INSTALL = ("install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--loglevel=error")
TIME_LIMIT = 60  # seconds for a program to say its version


class Program(NamedTuple):
    """A program and its version. Its pins are below `requirements/`, its builds for this machine match `builds`."""

    name: str
    version: str
    builds: str

    @property
    def folder(self) -> str:
        """The name of its environment and of the folder of its pins."""
        return f"{self.name}-{self.version}"


PROGRAMS = {program.folder: program for program in (Program("opencode", "1.18.33", "opencode-*/bin/opencode"),)}


def missing_npm(environ: Mapping[str, str] = os.environ) -> str:
    """Why nothing can be had from npm, and what to do; empty where it can."""
    if shutil.which("npm", path=environ.get("PATH")):
        return ""
    return "there is no npm on PATH; install Node.js with npm (on Debian: `sudo apt-get install -y npm`)"


def ensure(program: Program, environ: Mapping[str, str] = os.environ) -> None:
    """Bring the program into the clone. Without npm it is left out with a line that says so; in CI that is Trouble."""
    place = ROOT / ".envs" / program.folder
    key = _key(program)
    if _stamped(place) == key:
        return
    missing = missing_npm(environ)
    if missing and environ.get("CI"):
        raise Trouble(f"{program.folder}: {missing}", hint="then run the same command again")
    if missing:
        say(f"{program.folder}: left out, and the tests that run it are skipped: {missing}")
        return
    cache = cache_folder(environ)
    entry = cache / f"{program.folder}-{key}"
    with locked(cache / f"{program.folder}.lock"):
        if _stamped(entry) != key:
            _build(program, entry, key)
        with draft_of(place) as draft:
            shutil.copytree(entry, draft, symlinks=True, dirs_exist_ok=True, copy_function=_link)
        os.utime(entry)
        prune(cache, f"{program.folder}-*", keep=KEPT)


def verdict(program: Program) -> str:
    """What is to be done for the program in the clone; empty when nothing is."""
    return "" if _stamped(ROOT / ".envs" / program.folder) == _key(program) else "to do: install it with npm"


def _build(program: Program, entry: Path, key: str) -> None:
    say(f"{program.folder}: installing from requirements/{program.folder} (once for all clones)")
    with draft_of(entry) as draft:
        for name in ("package.json", LOCK):
            shutil.copy(ROOT / "requirements" / program.folder / name, draft)
        log = ROOT / ".envs" / "logs" / f"{program.folder}.log"
        run(Errand(f"{program.folder}: npm", log, draft), "npm", *INSTALL)
        _choose(program, draft)
        (draft / STAMP).write_text(json.dumps({"key": key}) + "\n", encoding="utf-8")


def _choose(program: Program, draft: Path) -> None:
    """Link the first build that runs on this machine to `bin`; the others go, they are large."""
    builds = sorted((draft / "node_modules").glob(program.builds), key=lambda path: len(str(path)))
    chosen = next((build for build in builds if _version(build) == program.version), None)
    if chosen is None:
        hint = f"npm brought {', '.join(build.parents[1].name for build in builds) or 'none'}"
        raise Trouble(f"no build of {program.folder} runs on this machine", hint=hint)
    for build in builds:
        if build != chosen:
            shutil.rmtree(build.parents[1])
    (draft / "bin").mkdir()
    (draft / "bin" / program.name).symlink_to(os.path.relpath(chosen, draft / "bin"))


def _version(build: Path) -> str:
    try:
        done = subprocess.run([build, "--version"], capture_output=True, text=True, check=False, timeout=TIME_LIMIT)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def _link(source: str, target: str) -> None:
    # 180 MB a clone otherwise; nothing ever writes into these files.
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _key(program: Program) -> str:
    lock = ROOT / "requirements" / program.folder / LOCK
    return hashlib.sha256(lock.read_bytes()).hexdigest()[:16]


def _stamped(folder: Path) -> str:
    try:
        return str(json.loads((folder / STAMP).read_text(encoding="utf-8"))["key"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
