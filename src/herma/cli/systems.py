"""Herma's systems, as the command line names them."""

from typing import NamedTuple

from herma.core.settings import Resolved, resolve
from herma.hosts.hermes import configuration, read_summarizer
from herma.hosts.hermes.surface import SURFACES
from herma.install.facts import Facts

__all__ = ["SYSTEMS", "System"]


class System(NamedTuple):
    """A system that lives in Hermes as a plugin, and its block of config.yaml."""

    name: str
    block: str

    @property
    def hooks(self) -> tuple[str, ...]:
        """The hooks that the plugin stands on."""
        return tuple(hook.name for surface in SURFACES if surface.plugin == self.name for hook in surface.hooks)

    def settings(self, facts: Facts) -> Resolved:
        """The settings in force in this installation's home."""
        return resolve(self.name, configuration.layers(facts.config.values, self.name, self.block))


SYSTEMS: tuple[System, ...] = (System(read_summarizer.PLUGIN, read_summarizer.BLOCK),)
