"""The host's own switches in config.yaml."""

from collections.abc import Mapping

__all__ = ["DISABLED", "ENABLED", "names_in"]

ENABLED = ("plugins", "enabled")
DISABLED = ("plugins", "disabled")


def names_in(values: Mapping[str, object], key: str) -> list[str] | None:
    """The names in `plugins.enabled` or `plugins.disabled`; None where the host would not take it for a list."""
    switches = values.get("plugins")
    found = switches.get(key, []) if isinstance(switches, Mapping) else []
    # One item that is no name and the host drops the whole list.
    return found if isinstance(found, list) and all(isinstance(name, str) for name in found) else None
