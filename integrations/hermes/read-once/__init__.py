"""read-once for Hermes Agent. The plugin is in the installed package `herma`; there is no logic here."""

from herma.hosts.hermes.read_once import register

__all__ = ["register"]
