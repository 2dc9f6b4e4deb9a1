"""The three commands. Each returns an exit code and raises Trouble for what a person has to mend."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from scripts.environments import debian, node, package, pristine, stamps
from scripts.environments.catalog import DEV, ENVIRONMENTS
from scripts.environments.folders import cache_folder, locked
from scripts.environments.ground import ROOT, Ground
from scripts.environments.interpreter import chosen
from scripts.environments.plan import Step
from scripts.environments.progress import say
from scripts.environments.trouble import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scripts.environments.catalog import Environment

WORKERS = 2


def ensure(names: Sequence[str]) -> int:
    """Bring the named environments, and the development one that builds our wheel, to what the clone asks for."""
    environments = [DEV, *(ENVIRONMENTS[name] for name in names if name in ENVIRONMENTS and name != DEV.name)]
    started = time.monotonic()
    with locked(ROOT / ".envs" / "lock"):
        ground = _ground()
        todo = {environment: ground.steps(environment) for environment in environments}
        if any(Step.BUILD in steps for steps in todo.values()):
            ground = ground._replace(python=debian.equipped(ground.python, debian.rights()))
        _bring(ground, todo)
        for name in names:
            if name in node.PROGRAMS:
                node.ensure(node.PROGRAMS[name])
    if any(todo.values()):
        say(f"ready in {time.monotonic() - started:.0f} s")
    return 0


def _ground() -> Ground:
    python = chosen() or debian.equipped(None, debian.rights())
    return Ground(ROOT, cache_folder(), python)


def _bring(ground: Ground, todo: dict[Environment, tuple[Step, ...]]) -> None:
    for environment in todo:
        ground.log(environment).unlink(missing_ok=True)
    _each(pristine.provide, ground, [e for e, steps in todo.items() if Step.COPY in steps])
    outdated = [e for e, steps in todo.items() if Step.INSTALL in steps]
    if any(not environment.editable for environment in outdated):
        package.wheel(ground)  # before the workers, who share it
    _each(package.install, ground, outdated)


def _each(work: Callable[[Ground, Environment], None], ground: Ground, environments: Sequence[Environment]) -> None:
    """Do `work` for all, some at a time; what went wrong first is raised when all have ended."""
    with ThreadPoolExecutor(WORKERS) as pool:
        for outcome in [pool.submit(work, ground, environment) for environment in environments]:
            outcome.result()


def path(names: Sequence[str]) -> int:
    """Print where each named environment is, a line each."""
    for name in names:
        place = ROOT / ".envs" / name
        if stamps.read(place) is None and (name not in node.PROGRAMS or node.verdict(node.PROGRAMS[name])):
            raise Trouble(f"{name} is not built", hint=f"run `python3 -m scripts.environments ensure {name}`")
        print(place)
    return 0


def check(names: Sequence[str]) -> int:
    """Print how each environment stands, a line each; 0 if all are current and clean."""
    ground = _ground()
    every = names or (*ENVIRONMENTS, *node.PROGRAMS)
    verdicts = {name: _verdict(ground, ENVIRONMENTS[name]) for name in every if name in ENVIRONMENTS}
    verdicts |= {name: node.verdict(node.PROGRAMS[name]) or CURRENT for name in every if name in node.PROGRAMS}
    for name, verdict in verdicts.items():
        print(f"{name}: {verdict}")
    return int(set(verdicts.values()) != {CURRENT})


CURRENT = "current, pip check clean"


def _verdict(ground: Ground, environment: Environment) -> str:
    steps = ground.steps(environment)
    if steps:
        return f"to do: {', '.join(step.value for step in steps)}"
    try:
        package.check(ground, environment)
    except Trouble as trouble:
        return str(trouble)
    return CURRENT
