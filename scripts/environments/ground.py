"""Where a run works: the clone, the cache that clones share, and the interpreter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scripts.environments import keys, stamps
from scripts.environments.plan import Step, plan
from scripts.environments.stamps import Stamp

if TYPE_CHECKING:
    from scripts.environments.catalog import Environment
    from scripts.environments.interpreter import Python

ROOT = Path(__file__).resolve().parents[2]


class Ground(NamedTuple):
    """The folders of one run, all absolute, and the Python that environments are made from."""

    root: Path
    cache: Path
    python: Python

    def place(self, environment: Environment) -> Path:
        """Where the clone has `environment`."""
        return self.root / ".envs" / environment.name

    def entry(self, environment: Environment) -> Path:
        """Where the cache has it without our package; pins and interpreter are in the name."""
        return self.cache / f"{environment.name}-{self.wanted(environment).key}"

    def log(self, environment: Environment) -> Path:
        """What the programs said that built it."""
        return self.root / ".envs" / "logs" / f"{environment.name}.log"

    def wanted(self, environment: Environment) -> Stamp:
        """The stamp that `environment` has when it is what the clone asks for."""
        pinned = (self.root / environment.requirements).read_text(encoding="utf-8")
        return Stamp(
            key=keys.environment_key(pinned, self.python),
            place=str(self.place(environment)),
            source=keys.source_digest(self.root, environment.sources),
        )

    def steps(self, environment: Environment) -> tuple[Step, ...]:
        """What is to be done for `environment`, from what lies in the folders now."""
        return plan(
            self.wanted(environment),
            cached=stamps.read(self.entry(environment)),
            placed=stamps.read(self.place(environment)),
        )
