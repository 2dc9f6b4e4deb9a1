"""recall for Hermes Agent. The plugin is in the installed package `herma`; there is no logic here."""

from herma.hosts.hermes.recall import register

__all__ = ["register"]
