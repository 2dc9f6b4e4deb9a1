"""Which environments there are."""

from __future__ import annotations

from typing import NamedTuple

PACKAGED = ("src", "integrations", "pyproject.toml", "README.md", "LICENSE")


class Environment(NamedTuple):
    """One environment: the pinned file it is made from, and how our own package goes into it.

    `sources` are the paths below the clone that the installed package depends on: while they stay the same,
    it need not be installed again.
    """

    name: str
    sources: tuple[str, ...]
    editable: bool

    @property
    def requirements(self) -> str:
        """The pinned file, from the root of the clone."""
        return f"requirements/{self.name}.txt"


# An editable installation reads the code in place: only its metadata can become stale.
DEV = Environment("dev", ("pyproject.toml", "README.md", "src/herma/__init__.py"), editable=True)

ENVIRONMENTS = {
    environment.name: environment
    for environment in (
        DEV,
        Environment("hermes-0.19.0", PACKAGED, editable=False),
        Environment("hermes-0.22.2", PACKAGED, editable=False),
    )
}
