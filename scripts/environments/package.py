"""Our own package, put into an environment by pip beside the pins that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.environments import keys, stamps
from scripts.environments.catalog import DEV, PACKAGED
from scripts.environments.folders import draft_of, prune
from scripts.environments.programs import Errand, run
from scripts.environments.progress import say
from scripts.environments.stamps import UNSETTLED

if TYPE_CHECKING:
    from pathlib import Path

    from scripts.environments.catalog import Environment
    from scripts.environments.ground import Ground

KEPT = 2  # wheels: the current one and the one before it
OFFLINE = ("--no-deps", "--no-index", "--force-reinstall")


def install(ground: Ground, environment: Environment) -> None:
    """Install the clone's package into its `environment` and let pip check the whole; Trouble if either fails."""
    place, wanted = ground.place(environment), ground.wanted(environment)
    stamps.write(place, wanted._replace(source=UNSETTLED))
    say(f"{environment.name}: installing herma")
    what = ("--no-build-isolation", "--editable", ".") if environment.editable else (str(wheel(ground)),)
    _pip(ground, environment, "install", *OFFLINE, *what)
    check(ground, environment)
    stamps.write(place, wanted)


def check(ground: Ground, environment: Environment) -> None:
    """Raise Trouble unless every package in `environment` has what it asks for."""
    _pip(ground, environment, "check")


def _pip(ground: Ground, environment: Environment, *arguments: str) -> None:
    python = ground.place(environment) / "bin" / "python"
    errand = Errand(f"{environment.name}: pip {arguments[0]}", ground.log(environment), ground.root)
    run(errand, python, "-m", "pip", *arguments)


def wheel(ground: Ground) -> Path:
    """The wheel of the clone as it is now, built by the development environment unless it is there already."""
    wheels = ground.root / ".envs" / "wheels"
    folder = wheels / keys.source_digest(ground.root, PACKAGED)
    if not folder.is_dir():
        with draft_of(folder) as draft:
            _build_wheel(ground, draft)
        prune(wheels, "[!.]*", keep=KEPT)
    return next(folder.glob("*.whl"))


def _build_wheel(ground: Ground, draft: Path) -> None:
    say("building the wheel of herma")
    errand = Errand("the wheel of herma", ground.log(DEV), ground.root)
    run(errand, ground.place(DEV) / "bin" / "python", "-m", "hatchling", "build", "-t", "wheel", "-d", draft)
