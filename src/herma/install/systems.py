"""Herma's systems that live in Hermes as plugins: where each keeps its settings, and what switches it on."""

from typing import NamedTuple

from herma.core.settings import SETTINGS, VARIABLES, Resolved, resolve
from herma.hosts.hermes import configuration
from herma.hosts.hermes.surface import SURFACES, TESTED_VERSIONS, Surface
from herma.install.facts import Facts

__all__ = ["ADMIN_LISTS", "COMMAND_LISTS", "HITS", "PEOPLE", "ROOT", "SWITCH", "SYSTEMS", "System", "questions"]

SWITCH = "enabled"
HITS, ROOT = "READ_ONCE_HITS", "READ_ONCE_ROOT"
PEOPLE = "manyhands"

# The lists that the host itself keeps for each platform, below the platform or below its `extra`.
ADMIN_LISTS = ("allow_admin_from", "group_allow_admin_from")
COMMAND_LISTS = ("user_allowed_commands", "group_user_allowed_commands")
_PLATFORM = (*ADMIN_LISTS, *COMMAND_LISTS, "allow_from", "group_allow_from", "dm_policy", "group_policy")
# What of the host's own settings bears on who may do what.
_HOST_SETTINGS = (
    "gateway.strict",
    "display.busy_input_mode",
    "security.approval.transport",
    "security.approval.transport_fallback",
    "memory.provider",
    "platforms.*.enabled",
    *(f"platforms.*.{name}" for name in _PLATFORM),
    *(f"platforms.*.extra.{name}" for name in _PLATFORM),
)
_HOST_VARIABLES = ("*_ALLOW_ALL_USERS", "*_ALLOWED_USERS")


class System(NamedTuple):
    """A system and what it registers with the host."""

    surface: Surface

    @property
    def name(self) -> str:
        """Its name, which is its plugin's."""
        return self.surface.plugin

    @property
    def needs(self) -> str:
        """The system without which this one does nothing in the same home; empty for most."""
        return self.surface.needs

    @property
    def block(self) -> str:
        """Its block of config.yaml, or empty for a system that has no settings there."""
        return self.name.replace("-", "_") if any(setting.system == self.name for setting in SETTINGS) else ""

    @property
    def has_switch(self) -> bool:
        """Whether it stays off until its own block of config.yaml says `enabled: true`."""
        return any((setting.system, setting.name) == (self.name, SWITCH) for setting in SETTINGS)

    @property
    def has_settings(self) -> bool:
        """Whether it has settings in config.yaml."""
        return bool(self.block)

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that it reads."""
        return tuple(variable.name for variable in VARIABLES if variable.system == self.name)

    @property
    def hooks(self) -> tuple[str, ...]:
        """The hooks that it stands on in every tested version."""
        return tuple(hook.name for hook in self.surface.hooks if set(hook.versions) == set(TESTED_VERSIONS))

    def settings(self, facts: Facts) -> Resolved:
        """The settings in force in this installation's home."""
        return resolve(self.name, configuration.layers(facts.config.values, self.name, self.block))


SYSTEMS: tuple[System, ...] = tuple(map(System, SURFACES))


def questions() -> tuple[tuple[tuple[str, str], ...], tuple[str, ...], tuple[str, ...]]:
    """What to ask an installation about them: each name with its block, the variables, and settings of the host."""
    variables = (name for system in SYSTEMS for name in system.variables)
    return tuple((system.name, system.block) for system in SYSTEMS), (*variables, *_HOST_VARIABLES), _HOST_SETTINGS
